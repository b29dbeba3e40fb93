import { sql, type Expression, type RawBuilder } from 'kysely'

/** What a person types is text and not a pattern, on both engines and whatever its case. */
export function contains(column: Expression<string | null>, text: string): RawBuilder<boolean> {
  const pattern = `%${text.toLowerCase().replace(/[\\%_]/g, (char) => `\\${char}`)}%`
  return sql<boolean>`lower(${column}) like ${pattern} escape '\\'`
}
