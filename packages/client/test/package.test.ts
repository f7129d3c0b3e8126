import { execFile, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import gateway from '../../../package.json' with { type: 'json' }
import manifest from '../package.json' with { type: 'json' }
import { ALT, stage } from '../../../test/e2e/harness.ts'
import { KEYS } from '../../../test/fakes/gateway.ts'
import { VERSION } from '../src/send.ts'
import { installClient, type Installed } from './install.ts'

const MODULES = join(import.meta.dirname, '../../../node_modules')

let installed: Installed
beforeAll(async () => {
  installed = await installClient()
})
afterAll(() => installed.remove())

const run = promisify(execFile)

const DIST = 'node_modules/@talkbridge/client/dist'

test('the client imports nothing of Node, and one package', () => {
  const dist = join(installed.folder, DIST)
  const scripts = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.js'))
  const named = scripts.flatMap((name) =>
    Array.from(
      readFileSync(join(dist, name), 'utf8').matchAll(/(?:from|import\()\s*'([^']+)'/g),
      ([, from = '']) => from,
    ),
  )
  expect(new Set(named.filter((from) => !from.startsWith('./') && !from.startsWith('../')))).toEqual(
    new Set(['standardwebhooks']),
  )
  expect(scripts.map((name) => readFileSync(join(dist, name), 'utf8')).join('\n')).not.toMatch(/\b(process|Buffer)\./)
})

/** What of the client is in a program of its user, compressed. */
const bundledBytes = async (program: string): Promise<number> => {
  const input = join(installed.folder, 'program.js')
  writeFileSync(input, program)
  const bundle = await rolldown({ input, cwd: installed.folder, platform: 'browser' })
  const { output } = await bundle.generate({ format: 'esm', minify: true })
  return gzipSync(output[0].code, { level: 9 }).length
}

test('an app ships what it uses: 7 kB for a client of everything', async () => {
  const from = "from '@talkbridge/client'"
  const client = await bundledBytes(`import { createTalkbridge } ${from}\nwindow.t = createTalkbridge({ url: '/' })`)
  expect(client).toBeLessThanOrEqual(7_000)
  const error = await bundledBytes(`import { TalkbridgeError } ${from}\nwindow.t = TalkbridgeError`)
  expect(error).toBeLessThan(1_000)
  expect(await bundledBytes(`import { createTalkbridge, webhooks } ${from}`)).toBeLessThan(100)
})

const Package = z.object({ dependencies: z.record(z.string(), z.string()).default({}) })

test('an installation is at most six packages, and under two megabytes', () => {
  const names = new Set<string>()
  const add = (dependencies: Record<string, string>): void => {
    for (const name of Object.keys(dependencies)) {
      if (names.has(name)) continue
      names.add(name)
      add(Package.parse(JSON.parse(readFileSync(join(MODULES, name, 'package.json'), 'utf8'))).dependencies)
    }
  }
  add(manifest.dependencies)
  expect(names.size + 1).toBeLessThanOrEqual(6)
  const bytesIn = (folder: string): number =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
  const own = bytesIn(join(installed.folder, 'node_modules/@talkbridge/client'))
  const all = [...names].reduce((sum, name) => sum + bytesIn(join(MODULES, name)), own)
  expect(own).toBeGreaterThan(100_000)
  expect(all).toBeLessThan(2_000_000)
})

test('the release finds nothing wrong in it', async () => {
  const own = join(installed.folder, 'node_modules/@talkbridge/client')
  await run('npm', ['pack', '--ignore-scripts', '--offline'], { cwd: own })
  const tarball = join(own, `talkbridge-client-${manifest.version}.tgz`)
  const release = join(import.meta.dirname, '../../../scripts/release.ts')
  expect((await run(process.execPath, [release, '--check', tarball])).stdout).toMatch(/tgz: ok\n$/)
})

test('it is of the version that the gateway is of, and says so', () => {
  expect([manifest.version, VERSION]).toEqual([gateway.version, gateway.version])
})

const USE = `
import { createTalkbridge, TalkbridgeError, webhooks, type WebhookEvent } from '@talkbridge/client'
const { videos, voices, uploads, webhookEndpoints, events, GET, POST, DELETE } = createTalkbridge({ url: 'http://127.0.0.1', key: () => 'a-key' })
const made = await videos.create({ puppet_id: 'alt:pup_ada', text: 'Hi.' })
export const id: string = made.id
export const ended: 'completed' | 'failed' | 'canceled' = (await videos.wait(id)).status
export const voice: string | undefined = (await GET('/unified/v1/voices')).data.data[0]?.id
export const status: string = (await POST('/unified/v1/videos/{id}/cancel', { params: { path: { id } } })).data.status
export const nothing: undefined = (await DELETE('/unified/v1/puppets/{id}', { params: { path: { id } } })).data
export const file: string = (await videos.createAndWait({ text: 'Hi.' }, { timeoutMs: 5 })).id
export const request: string | null = (await videos.get(id, { maxRetries: 0 }).withResponse()).requestId
export const csv: string = (await GET('/unified/v1/admin/usage', { parseAs: 'text', headers: { accept: 'text/csv' } })).data
for await (const { language_code } of voices.list({ language: 'en' })) { const code: string | null = language_code; void code }
export const upload: string = (await uploads.send(new Blob(['']), { contentType: 'audio/wav' })).id
export const secret: string = (await webhookEndpoints.create({ url: 'https://app.example/hook' })).secret
export const again: string[] = (await events.redeliver('evt_1')).deliveries
const event: WebhookEvent = webhooks.verify('', new Headers(), 'whsec_')
if (event.type === 'video.completed') { const sequence: number = event.data.sequence; void sequence }
if (event.type === 'quota.warning') { const threshold: number = event.data.threshold; void threshold }
for await (const { type, id: eventId } of videos.stream({ types: ['video.failed'] })) {
  if (type === 'video.failed') { const known: string = eventId; void known }
}
try { videos.list({ status: 'queued' }) } catch (error) {
  if (error instanceof TalkbridgeError && error.code === 'connection_failed') throw error.cause
}
`
/** Each is one error. */
const WRONG = [
  "await videos.create({ colour: 'red' })",
  "await videos.list({ status: 'done' }).page()",
  "await GET('/unified/v1/nothing')",
  "await GET('/unified/v1/videos/{id}')",
  "await POST('/unified/v1/voices')",
  "export const voice: number = (await GET('/unified/v1/voices')).data.object",
  "export const made = (event: WebhookEvent) => event.type === 'video.made'",
  "export const spelled = (error: TalkbridgeError) => error.code === 'timeoutt'",
  "videos.stream({ types: ['video.made'] })",
  'createTalkbridge({ key: KEY })',
  "await videos.get('vid_1', { timeout: 5 })",
  "await GET('/unified/v1/voices', { timeoutMs: '5' })",
  "await GET('/unified/v1/voices', { params: { query: { colour: 'red' } } })",
  "await uploads.send(new Blob(['']), { contentType: 'video/mp4' })",
]
const BEFORE =
  "import { createTalkbridge, type TalkbridgeError, type WebhookEvent } from '@talkbridge/client'\nconst KEY = 'a-key'\nconst { videos, uploads, GET, POST } = createTalkbridge({ url: 'http://127.0.0.1', key: KEY })\n"

describe('types', () => {
  test.each([
    ['typescript', 'nodenext', 'nodenext'],
    ['typescript', 'esnext', 'bundler'],
    ['typescript-5', 'nodenext', 'nodenext'],
  ])('hold what they say, and refuse the rest: %s, %s', (compiler, module, moduleResolution) => {
    const { folder } = installed
    const [target, lib] = ['es2022', ['es2022', 'dom']]
    const compilerOptions = { noEmit: true, strict: true, target, lib, types: [], module, moduleResolution }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['use.ts', 'wrong.ts'] }))
    writeFileSync(join(folder, 'use.ts'), USE)
    writeFileSync(join(folder, 'wrong.ts'), BEFORE + WRONG.join('\n'))
    const tsc = join(import.meta.dirname, '../../../node_modules', compiler, 'bin/tsc')
    const { stdout } = spawnSync(process.execPath, [tsc, '--pretty', 'false'], { cwd: folder, encoding: 'utf8' })
    // Also of the declarations themselves: `skipLibCheck` is off.
    const errors = Array.from(stdout.matchAll(/^(\S+?)\((\d+),/gm), ([, file, line]) => `${file}:${line}`)
    expect(errors, stdout).toEqual(WRONG.map((_, at) => `wrong.ts:${at + 4}`))
  })
})

