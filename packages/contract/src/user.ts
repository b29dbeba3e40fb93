import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import * as f from './fields.ts'

export const partnerTypes = ['szjx', 'shiWai', 'pbs', 'wfl'] as const
export type PartnerType = (typeof partnerTypes)[number]
const partnerType = z.enum(partnerTypes).nullable()

export const subjectItem = z.object({ id: f.id, name: z.string() })

/** The profile of a session, and of GET /api/user/currentUser. */
export const currentUser = z.object({
  token: z.string(),
  userId: f.id,
  schoolId: f.id,
  schoolName: z.string(),
  name: z.string(),
  avatar: z.string().nullable(),
  phone: z.string().nullable(),
  isAdmin: z.boolean(),
  access: z.array(z.string()),
  userSubjects: z.array(subjectItem),
  features: z.array(f.featureState),
  partnerType,
})
export type CurrentUser = z.infer<typeof currentUser>

export const user = z.object({
  id: f.id,
  name: z.string(),
  phone: z.string().nullable(),
  avatar: z.string().nullable(),
  isAdmin: z.boolean(),
  state: z.enum(['active', 'disabled']),
  partnerType,
  userSubjects: z.array(subjectItem),
  features: z.array(f.featureState),
  createdAt: f.time,
  seenAt: f.time.nullable(),
})
export type User = z.infer<typeof user>

const features = z
  .array(f.featureState)
  .max(20)
  .refine((list) => new Set(list.map((item) => item.featureId)).size === list.length, f.code('error.field.format'))

const rights = {
  isAdmin: z.boolean(),
  partnerType,
  subjectIds: z.array(f.id).max(50),
  features,
}

const newUser = z.object({
  name: f.requiredText(50),
  phone: f.phone,
  password: f.secretText(128).optional(),
  isAdmin: rights.isAdmin.default(false),
  partnerType: rights.partnerType.default(null),
  subjectIds: rights.subjectIds.default([]),
  features: rights.features.default([]),
})

const userChange = z.object({
  id: f.id,
  name: f.requiredText(50).optional(),
  phone: f.phone.optional(),
  state: z.enum(['active', 'disabled']).optional(),
  isAdmin: rights.isAdmin.optional(),
  partnerType: rights.partnerType.optional(),
  subjectIds: rights.subjectIds.optional(),
  features: rights.features.optional(),
})

const listFilter = {
  text: f.text(100).optional(),
  state: z.enum(['active', 'disabled']).optional(),
  subjectId: f.id.optional(),
}

export const userPage = endpoint('GET /api/user/page', {
  access: 'school-administration',
  summary: 'A page of the accounts of the school',
  query: f.pageQuery.extend(listFilter),
  data: f.pageOf(user),
})
export const userAll = endpoint('GET /api/user/all', {
  access: 'signed-in',
  summary: 'Names of all active accounts of the school, for choosing a colleague',
  query: z.object({ text: listFilter.text }),
  data: z.array(z.object({ id: f.id, name: z.string(), avatar: z.string().nullable() })),
})
export const userAdd = endpoint('POST /api/user', {
  access: 'school-administration',
  summary: 'Open an account; without a password one is made and shown once',
  body: newUser,
  data: z.object({ id: f.id, password: z.string().nullable() }),
})
export const userUpdate = endpoint('PUT /api/user', {
  access: 'school-administration',
  summary: 'Change an account',
  body: userChange,
  data: user,
})
export const userOne = endpoint('GET /api/user/{id}', {
  access: 'signed-in',
  summary: 'One account: an administrator any of the school, everybody their own',
  params: z.object({ id: f.id }),
  data: user,
})
export const userRemove = endpoint('DELETE /api/user/{id}', {
  access: 'school-administration',
  summary: 'Close an account: its sessions end, its phone number is free again, what it did stays',
  params: z.object({ id: f.id }),
  data: z.null(),
})
export const userCurrent = endpoint('GET /api/user/currentUser', {
  access: 'signed-in',
  summary: 'The profile of the session',
  data: currentUser,
})
export const userClassGroup = endpoint('GET /api/user/userClassGroupBySAG', {
  access: 'signed-in',
  summary: 'The classes of the user, grouped by subject and grade',
  data: z.array(
    z.object({
      subjectId: f.id,
      subjectName: z.string(),
      gradeId: f.id,
      gradeName: z.string(),
      classes: z.array(z.object({ id: f.id, name: z.string() })),
    }),
  ),
})
