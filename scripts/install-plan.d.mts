export type Mode = 'production' | 'all'
export type LockEntry = {
  version?: string
  integrity?: string
  link?: boolean
  dev?: boolean
  optional?: boolean
  devOptional?: boolean
  os?: string | string[]
  cpu?: string | string[]
  libc?: string | string[]
}
export type Lockfile = { packages: Record<string, LockEntry> }

export function expectedPackages(lock: Lockfile, mode: Mode): string[]
export function missingOf(root: string, paths: string[]): string[]
export function isWhatTheLockfileSays(root: string, lock: Lockfile, record: Lockfile, mode: Mode): boolean
export function explain(npmOutput: string): string