/** A Node of this machine that is older than the gateway's, or null. */
const olderNode = (): string | null => {
  const candidates = (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, 'node'))
  const major = (node: string): number => Number(/^v(\d+)/.exec(String(spawnSync(node, ['--version']).stdout))?.[1])
  return candidates.find((node) => [20, 21, 22, 23].includes(major(node))) ?? null
}

const SCRIPT = `
import { createTalkbridge } from '@talkbridge/client'
import { webhooks } from 'talkbridge/client'
const { videos } = createTalkbridge({ url: process.argv[2], key: process.argv[3] })
const { id } = await videos.create(JSON.parse(process.argv[4]))
const seen = []
for await (const { status } of videos.stream(id)) seen.push(status)
const { status } = await videos.wait(id)
const file = await videos.download(id)
const bytes = new Uint8Array(await file.arrayBuffer())
let refused
try { webhooks.verify('{}', {}, 'whsec_MDEyMzQ1Njc4OWFiY2RlZg==') } catch (error) { refused = error.code }
console.log(seen.at(-1), status, String.fromCharCode(...bytes.slice(4, 8)), refused, typeof webhooks.fetchHandler)
`

const expectWorks = async (node: string): Promise<void> => {
  const { gateway: running } = await stage()
  writeFileSync(join(installed.folder, 'script.mjs'), SCRIPT)
  const args = ['script.mjs', running().gateway.url, KEYS.anna, JSON.stringify(ALT)]
  const { stdout, stderr } = await run(node, args, { cwd: installed.folder })
  expect([stdout, stderr]).toEqual(['completed completed ftyp webhook_invalid function\n', ''])
}

test('it works as it is installed', () => expectWorks(process.execPath))

const older = olderNode()
if (older === null)
  process.stderr.write('\n*** SKIPPED: no Node 20 to 23 on the PATH. The client is NOT run on an older Node. ***\n\n')
test.skipIf(older === null)('and on an older Node', () => expectWorks(older ?? ''))
