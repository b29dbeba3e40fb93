import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import * as f from './fields.ts'
import { partnerTypes } from './user.ts'

export const environmentTypes = ['production', 'development', 'test', 'demo'] as const

/** What the console must know of its server before anybody signs in. */
export const environment = endpoint('GET /api/environment', {
  access: 'public',
  summary: 'Title, version, kind of environment, the entrances in use and the menu flags',
  data: z.object({
    title: z.string(),
    website: z.string(),
    company: z.string(),
    version: z.string(),
    buildTime: z.string(),
    envType: z.enum(environmentTypes),
    pdfServer: z.string(),
    utilityToolMenu: z.boolean(),
    oldExamMenu: z.boolean(),
    entrances: z.array(z.enum(partnerTypes)),
    smsLogin: z.boolean(),
    wflHost: z.string(),
    uploadLimit: z.number().int(),
  }),
})

/** Entries that the console's log posts in batches. */
export const logAdd = endpoint('POST /api/log', {
  access: 'public',
  summary: 'Log entries of the console; tokens are masked before they are sent and again when they arrive',
  body: z.object({
    entries: z
      .array(
        z.object({
          message: f.text(4000),
          type: z.enum(['info', 'error']),
          time: f.text(30),
          page: f.text(2000),
          userId: f.text(100).optional(),
          uuid: f.text(100).optional(),
        }),
      )
      .max(100),
  }),
  data: z.null(),
})
