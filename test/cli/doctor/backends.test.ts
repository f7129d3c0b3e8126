import { createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { ROWS } from '../../../src/cli/doctor/findings.ts'
import { startBackend, type Script, type ScriptedBackend } from '../../fakes/backend.ts'
import { startConnectProxy } from '../../fakes/connect-proxy.ts'
import { freePort } from '../../fakes/daemon.ts'
import { expectAllProvoked, openStage, the, type Draft, type Report, type Stage } from './stage.ts'
import { startTls } from './tls.ts'

const DAY_MS = 86_400_000

/** One backend at `url`. */
const only = (url: string, more: Draft = {}): Draft => ({
  backends: { main: { interface: 'primary', base_url: url, api_key: 'canary-key-0123456789', ...more } },
})
const alternate = { interface: 'alternate', exclusive: true }

const scripted = async (): Promise<ScriptedBackend> => {
  const backend = await startBackend()
  onTestFinished(() => backend.close())
  return backend
}

const asked = ({ sandbox }: Stage): string[] =>
  sandbox.ledger().requests.map(({ interface: name, operation }) => `${name} ${operation}`)

test('two backends that are well cost one request each', async () => {
  const stage = await openStage()
  const report = await stage.doctor()
  expect(report.codes.filter((code) => code.startsWith('backend_'))).toEqual(['backend_ok', 'backend_ok'])
  expect(report.requests).toEqual({ 'backends.main': 1, 'backends.alt': 1 })
  expect(asked(stage)).toEqual(['primary getDeveloperApiUsage', 'alternate listVideos'])
})

test('an account under two names is asked once', async () => {
  const stage = await openStage()
  const { primaryUrl, primaryKey } = stage.sandbox
  const main = { interface: 'primary', base_url: primaryUrl, api_key: primaryKey }
  const report = await stage.doctor({ backends: { main, again: main } })
  expect(report.requests).toEqual({ 'backends.main, backends.again': 1 })
})

test('a name, an address, a silence', async () => {
  const stage = await openStage()
  const nobody = `http://127.0.0.1:${await freePort()}`
  const lookup = () => Promise.reject(Object.assign(new Error('no such host'), { code: 'ENOTFOUND' }))
  const nameless = await stage.doctor(only('https://backend.example'), { machine: { lookup } })
  expect(the(nameless, 'backend_no_name').found).toBe('backend.example: ENOTFOUND')
  expect(nameless.exit).toBe(1)
  expect(nameless.requests).toEqual({})
  expect(the(await stage.doctor(only(nobody)), 'backend_no_answer').found).toContain('ECONNREFUSED')

  const backend = await scripted()
  backend.answer({ fault: 'reset' })
  expect((await stage.doctor(only(backend.url))).codes).toContain('backend_silent')
})

test('what hangs ends in time', async () => {
  const stage = await openStage()
  const quick = { args: ['--timeout', '300ms'] }
  const hanging = await scripted()
  hanging.answer({ fault: 'hang' })
  expect((await stage.doctor(only(hanging.url), quick)).codes).toContain('backend_silent')
  // Takes connections, and speaks no TLS.
  const mute = createServer(() => undefined).listen(0, '127.0.0.1')
  onTestFinished(() => void mute.close())
  await new Promise((resolve) => mute.once('listening', resolve))
  const address = mute.address()
  const port = typeof address === 'object' ? address?.port : 0
  const silent = await stage.doctor(only(`https://127.0.0.1:${port}`), quick)
  expect(the(silent, 'backend_no_answer').found).toContain('no answer in time')
  const lookup = () => new Promise(() => undefined)
  const nameless = await stage.doctor(only('https://backend.example'), { ...quick, machine: { lookup } })
  expect(the(nameless, 'backend_no_name').found).toContain('no answer in time')
})

const USAGE = { video_generation: { can_create: true, active_jobs: 1, available_slots: 1 } }
const HTML = { status: 200, headers: { 'content-type': 'text/html' }, body: '<!doctype html><p>Welcome' }

test.each<[code: string, scripts: Script[], requests: number]>([
  ['backend_key_refused', [{ status: 401, body: { error: { code: 'unauthorized' } } }], 1],
  [
    'backend_forbidden',
    [
      { status: 403, body: {} },
      { status: 403, body: {} },
    ],
    2,
  ],
  ['backend_scope_missing', [{ status: 403, body: {} }, { body: { voices: [] } }], 2],
  ['backend_window_spent', [{ status: 429, headers: { 'retry-after': '30' }, body: {} }], 1],
  ['backend_other_interface', [{ status: 404, body: {} }], 1],
  ['backend_other_interface', [HTML], 1],
  ['backend_other_interface', [{ status: 302, headers: { location: '/login' } }], 1],
  ['backend_failing', [{ status: 503, body: {} }], 1],
  ['backend_cannot_create', [{ status: 402, body: {} }], 1],
  ['backend_cannot_create', [{ body: { video_generation: { can_create: false, reason: 'no_credits' } } }], 1],
  ['backend_clock', [{ headers: { date: new Date(Date.now() + 600_000).toUTCString() }, body: USAGE }], 1],
  ['backend_limit_high', [{ headers: { 'x-ratelimit-limit': '5', 'x-ratelimit-remaining': '4' }, body: USAGE }], 1],
  ['backend_slots_high', [{ body: { video_generation: { active_jobs: 0, available_slots: 1 } } }], 1],
  ['backend_slots_low', [{ body: { video_generation: { active_jobs: 1, available_slots: 3 } } }], 1],
])('%s', async (code, scripts, requests) => {
  const stage = await openStage()
  const backend = await scripted()
  backend.next(...scripts)
  const report = await stage.doctor(only(backend.url))
  expect(the(report, code).about).toMatch(/^backends\.main/)
  expect(report.requests).toEqual({ 'backends.main': requests })
  expect(backend.requests).toHaveLength(requests)
  expect(report.exit).toBe(ROWS.Backends[code as keyof typeof ROWS.Backends].level === 'fault' ? 1 : 0)
  // What was amiss is put right.
  backend.answer({ body: USAGE })
  expect((await stage.doctor(only(backend.url))).codes).not.toContain(code)
})

test('the configured limits are those that the backend told', async () => {
  const stage = await openStage()
  const backend = await scripted()
  backend.answer({
    headers: { 'x-ratelimit-limit': '60' },
    body: { video_generation: { active_jobs: 1, available_slots: 3 } },
  })
  const { codes } = await stage.doctor(only(backend.url, { slots: 4, requests_per_minute: 60 }))
  expect(codes.filter((code) => code.startsWith('backend_'))).toEqual(['backend_ok'])
})

test('certificates', async () => {
  const stage = await openStage()
  const at = async (untilMs: number, trusted: boolean): Promise<Report> => {
    const url = await startTls(untilMs, trusted, (_, res) => {
      res.setHeader('content-type', 'application/json')
      res.end(JSON.stringify({ videos: [] }))
    })
    return stage.doctor(only(url, alternate))
  }
  const soon = await at(Date.now() + 5 * DAY_MS, true)
  expect(the(soon, 'backend_certificate_ends').found).toBe('in 5 days')
  expect(soon.codes).toContain('backend_ok')
  const over = await at(Date.now() - DAY_MS, false)
  expect(over.codes).toContain('backend_certificate_over')
  expect(over.requests).toEqual({})
  expect((await at(Date.now() + 100 * DAY_MS, false)).codes).toContain('backend_untrusted')
  const { codes } = await at(Date.now() + 100 * DAY_MS, true)
  expect(codes.filter((code) => code.startsWith('backend_'))).toEqual(['backend_ok'])
})

test('a proxy on the way', async () => {
  const stage = await openStage()
  const proxy = await startConnectProxy()
  onTestFinished(() => proxy.close())
  const backend = await scripted()
  backend.answer({ body: USAGE })
  const good = await stage.doctor(only(backend.url, { proxy: proxy.url }))
  expect(good.codes.filter((code) => code.startsWith('backend_'))).toEqual(['backend_proxied', 'backend_ok'])
  expect(proxy.connected).toHaveLength(1)
  const bad = await stage.doctor(only(backend.url, { proxy: proxy.wrongUrl }))
  expect(bad.codes.filter((code) => code.startsWith('backend_'))).toEqual(['backend_proxied', 'backend_proxy_fails'])
  expect(bad.exit).toBe(1)
})

test('every finding about backends was provoked', () => expectAllProvoked(ROWS.Backends))
