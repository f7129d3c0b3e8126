import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, posix, relative } from 'node:path'
import { describe, expect, test } from 'vitest'
import { INTERFACES } from '../src/adapters/index.ts'
import { ARROWS } from './arrows.ts'
import lint from '../.oxlintrc.json' with { type: 'json' }

const ROOT = join(import.meta.dirname, '..')
const filesOf = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(ROOT, join(parentPath, name)))
    .filter((file) => !/\/(dist|node_modules)\//.test(file))
const typescriptOf = (folder: string): string[] => filesOf(folder).filter((file) => /\.tsx?$/.test(file))
const textOf = (file: string): string => readFileSync(join(ROOT, file), 'utf8')

const PACKAGES = readdirSync(join(ROOT, 'packages')).map((name) => `packages/${name}`)
const SOURCES = ['src', ...PACKAGES.map((folder) => `${folder}/src`)].flatMap(typescriptOf)
/** Written by `scripts/client-types.ts`. */
const GENERATED = ['packages/client/src/schema.d.ts']
const OURS = ['src', 'packages', 'test', 'scripts'].flatMap(typescriptOf).filter((file) => !GENERATED.includes(file))
/** All that somebody wrote. */
const WRITTEN = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  ...['src', 'packages', 'test', 'docs', 'bench', 'config', 'scripts', 'examples'].flatMap((folder) => filesOf(folder)),
].filter((file) => /\.(tsx?|js|md|ya?ml|json|py|go|html|css)$/.test(file) && !GENERATED.includes(file))

interface Import {
  readonly specifier: string
  readonly typeOnly: boolean
}

/** Whether all that a clause such as `type { A }` or `{ type A, b }` names is types. */
const isTypeOnly = (clause: string): boolean => {
  if (/^\s*type\b/.test(clause)) return true
  const names = /^\s*\{(.*)\}\s*$/s
    .exec(clause)?.[1]
    ?.split(',')
    .filter((name) => name.trim() !== '')
  return names !== undefined && names.length > 0 && names.every((name) => /^\s*type\s/.test(name))
}

