import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import type { RecordedRequest, Script } from '../fakes/backend.ts'
import { BACKEND_KEYS, bearer, KEYS, openApp, type TestApp } from '../fakes/gateway.ts'
import { startCollector, type Collector } from '../fakes/collector.ts'
import { must } from '../fakes/must.ts'
import { startReceiver, type Receiver } from '../fakes/receiver.ts'
import { until } from '../fakes/until.ts'
import { ALT_BODY, MAIN_BODY, serveAlternate, servePrimary } from './services.ts'

/**
 * No secret leaks: every secret is planted where a careless line could find it, backends and callers repeat theirs
 * wherever they can, and then all of the log and every error is searched.
 */
const WEBHOOK_SECRET = `whsec_${Buffer.from('canary-webhook-secret-0123456789').toString('base64')}`
const LINK_QUERY = 'X-Signature=canarylinksignature'
const HOOK_TOKEN = 'canaryhooktoken'
const WRONG_KEY = 'tb_canary_wrong_key_0123456789'
const METRICS_TOKEN = 'canary-metrics-token-0123456789'
const SCRIPT_TEXT = 'canary words of the script'

let app: TestApp
let receiver: Receiver
let collector: Collector
/** Bodies and headers of every refusal; of every answer, too, that must hold no foreign secret. */
const refusals: string[] = []
const answers: string[] = []
let scraped = ''
const secrets = new Map<string, string>([
  ["anna's key", KEYS.anna],
  ["bert's key", KEYS.bert],
  ['a wrong key', WRONG_KEY],
  ["main's key", BACKEND_KEYS.main],
  ["alt's key", BACKEND_KEYS.alt],
  ['the webhook secret', WEBHOOK_SECRET.slice('whsec_'.length)],
  ['the query of a signed link', 'canarylinksignature'],
  ['the token in a webhook URL', HOOK_TOKEN],
  ['the token of /metrics', METRICS_TOKEN],
])

const keep = async (request: Promise<Response>): Promise<Response> => {
  const response = await request
  const text = `${JSON.stringify([...response.headers])}\n${await response.clone().text()}`
  answers.push(text)
  if (response.status >= 400) refusals.push(text)
  return response
}
const call = (path: string, init: { method?: string; body?: unknown; headers?: Record<string, string> } = {}) =>
  keep(
    fetch(`${app.url}${path}`, {
      method: init.method ?? (init.body === undefined ? 'GET' : 'POST'),
      redirect: 'manual',
      headers: {
        ...bearer(KEYS.anna),
        ...(init.body !== undefined && { 'content-type': 'application/json' }),
        ...init.headers,
      },
      ...(init.body !== undefined && { body: typeof init.body === 'string' ? init.body : JSON.stringify(init.body) }),
    }),
  )
const create = (body: object, headers: Record<string, string> = {}) =>
  call('/unified/v1/videos', {
    body: { ...body, text: SCRIPT_TEXT, webhook_url: `${receiver.url}/${HOOK_TOKEN}?t=${HOOK_TOKEN}` },
    headers,
  })

/** A backend that says back whatever it was told, in every place that is read. */
const echo =
  (status: number) =>
  (request: RecordedRequest): Script => {
    const said = `${request.headers['authorization']} ${request.headers['authorization']?.slice(7)} https://cdn.example/a.mp4?${LINK_QUERY}`
    const word = request.headers['authorization']?.slice(7) ?? ''
    return {
      status,
      headers: { 'x-echo': said, location: `https://cdn.example/?${LINK_QUERY}` },
      body: {
        error: word,
        code: word,
        message: said,
        detail: said,
        status: word,
        state: said,
        retry_block_code: word,
        [word]: said,
        details: { reason: said, video_generation: { reason: said } },
      },
    }
  }

