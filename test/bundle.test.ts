import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import manifest from '../package.json' with { type: 'json' }
import { build, ENTRIES, LICENCES, PAGE_LIBRARY } from '../scripts/build.ts'
import { BUNDLED } from '../scripts/bundled.ts'

const ROOT = join(import.meta.dirname, '..')
const dist = mkdtempSync(join(tmpdir(), 'talkbridge-bundle-'))
beforeAll(async () => {
  writeFileSync(join(dist, 'stale.js'), '')
  await build(dist)
})
afterAll(() => rmSync(dist, { recursive: true }))

const filesOf = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))

/** The code that Node runs; what pages run is elsewhere. */
const scripts = (): string[] =>
  filesOf(dist).filter((name) => name.endsWith('.js') && !/^(client|console|guide|routes)\//.test(name))

test('the bundle, every asset, the licences and the library of a page, and nothing else is there any more', () => {
  const isAsset = (name: string): boolean => !/\.(md|ts)$|^(client|console|guide)\//.test(name)
  const films = filesOf(join(ROOT, 'packages/sandbox/src')).map((name) => `sandbox/${name}`)
  const assets = [...filesOf(join(ROOT, 'src')), ...films].filter(isAsset)
  const library = PAGE_LIBRARY.map((name) => `routes/ops/page/swagger-ui/${name}`)
  const others = filesOf(dist).filter((name) => !/^(client|console|guide)\//.test(name) && !scripts().includes(name))
  expect(others.toSorted()).toEqual([...assets, ...library, LICENCES].toSorted())
  expect(assets).toContain('sandbox/media/assets/sandbox-720p.mp4')
  const chunk = /^[\w.-]+-[\w-]{8}\.js$/
  expect(
    scripts()
      .filter((name) => !chunk.test(name))
      .toSorted(),
  ).toEqual(ENTRIES.map((name) => `${name}.js`).toSorted())
  for (const name of [...BUNDLED, 'bintrees'])
    expect(readFileSync(join(dist, LICENCES), 'utf8')).toMatch(new RegExp(`^${name}$`, 'm'))
})

test('what the bundle loads is a part of Node, or a package that an installation brings or names', () => {
  const { dependencies, peerDependencies } = manifest
  const named = new Set(Object.keys({ ...dependencies, ...peerDependencies }))
  const specifiers = scripts().flatMap((name) =>
    Array.from(
      readFileSync(join(dist, name), 'utf8').matchAll(
        /^(?:import|export)\b.* from "([^"]+)";$|\b(?:import|require)\(["']([^"']+)["']\)/gm,
      ),
      ([, from, loaded]) => from ?? loaded ?? '',
    ),
  )
  const packages = specifiers.filter((name) => !name.startsWith('.') && !isBuiltin(name))
  expect(packages).toContain('express')
  const packageOf = (name: string): string => name.split('/', name.startsWith('@') ? 2 : 1).join('/')
  expect([...new Set(packages.map(packageOf))].filter((name) => !named.has(name))).toEqual([])
})

test('all code is in ASCII: a character beyond Latin-1 would make V8 keep two bytes for each of its file', () => {
  const isPlain = (text: string): boolean => /^[\0-\x7f]*$/.test(text)
  expect(scripts().filter((name) => !isPlain(readFileSync(join(dist, name), 'utf8')))).toEqual([])
})

test('of undici, the bundle has what the gateway uses', () => {
  const text = scripts()
    .map((name) => readFileSync(join(dist, name), 'utf8'))
    .join('\n')
  expect(text).toMatch(/\bAgent = class extends DispatcherBase\b/)
  expect(text).not.toMatch(/\b(MockAgent|WebSocket|CacheStorage) = class\b/)
})
