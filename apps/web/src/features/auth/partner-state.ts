type PartnerState = { state: string; redirect: string | null }

const keyOf = (partner: string) => `partner-state:${partner}`

/** In the session storage of this tab: the return comes to the tab that left. */
export function rememberPartnerState(partner: string, value: PartnerState): void {
  try {
    sessionStorage.setItem(keyOf(partner), JSON.stringify(value))
  } catch {
    return
  }
}

export function readPartnerState(partner: string): PartnerState | null {
  try {
    return JSON.parse(sessionStorage.getItem(keyOf(partner)) ?? 'null') as PartnerState | null
  } catch {
    return null
  }
}

export function forgetPartnerState(partner: string): void {
  try {
    sessionStorage.removeItem(keyOf(partner))
  } catch {
    return
  }
}
