import { execSync } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { createSystemClock } from '../../src/core/time/clock.ts'
import { PROBLEM_CODES, PROBLEMS, type ProblemCode } from '../../src/core/errors.ts'
import type { VideoFailure } from '../../src/core/video.ts'
import { UNIFIED_OPERATIONS } from '../../src/routes/unified/routes.ts'
import { openSqliteStore } from '../../src/stores/sqlite/index.ts'
import { CLIENT_TYPES } from '../../scripts/client-types.ts'

const ROOT = join(import.meta.dirname, '../..')
const textOf = (page: string): string => readFileSync(join(ROOT, page), 'utf8')

/** The cells of the table below a heading line, without the heading and the rule. */
const tableBelow = (page: string, heading: string): string[][] => {
  const [, below = ''] = textOf(page).split(`${heading}\n`)
  const lines = below.split('\n')
  const rows = lines.slice(
    1,
    lines.findIndex((line, at) => at > 0 && !line.startsWith('|')),
  )
  return rows.map((row) =>
    row
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  )
}

test('docs/api/errors.md has every code as it is, with when it occurs and what to do', () => {
  const table = tableBelow('docs/api/errors.md', '| Status | Code | Again | When | What to do |')
  expect(table.map(([status, code, again]) => [status, code, again])).toEqual(
    PROBLEM_CODES.map((code) => [
      String(PROBLEMS[code].status),
      `\`${code}\``,
      PROBLEMS[code].retryable ? 'yes' : 'no',
    ]),
  )
  expect(table.filter((cells) => cells.length !== 5 || cells.includes(''))).toEqual([])
})

test('docs/api.md has every operation with the scope that it needs', () => {
  const table = tableBelow('docs/api.md', '| Operation | | Scope |')
  expect(table).toEqual(
    UNIFIED_OPERATIONS.map(({ method, path, summary, scope }) => [
      `\`${method.toUpperCase()} ${path.replace('/unified/v1', '')}\``,
      summary,
      `\`${scope ?? ''}\``,
    ]),
  )
})

test('docs/api/errors.md has every code of a failed video, with its meaning', () => {
  const own = {
    backend_failed: true,
    backend_job_lost: true,
    backend_job_expired: true,
    video_url_missing: true,
    create_outcome_unknown: true,
  } satisfies Record<Exclude<VideoFailure, ProblemCode>, true>
  const table = tableBelow('docs/api/errors.md', '| Code | `retryable` | What happened | What to do |')
  expect(table.slice(0, -1).map(([code]) => code)).toEqual(Object.keys(own).map((code) => `\`${code}\``))
})

test('the tables of limits and gates have the defaults', () => {
  const { clients, routing } = parse(textOf('config/default.yaml'))
  const shown = (page: string, heading: string) =>
    Object.fromEntries(tableBelow(page, heading).map(([key = '', value]) => [key.slice(1, -1), value]))
  const spelled = (defaults: object) =>
    Object.fromEntries(
      Object.entries(defaults).map(([key, value]) => [key, value === null ? 'no limit' : String(value)]),
    )
  const limits = shown('docs/streams-and-limits.md', '| Key | Default | Above it | What counts |')
  expect(limits).toEqual(spelled(clients[0].limits))
  const gates = shown('docs/routing.md', '| Gate | Default | It holds if, on the new side, |')
  expect(gates).toEqual(spelled(routing.gates))
})

const PAGES = globSync(['*.md', '{docs,examples,src}/**/*.md'], { cwd: ROOT })

test('docs/operations.md tells of lines as the log has them', () => {
  const sources = globSync('{src,packages/*/src}/**/*.ts', { cwd: ROOT }).map(textOf).join('\n')
  const told = tableBelow('docs/operations.md', '| Line | What it means | What to do |').map(([line = '']) =>
    line.slice(1, -1),
  )
  expect(told.length).toBeGreaterThan(5)
  expect(told.filter((line) => !sources.includes(`'${line}`))).toEqual([])
})

