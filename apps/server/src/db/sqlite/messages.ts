/** What passes between the driver and its threads. A unit is a logical transaction or a single statement. */
export type SqlValue = null | number | bigint | string | Uint8Array

export type Statement = { sql: string; parameters: SqlValue[] }

export type Request =
  /** unit 0: a statement of its own; begin: the first statement of a logical transaction. On a reader any other unit is a snapshot. */
  | { kind: 'run'; id: number; unit: number; begin: boolean; statement: Statement }
  | { kind: 'commit'; id: number; unit: number; more: boolean }
  | { kind: 'rollback'; id: number; unit: number; more: boolean }
  | { kind: 'open-stream'; id: number; unit: number; statement: Statement; chunk: number }
  | { kind: 'next-chunk'; id: number; stream: number }
  | { kind: 'close-stream'; id: number; stream: number }
  | { kind: 'snapshot'; id: number; end: boolean }
  | { kind: 'close'; id: number }

export type Rows = { columns: string[]; rows: SqlValue[][]; changes: number | null; lastId: number | bigint | null }

export type FailureData = { message: string; code?: string; errcode?: number; errstr?: string; busy?: boolean }

export type Answer =
  /** commits: how many physical commits this writer thread has made, told with each acknowledged unit. */
  | { id: number; rows: Rows; done?: boolean; commits?: number }
  | { id: number; failure: FailureData }
  | { id: number; closed: true }

export type ThreadOptions = { path: string; readOnly: boolean; busyTimeoutMs: number }
