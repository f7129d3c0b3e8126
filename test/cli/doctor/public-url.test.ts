import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { ROWS } from '../../../src/cli/doctor/findings.ts'
import { SANDBOX_CLIENT_KEY } from '../../../src/cli/config-file.ts'
import { parseConfig } from '../../../src/config.ts'
import { startBackend, type Script } from '../../fakes/backend.ts'
import { freePort } from '../../fakes/daemon.ts'
import { runGateway } from '../../fakes/gateway.ts'
import { expectAllProvoked, openStage, SECRET_KEY, the, type Draft, type Report, type Stage } from './stage.ts'
import { startTls } from './tls.ts'

const DAY_MS = 86_400_000
const KEY = { env: { TALKBRIDGE_SECRET_KEY: SECRET_KEY } }

/** A gateway of this stage. Answers its `server`, with its own address as the public one. */
const running = async (stage: Stage): Promise<Draft> => {
  const port = await freePort()
  const server = { port, public_url: `http://127.0.0.1:${port}` }
  const store = { path: join(stage.dir, 'data/talkbridge.db') }
  const text = JSON.stringify({ ...stage.config, server, store })
  const parsed = parseConfig({ text, format: 'json', env: {}, readFile: () => '' })
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults))
  const { gateway } = await runGateway(parsed.config)
  onTestFinished(() => gateway.close().then(() => undefined))
  return server
}

/** Of the checks of the public URL, without those of the gateway itself. */
const codesOf = ({ findings }: Report): string[] =>
  findings.flatMap(({ check, code }) => (check === 'public URL' && !code.startsWith('gateway_') ? [code] : []))

test('a gateway that runs is found from outside, by a callback that its own key signed', async () => {
  const stage = await openStage()
  const server = await running(stage)
  const report = await stage.doctor({ server }, KEY)
  expect(report.codes).toEqual(expect.arrayContaining(['gateway_ok', 'public_url_ok', 'store_served', 'key_ok']))
  expect({ exit: report.exit, counts: report.counts }).toMatchObject({
    exit: 0,
    counts: { hint: 0, warning: 0, fault: 0 },
  })

  // The same gateway behind another public URL, and another gateway behind this one.
  const other = { env: { TALKBRIDGE_SECRET_KEY: Buffer.alloc(32, 9).toString('base64') } }
  expect(codesOf(await stage.doctor({ server }, other))).toEqual(['public_url_other_gateway'])
  expect(codesOf(await stage.doctor({ server, store: { path: './elsewhere/talkbridge.db' } }))).toEqual([
    'public_url_unknown',
  ])
  // A port that nobody listens on: only the public URL is amiss.
  const nobody = `https://127.0.0.1:${await freePort()}`
  const unanswered = await stage.doctor({ server: { ...server, public_url: nobody } }, KEY)
  expect(codesOf(unanswered)).toEqual(['public_url_no_answer'])
  expect(unanswered.exit).toBe(1)
})

test('a gateway that does not run is no fault of the public URL, which is said not to be checked', async () => {
  const stage = await openStage()
  const port = await freePort()
  const report = await stage.doctor({ server: { port, public_url: `http://127.0.0.1:${port}` } })
  expect(the(report, 'gateway_not_running')).toMatchObject({
    about: 'server.port',
    found: expect.stringMatching(/^no gateway runs at http:\/\/127\.0\.0\.1:\d+$/) as string,
  })
  expect(codesOf(report)).toEqual(['public_url_unchecked'])
  expect(report.exit).toBe(0)
  // A proxy in front that answers says nothing of the gateway behind it.
  const front = await startBackend()
  onTestFinished(() => front.close())
  expect(codesOf(await stage.doctor({ server: { port, public_url: front.url } }))).toEqual(['public_url_unchecked'])
})

test('a loopback public URL is of no use to a backend elsewhere, although a callback of this machine arrives', async () => {
  const stage = await openStage()
  const server = await running(stage)
  const { alt, ...others } = stage.config['backends'] as Record<string, Draft>
  const lookup = () => Promise.reject(new Error('no such host'))
  const elsewhere = { ...others, alt: { ...alt, base_url: 'https://backend.example' } }
  const report = await stage.doctor({ server, backends: elsewhere }, { ...KEY, machine: { lookup } })
  expect(codesOf(report)).toEqual(['public_url_loopback', 'public_url_ok'])
  expect(the(report, 'public_url_loopback').found).toContain('127.0.0.1 is this machine only')
  const stopped = { port: await freePort(), public_url: `http://127.0.0.1:${await freePort()}` }
  const draft = { server: stopped, backends: elsewhere }
  expect(codesOf(await stage.doctor(draft, { machine: { lookup } }))).toEqual(['public_url_loopback'])
})

test('another installation at the port is not this one, whatever it has in common', async () => {
  const stage = await openStage()
  const server = await running(stage)
  expect(the(await stage.doctor({ server }, KEY), 'gateway_ok').level).toBe('ok')
  expect((await stage.doctor({ server })).codes).toContain('gateway_unknown')
  const other = { env: { TALKBRIDGE_SECRET_KEY: Buffer.alloc(32, 9).toString('base64') } }
  expect(the(await stage.doctor({ server }, other), 'gateway_other').found).toContain('refuses a callback')
  // A store that was copied with its key: nobody serves the copy.
  const copied = await stage.doctor({ server, store: { path: './copy/talkbridge.db' } }, KEY)
  expect(the(copied, 'gateway_other').found).toContain('no gateway serves')
  expect(copied.exit).toBe(1)
})

