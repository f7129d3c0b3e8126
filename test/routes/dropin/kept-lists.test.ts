import { rm } from 'node:fs/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startSandbox } from '@talkbridge/sandbox'
import { startBackend } from '../../fakes/backend.ts'
import { fakeClock, type FakeClock } from '../../fakes/clock.ts'
import {
  BACKEND_KEYS,
  bearer,
  gatewayConfig,
  KEYS,
  runGateway,
  temporaryFolder,
  type ConfigDraft,
} from '../../fakes/gateway.ts'
import { MINUTE } from '../../fakes/records.ts'
import { until } from '../../fakes/until.ts'

/** Voices and puppets, with the interface of the surface behind: the last good answer of the service, as it came. */

const PRIMARY = ['/api/v1/voices/service', '/api/v1/puppets'] as const
const ALTERNATE = ['/v1/voices', '/v1/puppets'] as const
const TEN_MINUTES_MS = 10 * MINUTE
/** As many as a test asks that waits for what is read in the background, however slow the machine is. */
const REQUESTS_PER_MINUTE = 1_000_000

type Asking = (path: string, init?: { method?: string; body?: object }) => Promise<Response>

const asking =
  (origin: string, key: string): Asking =>
  (path, { method = 'GET', body } = {}) => {
    const headers = { ...bearer(key), 'content-type': 'application/json' }
    return fetch(origin + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  }

/** A gateway that speaks to these services. */
const before = async (
  clock: FakeClock,
  urls: Parameters<typeof gatewayConfig>[1],
  backends: ConfigDraft['backends'],
  routing: ConfigDraft['routing'] = {},
) => {
  const dir = await temporaryFolder()
  onTestFinished(() => rm(dir, { recursive: true, force: true }))
  const limits = { requests_per_minute: REQUESTS_PER_MINUTE }
  const config = gatewayConfig(dir, urls, {
    backends: backends ?? {},
    routing,
    clients: [{ id: 'anna', key: KEYS.anna, limits }],
  })
  const { gateway } = await runGateway(config, { clock })
  onTestFinished(() => gateway.close().then(() => undefined))
  return asking(gateway.url, KEYS.anna)
}

/** In front of the sandbox, with its real limits. */
const start = async () => {
  const clock = fakeClock()
  const sandbox = await startSandbox({ clock, speed: 1 })
  onTestFinished(() => sandbox.close())
  const here = await before(
    clock,
    { main: sandbox.primaryUrl, alt: sandbox.alternateUrl },
    {
      main: { api_key: sandbox.primaryKey, requests_per_minute: 10 },
      alt: { api_key: sandbox.alternateKey, requests_per_minute: 60 },
    },
  )
  const primary = asking(sandbox.primaryUrl, sandbox.primaryKey)
  const alternate = asking(sandbox.alternateUrl, sandbox.alternateKey)
  const there: Asking = (path, init) => (path.startsWith('/api/') ? primary : alternate)(path, init)
  return { clock, sandbox, here, there }
}

const read = async (response: Response) => ({
  status: response.status,
  type: response.headers.get('content-type'),
  text: await response.text(),
})

describe('a client that lists on every page load', () => {
  test.each([...PRIMARY, ...ALTERNATE])('gets %s each time, as the service sends it', async (path) => {
    const { here, there } = await start()
    const expected = await read(await there(path))
    expect(expected.status).toBe(200)
    for (let n = 0; n < 60; n += 1) expect(await read(await here(path))).toEqual(expected)
    expect((await here(path)).headers.get('x-ratelimit-remaining')).toBe(String(REQUESTS_PER_MINUTE - 61))
  })

  test('gets them while the window is spent, and while the service is down', async () => {
    const { here, there, sandbox, clock } = await start()
    // One after the other: of a new window, the first answer is awaited.
    const all = async () => {
      const answers = []
      for (const path of [...PRIMARY, ...ALTERNATE]) answers.push(await read(await here(path)))
      return answers
    }
    const before = await all()
    expect(before.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    // Another app on the same account takes what is left, and all of the next window.
    await clock.advance(TEN_MINUTES_MS)
    const statuses = []
    for (let n = 0; n < 11; n += 1) statuses.push((await there(PRIMARY[0])).status)
    expect(statuses.at(-1)).toBe(429)
    for (let n = 0; n < 3; n += 1) expect(await all()).toEqual(before)
    await sandbox.close()
    await clock.advance(TEN_MINUTES_MS)
    for (let n = 0; n < 3; n += 1) expect(await all()).toEqual(before)
  })
})

describe('puppets that another app saves', () => {
  const save = async ({ there }: Pick<Awaited<ReturnType<typeof start>>, 'there'>, name: string): Promise<string> => {
    const body = { name, imageUrl: `https://img.example/${name}.png` }
    const made = await there('/api/v1/puppets', { method: 'POST', body })
    return ((await made.json()) as { id: string }).id
  }
  const names = async (response: Response): Promise<string[]> =>
    ((await response.json()) as { data: { name: string }[] }).data.map(({ name }) => name)

  test('are listed as soon as somebody reads one of them, and after ten minutes', async () => {
    const one = await start()
    const list = async () => names(await one.here('/api/v1/puppets'))
    const before = await list()
    const id = await save(one, 'Cy')
    expect(await list()).toEqual(before)
    expect((await one.here(`/api/v1/puppets/${id}`)).status).toBe(200)
    expect(await list()).toContain('Cy')
    await save(one, 'Di')
    expect(await list()).not.toContain('Di')
    await one.clock.advance(TEN_MINUTES_MS + 1)
    await until(async () => (await list()).includes('Di'))
  })

  test('are listed with all others that are new once one of them was read', async () => {
    const one = await start()
    await one.here('/api/v1/puppets')
    await one.clock.advance(MINUTE)
    const [first] = [await save(one, 'Cy'), await save(one, 'Di')]
    await one.here(`/api/v1/puppets/${first}`)
    await until(async () => (await names(await one.here('/api/v1/puppets'))).includes('Di'))
  })

  test('cost a window little where they are none: the list is not read again for ids that nobody has', async () => {
    const one = await start()
    await one.here('/api/v1/puppets')
    const statuses = []
    for (let n = 0; n < 8; n += 1) statuses.push((await one.here(`/api/v1/puppets/puppet_${n}`)).status)
    expect(statuses).toEqual([404, 404, 404, 503, 503, 503, 503, 503])
    // One list, and a third of the window for one client's reads.
    expect((await one.there(PRIMARY[0])).headers.get('x-ratelimit-remaining')).toBe('5')
  })
})

describe('an answer of the service', () => {
  const listing = async () => {
    const clock = fakeClock()
    const [main, alt] = await Promise.all([startBackend(), startBackend()])
    onTestFinished(() => Promise.all([main.close(), alt.close()]).then(() => undefined))
    const here = await before(clock, { main: main.url, alt: alt.url }, {})
    const get = async (path: string): Promise<unknown> => (await here(path)).json()
    return { clock, main, alt, here, get }
  }

  test('keeps its status, its type and its bytes, but for the key', async () => {
    const { alt, here } = await listing()
    const body = `{ "voices":[ {"id":"v_1","mood":1.0} ],\n "for": "${BACKEND_KEYS.alt}" }`
    alt.answer({ status: 203, headers: { 'content-type': 'application/vnd.acme+json; v=2', etag: '"1"' }, body })
    expect(await read(await here('/v1/voices'))).toEqual({
      status: 203,
      type: 'application/vnd.acme+json; v=2',
      text: body.replace(BACKEND_KEYS.alt, '[key]'),
    })
    const head = await here('/v1/voices', { method: 'HEAD' })
    expect([head.status, head.headers.get('content-length')]).toEqual([
      203,
      String(body.length - BACKEND_KEYS.alt.length + 5),
    ])
  })

  test('has no key in it, however JSON spells that', async () => {
    const { alt, here } = await listing()
    const hidden = BACKEND_KEYS.alt.replaceAll(
      /[_m0]/g,
      (one) => `\\u00${one.charCodeAt(0).toString(16).toUpperCase()}`,
    )
    const quoted = JSON.stringify(`{"a":"${hidden}"}`)
    const body = `{"voices":[{"id":"v_1","${hidden}":"caf\\u00e9 ${hidden}","quoted":${quoted}}]}`
    expect(Object.keys(JSON.parse(`{"${hidden}":1}`) as object)).toEqual([BACKEND_KEYS.alt])
    alt.answer({ body })
    const text = String.raw`{"voices":[{"id":"v_1","[key]":"caf\u00e9 [key]","quoted":"{\"a\":\"[key]\"}"}]}`
    expect((await read(await here('/v1/voices'))).text).toBe(text)
    alt.answer({ status: 404, body: `{"code":"none","${hidden}":"for ${hidden}"}` })
    const asked = { script: 'Hello', puppet_id: 'pup_1' }
    const refused = await here('/v1/videos', { method: 'POST', body: asked })
    expect(await refused.json()).toEqual({ code: 'none', '[key]': 'for [key]' })
  })

  test('that says it is a page is none here', async () => {
    const { alt, here } = await listing()
    alt.answer({ headers: { 'content-type': 'text/html' }, body: '{"data":[{"id":"<script>"}]}' })
    expect((await here('/v1/voices')).headers.get('content-type')).toBe('application/json; charset=utf-8')
  })

  test('on pages is answered page by page', async () => {
    const { alt, get } = await listing()
    const page = (n: number) => ({ data: [{ id: `pup_${n}` }], pagination: { page: n, total_pages: 3 } })
    alt.answer(({ path }) => ({ body: page(Number(/page=(\d)/.exec(path)?.[1] ?? 1)) }))
    for (const n of [1, 2, 3]) expect(await get(`/v1/puppets?page=${n}`)).toEqual(page(n))
    expect(await get('/v1/puppets?page=4')).toEqual({ ...page(3), data: [] })
    for (const query of ['', '?page=x', '?limit=1']) expect(await get(`/v1/puppets${query}`)).toEqual(page(1))
    expect(alt.requests.map(({ path }) => path)).toEqual(['/v1/puppets', '/v1/puppets?page=2', '/v1/puppets?page=3'])
  })

  test('to a list of puppets gives its form to the gateway’s pages', async () => {
    const { main, get } = await listing()
    const puppets = ['a', 'b', 'c'].map((id) => ({ id }))
    main.answer({ body: { version: 2, puppets } })
    const first = { version: 2, puppets: puppets.slice(0, 2), nextCursor: 'b' }
    expect(await get('/api/v1/puppets?limit=2')).toEqual(first)
    expect(await get('/api/v1/puppets?limit=2&cursor=b')).toEqual({ version: 2, puppets: puppets.slice(2) })
  })

  test('on pages of puppets gives only what all of them say alike', async () => {
    const { main, get } = await listing()
    const page = { version: 2, took: 1, has_more: true, data: [{ id: 'a' }, { id: 'b' }], nextCursor: 'b' }
    main.answer(({ path }) => ({
      body: path.includes('cursor=b') ? { version: 2, took: 4, has_more: false, data: [{ id: 'c' }] } : page,
    }))
    const first = { version: 2, has_more: true, data: page.data, nextCursor: 'b' }
    expect(await get('/api/v1/puppets?limit=2')).toEqual(first)
    expect(await get('/api/v1/puppets?limit=2&cursor=b')).toEqual({ version: 2, has_more: false, data: [{ id: 'c' }] })
  })

  test('that lacks a voice or puppet with which a video was made is read again at once, and once a minute', async () => {
    const { clock, alt, here, get } = await listing()
    const voices = [{ id: 'v_1' }]
    let jobs = 0
    alt.answer(({ method, path }) => {
      if (method === 'POST') return { status: 201, body: { id: `clip_${(jobs += 1)}`, status: 'processing' } }
      if (path === '/v1/voices') return { body: { data: voices } }
      if (path === '/v1/puppets') return { body: { data: [{ id: 'pup_1' }] } }
      return { body: { id: path.slice('/v1/videos/'.length), status: 'processing' } }
    })
    const reads = (path: string) => alt.requests.filter((one) => one.path === path).length
    const create = async (voice_id: string) => {
      const body = { script: 'Hello', puppet_id: 'pup_1', voice_id }
      expect((await here('/v1/videos', { method: 'POST', body })).status).toBe(201)
    }
    await get('/v1/puppets')
    expect(await get('/v1/voices')).toEqual({ data: [{ id: 'v_1' }] })
    await create('v_1')
    // No timer runs: a poll of these videos would meet its time limit while the service is still answering it.
    clock.stall(MINUTE)
    voices.push({ id: 'v_2' })
    expect(await get('/v1/voices')).toEqual({ data: [{ id: 'v_1' }] })
    await create('v_2')
    await until(async () => JSON.stringify(await get('/v1/voices')).includes('v_2'))
    // Nobody lists this one: it may be more than is read.
    await create('v_3')
    await create('v_3')
    clock.stall(MINUTE)
    await create('v_3')
    await until(() => reads('/v1/voices') === 3)
    expect(reads('/v1/puppets')).toBe(1)
  })
})

test('samples of another interface have relative paths that work below the gateway, with a key and without', async () => {
  const [main, alt] = await Promise.all([startBackend(), startBackend()])
  onTestFinished(() => Promise.all([main.close(), alt.close()]).then(() => undefined))
  const urls = [`${alt.url}/media/a.mp3`, 'https://cdn.example/b.mp3?v=1']
  alt.answer(({ path }) =>
    path === '/v1/voices'
      ? { body: { data: urls.map((preview_url, n) => ({ id: `v_${n}`, preview_url })) } }
      : { headers: { 'content-type': 'audio/mpeg' }, body: 'sound' },
  )
  const here = await before(fakeClock(), { main: main.url, alt: alt.url }, {}, { dropin: { primary: 'alt' } })
  const list = await here('/api/v1/voices/service')
  const { data } = (await list.json()) as { data: { preview_url: string }[] }
  const [own = '', elsewhere = ''] = data.map(({ preview_url }) => preview_url)
  expect([own, elsewhere]).toEqual(['/media/a.mp3', expect.stringMatching(/^\/previews\/of\/[\w-]{22}$/)])
  const ask = (path: string, headers: Record<string, string> = {}) =>
    fetch(new URL(path, list.url), { headers, redirect: 'manual' })
  for (const headers of [{}, bearer(KEYS.anna)]) {
    expect(await (await ask(own, headers)).text()).toBe('sound')
    const led = await ask(elsewhere, headers)
    expect([led.status, led.headers.get('location')]).toEqual([302, urls[1]])
  }
  for (const path of [`${elsewhere}x`, '/previews/of/']) expect((await ask(path)).status).toBe(404)
})

test('a sample keeps its name while its signature changes, also after a restart; those at one path have two', async () => {
  const [main, alt] = await Promise.all([startBackend(), startBackend()])
  onTestFinished(() => Promise.all([main.close(), alt.close()]).then(() => undefined))
  const place = 'https://cdn.example'
  let signature = 1
  alt.answer(() => {
    const urls = [`${place}/a.mp3?sig=${signature}`, `${place}/say?voice=1`, `${place}/say?voice=2`]
    return { body: { data: urls.map((preview_url, n) => ({ id: `v_${n}`, preview_url })) } }
  })
  const urls = { main: main.url, alt: alt.url }
  const here = await before(fakeClock(), urls, {}, { dropin: { primary: 'alt' } })
  const list = await here('/api/v1/voices/service')
  const paths = ((await list.json()) as { data: { preview_url: string }[] }).data.map((one) => one.preview_url)
  signature = 2
  // Of the one that knows nothing yet, the backend is nobody's default.
  const restarted = await before(fakeClock(), urls, {}, { dropin: { primary: 'main', alternate: 'main' } })
  const origin = (await restarted('/api/v1/voices/service')).url
  const led = []
  for (const path of paths)
    led.push((await fetch(new URL(path, origin), { redirect: 'manual' })).headers.get('location'))
  expect(led).toEqual([`${place}/a.mp3?sig=2`, `${place}/say?voice=1`, `${place}/say?voice=2`])
})
