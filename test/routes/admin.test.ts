import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { z } from 'zod'
import {
  AdminDeliveryView,
  AdminDeliveryWithAttemptsView,
  AdminEndpointDetailView,
  AdminEndpointView,
  AdminEventView,
  ClientUsageView,
} from '../../src/core/api/admin.ts'
import { AdminVideoView, listOf, type List } from '../../src/core/api/videos.ts'
import { fakeClock, type FakeClock } from '../fakes/clock.ts'
import { bearer, KEYS, openApp, type TestApp } from '../fakes/gateway.ts'
import { csvLine } from '../../src/routes/unified/usage.ts'
import { expectProblem, expectVideo } from './expect.ts'
import { ALT_BODY, MAIN_BODY, serveAlternate, servePrimary } from './services.ts'

/** An operator reads what all clients have; one gateway, on which two clients did something. */
const OPERATOR = 'tb_operator_0123456789abcdef'
const CLIENTS = [
  ...Object.entries(KEYS).map(([id, key]) => ({ id, key, limits: { requests_per_minute: 100_000 } })),
  { id: 'ops', key: OPERATOR, scopes: ['admin'], limits: { requests_per_minute: 100_000 } },
]
/** Nothing runs that would send there. */
const HOOK = 'http://127.0.0.1:9/hook'

let clock: FakeClock
let app: TestApp
const made = { anna: [] as string[], bert: [] as string[] }

const operator = (path: string) => app.raw.get(`/unified/v1/admin${path}`).set(bearer(OPERATOR))
const create = async (client: keyof typeof KEYS, body: object = MAIN_BODY): Promise<string> => {
  const response = await app.raw.post('/unified/v1/videos').set(bearer(KEYS[client])).send(body)
  clock.jump(1)
  return expectVideo(response, body === MAIN_BODY ? 200 : 202).id
}

beforeAll(async () => {
  clock = fakeClock()
  app = await openApp({ clock, clients: CLIENTS, webhooks: { allow: [{ cidr: '127.0.0.0/8', http: true }] } })
  servePrimary(app.main, clock.now).state.onCreate = 'completed'
  serveAlternate(app.alt, clock.now)
  for (const client of ['anna', 'bert'] as const) {
    const endpoint = { url: HOOK, description: client }
    await app.raw.post('/unified/v1/webhook_endpoints').set(bearer(KEYS[client])).send(endpoint).expect(201)
    clock.jump(1)
  }
  for (let n = 0; n < 3; n += 1) {
    made.anna.push(await create('anna'), await create('anna', ALT_BODY))
    made.bert.push(await create('bert'))
  }
})
afterAll(() => app.close())

const pageOf = async <T>(item: z.ZodType<T>, path: string): Promise<List<T>> =>
  listOf(item).parse((await operator(path).expect(200)).body)

/** All pages of two; `between` runs after each. */
const all = async <T>(
  item: z.ZodType<T>,
  path: string,
  between: () => Promise<unknown> = async () => {},
): Promise<T[]> => {
  const found: T[] = []
  let cursor: string | null = null
  do {
    const query = `limit=2${cursor === null ? '' : `&cursor=${cursor}`}`
    const page: List<T> = await pageOf(item, `${path}${path.includes('?') ? '&' : '?'}${query}`)
    found.push(...page.data)
    cursor = page.next_cursor
    await between()
  } while (cursor !== null)
  return found
}

