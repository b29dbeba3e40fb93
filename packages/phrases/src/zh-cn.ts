import { auth } from './zh-cn/auth.ts'
import { common } from './zh-cn/common.ts'
import { debug } from './zh-cn/debug.ts'
import { environment } from './zh-cn/environment.ts'
import { error } from './zh-cn/error.ts'
import { httpStatus } from './zh-cn/http-status.ts'
import { server } from './zh-cn/server.ts'
import { shell } from './zh-cn/shell.ts'

/** The source of the keys: every other language has the same. */
export const zhCN = { auth, common, debug, environment, error, httpStatus, server, shell }
