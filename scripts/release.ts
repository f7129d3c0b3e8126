import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs, promisify } from 'node:util'
import { publint } from 'publint'
import { z } from 'zod'
import manifest from '../package.json' with { type: 'json' }
import { build, buildSandbox } from './build.ts'
import { buildClient } from './build-client.ts'
import { withCompilerApi } from './client-types.ts'
import { sbom } from './sbom.ts'

/**
 * `--dry-run [--out DIR]`: builds and packs the three packages, checks them, installs each in an empty folder and uses it there
 * (for what they depend on it needs the npm registry); writes the bill of materials and the notes beside them. `--check FILE…`
 * only checks packed packages. It publishes nothing.
 */
const ROOT = join(import.meta.dirname, '..')
const say = (text: string): void => void process.stdout.write(`${text}\n`)

interface Rules {
  readonly tops: RegExp
  readonly needs: readonly string[]
  readonly maxBytes: number
}

/** By the name of the package: what is in it, and no more, and how large it may be when packed. */
const RULES: Readonly<Record<string, Rules>> = {
  talkbridge: {
    tops: /^(dist|config|docs|examples)\/|^(CHANGELOG|CONTRIBUTING|SECURITY)\.md$/,
    needs: [
      'dist/main.js',
      'dist/LICENSES.txt',
      'dist/client/index.d.ts',
      'dist/console/index.html',
      'CHANGELOG.md',
      'SECURITY.md',
    ],
    maxBytes: 6_000_000,
  },
  '@talkbridge/client': {
    tops: /^dist\/[\w-]+(\.d\.ts|\.js)$/,
    needs: ['dist/index.js', 'dist/index.d.ts', 'dist/schema.d.ts'],
    maxBytes: 250_000,
  },
  '@talkbridge/sandbox': {
    tops: /^(media|contracts)\/|^[\w.-]+\.js$|^LICENSES\.txt$/,
    needs: ['main.js', 'LICENSES.txt', 'media/assets/sandbox-720p.mp4'],
    maxBytes: 1_500_000,
  },
}

const ALL = ['package.json', 'README.md', 'LICENSE']

/** Of no package: sources, tests, and what may hold somebody's data or keys. */
const FOREIGN =
  /(^|\/)(src|test|node_modules|data)\/|(?<!\.d)\.tsx?$|\.test\.[jt]s|\.(map|db|log|tgz|pem|key)$|(^|\/)\.env/

/** What attw's own profile `esm-only` leaves out: resolutions that know no `exports`, or no ESM. */
const NOT_OF_ESM = ['node10', 'node16-cjs']

const Packed = z.object({ version: z.string(), dependencies: z.record(z.string(), z.string()).default({}) })

/** What is wrong with a packed package, one line each. */
const faultsOf = async (file: string): Promise<string[]> => {
  const tarball = new Uint8Array(await readFile(file))
  const attw = await withCompilerApi(() => import('@arethetypeswrong/core'))
  const pack = attw.createPackageFromTarballData(tarball)
  const rules = RULES[pack.packageName]
  if (!rules) return [`${pack.packageName} is none of our packages`]
  const root = `/node_modules/${pack.packageName}/`
  const files = pack.listFiles().map((path) => path.slice(root.length))
  const { version, dependencies } = Packed.parse(JSON.parse(pack.readFile(`${root}package.json`)))
  const checked = await attw.checkPackage(pack)
  const problems = checked.types === false ? [] : checked.problems
  const { messages } = await publint({ pack: { tarball: tarball.slice().buffer }, strict: true })
  return [
    ...files
      .filter((path) => !(ALL.includes(path) || rules.tops.test(path)) || FOREIGN.test(path))
      .map((path) => `${path} does not belong in it`),
    ...[...rules.needs, ...ALL].filter((path) => !files.includes(path)).map((path) => `it lacks ${path}`),
    ...(tarball.length > rules.maxBytes ? [`${tarball.length} bytes; it may have ${rules.maxBytes}`] : []),
    ...(version === manifest.version ? [] : [`its version is ${version}, not ${manifest.version}`]),
    // Each must be usable before any other of them is published.
    ...Object.entries(dependencies).flatMap(([name, range]) =>
      name.startsWith('@talkbridge/') || !/^[\d^~><]/.test(range) ? [`it depends on ${name}@${range}`] : [],
    ),
    ...problems
      .filter((one) => !('resolutionKind' in one && NOT_OF_ESM.includes(one.resolutionKind)))
      .map((one) => `attw: ${JSON.stringify(one)}`),
    ...messages.map((one) => `publint: ${JSON.stringify(one)}`),
  ]
}

