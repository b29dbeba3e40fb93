import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readFile, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Of one file: modification time, size and digest of the content. */
type Seen = [mtimeMs: number, size: number, digest: string]
export type Fingerprint = { content: string; takenAt: number; files: Record<string, Seen> }

const skippedFolders = new Set(['node_modules', 'dist', '.cache'])
const isTest = (name: string) => /\.test\.tsx?$/.test(name)

/** A file changed so shortly before the last look may have changed again within the same tick of the clock. */
const settledMs = 2_000

export async function takeFingerprint(root: string, places: string[], last: Fingerprint | null): Promise<Fingerprint> {
  const takenAt = Date.now()
  const paths = (await Promise.all(places.map((place) => filesUnder(root, place)))).flat().toSorted()
  const entries = await Promise.all(paths.map(async (path) => [path, await look(root, path, last)] as const))
  const content = createHash('sha256')
  for (const [path, seen] of entries) content.update(`${path}\0${seen[2]}\n`)
  return { content: content.digest('hex'), takenAt, files: Object.fromEntries(entries) }
}

export function readFingerprint(path: string): Fingerprint | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Fingerprint
  } catch {
    return null
  }
}

async function look(root: string, path: string, last: Fingerprint | null): Promise<Seen> {
  const { mtimeMs, size } = await stat(join(root, path))
  const known = last?.files[path]
  const isKnown = known?.[0] === mtimeMs && known[1] === size && last !== null && mtimeMs < last.takenAt - settledMs
  if (known && isKnown) return known
  const digest = createHash('sha256')
    .update(await readFile(join(root, path)))
    .digest('hex')
  return [mtimeMs, size, digest]
}

async function filesUnder(root: string, place: string): Promise<string[]> {
  if ((await stat(join(root, place))).isFile()) return [place]
  const entries = await readdir(join(root, place), { withFileTypes: true })
  const found = entries.map(async (entry) => {
    if (entry.isDirectory()) return skippedFolders.has(entry.name) ? [] : filesUnder(root, `${place}/${entry.name}`)
    return isTest(entry.name) ? [] : [`${place}/${entry.name}`]
  })
  return (await Promise.all(found)).flat()
}
