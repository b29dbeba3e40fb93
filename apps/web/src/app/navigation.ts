type Navigator = {
  to: (path: string, options: { replace: boolean }) => Promise<void>
  currentPath: () => string
}

let navigator: Navigator | null = null

/** The router is made after what must be able to navigate (session, call policy), and depends on it. */
export function setNavigator(made: Navigator): void {
  navigator = made
}

export async function goTo(path: string, options: { replace?: boolean } = {}): Promise<void> {
  await navigator?.to(path, { replace: options.replace ?? false })
}

export function currentPath(): string {
  return navigator?.currentPath() ?? '/'
}
