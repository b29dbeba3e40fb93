import { afterEach, expect, test } from 'vitest'
import { readArguments } from './arguments.ts'

const before = process.argv
afterEach(() => {
  process.argv = before
})

const read = (...given: string[]) => {
  process.argv = ['node', 'command', ...given]
  return readArguments('npm run x -- FOLDER', 1, 2)
}

test('what stands after the command is counted, and an unknown option is never passed over', () => {
  expect(read('a')).toEqual(['a'])
  expect(read('a', 'b')).toEqual(['a', 'b'])
  expect(read('--', '-odd')).toEqual(['-odd'])
  for (const given of [[], ['a', 'b', 'c'], ['a', '--dry-run'], ['-n', 'a'], ['--x=1']]) {
    expect(() => read(...given), given.join(' ')).toThrow('Usage: npm run x -- FOLDER')
  }
})