beforeAll(async () => {
  receiver = await startReceiver()
  receiver.respond({ kind: 'answer', status: 500, body: HOOK_TOKEN })
  collector = await startCollector()
  app = await openApp({
    runsEngine: true,
    secretKey: null,
    tracing: { otlp_endpoint: collector.url },
    metrics: { token: METRICS_TOKEN },
    server: { public_url: 'https://gateway.example' },
    backends: { main: { timeout: '2s' }, alt: { timeout: '2s' } },
    clients: [
      { id: 'anna', key: KEYS.anna, webhook_secret: WEBHOOK_SECRET },
      { id: 'bert', key: KEYS.bert, scopes: ['voices:read'] },
    ],
    webhooks: { allow: [{ cidr: '127.0.0.0/8', http: true }] },
    wrapStore: (store) => ({
      ...store,
      list: (client, query) =>
        query.backends?.includes('alt') ? Promise.reject(new Error('the disk failed')) : store.list(client, query),
    }),
  })
  const file = (await readFile(join(app.dir, 'secret.key'), 'utf8').catch(() => '')).trim()
  if (file !== '') secrets.set('the secret key', file)
  const main = servePrimary(app.main)
  const alt = serveAlternate(app.alt)
  main.state.nextPollMs = alt.state.nextPollMs = 20

  // What goes well: links with signed queries, callbacks with tokens, events to a receiver that refuses them.
  app.main.next({
    status: 202,
    body: { id: 'api_video_1', status: 'completed', video_url: `https://cdn.example/v.mp4?${LINK_QUERY}` },
  })
  const { id } = (await (await create(MAIN_BODY, { 'idempotency-key': 'canary' })).json()) as { id: string }
  secrets.set('a content signature', app.deps.linkSignatures.content.sign(id))
  for (const path of ['', '/download', '/content', `/content?sig=${app.deps.linkSignatures.content.sign(id)}`])
    await call(`/unified/v1/videos/${id}${path}`)
  await call('/unified/v1/webhook_secret')
  await create(ALT_BODY)
  const callback = new URL((JSON.parse(must(alt.creates()[0]).body) as { webhook_url: string }).webhook_url)
  secrets.set('a callback token', must(callback.pathname.split('.').at(-1)))
  await call(callback.pathname, { body: { any: 'thing' }, headers: { authorization: '' } })
  await call(`${callback.pathname}?again`, { method: 'GET' })
  await until(() => receiver.requests.length > 0)

  // Keys that are issued are told once, and then stand in every list without themselves.
  const admin = '/unified/v1/admin'
  const shown = async (path: string, body: object) => {
    const response = await fetch(`${app.url}${admin}${path}`, {
      method: 'POST',
      headers: { ...bearer(KEYS.anna), 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return (await response.json()) as { id: string; key: string }
  }
  await call(`${admin}/clients`, { body: { id: 'shop' } })
  const issued = await shown('/keys', { client: 'shop', scopes: ['*'] })
  const replacing = await shown(`/keys/${issued.id}/rotate`, {})
  secrets.set('an issued key', issued.key).set('the key that replaces it', replacing.key)
  for (const { key } of [issued, replacing]) {
    await call('/unified/v1/videos', { headers: bearer(key) })
    await call(`/unified/v1/videos/${key}`, { headers: bearer(`${key}x`) })
    await call('/unified/v1/webhook_endpoints', {
      headers: bearer(key),
      body: { url: `http://10.0.0.1/${HOOK_TOKEN}` },
    })
  }
  await call(`${admin}/keys/${replacing.id}/revoke`, { method: 'POST' })
  await call('/unified/v1/videos', { headers: bearer(replacing.key) })
  for (const path of [
    'keys',
    `keys/${issued.id}`,
    'clients',
    'audit',
    'usage',
    'usage?format=csv',
    'endpoints',
    'events',
  ])
    await call(`${admin}/${path}`)
  await call('/metrics', { headers: bearer(`${METRICS_TOKEN}x`) })

  // What goes wrong here.
  await call('/unified/v1/videos', { headers: bearer(WRONG_KEY) })
  await call(`/unified/v1/videos?key=${WRONG_KEY}`, { headers: { authorization: '' } })
  await call('/unified/v1/videos', { headers: bearer(KEYS.bert) })
  await call('/unified/v1/videos?backend=alt')
  await call('/unified/v1/videos', { body: '{"text":' })
  await create({ ...MAIN_BODY, colour: 'red' })
  await create({ ...MAIN_BODY, resolution: '720p' }, { 'idempotency-key': 'canary' })
  await create({ ...MAIN_BODY, backend: 'none' })
  await call('/unified/v1/videos', {
    body: { ...MAIN_BODY, webhook_url: `https://u:${HOOK_TOKEN}@10.0.0.1/${HOOK_TOKEN}` },
  })
  await call(`/unified/v1/videos/${id}/content?sig=${app.deps.linkSignatures.content.sign('vid_0')}`)

  // What goes wrong there: every status, saying back what it was told, on creates, looks, downloads and lists.
  for (const status of [200, 201, 302, 400, 401, 402, 403, 404, 409, 413, 418, 429, 500, 503, 504]) {
    app.main.next(echo(status)({ ...must(app.main.requests[0]) }))
    await create(MAIN_BODY)
    app.alt.next(echo(status)({ ...must(app.alt.requests[0]) }))
    await create(ALT_BODY)
  }
  for (const fault of [
    { fault: 'reset' },
    { fault: 'hang' },
    { fault: 'cut', body: BACKEND_KEYS.main },
  ] satisfies Script[]) {
    app.main.next(fault)
    await create(MAIN_BODY)
  }
  app.main.answer(echo(500))
  app.alt.answer(echo(403))
  for (const path of ['voices', 'puppets', 'voices?backend=main', 'puppets?backend=alt', 'backends', 'videos'])
    await call(`/unified/v1/${path}`)
  const before = app.upstream()
  await until(() => app.upstream() > before)
  scraped = await (await call('/metrics', { headers: bearer(METRICS_TOKEN) })).text()
  await app.close()
  await receiver.close()
  await collector.close()
})

describe('after a run in which everything was tried', () => {
  test('all secrets were planted', () => {
    expect([...secrets.keys()]).toHaveLength(14)
    for (const secret of secrets.values()) expect(secret.length).toBeGreaterThan(12)
    expect(receiver.requests[0]?.url).toContain(HOOK_TOKEN)
  })

  test('none is in the log', () => {
    const log = app.logs.join('\n')
    expect(log.length).toBeGreaterThan(10_000)
    for (const [name, secret] of secrets) expect({ name, at: log.indexOf(secret) }).toEqual({ name, at: -1 })
    expect(log).not.toContain(SCRIPT_TEXT)
  })

  test('none is in the metrics, whose labels name no client and no id', () => {
    expect(scraped).toContain('talkbridge_problems_total{code="unauthenticated"')
    for (const [name, secret] of secrets) expect({ name, at: scraped.indexOf(secret) }).toEqual({ name, at: -1 })
    expect(scraped).not.toMatch(/canary words|anna|bert|shop|(vid|key|we|evt|dlv|req)_\w{20}/)
  })

  test('none is in a span', () => {
    const spans = collector.raw()
    expect(new Set(collector.spans.map(({ kind }) => kind))).toEqual(new Set(['server', 'internal', 'client']))
    for (const [name, secret] of secrets) expect({ name, at: spans.indexOf(secret) }).toEqual({ name, at: -1 })
    expect(spans).not.toContain(SCRIPT_TEXT)
  })

  test('none is in a refusal', () => {
    expect(refusals.length).toBeGreaterThan(25)
    const all = refusals.join('\n')
    for (const [name, secret] of secrets) expect({ name, at: all.indexOf(secret) }).toEqual({ name, at: -1 })
    expect(all).not.toMatch(/cdn\.example|127\.0\.0\.1/)
  })

  test("no key of the gateway's or a backend's is in any answer", () => {
    const all = answers.join('\n')
    for (const name of [
      "anna's key",
      "bert's key",
      "main's key",
      "alt's key",
      'the secret key',
      'a callback token',
      'an issued key',
      'the key that replaces it',
      'the token of /metrics',
    ]) {
      expect({ name, at: all.indexOf(must(secrets.get(name))) }).toEqual({ name, at: -1 })
    }
  })
})
