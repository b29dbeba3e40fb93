export type Held = { lend: (pid: number) => void }

export function withLock<T>(directory: string, action: (held: Held) => Promise<T>, onWait?: () => void): Promise<T>
