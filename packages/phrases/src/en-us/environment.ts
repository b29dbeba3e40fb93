import type { SameShape } from '../shape.ts'
import type { environment as source } from '../zh-cn/environment.ts'

export const environment: SameShape<typeof source> = {
  testWarning: 'Currently in a test environment!',
  version: 'Version {version}',
  unreachable: 'The server cannot be reached. Check the network before signing in',
}
