import { describe, expect, test } from 'vitest'
import type { Scope } from '../../src/core/vocabulary.ts'
import { saving } from '../contract/store/helpers.ts'
import { bearer, KEYS, type ConfigDraft } from '../fakes/gateway.ts'
import { must } from '../fakes/must.ts'
import { accepted, ended, MINUTE, SECOND, video } from '../fakes/records.ts'
import { skippedWithout } from '../fakes/servers.ts'
import { stage, type Stage } from './short-read-stage.ts'

type Headers = Readonly<Record<string, string>>

const ANNA = bearer(KEYS.anna)
const BY = { client: 'anna', key: null, address: null, requestId: null }

/** One request as text; `''` as a value leaves the header out. */
const text = (path: string, headers: Headers = ANNA, line = { method: 'GET', version: '1.1' }, body = ''): string => {
  const all = Object.entries({ host: 'gateway.example', connection: 'close', ...headers })
  const lines = all.filter(([, value]) => value !== '').map(([name, value]) => `${name}: ${value}`)
  return `${[`${line.method} ${path} HTTP/${line.version}`, ...lines].join('\r\n')}\r\n\r\n${body}`
}

/** Both sides say the same, byte for byte; the answer, and whether it came the short way. */
const both = async (s: Stage, request: string): Promise<{ answer: string; isShort: boolean; status: number }> => {
  const before = s.short.finds()
  const [short, plain] = [await s.short.ask(request), await s.plain.ask(request)]
  expect(short, request).toEqual(plain)
  expect(
    short.log.some((line) => /"msg":"request( failed)?"/.test(line)),
    request,
  ).toBe(true)
  const status = Number(/^HTTP\/1\.1 (\d+)/.exec(short.answer)?.[1])
  return { answer: short.answer, isShort: s.short.finds() === before && [200, 304].includes(status), status }
}

const etagIn = (answer: string): string => must(/\r\netag: ("[^\r]*")/.exec(answer)?.[1])
const pathOf = (id: string): string => `/unified/v1/videos/${id}`
const drivers = ['sqlite', ...((await skippedWithout(['postgres'])) ? [] : ['postgres'])] as ('sqlite' | 'postgres')[]

