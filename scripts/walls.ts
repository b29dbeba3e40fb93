import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, posix } from 'node:path'
import { parseSync } from 'vite'

export type Source = { path: string; text: string }
type Code = Source & { code: string; imports: string[] }
type Wall = { sentence: string; isCrossed: (source: Code) => string[] }

const ground = ['packages/contract', 'packages/phrases', 'packages/content', 'packages/assessment']
const middle = ['packages/typeset', 'packages/recognition']
const mayImport = new Map<string, string[]>([
  ...ground.map((house): [string, string[]] => [house, ground]),
  ...middle.map((house): [string, string[]] => [house, [...ground, ...middle]]),
  ['apps/server', [...ground, ...middle]],
  ['apps/web', ground],
])

const houseOf = (path: string) => /^(?:apps|packages)\/[^/]+/.exec(path)?.[0] ?? ''
const featureOf = (path: string) => /^apps\/web\/src\/features\/([^/]+)\//.exec(path)?.[1] ?? ''
const isTest = (path: string) => /\.test\.tsx?$|^apps\/[^/]+\/test\/|^tests\//.test(path)
const serverParts =
  /^(?:node:)?(?:https?|http2|net|tls|sqlite)$|^(?:fastify|@fastify|kysely|pg|pg-boss|redis|socket\.io|socket\.io-client|@socket\.io|undici|aws4fetch)(?:\/|$|-)/
const unscopedPlaces =
  /^apps\/server\/src\/(?:http\/session\.ts|(?:db|jobs|realtime|objects|commands|modules\/auth|operation)\/)/

/** Where an import leads, as a path of this repository; a package of ours by its folder; others as they are. */
function targetOf(from: string, specifier: string): string {
  if (specifier.startsWith('.')) return posix.join(posix.dirname(from), specifier)
  const own = /^@console\/([^/]+)/.exec(specifier)?.[1]
  if (!own) return specifier
  return own === 'server' || own === 'web' ? `apps/${own}` : `packages/${own}`
}

const importsThat = (source: Code, test: (target: string, specifier: string) => boolean) =>
  source.imports
    .filter((specifier) => test(targetOf(source.path, specifier), specifier))
    .map((item) => `imports ${item}`)

const walls: Wall[] = [
  {
    sentence:
      'Imports run one way: contract, phrases, content, assessment <- typeset, recognition <- server; the first four <- web.',
    isCrossed: (source) => {
      const own = houseOf(source.path)
      const allowed = mayImport.get(own)
      const leavesHouse = (target: string) => houseOf(target) !== '' && houseOf(target) !== own
      return importsThat(source, (target) => !!allowed && leavesHouse(target) && !allowed.includes(houseOf(target)))
    },
  },
  {
    sentence: 'A feature of the console never imports another; what two of them use lies in ui or shell.',
    isCrossed: (source) => {
      const own = featureOf(source.path)
      return importsThat(
        source,
        (target) => own !== '' && featureOf(`${target}/`) !== '' && featureOf(`${target}/`) !== own,
      )
    },
  },
  {
    sentence: 'Typesetting and recognition know no server, no database and no HTTP.',
    isCrossed: (source) =>
      middle.includes(houseOf(source.path)) ? importsThat(source, (_, specifier) => serverParts.test(specifier)) : [],
  },
  {
    sentence:
      'The handle to every school is named only where no school is known yet; anywhere else a query goes through a school.',
    isCrossed: ({ path, code }) =>
      houseOf(path) === 'apps/server' && !isTest(path) && !unscopedPlaces.test(path)
        ? (code.match(/\beverySchool\b/g) ?? [])
        : [],
  },
  {
    sentence: 'What a user of the console reads is a phrase; its sources hold no Han outside comments.',
    isCrossed: ({ path, code }) =>
      path.startsWith('apps/web/src/') && !isTest(path) ? (code.match(/\p{Script=Han}+/gu) ?? []) : [],
  },
]

const machineWall = 'Nothing in the repository names a registry or a folder of one machine.'
const machineTraces =
  /\bregistry\.[a-z0-9-]+\.[a-z]+|\bnpm\.pkg\.[a-z]+\.|(?<![\w.#])\/(?:root|(?:home|Users)\/[\w.-]+)\/[\w.]|[A-Z]:\\Users\\/g

/** Blanks comments and keeps every position. */
function withoutComments({ path, text }: Source): string {
  const blank = (comment: string) => comment.replaceAll(/[^\n]/g, ' ')
  if (path.endsWith('.css')) return text.replaceAll(/\/\*[\s\S]*?\*\//g, blank)
  if (!/\.[cm]?[jt]sx?$/.test(path)) return text
  const { comments } = parseSync(path, text)
  return comments.reduce(
    (code, { start, end }) => code.slice(0, start) + blank(code.slice(start, end)) + code.slice(end),
    text,
  )
}

/** What each wall says of these sources; empty when all stand. */
export function crossings(sources: Source[]): string[] {
  const home = homedir().length > 5 ? [`${homedir()}/`] : []
  return sources.flatMap((source) => {
    const traces = [...(source.text.match(machineTraces) ?? []), ...home.filter((path) => source.text.includes(path))]
    const code = /^(?:apps|packages)\//.test(source.path) ? withoutComments(source) : ''
    const imports = [...code.matchAll(/\b(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/g)].map((match) => match[1] ?? '')
    const crossed = walls.flatMap((wall) =>
      wall.isCrossed({ ...source, code, imports }).map((what) => `${source.path}: ${what}\n    ${wall.sentence}`),
    )
    return [...crossed, ...new Set(traces.map((what) => `${source.path}: ${what}\n    ${machineWall}`))]
  })
}

const binary = /\.(?:png|jpe?g|webp|gif|ico|pdf|ttf|otf|woff2?|wasm|zip|docx|xlsx)$/

/** Files of git, the new ones with them: a wall is asked before the commit. */
export function sourcesOf(root: string): Source[] {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--deduplicate']
  const paths = execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 64e6 }).split('\0')
  return paths
    .filter((path) => path && !binary.test(path))
    .flatMap((path) => {
      try {
        return [{ path, text: readFileSync(join(root, path), 'utf8') }]
      } catch {
        return []
      }
    })
}

if (import.meta.main) {
  const found = crossings(sourcesOf(join(import.meta.dirname, '..')))
  for (const crossing of found) console.error(crossing)
  process.exitCode = found.length > 0 ? 1 : 0
}
