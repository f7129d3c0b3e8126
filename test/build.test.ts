import { execFile, execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { isBuiltin } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import lock from '../package-lock.json' with { type: 'json' }
import manifest from '../package.json' with { type: 'json' }
import { build, ENTRIES, LICENCES } from '../scripts/build.ts'
import { BUNDLED } from '../scripts/bundled.ts'
import { start, type Ended } from './cli/harness.ts'
import { freePort, freePorts } from './fakes/daemon.ts'
import { copiesOf, imageOf, stages, type Image } from './fakes/dockerfile.ts'
import { must } from './fakes/must.ts'
import { oldNodes, skippedWithout } from './fakes/servers.ts'

const Lock = z.object({
  packages: z.record(z.string(), z.object({ dev: z.boolean().optional(), link: z.boolean().optional() })),
})
const ROOT = join(import.meta.dirname, '..')
const SHIPPED = [
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'LICENSE',
  'README.md',
  'SECURITY.md',
  'config',
  'docs',
  'examples',
  'package.json',
]
/** An installed package, but for its place: what is shipped, `dist`, and beside it what an installation brings. */
const installed = mkdtempSync(join(tmpdir(), 'talkbridge-build-'))
const dist = join(installed, 'dist')

/** Packages of this checkout, by links: nothing in `folder` sees any other. */
const link = (folder: string, names: Iterable<string>): void => {
  for (const name of names) {
    const path = join(folder, name)
    mkdirSync(dirname(path), { recursive: true })
    if (!existsSync(path)) symlinkSync(join(ROOT, 'node_modules', name), path)
  }
}

const linkScope = (folder: string, scope: string): void =>
  link(
    folder,
    readdirSync(join(ROOT, 'node_modules', scope)).map((name) => `${scope}/${name}`),
  )

/** What `npm install talkbridge` and `npm prune --omit=dev` leave, by the lockfile, where this machine has it. */
const production = (): string[] =>
  Object.entries(Lock.parse(lock).packages)
    .filter(([path, { dev, link }]) => /^node_modules\/(@[^/]+\/)?[^/]+$/.test(path) && dev !== true && link !== true)
    .map(([path]) => path.slice('node_modules/'.length))
    .filter((name) => existsSync(join(ROOT, 'node_modules', name)))

beforeAll(async () => {
  for (const name of [...SHIPPED, 'test', 'src']) cpSync(join(ROOT, name), join(installed, name), { recursive: true })
  link(join(installed, 'node_modules'), production())
  mkdirSync(dist)
  writeFileSync(join(dist, 'stale.js'), '')
  await build(dist)
})
afterAll(() => rmSync(installed, { recursive: true }))

const temporary = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'talkbridge-image-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

const filesOf = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))

/** The code that Node runs; what pages run is elsewhere. */
const scripts = (): string[] =>
  filesOf(dist).filter((name) => name.endsWith('.js') && !/^(client|console|guide|routes)\//.test(name))

/** Built, and on a Node that strips no types. */
const talkbridge = (args: readonly string[], env: Record<string, string> = {}): Promise<Ended> =>
  start(args, { cwd: installed, env, main: join(dist, 'main.js'), flags: ['--no-strip-types'] }).ended

test('the page at /console is built, in each form that browsers take, and nothing of its sources is there', () => {
  const files = filesOf(join(dist, 'console'))
  const whole = files.filter((name) => !/\.(gz|br)$/.test(name))
  expect(whole).toContain('index.html')
  expect(whole.length).toBeGreaterThan(10)
  expect(whole.filter((name) => !/^index\.html$|^assets\/[\w-]+\.(js|css|svg)$/.test(name))).toEqual([])
  expect(files.toSorted()).toEqual(whole.flatMap((name) => [name, `${name}.br`, `${name}.gz`]).toSorted())
})

test('the guide at /docs/guide is rendered, with the pictures that its pages show and no others', () => {
  const files = filesOf(join(dist, 'guide'))
  const pages = files.filter((name) => name.endsWith('.html'))
  expect(pages.length).toBe(filesOf(join(ROOT, 'docs')).filter((name) => name.endsWith('.md')).length + 1)
  const shown = pages.flatMap((name) =>
    Array.from(
      readFileSync(join(dist, 'guide', name), 'utf8').matchAll(/<img src="\/docs\/guide\/([^"]+)"/g),
      ([, picture]) => picture ?? '',
    ),
  )
  expect(files.filter((name) => !pages.includes(name)).toSorted()).toEqual([...new Set(shown)].toSorted())
})

