import type { Readable } from 'node:stream'

export type ByteRange = { start: number; end: number }

/** Where bytes lie, under keys of our own making. A folder by default, S3 when set. */
export type ObjectStore = {
  kind: 'folder' | 's3'
  put: (key: string, body: Readable, size: number, sha256: string) => Promise<void>
  get: (key: string, range?: ByteRange) => Promise<Readable>
  size: (key: string) => Promise<number | null>
  remove: (key: string) => Promise<void>
  list: (prefix: string) => AsyncIterable<string>
}

/** The bytes are not those that were announced. */
export class ObjectDamagedError extends Error {}

export type SavedObject = { hash: string; size: number; type: string }

export type Expected = { size: number; sha256: string | null }

/** Files of a school, found by the hash of their content. */
export type Objects = {
  store: ObjectStore
  /** Stores what is read, known by its content; the same content is stored once a school. Nothing, when it is not what was expected. */
  save: (schoolId: string, userId: string | null, body: Readable | Buffer, expected?: Expected) => Promise<SavedObject>
  /** Null when this school has no such file. */
  find: (schoolId: string, hash: string) => Promise<SavedObject | null>
  open: (schoolId: string, hash: string, range?: ByteRange) => Promise<Readable>
}

export const objectKey = (schoolId: string, hash: string): string => `objects/${schoolId}/${hash.slice(0, 2)}/${hash}`
export const chunkKey = (schoolId: string, uploadId: string, offset: number): string =>
  `uploads/${schoolId}/${uploadId}/${String(offset).padStart(15, '0')}`

const segment = /^[A-Za-z0-9_-][A-Za-z0-9._-]*$/

/** A key becomes a path or an address: nothing in it may lead out of the place or be read as something else. */
export function demandKey(key: string): void {
  if (!key.split('/').every((part) => segment.test(part))) throw new Error(`not a key: ${key}`)
}

/** The beginning of a key, which may end anywhere. */
export function demandPrefix(prefix: string): void {
  const parts = prefix.split('/')
  const last = parts.pop() ?? ''
  if (!parts.every((part) => segment.test(part)) || (last !== '' && !segment.test(last)))
    throw new Error(`not a prefix: ${prefix}`)
}
