import type { ErrorCode } from '@console/phrases'
import { z } from 'zod'

// Half of a surrogate pair is no character; PostgreSQL refuses it where SQLite keeps it.
// U+0000 cannot be stored by PostgreSQL, and no person types the other control characters into a name.
const isStorable = (value: string) => value.isWellFormed() && !controlCharacter.test(value)

const controlCharacter = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/

/** An issue whose text is an error code; the edge turns it into a sentence in the reader's language. */
export const code = (name: `error.${ErrorCode}`) => ({ error: name })

/** Text a person types: trimmed, no control characters, never longer than said. */
export const text = (maximum: number) =>
  z.string().trim().max(maximum).refine(isStorable, code('error.field.controlCharacter'))

export const requiredText = (maximum: number) => text(maximum).min(1, code('error.field.required'))

/** A token, code or password: kept as it came. */
export const secretText = (maximum: number) =>
  z.string().min(1, code('error.field.required')).max(maximum).refine(isStorable, code('error.field.controlCharacter'))

export const id = z.uuid(code('error.field.id'))

export const phonePattern = /^1\d{10}$/
export const phone = z.string().trim().regex(phonePattern, code('error.field.phone'))

export const time = z.number().int()

/** 0 and 1 as the specification writes a flag. */
export const flag = z.union([z.literal(0), z.literal(1)])

export const featureState = z.object({ featureId: z.number().int(), isActivity: flag })

const wholeNumber = (minimum: number, maximum: number) =>
  z.coerce.number<string | number>().int().min(minimum).max(maximum)

/** The query of every list that is paged by the server. */
export const pageQuery = z.object({
  page: wholeNumber(1, 1_000_000).default(1),
  size: wholeNumber(1, 200).default(20),
  text: text(100).optional(),
})

export const pageOf = <T extends z.ZodType>(item: T) =>
  z.object({ items: z.array(item), total: z.number().int(), page: z.number().int(), size: z.number().int() })

/** A query parameter that may stand once or several times: `a=1&a=2`. */
export const repeated = <T extends z.ZodType>(item: T, maximum = 200) =>
  z.preprocess((value) => (value === undefined || Array.isArray(value) ? value : [value]), z.array(item).max(maximum))
