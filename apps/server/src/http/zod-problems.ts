import type { ErrorCode } from '@console/phrases'
import type { FastifySchemaCompiler } from 'fastify'
import type { z } from 'zod'
import { AppError, type FieldRefusal } from './app-error.ts'

type ZodIssue = z.core.$ZodIssue

/** What zod found, as places and error codes that the edge can say in both languages. */
export function refusalsOf(issues: readonly ZodIssue[], prefix = ''): FieldRefusal[] {
  return issues.slice(0, 50).map((issue) => {
    const path = [prefix, ...issue.path.map(String)].filter(Boolean).join('.')
    return { path, ...said(issue) }
  })
}

function said(issue: ZodIssue): Omit<FieldRefusal, 'path'> {
  // A schema of the contract may name its own error code as the message.
  if (issue.message.startsWith('error.')) return { error: issue.message.slice('error.'.length) as ErrorCode }
  switch (issue.code) {
    case 'invalid_type':
      // Issues carry no input; that there was none stands only in zod's own sentence.
      return { error: issue.message.endsWith('received undefined') ? 'field.required' : 'field.wrongType' }
    case 'too_small':
      return sized(issue.origin, Number(issue.minimum), 'small')
    case 'too_big':
      return sized(issue.origin, Number(issue.maximum), 'big')
    case 'invalid_format':
    case 'not_multiple_of':
    case 'invalid_key':
    case 'invalid_element':
    case 'custom':
      return { error: 'field.format' }
    case 'invalid_value':
      return { error: 'field.option', params: { options: issue.values.map(String).join(', ') } }
    case 'unrecognized_keys':
      return { error: 'field.unknownField', params: { fields: issue.keys.slice(0, 10).join(', ').slice(0, 200) } }
    case 'invalid_union': {
      const first = issue.errors[0]?.[0]
      return first ? said(first) : { error: 'field.format' }
    }
    default:
      return { error: 'field.format' }
  }
}

function sized(origin: string, limit: number, side: 'small' | 'big'): Omit<FieldRefusal, 'path'> {
  const params: Record<string, number> = side === 'small' ? { minimum: limit } : { maximum: limit }
  if (origin === 'string') return { error: side === 'small' ? 'field.tooShort' : 'field.tooLong', params }
  if (origin === 'array' || origin === 'set')
    return { error: side === 'small' ? 'field.tooFew' : 'field.tooMany', params }
  return { error: side === 'small' ? 'field.tooSmall' : 'field.tooBig', params }
}

/** A refusal of ours at once, since the one of the type provider keeps only half of what zod knows. */
export const validatorCompiler: FastifySchemaCompiler<z.ZodType> =
  ({ schema }) =>
  (data) => {
    const parsed = schema.safeParse(data)
    return parsed.success
      ? { value: parsed.data }
      : { error: new AppError('request.invalid', { fields: refusalsOf(parsed.error.issues) }) }
  }
