import { sql } from 'kysely'
import { CommandError } from '../commands/run-command.ts'
import type { ObjectStore } from '../objects/objects.ts'
import { replaceAll, withSnapshot, type Place, type Print, type Replaced, type TableSource } from './copy.ts'
import { copyFile, eachFile, storedFiles } from './files.ts'
import type { RawDb } from './tables.ts'

export type Move = {
  from: Place
  to: Place
  /** Left out when the files stay where they are. */
  files: { from: ObjectStore; to: ObjectStore } | null
  print: Print
}

/** Into an empty database, whole or not at all; who calls it sees to it that nothing is written meanwhile. */
export async function moveAll({ from, to, files, print }: Move): Promise<Replaced> {
  return withSnapshot(from, async (source) => {
    await demandEmpty(to)
    if (files) await moveFiles(source, files, print)
    const replaced = await replaceAll(to, source, print, refuseSchools)
    for (const line of comparison(replaced)) print(line)
    return replaced
  })
}

const demandEmpty = ({ db }: Place) =>
  db.transaction().execute((transaction) => refuseSchools(transaction.withoutPlugins() as unknown as RawDb))

/** Asked again where the rows are written, behind the lock: somebody else may have moved in meanwhile. */
async function refuseSchools(raw: RawDb): Promise<void> {
  const { rows } = await sql<{ name: string }>`select name from school limit 1`.execute(raw)
  if (rows[0])
    throw new CommandError(
      `The target holds a school already (${rows[0].name}). A move goes into an empty database only.`,
    )
}

async function moveFiles(
  source: TableSource,
  { from, to }: { from: ObjectStore; to: ObjectStore },
  print: Print,
): Promise<void> {
  let moved = 0
  const count = await eachFile(storedFiles(source), async (file) => {
    const isThere = (await to.size(file.key)) === file.size
    if (!isThere && !(await copyFile(from, to, file)))
      throw new CommandError(`The file ${file.key} is missing or damaged here. Nothing was moved into the database.`)
    moved += 1
    if (moved % 1000 === 0) print(`  ${moved} files`)
  })
  print(`  ${count} files`)
}

function comparison({ sent, stored }: Replaced): string[] {
  const short = (sha256: string | undefined) => (sha256 ?? '').slice(0, 12)
  const cells = Object.keys(sent).map((name) => [
    name,
    String(sent[name]?.rows),
    String(stored[name]?.rows),
    short(sent[name]?.sha256),
    short(stored[name]?.sha256),
    sent[name]?.sha256 === stored[name]?.sha256 ? 'same' : 'DIFFERENT',
  ])
  const rows = [['table', 'rows here', 'rows there', 'sha256 here', 'sha256 there', ''], ...cells]
  const widths = rows[0]?.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0))) ?? []
  return rows.map(
    (row) =>
      `  ${row
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd()}`,
  )
}
