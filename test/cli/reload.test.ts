import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { request, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { createSystemClock } from '../../src/core/time/clock.ts'
import { startSandbox } from '@talkbridge/sandbox'
import { samples, sumOf } from '../fakes/scraped.ts'
import { start, temporaryFolder, type Running } from './harness.ts'

const KEYS = { old: 'canary-old-client-key-4f1b', new: 'canary-new-client-key-9c2d' } as const
const VIDEO = { image_url: 'https://example.com/anna.png' }

interface Draft {
  clients?: unknown[]
  backends?: Record<string, unknown>
  server?: Record<string, unknown>
  log?: Record<string, unknown>
}

/** `talkbridge serve` in a process of its own, over a file that the test writes again. */
const serving = async (): Promise<{
  gateway: Running
  url: string
  main: Record<string, unknown>
  write(draft: Draft): void
  post(key: string, body: object): Promise<{ status: number; id: string }>
  read(key: string, path: string): Promise<{ status: number; body: Record<string, unknown> }>
  reloaded(times: number): Promise<unknown>
}> => {
  const sandbox = await startSandbox({ clock: createSystemClock(), speed: 40, unlimitedRate: true })
  onTestFinished(() => sandbox.close())
  const cwd = temporaryFolder()
  const main = { interface: 'primary', base_url: sandbox.primaryUrl, api_key: sandbox.primaryKey, slots: 1 }
  const alt = { interface: 'alternate', base_url: sandbox.alternateUrl, api_key: sandbox.alternateKey }
  const write = ({ clients, backends, server, log }: Draft): void =>
    writeFileSync(
      join(cwd, 'gateway.json'),
      JSON.stringify({
        server: { port: 0, ...server },
        store: { driver: 'sqlite', path: join(cwd, 'data/talkbridge.db') },
        backends: backends ?? { main, alt },
        clients: clients ?? [{ id: 'old', key: KEYS.old }],
        routing: { default: 'main' },
        engine: { poll: { min_interval: '100ms' } },
        log,
      }),
    )
  write({})
  const gateway = start(['serve', '--config', 'gateway.json'], { cwd })
  const url = (await gateway.printed(/"url":"(http:[^"]+)".*"talkbridge serves"/))[1] ?? ''
  return {
    gateway,
    url,
    main,
    write,
    async post(key, body) {
      const response = await fetch(`${url}/unified/v1/videos`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      const answer = (await response.json()) as { id?: string }
      return { status: response.status, id: answer.id ?? '' }
    },
    async read(key, path) {
      const headers = { authorization: `Bearer ${key}`, prefer: 'wait=60' }
      const response = await fetch(`${url}/unified/v1${path}`, { headers })
      return { status: response.status, body: (await response.json()) as Record<string, unknown> }
    },
    reloaded: (times) => gateway.printed(new RegExp(`(?:"another configuration is in force"[^]*){${times}}`)),
  }
}

/** A create whose body is not sent yet, and which the gateway has begun to answer. */
const beginPost = async (url: string, key: string, body: object): Promise<{ end(): Promise<unknown> }> => {
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    prefer: 'wait=60',
    expect: '100-continue',
  }
  const sent = request(`${url}/unified/v1/videos`, { method: 'POST', headers })
  sent.flushHeaders()
  await once(sent, 'continue')
  return {
    async end() {
      sent.end(JSON.stringify(body))
      const [answer] = (await once(sent, 'response')) as [IncomingMessage]
      return json(answer)
    },
  }
}

test('SIGHUP puts new clients in force and old ones out; what waits for a removed one is canceled, what runs settles once', async () => {
  const { gateway, url, write, post, read, reloaded } = await serving()
  const both = [
    { id: 'old', key: KEYS.old },
    { id: 'new', key: KEYS.new },
  ]
  expect((await post(KEYS.new, VIDEO)).status).toBe(401)
  const running = await post(KEYS.old, { ...VIDEO, text: 'one' })
  const waiting = await post(KEYS.old, { ...VIDEO, text: 'two' })
  expect([running.status, waiting.status]).toEqual([202, 202])
  // This one is the first configuration’s, before it is whole.
  const begun = await beginPost(url, KEYS.old, { puppet_id: 'alt:pup_ada', text: 'three' })

  write({ clients: both.slice(1) })
  gateway.kill('SIGHUP')
  await reloaded(1)
  await gateway.printed(/"changed":\["clients"\]/)
  expect((await read(KEYS.old, '/videos')).status).toBe(401)
  expect((await read(KEYS.new, '/videos')).status).toBe(200)
  const answer = begun.end()

  write({ clients: both })
  gateway.kill('SIGHUP')
  await reloaded(2)
  expect(await answer).toMatchObject({ status: 'completed', input: { text: 'three' } })
  expect(await read(KEYS.old, `/videos/${waiting.id}`)).toMatchObject({ body: { status: 'canceled' } })
  const { body } = await read(KEYS.old, `/videos/${running.id}?expand=timeline`)
  const types = (body['timeline'] as { type: string }[]).map(({ type }) => type)
  expect(types.filter((type) => type === 'accepted')).toHaveLength(1)
  expect(types.filter((type) => type === 'completed')).toHaveLength(1)

  gateway.kill('SIGTERM')
  const { code, stdout, stderr } = await gateway.ended
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).not.toContain('canary')
})

