import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { afterTry } from '../../src/cli/listen.ts'
import { why } from '../../src/cli/context.ts'
import { stage, type Stage } from '../e2e/harness.ts'
import { KEYS } from '../fakes/gateway.ts'
import { answer } from '../fakes/receiver.ts'
import { start, temporaryFolder, type Running } from './harness.ts'
import { runHere } from './here.ts'

/** Ends at once, whichever backend would be asked. */
const ALT = { backend: 'alt', puppet_id: 'pup_ada', text: 'Hello.' }
const TERMINAL = 'video.completed'

interface Setting {
  readonly cwd: string
  readonly to: string
  readonly args?: readonly string[]
  readonly env?: Record<string, string>
  readonly at: string
}

const listen = ({ cwd, to, args = [], env = { TALKBRIDGE_KEY: KEYS.anna }, at }: Setting): Running =>
  start(['listen', '--forward-to', to, '--url', at, ...args], { cwd, env })

const setUp = async (config: Parameters<typeof stage>[0] = {}) => {
  const s = await stage(config)
  const setting: Setting = { cwd: temporaryFolder(), to: `${s.receiver.url}/hook`, at: s.gateway().gateway.url }
  return { s, setting }
}

const idsOf = (s: Stage): unknown[] => s.receiver.requests.map(({ headers }) => headers['webhook-id'])
const stopped = async (running: Running): Promise<void> => {
  running.kill('SIGTERM')
  expect(await running.ended).toMatchObject({ code: 0 })
}

test('forwards what the gateway would send, with signatures that the public package accepts', async () => {
  const { s, setting } = await setUp()
  const running = listen(setting)
  await running.said(/forwarding/)
  const { id } = await s.create(ALT)
  const [line] = await running.printed(/.*video\.completed.*\n/)
  expect(line).toMatch(new RegExp(`^\\d\\d:\\d\\d:\\d\\d  video\\.completed +evt_\\w+  ${id}  204\n$`))
  const events = await Promise.all(s.receiver.requests.map(s.verified))
  expect(events.map(({ data }) => [data.id, data.sequence])).toEqual(events.map((_, n) => [id, n + 1]))
  expect(events.at(-1)?.type).toBe(TERMINAL)
  expect(s.receiver.requests[0]).toMatchObject({ method: 'POST', url: '/hook' })
  const { stdout, stderr } = await (running.kill('SIGINT'), running.ended)
  // Neither the key nor what signs is anywhere.
  expect(stdout + stderr).not.toMatch(new RegExp(`${KEYS.anna}|whsec_`))
})

test('its ids are those of the webhooks themselves', async () => {
  const { s, setting } = await setUp()
  const running = listen({ ...setting, args: ['--events', TERMINAL, '--json'] })
  await running.said(/forwarding/)
  await s.create({ ...ALT, webhook_url: `${s.receiver.url}/direct` })
  const both = await s.receiver.received(2)
  expect(both.map(({ url }) => url).toSorted()).toEqual(['/direct', '/hook'])
  const [one, other] = both.map(({ headers, body }) => ({ id: headers['webhook-id'], body }))
  expect(one).toEqual(other)
  const [line] = await running.printed(/.+\n/)
  expect(JSON.parse(line)).toMatchObject({
    event_id: one?.id,
    type: TERMINAL,
    status: 204,
    outcome: 'delivered',
    attempt: 1,
  })
})

test('what is redelivered is forwarded once more', async () => {
  const { s, setting } = await setUp()
  // As it is written wherever the API is spoken of.
  const running = listen({ ...setting, at: `${setting.at}/unified/v1/`, args: ['--events', TERMINAL] })
  await running.said(/forwarding/)
  await s.create(ALT)
  await s.receiver.received(1)
  const asked = await fetch(`${setting.at}/unified/v1/events/${String(idsOf(s)[0])}/redeliver`, {
    method: 'POST',
    headers: { authorization: `Bearer ${KEYS.anna}` },
  })
  expect(await asked.json()).toMatchObject({ deliveries: [] })
  const [one, two] = await s.receiver.received(2)
  expect(two?.headers['webhook-id']).toBe(one?.headers['webhook-id'])
  expect(two?.body).toBe(one?.body)
  await stopped(running)
})