describe.each(drivers)('over %s', (driver) => {
  const open = (config: ConfigDraft = {}): Promise<Stage> => stage(driver, config)

  test('a plain read, of a kept body too: 200, HEAD, 304', async () => {
    const s = await open()
    const nowMs = s.clock.now()
    for (const [make, given] of [
      [ended, {}],
      [accepted, { dueAtMs: nowMs + MINUTE, createdAtMs: nowMs - 1 }],
      [video, { metadata: { name: 'ß 🎬' } }],
    ] as const) {
      const path = pathOf(await s.put(make, given))
      const first = await both(s, text(path))
      expect(first).toMatchObject({ status: 200, isShort: true })
      const etag = etagIn(first.answer)
      for (let again = 0; again < 2; again += 1) expect((await both(s, text(path))).isShort).toBe(true)
      const head = { method: 'HEAD', version: '1.1' }
      expect(await both(s, text(path, ANNA, head))).toMatchObject({ status: 200, isShort: true })
      for (const line of [head, { method: 'GET', version: '1.1' }]) {
        for (const seen of [etag, `W/${etag}`])
          expect(await both(s, text(path, { ...ANNA, 'if-none-match': seen }, line))).toMatchObject({
            status: 304,
            isShort: true,
          })
        const other = { ...ANNA, 'if-none-match': '"other"' }
        expect(await both(s, text(path, other, line))).toMatchObject({ status: 200, isShort: true })
        for (const [seen, status] of [
          [`"other", ${etag}`, 304],
          ['*', 304],
          ['other', 200],
        ] as const)
          expect(await both(s, text(path, { ...ANNA, 'if-none-match': seen }, line))).toMatchObject({ status })
        const anew = { ...ANNA, 'if-none-match': etag, 'cache-control': 'no-cache' }
        expect(await both(s, text(path, anew, line))).toMatchObject({ status: 200 })
      }
      const since = { ...ANNA, 'if-modified-since': 'Fri, 20 Nov 2026 12:00:00 GMT' }
      expect(await both(s, text(path, since))).toMatchObject({ status: 200, isShort: true })
    }
  })

  test('what changes without a write, and with one: links, polls, places, versions', async () => {
    const s = await open()
    const nowMs = s.clock.now()
    const link = { url: 'https://cdn.example/v?sig=1', expiresAtMs: nowMs + 30 * SECOND, learnedAtMs: nowMs }
    const linked = pathOf(await s.put(ended, { link }))
    const runs = await s.put(accepted, { dueAtMs: nowMs + 20 * SECOND })
    const waits = [await s.put(), await s.put()].map(pathOf)
    const bodies = new Map<string, Set<string>>()
    for (let round = 0; round < 8; round += 1) {
      for (const path of [linked, pathOf(runs), ...waits]) {
        const { answer, isShort } = await both(s, text(path))
        expect(isShort, path).toBe(true)
        bodies.set(path, (bodies.get(path) ?? new Set()).add(answer.slice(answer.indexOf('{'))))
      }
      if (round === 5)
        await s.deps.store.change(must(waits[0]).slice(-30), saving({ phase: 'ended', status: 'canceled' }))
      if (round === 6) await s.deps.store.change(runs, saving({ progress: 0.5 }))
      await s.clock.advance(7 * SECOND)
    }
    expect([...bodies.values()].map(({ size }) => size)).toEqual([2, 3, 2, 2])
  })

  test('keys: none, unknown, issued, revoked, expired, of other scopes, of a client that is disabled', async () => {
    const s = await open()
    const path = pathOf(await s.put(ended))
    const { admin } = s.deps.access
    await admin.createClient(
      { id: 'shop', description: null, backends: null, limits: must(s.deps.clients.byId('anna')).limits },
      BY,
    )
    const issue = async (client: string, scopes: Scope[], expiresAtMs: number | null = null) =>
      admin.createKey({ client, name: null, scopes, expiresAtMs }, BY)
    const good = await issue('anna', ['videos:read'])
    const stars = await issue('anna', ['*'])
    const operator = await issue('anna', ['admin'])
    const creates = await issue('anna', ['videos:create'])
    const short = await issue('anna', ['videos:read'], s.clock.now() + 5 * SECOND)
    const shop = await issue('shop', ['videos:read'])
    const read = (key: string) => both(s, text(path, bearer(key)))
    const statuses = async (): Promise<number[]> => {
      const keys = [good, stars, operator, creates, short, shop].map(({ secret }) => secret)
      const found: number[] = []
      for (const key of [...keys, 'tb_unknown_0123456789abcdef', 'tb_live_mistyped'])
        found.push((await read(key)).status)
      return found
    }
    expect(await statuses()).toEqual([200, 200, 403, 403, 200, 404, 401, 401])
    expect((await read(good.secret)).isShort).toBe(true)
    expect((await read(stars.secret)).isShort).toBe(true)
    await admin.revokeKey(good.key.id, BY)
    await admin.changeClient('shop', { enabled: false }, BY)
    await s.clock.advance(5 * SECOND)
    expect(await statuses()).toEqual([401, 200, 403, 403, 401, 401, 401, 401])
    await admin.rotateKey(stars.key.id, { overlapMs: 0, expiresAtMs: null }, BY, () => undefined)
    expect((await statuses())[1]).toBe(401)
    for (const authorization of ['', 'Bearer', `Basic ${KEYS.anna}`, `bearer  ${KEYS.anna}`, `Bearer ${KEYS.anna} x`])
      await both(s, text(path, { authorization }))
    await both(s, text(path, { ...ANNA, Authorization: `Bearer ${KEYS.bert}` }))
    await both(s, text(path, { ...ANNA, Authorization: ANNA.authorization }))
  })

  test('ids: unknown, another client’s, of other surfaces, written otherwise', async () => {
    const s = await open()
    const id = await s.put(ended)
    const path = pathOf(id)
    expect(await both(s, text(path))).toMatchObject({ status: 200, isShort: true })
    expect(await both(s, text(path, bearer(KEYS.bert)))).toMatchObject({ status: 404 })
    expect(await both(s, text(pathOf('vid_01ARZ3NDEKTSV4RRFFQ69G5FAV')))).toMatchObject({ status: 404 })
    for (const other of [
      pathOf(id.replace('vid_', 'api_video_')),
      pathOf(id.toLowerCase()),
      pathOf(`%76${id.slice(1)}`),
      `${path}/`,
      `${path}//`,
      `//unified/v1/videos/${id}`,
      path.replace('unified', 'UNIFIED'),
      `http://gateway.example${path}`,
      ...['?', '?expand=timeline', '?expand=other', '?fields=id', '?x=1', '/download', '/none'].map(
        (end) => path + end,
      ),
    ])
      await both(s, text(other))
  })

  test('headers and methods that ask for something else', async () => {
    const s = await open()
    const path = pathOf(await s.put(ended))
    const trace = { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' }
    for (const [more, isShort] of [
      [{ prefer: 'wait=1' }, false],
      [{ prefer: 'nothing' }, false],
      [trace, true],
      [{ traceparent: 'none' }, true],
      [{ origin: 'https://page.example' }, false],
      [{ 'x-request-id': 'mine-1' }, true],
      [{ 'x-request-id': 'not sane' }, true],
      [{ 'content-length': '0' }, false],
      [{ 'transfer-encoding': 'chunked' }, false],
      [{ expect: 'the-unexpected' }, true],
      [{ cookie: 'a=b', 'x-forwarded-for': '1.2.3.4', range: 'bytes=0-1', 'x-anything': '1' }, true],
      [{ accept: '*/*' }, true],
      [{ accept: 'application/json, text/plain, */*' }, true],
      [{ accept: 'application/jsonl' }, false],
      [{ accept: 'text/html' }, false],
      [{ accept: 'application/*' }, false],
      [{ accept: 'application/json;q=0, text/html' }, false],
      [{ accept: 'text/html, application/json;q=0.9, */*;q=0.8' }, false],
    ] as const) {
      const body = 'transfer-encoding' in more ? '0\r\n\r\n' : ''
      const seen = await both(s, text(path, { ...ANNA, ...more }, { method: 'GET', version: '1.1' }, body))
      expect(seen.isShort, JSON.stringify(more)).toBe(isShort)
    }
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'])
      await both(s, text(path, ANNA, { method, version: '1.1' }))
    await both(s, text(path, { ...ANNA, 'content-length': '2' }, { method: 'GET', version: '1.1' }, '{}'))
    for (const version of ['1.0', '1.1']) await both(s, text(path, { ...ANNA, host: '' }, { method: 'GET', version }))
    await both(s, text(path, { ...ANNA, Host: 'other.example' }))
    await both(s, text(path, { ...ANNA, connection: 'keep-alive' }) + text(path) + text(path))
  })

  test('a client’s rate is counted once: until it is spent, then 429, then again', async () => {
    const limits = { requests_per_minute: 5 }
    const s = await open({ clients: [{ id: 'anna', key: KEYS.anna, limits }] })
    const path = pathOf(await s.put(ended))
    const statuses: number[] = []
    for (let n = 0; n < 9; n += 1) {
      const asked = n === 2 ? pathOf('vid_01ARZ3NDEKTSV4RRFFQ69G5FAV') : n === 3 ? `${path}?x=1` : path
      statuses.push((await both(s, text(asked))).status)
      await s.clock.advance(SECOND)
    }
    expect(statuses).toEqual([200, 200, 404, 400, 200, 429, 429, 429, 429])
    await s.clock.advance(55 * SECOND)
    expect((await both(s, text(path))).status).toBe(200)
  })

  test('a store that fails, and is back', async () => {
    const s = await open()
    const path = pathOf(await s.put(ended))
    await both(s, text(path))
    s.breakStore(true)
    const { short, plain } = s
    const [one, other] = [await short.ask(text(path)), await plain.ask(text(path))]
    expect(one.answer).toBe(other.answer)
    expect(one.answer).toMatch(/^HTTP\/1\.1 50\d /)
    expect([one.observed, one.counted]).toEqual([other.observed, other.counted])
    s.breakStore(false)
    expect(await both(s, text(path))).toMatchObject({ status: 200, isShort: true })
  })

  test.each([[['https://page.example']], [['*']]])('pages of %s', async (origins) => {
    const s = await open({ server: { cors: { origins } } })
    const path = pathOf(await s.put(ended))
    for (const more of [{}, { origin: 'https://page.example' }, { origin: 'https://other.example' }])
      expect((await both(s, text(path, { ...ANNA, ...more }))).isShort).toBe(!('origin' in more))
  })

  test('a gateway that leaves ends the connection', async () => {
    const s = await open()
    const path = pathOf(await s.put(ended))
    const request = text(path, { ...ANNA, connection: 'keep-alive' })
    s.short.leave()
    s.plain.leave()
    expect((await both(s, request)).answer).toMatch(/\r\nconnection: close\r\n/i)
  })
})
