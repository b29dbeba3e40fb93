import { say, type PhraseKey } from '@console/phrases'

/** A terminal has no language setting of ours: what a person meets there is said in both. */
export const both = (key: PhraseKey, params?: Record<string, string>): string =>
  `${say('zh-CN', key, params)}  ${say('en-US', key, params)}`