test('a restart of the gateway loses nothing and repeats nothing', async () => {
  const { s, setting } = await setUp()
  const running = listen({ ...setting, args: ['--events', TERMINAL] })
  await running.said(/forwarding/)
  const first = await s.create(ALT)
  await s.receiver.received(1)
  await s.restart()
  const second = await s.create(ALT)
  await s.receiver.received(2)
  await running.printed(new RegExp(`${second.id}  204`))
  await stopped(running)
  const told = await Promise.all(s.receiver.requests.map(s.verified))
  expect(told.map(({ data }) => data.id)).toEqual([first.id, second.id])
})

test('what happened while it was not running is forwarded when it is back, in order', async () => {
  const { s, setting } = await setUp()
  const running = listen({ ...setting, args: ['--events', TERMINAL] })
  await running.said(/forwarding/)
  await stopped(running)
  const ids: string[] = []
  for (let n = 0; n < 3; n += 1) {
    const { id } = await s.create(ALT)
    await s.ended(id)
    ids.push(id)
  }
  expect(s.receiver.requests).toEqual([])
  const again = listen({ ...setting, args: ['--events', TERMINAL] })
  expect(await again.said(/from where it stopped/)).toBeTruthy()
  await s.receiver.received(3)
  await again.printed(new RegExp(`${ids[2]}  204`))
  expect((await Promise.all(s.receiver.requests.map(s.verified))).map(({ data }) => data.id)).toEqual(ids)
  await stopped(again)
  // One small file, and nothing of the key in it.
  const [file = '', ...others] = readdirSync(join(setting.cwd, 'data'))
  expect(others).toEqual([])
  expect(Object.keys(JSON.parse(readFileSync(join(setting.cwd, 'data', file), 'utf8')) as object)).toEqual([
    'last_event_id',
  ])
})

test('killed before the receiver answered: it is sent again under the same webhook-id, and nothing else is', async () => {
  const { s, setting } = await setUp()
  const args = ['--events', TERMINAL]
  const running = listen({ ...setting, args })
  await running.said(/forwarding/)
  s.receiver.script(answer(204), { kind: 'hang' })
  await s.create(ALT)
  await running.printed(/204\n/)
  await s.create(ALT)
  await s.receiver.received(2)
  running.kill('SIGKILL')
  await running.ended
  const again = listen({ ...setting, args })
  await s.receiver.received(3)
  await again.printed(/204\n/)
  const [first, second, third, ...more] = idsOf(s)
  expect(third).toBe(second)
  expect(first).not.toBe(second)
  expect(more).toEqual([])
})

