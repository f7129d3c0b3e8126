import { execFileSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
  mkdtempSync,
  rmSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import manifest from '../package.json' with { type: 'json' }
import { build, PAGE_LIBRARY } from '../scripts/build.ts'
import { start, type Ended } from './cli/harness.ts'

const ROOT = join(import.meta.dirname, '..')
const SHIPPED = ['CHANGELOG.md', 'LICENSE', 'README.md', 'config', 'docs', 'examples', 'package.json']
/** For who has the sources, which are not in the package. */
const OF_SOURCES = ['CONTRIBUTING.md']
/** An installed package, but for its place: what is shipped, `dist`, and the dependencies beside it. */
const installed = mkdtempSync(join(tmpdir(), 'talkbridge-build-'))
const dist = join(installed, 'dist')

beforeAll(async () => {
  for (const name of [...SHIPPED, 'test', 'src']) cpSync(join(ROOT, name), join(installed, name), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(installed, 'node_modules'))
  await build(dist)
})
afterAll(() => rmSync(installed, { recursive: true }))

const filesOf = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))

/** Built, and on a Node that strips no types. */
const talkbridge = (args: readonly string[], env: Record<string, string> = {}): Promise<Ended> =>
  start(args, { cwd: installed, env, main: join(dist, 'main.js'), flags: ['--no-strip-types'] }).ended

test('every source has its plain JavaScript, every asset its copy, and nothing else is there', () => {
  const sources = filesOf(join(ROOT, 'src')).filter((name) => !name.endsWith('.md'))
  const library = PAGE_LIBRARY.map((name) => `routes/ops/page/swagger-ui/${name}`)
  const expected = [...sources.map((name) => name.replace(/\.ts$/, '.js')), ...library]
  expect(filesOf(dist).toSorted()).toEqual(expected.toSorted())
  expect(expected).toContain('sandbox/media/assets/sandbox-720p.mp4')
  for (const name of expected.filter((file) => file.endsWith('.js') && !library.includes(file))) {
    expect(readFileSync(join(dist, name), 'utf8'), name).not.toMatch(/^(import|export) .*from '\.[^']*\.ts'/m)
  }
})

test('main.js can be run as a command', () => {
  expect(readFileSync(join(dist, 'main.js'), 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/)
  expect(statSync(join(dist, 'main.js')).mode & 0o111).toBe(0o111)
})

const packed = (): string[] => {
  const args = ['pack', '--dry-run', '--json', '--ignore-scripts', '--offline']
  const stdout = execFileSync('npm', args, { cwd: installed, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  return [...stdout.matchAll(/"path": "([^"]+)"/g)].map(([, path]) => path ?? '')
}

test('the package holds what is for its users, and no source or test', () => {
  const paths = packed()
  const tops = new Set(paths.map((path) => path.split('/', 1)[0] ?? ''))
  expect([...tops].toSorted()).toEqual([...SHIPPED, 'dist'].toSorted())
  expect(paths).toContain('dist/main.js')
})

test('what its pages link to is in the package', () => {
  const paths = packed()
  const linked = paths
    .filter((path) => path.endsWith('.md'))
    .flatMap((page) =>
      [...readFileSync(join(installed, page), 'utf8').matchAll(/\]\(([^)\s#]+)[^)]*\)/g)]
        .map(([, link]) => link ?? '')
        .filter((link) => !/^[a-z]+:/.test(link))
        .map((link) => join(dirname(page), link)),
    )
  expect(linked.length).toBeGreaterThan(40)
  const isThere = (link: string): boolean => paths.some((path) => path === link || path.startsWith(`${link}/`))
  expect(new Set(linked.filter((link) => !isThere(link)))).toEqual(new Set(OF_SOURCES))
})

test('a build takes away what is not built any more', async () => {
  const outDir = join(installed, 'again')
  cpSync(dist, outDir, { recursive: true })
  writeFileSync(join(outDir, 'stale.js'), '')
  await build(outDir)
  expect(filesOf(outDir)).toEqual(filesOf(dist))
})

test('--version', async () => {
  expect(await talkbridge(['--version'])).toEqual({ code: 0, stdout: `${manifest.version}\n`, stderr: '' })
})

test('config check', async () => {
  const example = readFileSync(join(installed, 'config/examples/two-backends.yaml'), 'utf8')
  // The example reads its backends' keys from files that are not on this machine.
  writeFileSync(join(installed, 'gateway.yaml'), example.replaceAll(/\$\{file:[^}]+\}/g, 'a-backend-key'))
  const env = { STUDIO_KEY: 'a-studio-key-of-27-characters', SUPPORT_BOT_KEY: 'a-bot-key-of-24-characters' }
  expect(await talkbridge(['config', 'check', 'gateway.yaml'], env)).toEqual({
    code: 0,
    stdout: 'gateway.yaml: ok\n',
    stderr: '',
  })
})

test('its API page needs no package but itself', async () => {
  const elsewhere = mkdtempSync(join(tmpdir(), 'talkbridge-page-'))
  onTestFinished(() => rmSync(elsewhere, { recursive: true }))
  cpSync(dist, join(elsewhere, 'dist'), { recursive: true })
  cpSync(join(ROOT, 'package.json'), join(elsewhere, 'package.json'))
  mkdirSync(join(elsewhere, 'node_modules'))
  for (const name of readdirSync(join(ROOT, 'node_modules')).filter((other) => other !== 'swagger-ui-dist'))
    symlinkSync(join(ROOT, 'node_modules', name), join(elsewhere, 'node_modules', name))
  const main = { interface: 'primary', base_url: 'https://backend.invalid', api_key: 'a-backend-key' }
  const config = {
    server: { port: 0 },
    backends: { main },
    clients: [{ id: 'acme', key: 'a-key-of-27-characters-long' }],
    routing: { default: 'main' },
  }
  writeFileSync(join(elsewhere, 'gateway.json'), JSON.stringify({ ...config, store: { path: './data/talkbridge.db' } }))
  const options = { cwd: elsewhere, main: join(elsewhere, 'dist/main.js'), flags: ['--no-strip-types'] }
  const served = start(['serve', '--config', 'gateway.json'], options)
  const [, url = ''] = await served.printed(/"url":"(http:[^"]+)".*"talkbridge serves"/)
  for (const path of ['/docs', '/openapi.json', ...PAGE_LIBRARY.slice(0, 2).map((name) => `/docs/assets/${name}`)]) {
    const response = await fetch(url + path)
    await response.arrayBuffer()
    expect([path, response.status]).toEqual([path, 200])
  }
  served.kill('SIGTERM')
  expect((await served.ended).code).toBe(0)
})

test('it serves, writes and plays: the demo, from the built files', async () => {
  const { code, stdout, stderr } = await talkbridge(['demo'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toContain('✓ everything as promised')
  expect(readdirSync(join(installed, 'demo-output'))).toHaveLength(2)
})
