import { create } from 'zustand'
import { readStored, writeStored } from './storage.ts'

type Appearance = 'system' | 'light' | 'dark'
type AppearanceState = { chosen: Appearance; isDark: boolean; reducedMotion: boolean }

const appearanceKey = 'appearance'
const systemDark = matchMedia('(prefers-color-scheme: dark)')
const systemReducedMotion = matchMedia('(prefers-reduced-motion: reduce)')

function readChosen(): Appearance {
  const stored = readStored(appearanceKey)
  return stored === 'light' || stored === 'dark' ? stored : 'system'
}

function stateOf(chosen: Appearance): AppearanceState {
  const isDark = chosen === 'dark' || (chosen === 'system' && systemDark.matches)
  return { chosen, isDark, reducedMotion: systemReducedMotion.matches }
}

export const useAppearance = create<AppearanceState>(() => stateOf(readChosen()))

function apply(chosen: Appearance): void {
  const state = stateOf(chosen)
  document.documentElement.dataset['theme'] = state.isDark ? 'dark' : 'light'
  useAppearance.setState(state)
}

export function startAppearance(): void {
  const again = () => apply(useAppearance.getState().chosen)
  systemDark.addEventListener('change', again)
  systemReducedMotion.addEventListener('change', again)
  again()
}

/** Choosing what the system says anyway returns to following it. */
export function toggleAppearance(): void {
  const wanted = useAppearance.getState().isDark ? 'light' : 'dark'
  const chosen = (wanted === 'dark') === systemDark.matches ? 'system' : wanted
  writeStored(appearanceKey, chosen === 'system' ? null : chosen)
  apply(chosen)
}