test.each<[what: string, port: () => Promise<number>]>([
  [
    'a web server',
    async () => {
      const front = await startBackend()
      onTestFinished(() => front.close())
      return Number(new URL(front.url).port)
    },
  ],
  [
    'a web server that is healthy, too',
    async () => {
      const front = await startBackend()
      onTestFinished(() => front.close())
      front.answer(({ path }) => (path === '/healthz' ? { body: { status: 'ok' } } : { status: 404, body: 'nginx' }))
      return Number(new URL(front.url).port)
    },
  ],
  [
    'a server that speaks no HTTP',
    async () => {
      const taken = createServer((socket) => socket.on('error', () => undefined).end('SSH-2.0-OpenSSH_9.2\r\n')).listen(
        0,
        '127.0.0.1',
      )
      onTestFinished(() => void taken.close())
      await once(taken, 'listening')
      return z.object({ port: z.number() }).parse(taken.address()).port
    },
  ],
])('%s at the port: a fault, as the gateway cannot start there', async (_, portOf) => {
  const stage = await openStage()
  const port = await portOf()
  // Its own store is served, at another port.
  const served = await running(stage)
  expect(served['port']).not.toBe(port)
  const report = await stage.doctor({ server: { port } }, KEY)
  expect(the(report, 'port_taken').found).toContain(`:${port}`)
  expect(report.exit).toBe(1)
  expect(report.codes).not.toContain('gateway_ok')
})

test('without a public URL no backend can call back', async () => {
  const stage = await openStage()
  expect(codesOf(await stage.doctor())).toEqual(['public_url_unset'])
  const { main } = stage.config['backends'] as Record<string, Draft>
  expect(codesOf(await stage.doctor({ backends: { main } }))).toEqual([])
})

test('a public URL that leads elsewhere', async () => {
  const stage = await openStage()
  const front = await startBackend()
  onTestFinished(() => front.close())
  const server = { port: 0, public_url: front.url, trust_proxy: 1 }
  const answers = (paths: Record<string, Script>): void =>
    front.answer(({ path }) => paths[path.split('/').slice(0, 2).join('/')] ?? { status: 404, body: 'nginx' })
  const healthy = { body: { status: 'ok' } }

  expect(codesOf(await stage.doctor({ server }, KEY))).toEqual(['public_url_elsewhere'])
  answers({ '/healthz': healthy })
  expect(codesOf(await stage.doctor({ server }, KEY))).toEqual(['callbacks_blocked'])
  answers({ '/healthz': healthy, '/hooks': { status: 204 }, '/metrics': { body: 'talkbridge_videos_total 1' } })
  expect(codesOf(await stage.doctor({ server }, KEY))).toEqual(['public_url_ok', 'metrics_public'])
  answers({ '/healthz': healthy, '/hooks': { status: 204 }, '/metrics': { status: 401, body: {} } })
  expect(codesOf(await stage.doctor({ server }, KEY))).toEqual(['public_url_ok'])
})

test('its name and its certificate', async () => {
  const stage = await openStage()
  const lookup = (hostname: string) =>
    hostname === 'gateway.example' ? Promise.reject(new Error('no such host')) : Promise.resolve([])
  const nameless = { server: { port: 0, public_url: 'https://gateway.example' } }
  expect(codesOf(await stage.doctor(nameless, { machine: { lookup } }))).toEqual(['public_url_no_name'])

  const at = async (untilMs: number, trusted: boolean): Promise<string[]> => {
    const url = await startTls(untilMs, trusted, (req, res) => {
      res.statusCode = req.method === 'POST' ? 204 : 200
      res.end(req.method === 'POST' ? '' : '{"status":"ok"}')
    })
    return codesOf(await stage.doctor({ server: { port: 0, public_url: url } }, KEY))
  }
  expect(await at(Date.now() - DAY_MS, false)).toEqual(['public_url_certificate_over'])
  expect(await at(Date.now() + 90 * DAY_MS, false)).toEqual(['public_url_untrusted'])
  expect(await at(Date.now() + 3 * DAY_MS, true)).toEqual(['public_url_certificate_ends', 'public_url_ok'])
  expect(await at(Date.now() + 90 * DAY_MS, true)).toEqual(['public_url_ok'])
})

test.each<[code: string, bad: Draft, good: Draft]>([
  ['allow_wide', { webhooks: { allow: [{ cidr: '10.0.0.0/8' }] } }, { webhooks: { allow: [{ cidr: '10.1.2.3/32' }] } }],
  ['allow_metadata', { webhooks: { allow: [{ cidr: '169.254.0.0/16' }] } }, {}],
  [
    'allow_http',
    { webhooks: { allow: [{ cidr: '10.1.2.3/32', http: true }] } },
    { webhooks: { allow: [{ cidr: '127.0.0.0/8', http: true }] } },
  ],
  ['trust_any_proxy', { server: { port: 0, trust_proxy: true } }, { server: { port: 0, trust_proxy: 1 } }],
  [
    'admin_client',
    { clients: [{ id: 'a', key: 'k'.repeat(20), scopes: ['videos:read', 'admin'] }] },
    { console: { admin_key: 'o'.repeat(20) } },
  ],
  ['sandbox_key', { server: { port: 0, host: '0.0.0.0' }, clients: [{ id: 'a', key: SANDBOX_CLIENT_KEY }] }, {}],
])('%s', async (code, bad, good) => {
  const stage = await openStage()
  expect((await stage.doctor(bad)).codes).toContain(code)
  const { codes } = await stage.doctor(good)
  expect(codes).toContain('guard_ok')
  expect(codes).not.toContain(code)
})

test('every finding about the public URL and what is open was provoked', () => {
  // The first in `test/cli/refused-alike.test.ts`; the second by no user who may listen anywhere.
  expectAllProvoked(ROWS.Gateway, ['port_unusable', 'port_privileged'])
  expectAllProvoked(ROWS['Public URL'])
  expectAllProvoked(ROWS.Exposure)
})