test('the backup of docs/upkeep.md is whole while the store is written, and can be served', async () => {
  const [, command = ''] = /^(node -e '.*VACUUM.*)$/m.exec(textOf('docs/upkeep.md')) ?? []
  const cwd = mkdtempSync(join(tmpdir(), 'talkbridge-backup-'))
  onTestFinished(() => rmSync(cwd, { recursive: true }))
  const options = { clock: createSystemClock(), owner: true }
  const store = await openSqliteStore({ ...options, path: join(cwd, 'data/talkbridge.db') })
  onTestFinished(() => store.close())
  await store.meta('kept', 'in the log still')
  execSync(command, { cwd, stdio: 'ignore' })
  const restored = await openSqliteStore({ ...options, path: join(cwd, 'backup.db'), onRestored: () => undefined })
  onTestFinished(() => restored.close())
  expect(await restored.meta('kept', 'lost')).toBe('in the log still')
})

test('no page names a file of the code that is not there', () => {
  const missing = PAGES.flatMap((page) =>
    Array.from(
      textOf(page).matchAll(/`((?:src|test|docs|config|scripts|bench|examples)\/[^\s`]+)`/g),
      ([, path = '']) => (globSync(path, { cwd: ROOT }).length > 0 ? [] : [`${page}: ${path}`]),
    ).flat(),
  )
  expect(missing).toEqual([])
})

test('no page links to a file or heading that is not there', () => {
  const anchorsOf = (page: string): string[] =>
    Array.from(textOf(page).matchAll(/^#+ (.+)$/gm), ([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
        .replaceAll(' ', '-'),
    )
  const broken = PAGES.flatMap((page) =>
    Array.from(textOf(page).matchAll(/\]\((?![a-z]+:)([^)#\s]*)(?:#([^)\s]+))?\)/g), ([, file = '', anchor]) => {
      const target = file === '' ? page : join(dirname(page), file)
      const there = existsSync(join(ROOT, target)) && (anchor === undefined || anchorsOf(target).includes(anchor))
      return there ? [] : [`${page}: ${file}${anchor === undefined ? '' : `#${anchor}`}`]
    }).flat(),
  )
  expect(broken).toEqual([])
})

test('each line of docs/production.md links to the page that explains it', () => {
  const lines = textOf('docs/production.md')
    .split(/^(?=\d+\. |#)/m)
    .filter((line) => /^\d/.test(line))
  expect(lines.length).toBeGreaterThan(20)
  expect(lines.filter((line) => !/\]\([^)]+\.md\b|\]\(#/.test(line))).toEqual([])
})

test('a file that a README of the sources or a comment names is there', () => {
  const sources = globSync('{src,packages/*/src}/**/*.{ts,tsx,md}', { cwd: ROOT })
  const files = globSync('{src,packages,test,scripts,bench}/**/*.{ts,tsx}', { cwd: ROOT })
  // The one that is written by types, lint and the build may not be there yet.
  const names = new Set([...files, CLIENT_TYPES].map((file) => basename(file)))
  const named = sources.flatMap((source) => {
    const lines = textOf(source).split('\n')
    const words = source.endsWith('.md') ? lines : lines.filter((line) => /^\s*(\*|\/\/|\/\*)/.test(line))
    return words.flatMap((line) => (line.match(/[\w.-]+\.tsx?\b/g) ?? []).map((name) => ({ source, name })))
  })
  expect(named.length).toBeGreaterThan(100)
  expect(named.filter(({ name }) => !names.has(name))).toEqual([])
})

test('src/engine/README.md says of each file of the engine what it does', () => {
  const said = textOf('src/engine/README.md')
  const files = globSync('src/engine/*/*.ts', { cwd: ROOT })
  expect(files.length).toBeGreaterThan(20)
  expect(files.filter((file) => !said.includes(`${basename(file)}\``))).toEqual([])
})
