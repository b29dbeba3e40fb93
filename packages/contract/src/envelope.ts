import { z } from 'zod'

/** One refused place of what was sent: where, and the error code that says why. */
export const fieldProblem = z.object({ path: z.string(), error: z.string(), msg: z.string() })
export type FieldProblem = z.infer<typeof fieldProblem>

/** code 0 is success and data is the answer; any other code is a failure and msg says it in the reader's language. */
export const failureEnvelope = z.object({
  code: z.number().int(),
  data: z.null(),
  msg: z.string(),
  error: z.string(),
  requestId: z.string(),
  fields: z.array(fieldProblem).optional(),
  /** Milliseconds to wait before trying again. */
  wait: z.number().int().optional(),
})
export type FailureEnvelope = z.infer<typeof failureEnvelope>

export const successEnvelope = <T extends z.ZodType>(data: T) => z.object({ code: z.literal(0), data, msg: z.string() })

/** The partner's own session is over: the console clears its cookies and goes to login. */
export const partnerSessionOver = 10401
