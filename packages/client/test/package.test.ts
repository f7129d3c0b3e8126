import { execFile, spawnSync } from 'node:child_process'
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import gateway from '../../../package.json' with { type: 'json' }
import manifest from '../package.json' with { type: 'json' }
import { ALT, stage } from '../../../test/e2e/harness.ts'
import { KEYS } from '../../../test/fakes/gateway.ts'
import { installClient, type Installed } from './install.ts'

let installed: Installed
beforeAll(async () => {
  installed = await installClient()
})
afterAll(() => installed.remove())

const run = promisify(execFile)

test('the client imports nothing of Node, and two packages', () => {
  const dist = join(installed.folder, 'node_modules/talkbridge/dist/client')
  const scripts = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.js'))
  const named = scripts.flatMap((name) =>
    Array.from(
      readFileSync(join(dist, name), 'utf8').matchAll(/(?:from|import\()\s*'([^']+)'/g),
      ([, from = '']) => from,
    ),
  )
  expect(new Set(named.filter((from) => !from.startsWith('./') && !from.startsWith('../')))).toEqual(
    new Set(['openapi-fetch', 'standardwebhooks']),
  )
  expect(scripts.map((name) => readFileSync(join(dist, name), 'utf8')).join('\n')).not.toMatch(/\b(process|Buffer)\./)
})

test('publint and attw find nothing wrong in the package that has it alone', async () => {
  const own = join(installed.folder, 'node_modules/@talkbridge/client')
  cpSync(join(import.meta.dirname, '../package.json'), join(own, 'package.json'))
  cpSync(join(installed.folder, 'node_modules/talkbridge/dist/client'), join(own, 'dist'), { recursive: true })
  await run('npm', ['pack', '--ignore-scripts', '--offline'], { cwd: own })
  const lint = join(import.meta.dirname, 'package-lint.ts')
  const tarball = join(own, `talkbridge-client-${manifest.version}.tgz`)
  expect((await run(process.execPath, [lint, tarball])).stdout).toBe('')
})

test('it is of the version that the gateway is of', () => expect(manifest.version).toBe(gateway.version))

const USE = `
import { createTalkbridge, TalkbridgeError, webhooks, type WebhookEvent } from 'talkbridge/client'
const { videos, GET, POST, DELETE } = createTalkbridge({ url: 'http://127.0.0.1', key: () => 'a-key' })
const made = await videos.create({ puppet_id: 'alt:pup_ada', text: 'Hi.' })
export const id: string = made.id
export const ended: 'completed' | 'failed' | 'canceled' = (await videos.wait(id)).status
export const voice: string | undefined = (await GET('/unified/v1/voices')).data.data[0]?.id
export const status: string = (await POST('/unified/v1/videos/{id}/cancel', { params: { path: { id } } })).data.status
export const nothing: undefined = (await DELETE('/unified/v1/puppets/{id}', { params: { path: { id } } })).data
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
]
const BEFORE =
  "import { createTalkbridge, type TalkbridgeError, type WebhookEvent } from 'talkbridge/client'\nconst KEY = 'a-key'\nconst { videos, GET, POST } = createTalkbridge({ url: 'http://127.0.0.1', key: KEY })\n"

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
import { createTalkbridge, webhooks } from 'talkbridge/client'
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
