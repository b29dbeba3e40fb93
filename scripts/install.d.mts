import type { Mode } from './install-plan.mjs'

export class InstallError extends Error {
  exitCode: number
}
export function ensureInstalled(root: string, mode: Mode): Promise<boolean>
export function isInstalled(root: string, mode: Mode): boolean
export function writeMarker(root: string, mode: Mode): void
