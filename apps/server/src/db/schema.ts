import type { ColumnType } from 'kysely'

/** Filled in by the school scope; only the handle over all schools says it itself. */
export type SchoolId = ColumnType<string, string | undefined, never>
/** Stored as text, read as the thing itself: the codec plugin does both. */
export type Json<T> = ColumnType<T, T, T>
/** Stored as 0 and 1 on SQLite; the codec plugin knows a boolean by its name, is… or has…. */
export type Bool = ColumnType<boolean, boolean | undefined, boolean>
type Optional<T> = ColumnType<T | null, T | null | undefined, T | null>

type School = { schoolId: SchoolId; name: string; kind: 'school' | 'demo'; createdAt: number }
type UserAccount = {
  schoolId: SchoolId
  id: string
  name: string
  phone: Optional<string>
  avatar: Optional<string>
  passwordHash: Optional<string>
  isAdmin: Bool
  state: 'active' | 'disabled' | 'removed'
  partnerType: Optional<string>
  createdAt: number
  updatedAt: number
  seenAt: Optional<number>
}
/** By what name somebody signs in: a phone, or the subject of a partner. Unique over all schools. */
type SignInName = { schoolId: SchoolId; kind: string; name: string; userId: string }
type UserSession = {
  schoolId: SchoolId
  tokenHash: string
  id: string
  userId: string
  device: string
  address: string
  partner: Optional<string>
  /** Encrypted: what the partner gave for this session. */
  partnerSecret: Optional<string>
  createdAt: number
  seenAt: number
  expiresAt: number
}
/** Used once and gone: codes, challenges, partner attempts, nonces. Only a hash of the key is kept. */
type OneTime = {
  schoolId: SchoolId
  kind: string
  keyHash: string
  dataJson: Json<unknown>
  createdAt: number
  expiresAt: number
}
type Attempt = { schoolId: SchoolId; key: string; failures: number; firstAt: number; blockedUntil: number }
type Grade = { schoolId: SchoolId; id: string; name: string; sort: number; isTraining: Bool }
type Subject = { schoolId: SchoolId; id: string; name: string; sort: number; isTraining: Bool }
type SchoolClass = { schoolId: SchoolId; id: string; gradeId: string; name: string; sort: number; createdAt: number }
type Teaching = { schoolId: SchoolId; classId: string; subjectId: string; userId: string }
type UserSubject = { schoolId: SchoolId; userId: string; subjectId: string }
type UserFeature = { schoolId: SchoolId; userId: string; featureId: number; isActive: Bool }
type PaperSize = { schoolId: SchoolId; id: string; name: string; widthMm: number; heightMm: number; sort: number }
type Audit = {
  schoolId: SchoolId
  id: string
  at: number
  userId: Optional<string>
  action: string
  targetKind: string
  targetId: string
  dataJson: Json<Record<string, unknown>>
  requestId: string
  address: string
}
type Job = {
  schoolId: SchoolId
  id: string
  kind: string
  userId: Optional<string>
  /** One live job a key: asking for the same work twice gives the same job. */
  uniqueKey: Optional<string>
  state: 'queued' | 'running' | 'done' | 'failed' | 'cancelled'
  dataJson: Json<unknown>
  resultJson: Json<unknown>
  progress: number
  note: Optional<string>
  error: Optional<string>
  attempt: number
  maxAttempts: number
  runAt: number
  leaseOwner: Optional<string>
  leaseUntil: Optional<number>
  isCancelAsked: Bool
  createdAt: number
  startedAt: Optional<number>
  finishedAt: Optional<number>
}
type StoredObject = {
  schoolId: SchoolId
  hash: string
  size: number
  type: string
  createdAt: number
  createdBy: Optional<string>
}
type Upload = {
  schoolId: SchoolId
  id: string
  userId: string
  name: string
  size: number
  received: number
  resumeKey: Optional<string>
  sha256: Optional<string>
  state: 'open' | 'complete'
  hash: Optional<string>
  type: Optional<string>
  createdAt: number
  expiresAt: number
}
type Setting = { schoolId: SchoolId; name: string; valueJson: Json<unknown> }

export type Database = {
  school: School
  userAccount: UserAccount
  signInName: SignInName
  userSession: UserSession
  oneTime: OneTime
  attempt: Attempt
  grade: Grade
  subject: Subject
  schoolClass: SchoolClass
  teaching: Teaching
  userSubject: UserSubject
  userFeature: UserFeature
  paperSize: PaperSize
  audit: Audit
  job: Job
  storedObject: StoredObject
  upload: Upload
  setting: Setting
}

/** Rows that belong to no school yet (attempts before anybody is known, settings of the installation) stand under this id. */
export const systemSchool = '00000000-0000-0000-0000-000000000000'
