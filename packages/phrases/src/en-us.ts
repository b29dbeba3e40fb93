import { auth } from './en-us/auth.ts'
import { common } from './en-us/common.ts'
import { debug } from './en-us/debug.ts'
import { environment } from './en-us/environment.ts'
import { error } from './en-us/error.ts'
import { httpStatus } from './en-us/http-status.ts'
import { server } from './en-us/server.ts'
import { shell } from './en-us/shell.ts'
import type { SameShape } from './shape.ts'
import type { zhCN } from './zh-cn.ts'

export const enUS: SameShape<typeof zhCN> = { auth, common, debug, environment, error, httpStatus, server, shell }