test('the bundle, every asset, the licences, and nothing else is there any more', () => {
  const isAsset = (name: string): boolean => !/\.(md|ts)$|^(client|console|guide)\//.test(name)
  const films = filesOf(join(ROOT, 'packages/sandbox/src')).map((name) => `sandbox/${name}`)
  const assets = [...filesOf(join(ROOT, 'src')), ...films].filter(isAsset)
  const others = filesOf(dist).filter((name) => !/^(client|console|guide)\//.test(name) && !scripts().includes(name))
  expect(others.toSorted()).toEqual([...assets, LICENCES].toSorted())
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

test('main.js can be run as a command', () => {
  expect(readFileSync(join(dist, 'main.js'), 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/)
  expect(statSync(join(dist, 'main.js')).mode & 0o111).toBe(0o111)
})

let listed: readonly string[] | undefined
const packed = (): readonly string[] => {
  const args = ['pack', '--dry-run', '--json', '--ignore-scripts', '--offline']
  listed ??= Array.from(
    execFileSync('npm', args, { cwd: installed, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).matchAll(
      /"path": "([^"]+)"/g,
    ),
    ([, path]) => path ?? '',
  )
  return listed
}

test('the package holds what is for its users, and no source or test', () => {
  const tops = new Set(packed().map((path) => path.split('/', 1)[0] ?? ''))
  expect([...tops].toSorted()).toEqual([...SHIPPED, 'dist'].toSorted())
  expect(packed()).toContain('dist/main.js')
})

test('the release finds nothing wrong in the package', async () => {
  const args = ['pack', '--ignore-scripts', '--offline', '--pack-destination', temporary()]
  execFileSync('npm', args, { cwd: installed, stdio: 'ignore' })
  const tarball = join(must(args.at(-1)), `talkbridge-${manifest.version}.tgz`)
  const release = join(ROOT, 'scripts/release.ts')
  expect(execFileSync(process.execPath, [release, '--check', tarball], { encoding: 'utf8' })).toMatch(/tgz: ok\n$/)
  const types = must(manifest.exports['./client']).types
  expect(packed()).toContain(types.slice('./'.length))
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
  expect(linked.filter((link) => !isThere(link))).toEqual([])
})

test('--version', async () => {
  const expected = { code: 0, stdout: `${manifest.version}\n`, stderr: '' }
  expect(await talkbridge(['--version'])).toEqual(expected)
  expect(await talkbridge(['--version'], { FORCE_COLOR: '1', NO_COLOR: '1' })).toEqual(expected)
})

/** What an older Node reads before it comes to the check of its version. Node 18 has all of this. */
const READ_BY_ALL = [
  'constants from node:os',
  'join from node:path',
  'PerformanceObserver from node:perf_hooks',
  'getHeapSpaceStatistics, setFlagsFromString from node:v8',
]

test('the installed command imports nothing that an older Node lacks before it has checked the version', () => {
  const imports = readFileSync(join(dist, 'main.js'), 'utf8').matchAll(/^(?:import|export)\b(.*)\bfrom "(.*)";$/gm)
  const read = Array.from(
    imports,
    ([, names = '', from = '']) => `${names.replaceAll(/[{}]/g, '').trim()} from ${from}`,
  )
  expect(read).toEqual(READ_BY_ALL)
})

test.skipIf(await skippedWithout(['oldNode']))(
  'each older Node of this machine says in one line what is needed',
  async () => {
    const found = oldNodes()
    expect(found.length).toBeGreaterThan(0)
    for (const { path, version } of found) {
      const { code, stdout, stderr } = await start([join(dist, 'main.js'), '--version'], {
        cwd: installed,
        command: path,
      }).ended
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
      expect(stderr).toMatch(new RegExp(`^talkbridge: needs Node 24 or 26; this is ${version} \\(/.*\\)\\n$`))
    }
  },
)

test('config check', async () => {
  const example = readFileSync(join(installed, 'config/examples/two-backends.yaml'), 'utf8')
  // The example reads its backends' keys from files that are not on this machine.
  writeFileSync(join(installed, 'gateway.yaml'), example.replaceAll(/\$\{file:[^}]+\}/g, 'a-backend-key'))
  const env = {
    STUDIO_KEY: 'a-studio-key-of-27-characters',
    SUPPORT_BOT_KEY: 'a-bot-key-of-24-characters',
    ADMIN_KEY: 'an-admin-key-of-28-characters',
    // Somebody on this machine may have the port that is the default.
    PORT: '0',
  }
  expect(await talkbridge(['config', 'check', 'gateway.yaml'], env)).toEqual({
    code: 0,
    stdout: 'gateway.yaml: ok\n',
    stderr: '',
  })
})

test('what sends traces is found wanting, with the command that installs it where the package is', async () => {
  const at = (folder: string): string => {
    const root = join(folder, 'node_modules/talkbridge')
    for (const name of ['dist', 'package.json']) cpSync(join(installed, name), join(root, name), { recursive: true })
    link(join(root, 'node_modules'), production())
    return join(root, 'dist/main.js')
  }
  const main = { interface: 'primary', base_url: 'https://backend.invalid', api_key: 'a-backend-key' }
  const tracing = { otlp_endpoint: 'http://127.0.0.1:4318' }
  const config = { backends: { main }, clients: [{ id: 'acme', key: 'a-key-of-27-characters-long' }], tracing }
  const check = async (main: string, cwd: string): Promise<string> => {
    writeFileSync(join(cwd, 'gateway.json'), JSON.stringify(config))
    return (await start(['config', 'check', 'gateway.json'], { cwd, main }).ended).stderr
  }
  const everybodys = temporary()
  expect(await check(at(join(everybodys, 'lib')), everybodys)).toMatch(/: npm install -g @opentelemetry\/api@[\d.]+ /)
  const project = temporary()
  writeFileSync(join(project, 'package.json'), '{}')
  expect(await check(at(project), project)).toMatch(/: npm install @opentelemetry\/api@[\d.]+ /)
})

test('the demo runs on what an installation brings', async () => {
  const { code, stdout, stderr } = await talkbridge(['demo'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toContain('✓ everything works')
  const made = ['alternate.mp4', 'card.json', 'guests', 'guests.csv', 'primary.mp4']
  expect(readdirSync(join(installed, 'demo-output')).toSorted()).toEqual(made)
})

test('what the Dockerfile copies is there, and is sent to where it is built', () => {
  const sent = readFileSync(join(ROOT, '.dockerignore'), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('!'))
  const sources = stages().flatMap((stage) => copiesOf(stage).flatMap(({ from, sources }) => (from ? [] : sources)))
  expect(sources.toSorted()).toEqual(sent.map((line) => line.slice(1)).toSorted())
  for (const source of sources) expect(existsSync(join(ROOT, source)), source).toBe(true)
})

/** Where the stage `build` has what the others take from it. */
const BUILT: Readonly<Record<string, (to: string) => void>> = {
  '/build/package.json': (to) => cpSync(join(ROOT, 'package.json'), join(to, 'package.json')),
  '/build/config': (to) => cpSync(join(ROOT, 'config'), to, { recursive: true }),
  '/build/dist': (to) => cpSync(dist, to, { recursive: true }),
  '/build/node_modules': (to) => link(to, production()),
  '/tracing': (to) => linkScope(to, '@opentelemetry'),
}

/** The folder and the process of a container, with /data and the configuration in `outside`, on ports of this machine. */
const container = async (image: Image, outside: string, ports: Readonly<Record<string, number>>) => {
  const app = join(outside, 'app')
  for (const { sources, to } of image.copies) for (const source of sources) must(BUILT[source])(join(app, to))
  mkdirSync(join(outside, 'data'))
  // Its /data is this one.
  const defaults = join(app, 'config/image.yaml')
  if (existsSync(defaults))
    writeFileSync(defaults, readFileSync(defaults, 'utf8').replace('/data', join(outside, 'data')))
  const here = (text: string): string =>
    Object.entries(ports).reduce(
      (changed, [port, other]) => changed.replaceAll(port, String(other)),
      text.replace(/^\/(data|etc)\b/, (path) => outside + path),
    )
  const env = Object.fromEntries(Object.entries(image.env).map(([name, value]) => [name, here(value)]))
  const before = filesOf(app)
  const options = { cwd: app, env, command: process.execPath }
  const [, ...args] = image.command.map(here)
  const [, ...check] = image.healthcheck.map(here)
  return {
    running: start(['--no-strip-types', ...args], options),
    isHealthy: () =>
      new Promise<boolean>((resolve) => {
        execFile(process.execPath, check, { cwd: app, env: { ...env, PATH: process.env['PATH'] } }, (error) =>
          resolve(!error),
        )
      }),
    written: () => filesOf(app).filter((file) => !before.includes(file)),
  }
}

test('the image of the gateway serves, with its API page, and writes beside itself alone', async () => {
  const outside = temporary()
  const main = { interface: 'primary', base_url: 'https://backend.invalid', api_key: 'a-backend-key' }
  const port = await freePort()
  const server = { port, host: '127.0.0.1', shutdown_delay: '1ms' }
  const config = { server, backends: { main }, clients: [{ id: 'acme', key: 'a-key-of-27-characters-long' }] }
  mkdirSync(join(outside, 'etc/talkbridge'), { recursive: true })
  writeFileSync(join(outside, 'etc/talkbridge/gateway.yaml'), JSON.stringify(config))
  const image = imageOf('gateway')
  expect(Object.keys(image.env)).toEqual(['NODE_ENV', 'TMPDIR'])
  const { running, isHealthy, written } = await container(image, outside, {})
  await running.printed(/"talkbridge serves"/)
  expect(await isHealthy()).toBe(true)
  for (const path of ['/docs', '/docs/guide/', '/openapi.json', '/docs/assets/page.js', '/docs/assets/page.css']) {
    const response = await fetch(`http://127.0.0.1:${port}${path}`)
    await response.arrayBuffer()
    expect([path, response.status]).toEqual([path, 200])
  }
  running.kill('SIGTERM')
  const { code, stdout } = await running.ended
  expect(code).toBe(0)
  // What the file says is in force, and each default that it replaces is named.
  expect(stdout).toContain('"delay_ms":1,')
  expect(stdout.trimEnd().split('\n').at(-1)).toContain('"talkbridge stopped"')
  const replaced = [
    ...stdout.matchAll(
      /"setting":"([^"]+)","msg":"the value in [^"]+ is used, not the default in config\/image\.yaml"/g,
    ),
  ]
  expect(replaced.map(([, setting = '']) => setting).toSorted()).toEqual([
    'server.host',
    'server.port',
    'server.shutdown_delay',
  ])
  expect(await isHealthy()).toBe(false)
  expect(written()).toEqual([])
  expect(existsSync(join(outside, 'data/talkbridge.db'))).toBe(true)
})

test('the image of the sandbox serves its videos', async () => {
  const [primary = 0, alternate = 0] = await freePorts(2)
  const outside = temporary()
  const { command, ...others } = imageOf('sandbox')
  const image = { ...others, command: [...command, '--primary-port', '4010', '--alternate-port', '4020'] }
  const { running, isHealthy, written } = await container(image, outside, { 4010: primary, 4020: alternate })
  await running.printed(/what you can make happen/)
  expect(await isHealthy()).toBe(true)
  const headers = { authorization: 'Bearer sandbox-primary-key' }
  const job = await fetch(`http://127.0.0.1:${primary}/api/v1/videos/api_video_sample`, { headers })
  const film = await fetch(must(/http:[^"]+\.mp4[^"]*/.exec(await job.text()))[0])
  expect([film.status, film.headers.get('content-type')]).toEqual([200, 'video/mp4'])
  expect(Buffer.from(await film.arrayBuffer()).toString('latin1', 4, 8)).toBe('ftyp')
  running.kill('SIGTERM')
  expect((await running.ended).code).toBe(0)
  expect(await isHealthy()).toBe(false)
  expect(written()).toEqual([])
})

test('the image of the gateway holds what the package needs and what sends traces, and no development dependency', () => {
  const names = production()
  for (const name of Object.keys(manifest.dependencies)) expect(names).toContain(name)
  for (const name of Object.keys(manifest.devDependencies)) expect(names).not.toContain(name)
  expect(imageOf('gateway').copies.map(({ sources }) => sources)).toContainEqual(['/tracing'])
})