describe('GET /admin/videos', () => {
  const ids = async (query: string) => (await all(AdminVideoView, `/videos${query}`)).map(({ id }) => id)

  test('everybody’s, newest first, each as its owner sees it, with whose it is', async () => {
    const found = await all(AdminVideoView, '/videos')
    const newest = [...made.anna, ...made.bert].toSorted().toReversed()
    expect(found.map(({ id }) => id)).toEqual(newest)
    for (const { client, doubt, ...shown } of found) {
      expect(made[client === 'anna' ? 'anna' : 'bert']).toContain(shown.id)
      expect(doubt).toBeNull()
      const key = client === 'anna' ? KEYS.anna : KEYS.bert
      expect(shown).toEqual((await app.raw.get(`/unified/v1/videos/${shown.id}`).set(bearer(key)).expect(200)).body)
    }
    expect((await operator(`/videos/${newest[0] ?? ''}`).expect(200)).body).toEqual(found[0])
  })

  test('of one client, status, backend, time; of a client that nobody knows none', async () => {
    expect(await ids('?client=bert')).toEqual(made.bert.toReversed())
    const alt = made.anna.filter((_, n) => n % 2 === 1).toReversed()
    expect(await ids('?backend=alt')).toEqual(alt)
    expect(await ids('?status=processing&client=anna')).toEqual(alt)
    expect(await ids('?status=completed&backend=main')).toHaveLength(6)
    expect(await ids('?status=processing&backend=main')).toEqual([])
    expect(await ids('?client=nobody')).toEqual([])
    const { created_at: at = '' } = (await pageOf(AdminVideoView, '/videos?client=bert&limit=1')).data[0] ?? {}
    expect(await ids(`?created_after=${at}`)).toEqual([])
    expect(await ids(`?created_before=${at}&client=bert`)).toEqual(made.bert.slice(0, 2).toReversed())
  })
})

test('GET /admin/events: everybody’s, by type and video, each as its client sees it', async () => {
  const found = await all(AdminEventView, '/events')
  expect(found).toHaveLength(18)
  expect(new Set(found.map(({ id }) => id)).size).toBe(found.length)
  expect(new Set(found.map(({ client }) => client))).toEqual(new Set(['anna', 'bert']))
  expect(await all(AdminEventView, '/events?type=video.completed')).toHaveLength(6)
  const [video = ''] = made.bert
  const [event] = await all(AdminEventView, `/events?video=${video}&type=video.completed`)
  const own = await app.raw
    .get(`/unified/v1/events/${event?.id ?? ''}`)
    .set(bearer(KEYS.bert))
    .expect(200)
  expect(event).toEqual({ ...(own.body as object), client: 'bert' })
  expect(await all(AdminEventView, `/events?video=${video}&client=anna`)).toEqual([])
})

test('GET /admin/deliveries and /admin/endpoints: everybody’s, with attempts; no answer shows a secret', async () => {
  const deliveries = await all(AdminDeliveryView, '/deliveries')
  expect(deliveries.map(({ client }) => client).toSorted()).toEqual(['anna', 'anna', 'anna', 'bert', 'bert', 'bert'])
  const [video = ''] = made.bert
  const [one, ...more] = await all(AdminDeliveryView, `/deliveries?status=pending&video=${video}`)
  expect(more).toEqual([])
  const whole = AdminDeliveryWithAttemptsView.parse((await operator(`/deliveries/${one?.id ?? ''}`).expect(200)).body)
  expect(whole).toMatchObject({ ...one, attempts: [] })
  expect(whole.request.headers).not.toHaveProperty('webhook-timestamp')
  expectProblem(await operator('/deliveries/dlv_none'), 'delivery_not_found')

  const endpoints = await all(AdminEndpointView, '/endpoints')
  expect(endpoints.map(({ client, description }) => [client, description])).toEqual([
    ['bert', 'bert'],
    ['anna', 'anna'],
  ])
  const [ofBert] = await all(AdminEndpointView, '/endpoints?client=bert')
  expect(ofBert).toEqual(endpoints[0])
  expect(await all(AdminDeliveryView, `/deliveries?endpoint=${ofBert?.id ?? ''}`)).toHaveLength(3)
  const theirs = (await operator(`/endpoints/${ofBert?.id ?? ''}`).expect(200)).body as object
  expect(AdminEndpointDetailView.parse(theirs)).toEqual({ ...ofBert, pending: 3 })
  expectProblem(await operator('/endpoints/we_none'), 'endpoint_not_found')
  expect((await operator('/endpoints').expect(200)).text).not.toContain('whsec_')
})

test('a cursor is of one list with its filters, and of operators', async () => {
  const { next_cursor: cursor } = await pageOf(AdminVideoView, '/videos?limit=1')
  for (const path of ['/videos?status=completed&', '/videos?client=anna&', '/events?'])
    expectProblem(await operator(`${path}limit=1&cursor=${cursor ?? ''}`), 'invalid_cursor')
  expectProblem(await app.get(`/videos?cursor=${cursor ?? ''}`), 'invalid_cursor')
  for (const query of ['?client=', '?nothing=1', '?status=done', '?limit=0'])
    expectProblem(await operator(`/videos${query}`), 'invalid_request')
})

