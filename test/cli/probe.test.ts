import { join } from 'node:path'
import { writeFileSync } from 'node:fs'
import { describe, expect, onTestFinished, test } from 'vitest'
import { parseConfig, type Config } from '../../src/config.ts'
import { createSystemClock } from '../../src/core/time/clock.ts'
import { startGateway, type Gateway } from '../../src/gateway.ts'
import { createLog } from '../../src/log.ts'
import { startSandbox, type Sandbox } from '@talkbridge/sandbox'
import { testPostgres } from '../fakes/databases.ts'
import { startBackend } from '../fakes/backend.ts'
import { skippedWithout } from '../fakes/servers.ts'
import { until } from '../fakes/until.ts'
import { start, temporaryFolder } from './harness.ts'

const SECRET_KEY = Buffer.alloc(32, 7).toString('base64')
const REFUSED = 'the backend refuses its key: nothing works until `api_key` is renewed'

type Draft = Record<string, unknown>

const documentOf = (dir: string, backends: Draft, more: Draft = {}): Draft => ({
  server: { port: 0 },
  store: { path: join(dir, 'talkbridge.db') },
  backends,
  clients: [{ id: 'acme', key: 'tb_acme_0123456789abcdef' }],
  routing: { default: 'main' },
  ...more,
})

const configOf = (document: Draft): Config => {
  const parsed = parseConfig({ text: JSON.stringify(document), format: 'json', env: {}, readFile: () => '' })
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults))
  return parsed.config
}

const serve = async (document: Draft, probesBackends = true): Promise<{ gateway: Gateway; lines: string[] }> => {
  const lines: string[] = []
  const log = createLog({ level: 'info', format: 'json' }, { write: (line) => void lines.push(line) }, false)
  const gateway = await startGateway({
    config: configOf(document),
    clock: createSystemClock(),
    log,
    secretKey: SECRET_KEY,
    random: Math.random,
    probesBackends,
  })
  onTestFinished(() => gateway.close().then(() => undefined))
  return { gateway, lines }
}

const openSandbox = async (): Promise<{ sandbox: Sandbox; backends: Draft }> => {
  const sandbox = await startSandbox({ clock: createSystemClock(), speed: 1_000 })
  onTestFinished(() => sandbox.close())
  const { primaryUrl, primaryKey, alternateUrl, alternateKey } = sandbox
  return {
    sandbox,
    backends: {
      main: { interface: 'primary', base_url: primaryUrl, api_key: primaryKey },
      again: { interface: 'primary', base_url: primaryUrl, api_key: primaryKey },
      alt: { interface: 'alternate', base_url: alternateUrl, api_key: alternateKey },
    },
  }
}
const asked = (sandbox: Sandbox): string[] =>
  sandbox
    .ledger()
    .requests.map(({ operation }) => String(operation))
    .toSorted()

test('a start asks each account once, out of its budget, and only where it is told to', async () => {
  const { sandbox, backends } = await openSandbox()
  await serve(documentOf(temporaryFolder(), backends), false)
  const { gateway } = await serve(documentOf(temporaryFolder(), backends))
  await until(() => sandbox.ledger().requests.every(({ status }) => status === 200) && asked(sandbox).length === 2)
  // A second look, as a start that came after an answer: nothing is asked.
  await gateway.deps.videos.probe()
  expect(asked(sandbox)).toEqual(['getDeveloperApiUsage', 'listVideos'])
  const main = gateway.deps.backends.get('main')
  expect(main && (await gateway.deps.videos.describe(main)).budget.remaining).toBe(9)
})

test('a refused key is one clear line; a backend that hangs delays nothing', async () => {
  const refusing = await startBackend()
  const hanging = await startBackend()
  onTestFinished(() => Promise.all([refusing.close(), hanging.close()]).then(() => undefined))
  refusing.answer({ status: 401, body: { error: { code: 'unauthorized' } } })
  hanging.answer({ fault: 'hang' })
  const backend = (base_url: string): Draft => ({
    interface: 'primary',
    base_url,
    api_key: 'canary-key',
    timeout: '1s',
  })
  const backends = { main: backend(refusing.url), slow: backend(hanging.url) }
  const { gateway, lines } = await serve(documentOf(temporaryFolder(), backends))
  expect((await fetch(`${gateway.url}/readyz`)).status).toBe(200)
  await until(() => lines.some((line) => line.includes(REFUSED)))
  expect(lines.filter((line) => line.includes(REFUSED))).toHaveLength(1)
  expect(lines.join()).not.toContain('canary')
  expect(refusing.requests).toHaveLength(1)
})

describe.skipIf(await skippedWithout(['postgres']))('replicas', () => {
  test('that start together ask each account once', async () => {
    const { sandbox, backends } = await openSandbox()
    const { url } = await testPostgres()
    const store = { driver: 'postgres', url, pool: 2, path: join(temporaryFolder(), 'none.db') }
    const document = documentOf('', backends, { store })
    const replicas = await Promise.all([serve(document, false), serve(document, false), serve(document, false)])
    await Promise.all(replicas.map(({ gateway }) => gateway.deps.videos.probe()))
    expect(asked(sandbox)).toEqual(['getDeveloperApiUsage', 'listVideos'])
  })
})

test('`serve` does it for a configuration of yours', async () => {
  const refusing = await startBackend()
  onTestFinished(() => refusing.close())
  refusing.answer({ status: 401, body: {} })
  const cwd = temporaryFolder()
  const main = { interface: 'primary', base_url: refusing.url, api_key: 'canary-key' }
  writeFileSync(join(cwd, 'gateway.json'), JSON.stringify(documentOf(cwd, { main })))
  const gateway = start(['serve', '--config', 'gateway.json'], { cwd })
  await gateway.printed(/the backend refuses its key/)
  gateway.kill('SIGTERM')
  expect((await gateway.ended).code).toBe(0)
})
