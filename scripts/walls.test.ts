import { expect, test } from 'vitest'
import { crossings } from './walls.ts'

const at = (path: string, text: string) => crossings([{ path, text }])

test.each([
  ['packages/contract/src/a.ts', "import { x } from '@console/typeset'"],
  ['packages/phrases/src/a.ts', "import type { x } from '@console/server'"],
  ['packages/assessment/src/a.ts', "export * from '../../recognition/src/index.ts'"],
  ['packages/typeset/src/a.ts', "const x = await import('../../../apps/server/src/app.ts')"],
  ['apps/web/src/app/a.tsx', "import { sheet } from '@console/typeset'"],
  ['apps/server/src/a.ts', "type X = import('@console/web').X"],
])('imports run one way: %s', (path, text) => {
  expect(at(path, text)).toEqual([expect.stringContaining('Imports run one way')])
})

test.each([
  ['packages/contract/src/a.ts', "import { x } from '@console/phrases/locales'"],
  ['packages/recognition/src/a.ts', "import { x } from '@console/typeset'"],
  ['apps/server/src/a.ts', "import { x } from '@console/recognition'"],
  ['apps/web/src/app/a.tsx', "import { x } from '@console/contract'\n// import { y } from '@console/server'"],
  ['tests/e2e/a.test.ts', "import { x } from '@console/server'"],
])('and may run that way: %s', (path, text) => {
  expect(at(path, text)).toEqual([])
})

test('features never import each other, and may import themselves and ui', () => {
  const path = 'apps/web/src/features/user/user-page.tsx'
  const sentence = [expect.stringContaining('A feature of the console never imports another')]
  expect(at(path, "import { x } from '../task/queries.ts'")).toEqual(sentence)
  expect(at(path, "import { x } from '../task'")).toEqual(sentence)
  expect(at(path, "import { x } from './queries.ts'\nimport { y } from '../../ui/panel.tsx'")).toEqual([])
})

test.each(['fastify', '@fastify/static', 'kysely', 'pg', 'pg-boss', 'node:sqlite', 'node:http', 'https', 'socket.io'])(
  'typesetting and recognition know no %s',
  (name) => {
    const sentence = [expect.stringContaining('Typesetting and recognition know no server')]
    expect(at('packages/typeset/src/a.ts', `import x from '${name}'`)).toEqual(sentence)
    expect(at('packages/recognition/src/a.ts', `import x from '${name}'`)).toEqual(sentence)
    expect(at('apps/server/src/a.ts', `import x from '${name}'`)).toEqual([])
  },
)

test('the handle to every school is named only where no school is known', () => {
  const text = 'const { everySchool } = store // everySchool'
  expect(at('apps/server/src/modules/user/routes.ts', text)).toEqual([expect.stringContaining('every school')])
  expect(at('apps/server/src/http/route.ts', 'store.everySchool')).toHaveLength(1)
  for (const place of ['http/session.ts', 'db/store.ts', 'modules/auth/login.ts', 'modules/user/user.test.ts']) {
    expect(at(`apps/server/src/${place}`, text)).toEqual([])
  }
  expect(at('apps/server/src/modules/user/routes.ts', '// never everySchool here')).toEqual([])
})

test('the console holds no Han outside comments', () => {
  const path = 'apps/web/src/shell/menu.tsx'
  expect(at(path, 'export const menu = <p title="x">首页</p>')).toEqual([expect.stringContaining('首页')])
  expect(at(path, '// 首页\nexport const menu = <p>{/* 首页 */}</p>')).toEqual([])
  expect(at('apps/web/src/shell/menu.test.tsx', "'首页'")).toEqual([])
  expect(at('apps/web/src/app/base.css', '/* 首页 */ a::after { content: "页" }')).toHaveLength(1)
})

test('nothing names a registry or a home folder', () => {
  const traces = [['registry', 'npmjs.org'].join('.'), ['', 'home', 'lee', 'x'].join('/'), ['', 'root', 'x'].join('/')]
  for (const trace of traces) {
    expect(at('package-lock.json', `"resolved": "https:/${trace}"`.replace(':/', ': '))).toHaveLength(1)
  }
  expect(at('docs/a.md', 'see /api/home/user/page and #/home/user/page')).toEqual([])
})
