import { randomUUIDv7 } from 'node:crypto'

/** Ids grow with time, so a table's newest rows lie together. */
export const newId = (): string => randomUUIDv7()
