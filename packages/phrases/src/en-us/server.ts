import type { server as source } from '../zh-cn/server.ts'
import type { SameShape } from '../shape.ts'

export const server: SameShape<typeof source> = {
  wait: {
    seconds: '{count, plural, one {# second} other {# seconds}}',
    minutes: '{count, plural, one {# minute} other {# minutes}}',
  },
  sms: {
    loginCode: 'Your login code is {code}, valid for 5 minutes. Ignore this message if you did not ask for it.',
  },
}
