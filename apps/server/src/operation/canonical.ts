export type Value = string | number | boolean | null | Value[] | { [key: string]: Value }
export type Row = Record<string, Value>

/** The same value is the same text, in whatever order an engine keeps the keys of an object. */
export function canonicalJson(value: Value): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.keys(value)
    .toSorted()
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key] ?? null)}`)
  return `{${members.join(',')}}`
}

const isJson = (column: string) => column.endsWith('_json')
const isBoolean = (column: string) => /^(is|has)_/.test(column)

/** What a driver handed out, as the value that both engines mean. */
export function valueOf(column: string, raw: unknown): Value {
  if (raw === null) return null
  if (isJson(column)) return (typeof raw === 'string' ? JSON.parse(raw) : raw) as Value
  if (isBoolean(column) && typeof raw === 'number') return raw === 1
  if (typeof raw === 'string' || typeof raw === 'number' || typeof raw === 'boolean') return raw
  throw new TypeError(`the column ${column} holds a ${Object.prototype.toString.call(raw)}, which a copy cannot carry`)
}

/** The way back. A JSON null in a column that must not be empty is the text null. */
export function storedOf(
  column: string,
  isNullable: boolean,
  value: Value | undefined,
): string | number | boolean | null {
  if (isJson(column) && (value ?? null) !== null) return canonicalJson(value as Value)
  if (isJson(column) && !isNullable) return 'null'
  if (typeof value === 'object' && value !== null) throw new TypeError(`the column ${column} does not hold JSON`)
  return value ?? null
}