/** Every module that a source names: `import … from`, `export … from`, `import '…'`, `import('…')`. */
const importsIn = (source: string): Import[] => [
  ...[...source.matchAll(/^(?:import|export)\b([^'";=]*?)\bfrom\s+'([^']+)'/gm)].map(([, clause, specifier]) => ({
    specifier: specifier ?? '',
    typeOnly: isTypeOnly(clause ?? ''),
  })),
  ...[...source.matchAll(/^import\s+'([^']+)'|\bimport\(\s*['"`]([^'"`]+)/gm)].map(([, bare, dynamic]) => ({
    specifier: bare ?? dynamic ?? '',
    typeOnly: false,
  })),
]

const within = (place: string, room: string): boolean => place === room || place.startsWith(`${room}/`)

/** The longest of the table's rooms that names `place`. */
const roomOf = (place: string): string | undefined =>
  Object.keys(ARROWS)
    .filter((room) => within(place, room))
    .toSorted((a, b) => b.length - a.length)[0]

const allows = (arrow: string, target: string, typeOnly: boolean): boolean =>
  arrow.startsWith('type ') ? typeOnly && within(target, arrow.slice('type '.length)) : within(target, arrow)

/** Where a file stands: its path in `src`, or that in `src` of its package behind the package's, without its ending. */
const placeOf = (file: string): string => file.replace(/^src\/|(?<=^packages\/[^/]+\/)src\/|\.tsx?$/g, '')

const folderOf = (place: string): string =>
  posix.dirname(place.startsWith('packages/') ? place.replace(/^packages\/[^/]+\//, '$&src/') : `src/${place}`)

/** Whether `specifier` names a source of this repository: by its path, or a package of `packages` by its name. */
const isOurs = (specifier: string): boolean => /^(\.|@talkbridge\/)/.test(specifier)

const targetOf = (place: string, specifier: string): string =>
  specifier.startsWith('.')
    ? placeOf(posix.join(folderOf(place), specifier))
    : specifier.replace('@talkbridge/', 'packages/')

/** The sources that `place` imports, types alone or not. */
const targetsOf = (place: string, source: string): string[] =>
  importsIn(source).flatMap(({ specifier }) => (isOurs(specifier) ? [targetOf(place, specifier)] : []))

/** What `place`, whose text is `source`, imports and may not; one line each. */
const strays = (place: string, source: string): string[] => {
  const room = roomOf(place)
  if (room === undefined) return [`${place} stands in no room of the table`]
  return importsIn(source).flatMap(({ specifier, typeOnly }) => {
    if (!isOurs(specifier)) return []
    const target = targetOf(place, specifier)
    const allowed = roomOf(target) === room || (ARROWS[room] ?? []).some((arrow) => allows(arrow, target, typeOnly))
    return allowed ? [] : [`${place} imports ${typeOnly ? 'a type of ' : ''}${target}`]
  })
}

describe('the arrows', () => {
  test('hold in every source', () => {
    expect(SOURCES.length).toBeGreaterThan(100)
    expect(SOURCES.flatMap((file) => strays(placeOf(file), textOf(file)))).toEqual([])
  })

  test('are all of rooms that exist', () => {
    const named = Object.entries(ARROWS).flatMap(([room, arrows]) => [room, ...arrows])
    // A fresh clone has no generated file yet.
    const places = [...SOURCES, ...GENERATED].map(placeOf)
    const missing = named.filter((room) => !places.some((place) => within(place, room.replace(/^type /, ''))))
    expect(missing).toEqual([])
  })

  test.each([
    ['adapters/primary/wire', "import { x } from '../alternate/wire.ts'"],
    ['adapters/shared/read', "import { x } from '../primary/wire.ts'"],
    ['stores/sqlite/db', "import { x } from '../local-wake.ts'"],
    ['core/video', "import type { Store } from '../stores/sqlite/index.ts'"],
    ['core/video', "export * from '../http/exchange.ts'"],
    ['routes/unified/videos/routes', "import { buildDeps } from '../../../deps.ts'"],
    ['routes/unified/videos/routes', "import { type Deps, buildDeps } from '../../../deps.ts'"],
    ['routes/unified/videos/routes', "import {\n  ADAPTERS,\n} from '../../../adapters/index.ts'"],
    ['engine/life/apply', "import { x } from '../send/send.ts'"],
    ['engine/send/send', "import { x } from '../polling/learned.ts'"],
    ['engine/account/loop', "const x = await import('../../webhooks/sender.ts')"],
    ['engine/account/loop', "import '../../http/exchange.ts'"],
    ['packages/sandbox/world', "import type { VideoRecord } from '../../../src/core/video.ts'"],
    ['core/video', "import { startSandbox } from '@talkbridge/sandbox'"],
    ['packages/console/api', "import { x } from '../../client/src/error.ts'"],
    ['packages/client/send', "import type { x } from '../../../src/core/errors.ts'"],
    ['shed/index', ''],
  ])('%s may not: %s', (place, source) => expect(strays(place, source)).toHaveLength(1))

  test.each([
    ['routes/unified/videos/routes', "import type { Deps } from '../../../deps.ts'"],
    ['routes/unified/videos/routes', "import { type Deps, type DepsOptions } from '../../../deps.ts'"],
    ['adapters/index', "import { primary } from './primary/index.ts'"],
    ['config', "import { fields } from './config/fields.ts'"],
    ['packages/sandbox/primary/videos', "import type { Clock } from '../clock.ts'"],
    ['cli/demo', "import { startSandbox } from '@talkbridge/sandbox'"],
    ['core/video', "import { z } from 'zod'\nimport { join } from 'node:path'"],
  ])('%s may: %s', (place, source) => expect(strays(place, source)).toEqual([]))

  test('no file is reached again from what it imports', () => {
    const imports = new Map(SOURCES.map((file) => [placeOf(file), targetsOf(placeOf(file), textOf(file))]))
    const done = new Set<string>()
    const circles: string[] = []
    const visit = (place: string, path: readonly string[]): void => {
      if (path.includes(place)) return void circles.push([...path.slice(path.indexOf(place)), place].join(' → '))
      if (done.has(place)) return
      for (const target of imports.get(place) ?? []) visit(target, [...path, place])
      done.add(place)
    }
    for (const place of imports.keys()) visit(place, [])
    expect(circles).toEqual([])
  })
})

describe('the habits', () => {
  const lines = (files: readonly string[], pattern: RegExp): string[] =>
    files.flatMap((file) => {
      const found = textOf(file).split('\n')
      return found.flatMap((line, i) => (pattern.test(line) ? [`${file}:${i + 1}`] : []))
    })
  const inFiles = (found: readonly string[]): string[] => [...new Set(found.map((at) => at.split(':', 1)[0] ?? ''))]

  test('no file is over 600 lines', () => {
    const long = OURS.map((file) => ({ file, lines: textOf(file).split('\n').length - 1 }))
    expect(long.filter((one) => one.lines > 600)).toEqual([])
  })

  test('the environment is read in one place and handed on', () => {
    const readers = inFiles(lines(SOURCES, /\bprocess\.env\b|\bfrom 'node:process'|\benv\b.*= process\b/))
    expect(readers.filter((file) => !['src/main.ts', 'src/config.ts'].includes(file))).toEqual([])
  })

  /** `=== 'primary'`, and a table with a row for each: what would need a line more for every interface. */
  const namesOf = (names: string): RegExp =>
    new RegExp(`(===|!==|case) '(${names})'|'(${names})' (===|!==)|[{,] (${names}): (true|false|null|\\d)`)

  test('nobody asks a backend for its name: that is what capabilities are for', () => {
    const found = lines(SOURCES, namesOf(INTERFACES.join('|')))
    // A drop-in surface is one contract's words: it asks whether what is behind speaks them, too.
    expect(found.filter((at) => !/^(src\/(adapters|routes\/dropin)|packages\/sandbox)\//.test(at))).toEqual([])
  })

  test("only a dialect says which header carries a backend's key", () => {
    const found = lines(SOURCES, /\bBearer \$|\bauthorization: `|\.scheme\b/)
    expect(
      found.filter((at) => /^src\/(engine|http|resources|routes\/dropin|adapters\/(?!shared\/dialect))/.test(at)),
    ).toEqual([])
  })

  test('the table of adapters has a line for every folder, by its name', () => {
    const folders = readdirSync(join(ROOT, 'src/adapters'), { withFileTypes: true })
    const named = folders.flatMap((one) => (one.isDirectory() && one.name !== 'shared' ? [one.name] : []))
    expect(named.toSorted()).toEqual([...INTERFACES].toSorted())
  })

  test.each(["kind === 'acme'", "'acme' !== kind", "case 'acme':", '= { other: 1, acme: true }', '{ acme: null }'])(
    'a name test is found for any of them: %s',
    (line) => expect(line).toMatch(namesOf('other|acme')),
  )

  test('nothing refers to a document that the repository does not have', () => {
    expect(lines(WRITTEN, /\b[Dd]esign \d|\bSTYLE\b|\b[Tt]rap \d/)).toEqual([])
  })

  test('a section of a page that a comment names is there', () => {
    const missing = OURS.flatMap((file) => {
      const comments = textOf(file).replaceAll(/\n\s*(?:\*|\/\/) ?/g, ' ')
      const named = [...comments.matchAll(/\b(docs\/[\w/-]+\.md), "([^"]+)"/g)]
      return named.flatMap(([what, page = '', section = '']) => {
        const headings = existsSync(join(ROOT, page)) ? textOf(page).matchAll(/^#+ (.*)$/gm) : []
        return [...headings].some(([, heading]) => heading === section) ? [] : [`${file}: ${what}`]
      })
    })
    expect(missing).toEqual([])
  })

  test('no `any`, no `!`, no floating promise: the linter says so, and only two places say why not', () => {
    const { rules } = lint
    for (const rule of [
      'typescript/no-explicit-any',
      'typescript/no-non-null-assertion',
      'typescript/no-floating-promises',
      'typescript/switch-exhaustiveness-check',
      'typescript/ban-ts-comment',
    ] as const) {
      const level = rules[rule]
      expect(Array.isArray(level) ? level[0] : level, rule).toBe('error')
    }
    const escapes = lines(OURS, /(eslint|oxlint|biome)-(disable|ignore)|@ts-(ignore|nocheck|expect-error)/)
    expect(inFiles(escapes)).toEqual(['src/http/guard.ts', 'src/routes/middleware/request.ts'])
    expect(escapes).toHaveLength(2)
  })
})
