import { newId } from '../ids.ts'
import type { Db } from '../store.ts'

const sizes = [
  { name: 'A4', widthMm: 210, heightMm: 297 },
  { name: 'A3', widthMm: 420, heightMm: 297 },
  { name: '16K', widthMm: 195, heightMm: 270 },
  { name: '8K', widthMm: 390, heightMm: 270 },
]

/** What every new school has: the sizes its printers and its paper suppliers know. */
export async function insertPaperSizes(db: Db): Promise<void> {
  await db
    .insertInto('paperSize')
    .values(sizes.map((size, sort) => ({ id: newId(), ...size, sort })))
    .execute()
}