describe('GET /admin/usage', () => {
  test('of each client and backend; the requests of a client under no backend', async () => {
    const rows = await all(ClientUsageView, '/usage')
    expect(
      rows.map(({ client, backend, videos, credits_charged: credits }) => [client, backend, videos, credits]),
    ).toEqual([
      ['anna', null, expect.anything(), 0],
      ['anna', 'alt', { queued: 0, processing: 3, completed: 0, failed: 0, canceled: 0 }, 0],
      ['anna', 'main', { queued: 0, processing: 0, completed: 3, failed: 0, canceled: 0 }, 3],
      ['bert', null, expect.anything(), 0],
      ['bert', 'main', { queued: 0, processing: 0, completed: 3, failed: 0, canceled: 0 }, 3],
      ['ops', null, expect.anything(), 0],
    ])
    expect(rows.map(({ requests }) => requests === null)).toEqual([false, true, true, false, true, false])
    // What bert's own report says.
    const own = (await app.raw.get('/unified/v1/usage').set(bearer(KEYS.bert)).expect(200)).body as {
      client: { requests: number }
    }
    const [row] = await all(ClientUsageView, '/usage?client=bert')
    expect(row?.requests).toBe(own.client.requests)
    expect(await all(ClientUsageView, '/usage?backend=alt')).toHaveLength(1)
    expect(await all(ClientUsageView, '/usage?month=2020-01')).toEqual([])
  })

  test('as a file: RFC 4180, the whole month', async () => {
    const file = await operator('/usage?format=csv&backend=main').set('accept', 'text/csv').expect(200)
    expect(file.headers['content-type']).toBe('text/csv; charset=utf-8; header=present')
    expect(file.headers['content-disposition']).toMatch(/^attachment; filename="usage-\d{4}-\d\d\.csv"$/)
    const month = file.headers['content-disposition']?.slice(-12, -5) ?? ''
    expect(file.text).toBe(
      [
        'month,client,backend,queued,processing,completed,failed,canceled,credits_charged,requests',
        `${month},anna,main,0,0,3,0,0,3,`,
        `${month},bert,main,0,0,3,0,0,3,`,
        '',
      ].join('\r\n'),
    )
    expect((await operator('/usage?format=csv&month=2020-01').expect(200)).text.split('\r\n')).toHaveLength(2)
    expect((await app.raw.head('/unified/v1/admin/usage?format=csv').set(bearer(OPERATOR)).expect(200)).text).toBe(
      undefined,
    )
    for (const query of ['format=csv&limit=5', 'format=csv&cursor=x', 'format=xml', 'month=2026-13', 'month=2026'])
      expectProblem(await operator(`/usage?${query}`), 'invalid_request')
    expectProblem(await operator('/usage').set('accept', 'text/csv'), 'not_acceptable')
  })

  test('a file is whole, however many clients there are', async () => {
    const names = Array.from({ length: 1_200 }, (_, n) => `team_${String(n).padStart(4, '0')}`)
    await app.deps.store.countRequests('2019-05', Object.fromEntries(names.map((name) => [name, 2])))
    const { text } = await operator('/usage?format=csv&month=2019-05').expect(200)
    const lines = text.split('\r\n').slice(1, -1)
    expect(lines).toEqual(names.map((name) => `2019-05,${name},,0,0,0,0,0,0,2`))
  })

  test('no cell is a formula, whatever a name is; quotes and line ends are the cell’s own', () => {
    expect(csvLine(['=1+1', '+a', '-a', '@SUM(A1)', '\tx', -5, null, 'a,"b"\r\nc'])).toBe(
      `'=1+1,'+a,'-a,'@SUM(A1),'\tx,-5,,"a,""b""\r\nc"\r\n`,
    )
  })
})

test('pages are complete and none repeats, while videos come', async () => {
  const before = (await all(AdminVideoView, '/videos')).map(({ id }) => id)
  const events = (await all(AdminEventView, '/events')).map(({ id }) => id)
  const more = () => create('bert')
  expect((await all(AdminVideoView, '/videos', more)).map(({ id }) => id)).toEqual(before)
  const told = (await all(AdminEventView, '/events', more)).map(({ id }) => id)
  expect(told.filter((id) => events.includes(id))).toEqual(events)
  expect(new Set(told).size).toBe(told.length)
})