test('a receiver that is down is waited for, and gets all in order', async () => {
  const { s, setting } = await setUp()
  // A port that nobody has: it was somebody's a moment ago.
  const got: unknown[] = []
  const server = createServer((req, res) => {
    got.push(req.headers['webhook-id'])
    req.resume().on('end', () => res.writeHead(200).end())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = address !== null && typeof address === 'object' ? address.port : 0
  server.close()
  await once(server, 'close')

  const args = ['--events', TERMINAL]
  const running = listen({ ...setting, args, to: `http://127.0.0.1:${port}/` })
  await running.said(/forwarding/)
  await s.create(ALT)
  await running.printed(/ECONNREFUSED, trying again/)
  await s.create(ALT)
  server.listen(port, '127.0.0.1')
  onTestFinished(() => server.closeAllConnections())
  onTestFinished(() => void server.close())
  await running.printed(/200 after \d+ tries\n.*200\n/)
  await stopped(running)
  expect(new Set(got).size).toBe(2)
  expect(got).toHaveLength(2)
})

test('an answer that refuses is asked for again, 410 and a fifth refusal are the end of that event alone', async () => {
  const { s, setting } = await setUp()
  const running = listen({ ...setting, args: ['--events', TERMINAL, '--json'] })
  await running.said(/forwarding/)
  s.receiver.script(answer(500), answer(503), answer(204), answer(410))
  for (let n = 0; n < 3; n += 1) await s.ended((await s.create(ALT)).id)
  await s.receiver.received(5)
  await running.printed(/(.+\n){5}/)
  running.kill('SIGTERM')
  const { stdout } = await running.ended
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { status: number; outcome: string })
  expect(lines.map(({ status, outcome }) => [status, outcome])).toEqual([
    [500, 'again'],
    [503, 'again'],
    [204, 'delivered'],
    [410, 'given_up'],
    [204, 'delivered'],
  ])
})

test.each([
  [{ kind: 'answered', status: 200, durationMs: 1 }, 1, 0, { kind: 'delivered' }],
  [{ kind: 'answered', status: 302, durationMs: 1 }, 1, 1, { kind: 'again', waitMs: 500 }],
  [{ kind: 'answered', status: 500, durationMs: 1 }, 4, 4, { kind: 'again', waitMs: 4_000 }],
  [{ kind: 'answered', status: 500, durationMs: 1 }, 5, 5, { kind: 'given_up' }],
  [{ kind: 'answered', status: 503, durationMs: 1 }, 50, 5, { kind: 'again', waitMs: 10_000 }],
  [{ kind: 'unreachable', reason: 'ECONNREFUSED', durationMs: 1 }, 2_000, 5, { kind: 'again', waitMs: 10_000 }],
] as const)('%j at try %i', (outcome, tries, refusals, next) =>
  expect(afterTry(outcome, tries, refusals)).toEqual(next),
)

test.each([
  [Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' }), 'the connection broke'],
  [Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }), 'ECONNREFUSED'],
  [new Error('odd'), 'odd'],
  ['thrown', 'thrown'],
])('%o is told as %s', (error, said) => expect(why(error)).toBe(said))

test('a key that may not read the secret is told so, and does with one that is given', async () => {
  const limits = { requests_per_minute: 1_000_000 }
  const clients = [
    { id: 'anna', key: KEYS.anna, limits },
    { id: 'bert', key: KEYS.bert, limits, scopes: ['webhooks:read'] },
    { id: 'cleo', key: 'tb_cleo_0123456789abcdef', limits, scopes: ['videos:read'] },
  ]
  const { setting } = await setUp({ config: { clients } })
  const as = (key: string, env: Record<string, string> = {}) =>
    listen({ ...setting, env: { TALKBRIDGE_KEY: key, ...env } })
  expect(await as(KEYS.bert).ended).toMatchObject({
    code: 1,
    // Alone: nothing is announced before the key is taken.
    stderr: expect.stringMatching(
      /^talkbridge listen: this key lacks the scope webhooks:write, .*--secret whsec_….*\n$/,
    ),
  })
  const secret = `whsec_${Buffer.alloc(32, 3).toString('base64')}`
  const running = as(KEYS.bert, { TALKBRIDGE_WEBHOOK_SECRET: secret })
  await running.said(/forwarding/)
  await stopped(running)
  const without = await as('tb_cleo_0123456789abcdef').ended
  expect(without).toMatchObject({
    code: 1,
    stderr: 'talkbridge listen: this key lacks the scope webhooks:read\n',
  })
  const stranger = await as('tb_nobody_0123456789').ended
  expect(stranger).toMatchObject({ code: 1, stderr: expect.stringContaining('does not know this key') })
  // Another client's position is no place of this one.
  const file = join(setting.cwd, 'position.json')
  writeFileSync(file, JSON.stringify({ last_event_id: 'evt_1.AAAA' }))
  const misplaced = await listen({ ...setting, args: ['--position', file] }).ended
  expect(misplaced).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`${file} belongs to another client or store`),
  })
})

test.each([
  [[], '--forward-to'],
  [['--forward-to', 'localhost:3000'], 'must be a URL'],
  [['--forward-to', 'http://127.0.0.1:3000', '--url', 'https://gateway.example'], 'set TALKBRIDGE_KEY'],
  [['--forward-to', 'http://127.0.0.1:3000', '--secret', 'hunter2'], 'a webhook secret is'],
])('used wrongly is 2: %j', async (args, message) => {
  const { code, stderr } = await runHere(['listen', ...args], { cwd: temporaryFolder() })
  expect(code).toBe(2)
  expect(stderr).toContain(message)
  expect(stderr).not.toContain('hunter2')
})