test('a create that is still being answered makes nothing on a backend that was taken out', async () => {
  const { gateway, url, main, write, read, reloaded } = await serving()
  const begun = await beginPost(url, KEYS.old, { puppet_id: 'alt:pup_ada', text: 'one' })
  write({ backends: { main } })
  gateway.kill('SIGHUP')
  await reloaded(1)
  expect(await begun.end()).toMatchObject({ code: 'backend_unavailable', retryable: true })
  expect(await read(KEYS.old, '/videos')).toMatchObject({ body: { data: [] } })
  gateway.kill('SIGTERM')
  expect((await gateway.ended).code).toBe(0)
})

test('a bad file is refused whole, every fault a line; so is what takes a restart, and what makes orphans', async () => {
  const { gateway, url, main, write, post, read } = await serving()
  const { id } = await post(KEYS.old, { ...VIDEO, text: '[[stuck]]' })
  const clients = [{ id: 'new', key: KEYS.new }]
  let times = 0
  /** The faults that it logs. */
  const refused = async (draft: Draft): Promise<unknown> => {
    write(draft)
    gateway.kill('SIGHUP')
    times += 1
    const [logged] = await gateway.printed(new RegExp(`(?:.*"the configuration was refused.*\\n[^]*){${times}}`))
    const lines = logged.split('\n').filter((line) => line.includes('the configuration was refused'))
    return (JSON.parse(lines.at(-1) ?? '{}') as { faults: unknown }).faults
  }

  expect(
    await refused({ clients, server: { prot: 'canary' }, backends: { main: { ...main, slots: 'canary' } } }),
  ).toEqual([expect.stringMatching(/^backends\.main\.slots: /), expect.stringMatching(/^server\.prot: /)])
  expect(await refused({ clients, server: { port: 1 }, log: { format: 'pretty' } })).toEqual([
    'server.port: cannot change while the gateway runs: restart it',
    'log.format: cannot change while the gateway runs: restart it',
  ])
  const rekeyed = await refused({ clients, backends: { main: { ...main, api_key: 'canary-another-key' } } })
  expect(rekeyed).toEqual([expect.stringMatching(/^backend main has 1 open video\(s\) .*`drain: true`/)])

  const scraped = await (await fetch(`${url}/metrics`)).text()
  expect(sumOf(scraped, 'talkbridge_config_reloads_total', { result: 'refused' })).toBe(3)
  expect(samples(scraped, 'talkbridge_config_last_reload_successful')).toMatchObject([{ value: 0 }])
  // The first configuration is in force, and follows its video.
  expect((await read(KEYS.new, '/videos')).status).toBe(401)
  expect((await post(KEYS.old, { ...VIDEO, text: 'waits' })).status).toBe(202)
  gateway.kill('SIGTERM')
  const { code, stdout, stderr } = await gateway.ended
  expect(code).toBe(0)
  expect(stdout).toContain(id)
  expect(stderr.split('\n').map((line) => line.split(/[: ]/, 1)[0])).toEqual([
    'backends.main.slots',
    'server.prot',
    'server.port',
    'log.format',
    'backend',
    '',
  ])
  expect(stdout + stderr).not.toContain('canary')
})
