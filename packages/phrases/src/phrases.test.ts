import { createTranslator } from 'use-intl/core'
import { expect, test } from 'vitest'
import { locales, phrases, say, sayWait, type Locale } from './index.ts'

type Leaf = { key: string; text: string }

function leaves(group: object, prefix = ''): Leaf[] {
  return Object.entries(group).flatMap(([name, value]: [string, unknown]) =>
    typeof value === 'string' ? [{ key: prefix + name, text: value }] : leaves(value as object, `${prefix}${name}.`),
  )
}

const parametersOf = (text: string) => [...text.matchAll(/\{(\w+)/g)].map(([, name]) => name).toSorted()
const textsOf = (locale: Locale) => new Map(leaves(phrases[locale]).map(({ key, text }) => [key, text]))

test('both languages have the same phrases with the same parameters, none empty', () => {
  const [chinese, english] = [textsOf('zh-CN'), textsOf('en-US')]
  expect([...english.keys()].toSorted()).toEqual([...chinese.keys()].toSorted())
  for (const [key, text] of chinese) {
    expect(text.trim(), key).not.toBe('')
    expect(new Set(parametersOf(english.get(key) ?? '')), key).toEqual(new Set(parametersOf(text)))
  }
})

test('English has no Chinese in it but the names of languages', () => {
  const chinese = leaves(phrases['en-US']).filter(({ text }) => /\p{Script=Han}/u.test(text))
  expect(chinese.filter(({ text }) => text !== '简体中文')).toEqual([])
})

test('every phrase is a message that can be said', () => {
  const failures: string[] = []
  for (const locale of locales) {
    const translate = createTranslator({
      locale,
      messages: phrases[locale],
      timeZone: 'Asia/Shanghai',
      onError: (error) => failures.push(`${locale}: ${error.message}`),
    }) as (key: string, values: Record<string, number>) => string
    for (const { key, text } of leaves(phrases[locale])) {
      const values = Object.fromEntries(parametersOf(text).map((name) => [name ?? '', 2]))
      expect(translate(key, values), key).not.toMatch(/[{}]/)
    }
  }
  expect(failures).toEqual([])
})

test('SE-06 the required, format and e-mail messages in both languages', () => {
  expect(say('zh-CN', 'error.field.email')).toBe('邮箱格式不正确')
  expect(say('en-US', 'error.field.email')).toBe('Not a valid e-mail address')
  expect(say('zh-CN', 'error.field.phone')).toBe('手机号应为 1 开头的 11 位数字')
  expect(say('en-US', 'error.field.required')).toBe('Required')
})

test('a wait is said as people say it', () => {
  expect(sayWait('zh-CN', 1)).toBe('1 秒')
  expect(sayWait('zh-CN', 89_000)).toBe('89 秒')
  expect(sayWait('zh-CN', 90_001)).toBe('2 分钟')
  expect([sayWait('en-US', 900), sayWait('en-US', 60_000), sayWait('en-US', 3_600_000)]).toEqual([
    '1 second',
    '60 seconds',
    '60 minutes',
  ])
})