/** Throws where one of them is not as it must be. */
const check = async (files: readonly string[]): Promise<void> => {
  const found = await Promise.all(files.map(faultsOf))
  for (const [at, faults] of found.entries())
    for (const line of faults.length === 0 ? ['ok'] : faults) say(`${basename(files[at] ?? '')}: ${line}`)
  const faulty = found.filter((faults) => faults.length > 0).length
  if (faulty > 0) throw new Error(`${faulty} of ${files.length} packages cannot be published`)
}

/** Without what `npm run` adds: it would be taken for this repository's. */
const ENV = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(npm_|TALKBRIDGE_)/i.test(name)))

const run = async (command: string, args: readonly string[], cwd: string): Promise<string> =>
  (await promisify(execFile)(command, args, { cwd, env: ENV, maxBuffer: 64_000_000 })).stdout

const pack = async (folder: string, out: string): Promise<string> =>
  join(
    out,
    (await run('npm', ['pack', folder, '--ignore-scripts', '--silent', '--pack-destination', out], ROOT)).trim(),
  )

const Installed = z.object({ packages: z.record(z.string(), z.unknown()) })

/** An empty folder, outside of every workspace, in which it is installed; answers what npm brought. */
const install = async (folder: string, ...wanted: readonly string[]): Promise<string[]> => {
  await mkdir(folder, { recursive: true })
  if (!existsSync(join(folder, 'package.json'))) await writeFile(join(folder, 'package.json'), '{"type":"module"}')
  await run('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', ...wanted], folder)
  const lock: unknown = JSON.parse(readFileSync(join(folder, 'node_modules/.package-lock.json'), 'utf8'))
  return Object.keys(Installed.parse(lock).packages).map((path) => path.slice('node_modules/'.length))
}

/** Runs a command of an installed package while `work` uses it; `work` gets the first line that has `ready` in it. */
const whileRunning = async (cwd: string, args: string[], ready: string, work: (line: string) => Promise<void>) => {
  const child = spawn(process.execPath, args, { cwd, env: ENV, stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  try {
    let found = ''
    for await (const line of createInterface({ input: child.stdout })) if ((found = line).includes(ready)) break
    child.stdout.resume()
    await work(found)
  } finally {
    child.kill('SIGTERM')
  }
  const [code] = (await ended) as [number | null]
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}`)
}

/** The oldest versions that its peers' ranges allow, and newer ones than those that the tests run with. */
const TRACING = [
  ['api@1.9.0', 'exporter-trace-otlp-proto@0.220.0', 'resources@2.9.0', 'sdk-trace@2.9.0'],
  ['api@1.10.0', 'exporter-trace-otlp-proto@0.301.1', 'resources@3.1.1', 'sdk-trace@3.1.1'],
]

const KEY = 'a-key-of-a-release-trial'
const VIDEO = `
import { createTalkbridge } from '@talkbridge/client'
const { videos } = createTalkbridge({ url: process.argv[2], key: process.argv[3] })
const video = await videos.createAndWait({ image_url: 'https://example.com/anna.png', text: 'Hello.' })
const file = await (await videos.download(video)).arrayBuffer()
if (video.status !== 'completed' || file.byteLength < 1_000) throw new Error(video.status)
`
const Backend = z.object({ primary: z.object({ url: z.string(), key: z.string() }) })

/** Makes a video with all three, and expects a collector to get its spans. */
const makeVideo = async (gateway: string, client: string, sandbox: string): Promise<void> => {
  let spans = 0
  const collector = createServer((request, response) => {
    spans += 1
    request.resume()
    response.end()
  }).listen(0, '127.0.0.1')
  await once(collector, 'listening')
  const { url: base_url, key: api_key } = Backend.parse(JSON.parse(sandbox)).primary
  const config = {
    server: { port: 0, shutdown_delay: '1ms' },
    log: { format: 'json' },
    backends: { main: { interface: 'primary', base_url, api_key } },
    clients: [{ id: 'trial', key: KEY }],
    tracing: { otlp_endpoint: `http://127.0.0.1:${(collector.address() as AddressInfo).port}` },
  }
  await writeFile(join(gateway, 'gateway.json'), JSON.stringify(config))
  await writeFile(join(client, 'video.js'), VIDEO)
  const serve = ['node_modules/talkbridge/dist/main.js', 'serve', '-c', 'gateway.json']
  await whileRunning(gateway, serve, '"talkbridge serves"', async (line) => {
    const { url } = z.object({ url: z.string() }).parse(JSON.parse(line))
    await run(process.execPath, ['video.js', url, KEY], client)
  })
  collector.close()
  if (spans === 0) throw new Error('the collector got no spans')
}

/** Installs each without any other package of ours, then uses all three together. */
const tryOut = async ([talkbridge, library, simulation]: readonly [string, string, string], folder: string) => {
  const [gateway, client, sandbox] = [join(folder, 'gateway'), join(folder, 'client'), join(folder, 'sandbox')]
  const ours = (await install(gateway, talkbridge)).filter((name) => name.includes('@talkbridge/'))
  if (ours.length > 0) throw new Error(`talkbridge needs packages of ours: ${ours.join()}`)
  say((await run('npx', ['--no-install', 'talkbridge', 'demo'], gateway)).trimEnd())
  await run(process.execPath, ['--input-type=module', '-e', "import 'talkbridge/client'"], gateway)
  const brought = await install(client, library)
  if (brought.length > 6) throw new Error(`@talkbridge/client brings ${brought.join()}`)
  say(`@talkbridge/client brings ${brought.length} packages`)
  await install(sandbox, simulation)
  const start = ['node_modules/@talkbridge/sandbox/main.js', '--primary-port', '0', '--alternate-port', '0', '--json']
  await whileRunning(sandbox, start, '"primary"', async (line) => {
    for (const versions of TRACING) {
      await install(gateway, ...versions.map((name) => `@opentelemetry/${name}`))
      await makeVideo(gateway, client, line)
      say(`a video was made with all three, traced by ${versions.join(', ')}`)
    }
  })
}

/** The text under the heading of this version; before that has one, what is not released yet. */
const notesOf = (changelog: string): string => {
  const sections = new Map(changelog.split(/^## /m).map((text) => [/^\[([^\]]+)\]/.exec(text)?.[1], text] as const))
  const found = sections.get(manifest.version) ?? sections.get('Unreleased')
  if (found === undefined) throw new Error(`CHANGELOG.md has no heading for ${manifest.version}`)
  return found.slice(found.indexOf('\n') + 1).trim()
}

const dryRun = async (out: string): Promise<void> => {
  await rm(out, { recursive: true, force: true })
  await mkdir(out, { recursive: true })
  await build(join(ROOT, 'dist'))
  await buildClient(join(ROOT, 'packages/client/dist'))
  await buildSandbox(join(ROOT, 'packages/sandbox/dist'))
  const files = [
    await pack('.', out),
    await pack('./packages/client', out),
    await pack('./packages/sandbox/dist', out),
  ] as const
  await check(files)
  const folder = await mkdtemp(join(tmpdir(), 'talkbridge-release-'))
  try {
    await tryOut(files, folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  await writeFile(join(out, `talkbridge-${manifest.version}.cdx.json`), `${JSON.stringify(await sbom(), null, 2)}\n`)
  const notes = notesOf(await readFile(join(ROOT, 'CHANGELOG.md'), 'utf8'))
  await writeFile(join(out, 'notes.md'), `# Talkbridge ${manifest.version}\n\n${notes}\n`)
  say(`nothing was published. ${out} has the packages, the bill of materials and the notes`)
}

const work = async (args: string[]): Promise<void> => {
  const options = { 'dry-run': { type: 'boolean' }, check: { type: 'boolean' }, out: { type: 'string' } } as const
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
  if (values.check === true) return check(positionals)
  if (values['dry-run'] === true) return dryRun(resolve(values.out ?? join(ROOT, 'release')))
  throw new Error('give --dry-run: this publishes nothing, CONTRIBUTING.md says how to')
}

if (import.meta.main)
  await work(process.argv.slice(2)).catch((error: unknown) => {
    process.stderr.write(`release: ${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 1
  })
