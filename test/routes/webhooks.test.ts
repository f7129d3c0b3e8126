import { Webhook } from 'standardwebhooks'
import type supertest from 'supertest'
import { expect, onTestFinished, test } from 'vitest'
import type {
  DeliveryView,
  DeliveryWithAttemptsView,
  EndpointDetailView,
  EventView,
} from '../../src/core/api/webhooks.ts'
import { OverviewView } from '../../src/core/api/admin.ts'
import { KEYS } from '../fakes/gateway.ts'
import { must } from '../fakes/must.ts'
import { answer, type Behaviour, startReceiver, type Received } from '../fakes/receiver.ts'
import { expectProblem } from './expect.ts'
import { MAIN_BODY } from './services.ts'
import { expectAsSent, setUp } from './webhook-stage.ts'
import { samples } from '../fakes/scraped.ts'

/** Registered endpoints from the outside: a real gateway, real receivers; every answer is held to the document. */

const verified = (secret: string, { body, headers }: Received): unknown =>
  new Webhook(secret).verify(body, headers as Record<string, string>)
const list = <T>(response: supertest.Response): T[] => (response.body as { data: T[] }).data
const delivered = ({ data }: { data: DeliveryView[] }): boolean => data.every(({ status }) => status === 'delivered')

test('an endpoint is registered, sent what it subscribes to, signed with its own secret, and listed', async () => {
  const { receiver, send, register, video, until } = await setUp()
  const endpoint = await register({ description: 'mine' })
  expect(endpoint).toMatchObject({
    object: 'webhook_endpoint',
    events: ['video.completed', 'video.failed', 'video.canceled'],
    description: 'mine',
    enabled: true,
    held: 0,
  })
  const id = await video()
  const [request] = await receiver.received(1)
  expect(verified(endpoint.secret, must(request))).toMatchObject({ type: 'video.completed', data: { id } })
  const { data } = await until<{ data: DeliveryView[] }>(`/deliveries?endpoint=${endpoint.id}`, delivered)
  expect(data).toMatchObject([
    { event_type: 'video.completed', video_id: id, target: { kind: 'endpoint', endpoint_id: endpoint.id } },
  ])
  const one = await send('get', `/deliveries/${must(data[0]).id}`).expect(200)
  expect(one.body).toMatchObject({ attempt_count: 1, attempts: [{ status: 204, error: null, response_body: '' }] })
  expectAsSent(one.body as DeliveryWithAttemptsView, must(request))
  const event = (await send('get', `/events/${must(data[0]).event_id}`).expect(200)).body as EventView
  expect(event).toMatchObject({ id: must(request).headers['webhook-id'], video_id: id, data: { id, video_url: null } })
  const { secret: _secret, ...before } = endpoint
  const { pending, ...shown } = (await send('get', `/webhook_endpoints/${endpoint.id}`)).body as EndpointDetailView
  expect(pending).toBe(0)
  expect(shown).toEqual({ ...before, last_delivered_at: expect.any(String) as unknown })
  expect((await send('get', '/webhook_endpoints')).body).toMatchObject({ data: [shown], has_more: false })
})

test('lists go page by page, and by filter', async () => {
  const { send, register, video } = await setUp()
  const endpoints = [await register(), await register(), await register()].toReversed()
  await video()
  const second = await video()
  for (const [path, count] of [
    ['/webhook_endpoints?', 3],
    [`/events?type=video.completed&`, 2],
    [`/events?video=${second}&`, 2],
    [`/deliveries?endpoint=${must(endpoints[0]).id}&`, 2],
    [`/deliveries?video=${second}&`, 3],
  ] as const) {
    const all = list<{ id: string }>(await send('get', `${path}limit=100`).expect(200)).map(({ id }) => id)
    expect(all).toHaveLength(count)
    const paged: string[] = []
    for (let cursor = ''; ;) {
      const page = (await send('get', `${path}limit=1${cursor}`).expect(200)).body as {
        data: { id: string }[]
        next_cursor: string | null
      }
      paged.push(...page.data.map(({ id }) => id))
      if (page.next_cursor === null) break
      cursor = `&cursor=${page.next_cursor}`
      expectProblem(await send('get', `${path}limit=1${cursor}`, undefined, KEYS.bert), 'invalid_cursor')
    }
    expect(paged).toEqual(all)
  }
  const [newest] = list<EventView>(await send('get', '/events?limit=1'))
  const since = must(newest).timestamp
  expect(list<EventView>(await send('get', `/events?since=${since}`)).every((one) => one.timestamp >= since)).toBe(true)
  expect(list<EventView>(await send('get', `/events?until=${since}`)).every((one) => one.timestamp < since)).toBe(true)
})

test('deliveries that ended are found by the last answer and the time, exactly those that the overview counts', async () => {
  const { receiver, send, register, video, until } = await setUp()
  const ids = async (query: string) =>
    list<DeliveryView>(await send('get', `/deliveries?${query}`).expect(200)).map(({ id }) => id)
  /** Gives up one that was answered so: its endpoint is deleted before the next attempt. */
  const givenUp = async (behaviour: Behaviour): Promise<string> => {
    const { id } = await register()
    receiver.respond(behaviour)
    await video()
    const path = `/deliveries?endpoint=${id}`
    await until<{ data: DeliveryView[] }>(path, ({ data }) => data[0]?.attempt_count === 1)
    await send('delete', `/webhook_endpoints/${id}`).expect(204)
    const { data } = await until<{ data: DeliveryView[] }>(path, ({ data: [one] }) => one?.status === 'failed')
    return must(data[0]).id
  }
  const before = new Date().toISOString()
  const busy = await givenUp(answer(503))
  const missing = await givenUp(answer(404))
  const silent = await givenUp({ kind: 'reset' })
  receiver.respond(answer(204))
  const { id } = await register()
  await video()
  const { data } = await until<{ data: DeliveryView[] }>(`/deliveries?endpoint=${id}`, delivered)
  const { since, deliveries } = OverviewView.parse((await send('get', '/overview?range=1h')).body)
  expect(deliveries).toMatchObject({ delivered: 1, failed: 3 })
  const failed = [silent, missing, busy]
  expect(await ids(`status=failed&ended_since=${since}`)).toEqual(failed)
  expect(await ids(`status=delivered&ended_since=${since}`)).toEqual([must(data[0]).id])
  expect(await ids(`ended_since=${before}`)).toEqual([must(data[0]).id, ...failed])
  expect(await ids(`ended_before=${since}`)).toEqual([])
  for (const [query, found] of [
    ['503', [busy]],
    ['5xx', [busy]],
    ['404&status=failed', [missing]],
    ['3xx', []],
    [`none&ended_since=${since}`, [silent]],
    [`503&endpoint=${id}`, []],
  ] as const)
    expect(await ids(`http_status=${query}`)).toEqual(found)
  const page = await send('get', `/deliveries?status=failed&ended_since=${since}&limit=2`)
  const { next_cursor: cursor } = page.body as { next_cursor: string }
  expect(await ids(`status=failed&ended_since=${since}&limit=2&cursor=${cursor}`)).toEqual([busy])
  for (const [query, param] of [
    ['http_status=200', 'http_status'],
    ['http_status=5xx&status=delivered', 'status'],
    [`ended_since=${since}&status=pending`, 'status'],
    [`ended_before=${since}&video=vid_1`, 'video'],
    ['http_status=none&event=evt_1', 'event'],
  ] as const)
    expectProblem(await send('get', `/deliveries?${query}`), 'invalid_request', { param })
})

test('another client’s are the same 404 as unknown ones, and in none of its lists', async () => {
  const { send, register, video } = await setUp()
  const { id } = await register()
  await video()
  const [event] = list<EventView>(await send('get', '/events?type=video.completed'))
  const [delivery] = list<DeliveryView>(await send('get', '/deliveries'))
  const range = { since: '2026-01-01T00:00:00Z', until: '2026-02-01T00:00:00Z' }
  const calls = [
    ['get', '/webhook_endpoints/', id, '', 'endpoint_not_found'],
    ['patch', '/webhook_endpoints/', id, '', 'endpoint_not_found', { enabled: false }],
    ['delete', '/webhook_endpoints/', id, '', 'endpoint_not_found'],
    ['post', '/webhook_endpoints/', id, '/rotate_secret', 'endpoint_not_found'],
    ['post', '/webhook_endpoints/', id, '/test', 'endpoint_not_found'],
    ['post', '/webhook_endpoints/', id, '/replay', 'endpoint_not_found', range],
    ['get', '/events/', must(event).id, '', 'event_not_found'],
    ['post', '/events/', must(event).id, '/redeliver', 'event_not_found'],
    ['get', '/deliveries/', must(delivery).id, '', 'delivery_not_found'],
  ] as const
  for (const [method, before, theirs, after, code, body] of calls) {
    const seen = await Promise.all(
      [theirs, 'unknown_1'].map(async (one) => {
        const response = await send(method, `${before}${one}${after}`, body, KEYS.bert).set('x-request-id', 'same')
        expectProblem(response, code)
        return response.text.replaceAll(one, 'unknown_1')
      }),
    )
    expect(seen[0]).toBe(seen[1])
  }
  for (const path of ['/webhook_endpoints', '/events', '/deliveries', `/deliveries?endpoint=${id}`])
    expect(list(await send('get', path, undefined, KEYS.bert).expect(200))).toEqual([])
  await send('get', `/webhook_endpoints/${id}`).expect(200)
})

test('after a rotation either secret verifies, until the old one is past its time', async () => {
  const { receiver, send, register, video } = await setUp()
  const { id, secret: first } = await register()
  const rotated = (await send('post', `/webhook_endpoints/${id}/rotate_secret`).expect(200)).body as { secret: string }
  await video()
  const both = must((await receiver.received(1))[0])
  verified(first, both)
  verified(rotated.secret, both)
  expect(String(both.headers['webhook-signature']).split(' ')).toHaveLength(2)
  const path = `/webhook_endpoints/${id}/rotate_secret`
  const last = (await send('post', path, { expire_old_in_seconds: 0 }).expect(200)).body as { secret: string }
  await video()
  const one = must((await receiver.received(2))[1])
  verified(last.secret, one)
  expect(() => verified(rotated.secret, one)).toThrow()
  expectProblem(await send('post', path, { expire_old_in_seconds: -1 }), 'invalid_request', {
    param: 'expire_old_in_seconds',
  })
})

test('the client’s own secret is rotated likewise, unless it is configured', async () => {
  const fixed = `whsec_${Buffer.alloc(32, 5).toString('base64')}`
  const { app, receiver, send } = await setUp({
    clients: [
      { id: 'anna', key: KEYS.anna },
      { id: 'bert', key: KEYS.bert, webhook_secret: fixed },
    ],
  })
  const { secret: first } = (await send('get', '/webhook_secret')).body as { secret: string }
  const { secret: second } = (await send('post', '/webhook_secret/rotate').expect(200)).body as { secret: string }
  expect((await send('get', '/webhook_secret')).body).toMatchObject({ secret: second })
  await app.post({ ...MAIN_BODY, webhook_url: `${receiver.url}/one` })
  const request = must((await receiver.received(1))[0])
  verified(first, request)
  verified(second, request)
  expectProblem(await send('post', '/webhook_secret/rotate', {}, KEYS.bert), 'invalid_request')
  expect((await send('get', '/webhook_secret', undefined, KEYS.bert)).body).toMatchObject({ secret: fixed })
})

test('a webhook_url is sent what ends its video, or the types that are named', async () => {
  const { app, receiver, send } = await setUp()
  const typesOf = async (webhook_events?: string[]): Promise<string[]> => {
    const made = await app.post({ ...MAIN_BODY, webhook_url: receiver.url, webhook_events }).expect(200)
    const owed = await send('get', `/deliveries?video=${(made.body as { id: string }).id}`)
    return list<DeliveryView>(owed).map(({ event_type }) => event_type)
  }
  expect(await typesOf()).toEqual(['video.completed'])
  expect(await typesOf(['video.completed', 'video.queued'])).toEqual(['video.completed', 'video.queued'])
  expect(await typesOf(['video.failed'])).toEqual([])
})

test('an event is redelivered under its own id, also after it was delivered', async () => {
  const { receiver, send, register, video, until } = await setUp()
  const { id } = await register()
  await video()
  await receiver.received(1)
  const { data } = await until<{ data: DeliveryView[] }>(`/deliveries?endpoint=${id}`, delivered)
  const { id: delivery, event_id: event } = must(data[0])
  const again = await send('post', `/events/${event}/redeliver`).expect(202)
  expect(again.body).toEqual({ object: 'redelivery', event_id: event, deliveries: [delivery] })
  const [one, two] = await receiver.received(2)
  expect(two?.headers['webhook-id']).toBe(event)
  expect(two?.body).toBe(one?.body)
  const read = await until<DeliveryView>(`/deliveries/${delivery}`, ({ attempt_count }) => attempt_count === 2)
  expect(read.status).toBe('delivered')
})

test('a 410 disables: events are held, another endpoint hears of it, and enabling releases them', async () => {
  const { app, receiver, send, register, video, until } = await setUp()
  const other = await startReceiver()
  onTestFinished(() => other.close())
  const { id } = await register()
  const { secret } = await register({ url: other.url, events: ['video.progress'] })
  receiver.script(answer(410))
  const first = await video()
  const [told] = await other.received(1)
  expect(verified(secret, must(told))).toMatchObject({
    type: 'endpoint.disabled',
    data: { endpoint_id: id, reason: 'gone' },
  })
  const second = await video()
  expect((await send('get', `/webhook_endpoints/${id}`)).body).toMatchObject({
    enabled: false,
    disabled_reason: 'gone',
    held: 2,
  })
  expect(list<DeliveryView>(await send('get', `/deliveries?endpoint=${id}&status=held`))).toHaveLength(2)
  const range = { since: '2026-01-01T00:00:00Z', until: '2036-01-01T00:00:00Z' }
  expectProblem(await send('post', `/webhook_endpoints/${id}/replay`, range), 'invalid_request')
  const enabled = await send('patch', `/webhook_endpoints/${id}`, { enabled: true }).expect(200)
  expect(enabled.body).toMatchObject({ enabled: true, disabled_reason: null, failures: 0, held: 0 })
  const requests = await receiver.received(3)
  const videos = requests.slice(1).map(({ body }) => (JSON.parse(body) as { data: { id: string } }).data.id)
  expect(videos).toEqual([first, second])
  await until<{ data: DeliveryView[] }>(`/deliveries?endpoint=${id}`, delivered)
  for (let n = 0; n < 2; n += 1) await send('patch', `/webhook_endpoints/${id}`, { enabled: false }).expect(200)
  const disabled = samples(await app.deps.scrape(), 'talkbridge_webhook_endpoints_disabled_total')
  expect(disabled.map(({ labels, value }) => `${labels['reason']} ${value}`)).toEqual(['gone 1', 'client 1'])
})

test('a replay sends what an endpoint missed before it was there, each once', async () => {
  const { receiver, send, register, video } = await setUp()
  const made = [await video(), await video(), await video()]
  const { id } = await register()
  const range = { since: '2026-01-01T00:00:00Z', until: '2036-01-01T00:00:00Z' }
  const failed = await send('post', `/webhook_endpoints/${id}/replay`, { ...range, only_failed: true }).expect(202)
  expect(failed.body).toMatchObject({ events: 0 })
  const replayed = await send('post', `/webhook_endpoints/${id}/replay`, range).expect(202)
  expect(replayed.body).toEqual({ object: 'replay', endpoint_id: id, events: 3 })
  const requests = await receiver.received(3)
  const videos = requests.map(({ body }) => (JSON.parse(body) as { data: { id: string } }).data.id)
  expect(videos.toSorted()).toEqual(made.toSorted())
  expect(new Set(requests.map(({ headers }) => headers['webhook-id'])).size).toBe(3)
  for (const body of [{ ...range, until: range.since }, { since: range.since }, { ...range, since: 'yesterday' }])
    expectProblem(await send('post', `/webhook_endpoints/${id}/replay`, body), 'invalid_request')
})

test('what is deleted is sent nothing more, and what is changed holds at once', async () => {
  const { receiver, send, register, video } = await setUp()
  const { id } = await register()
  const moved = await send('patch', `/webhook_endpoints/${id}`, {
    url: `${receiver.url}/moved`,
    description: null,
    events: ['video.completed', 'video.queued'],
  }).expect(200)
  expect(moved.body).toMatchObject({ url: `${receiver.url}/moved`, events: ['video.queued', 'video.completed'] })
  await video()
  expect((await receiver.received(2)).map(({ url }) => url)).toEqual(['/moved', '/moved'])
  await send('delete', `/webhook_endpoints/${id}`).expect(204)
  expectProblem(await send('get', `/webhook_endpoints/${id}`), 'endpoint_not_found')
  await video()
  expect(list<DeliveryView>(await send('get', '/deliveries'))).toHaveLength(2)
})

test('bodies are strict, URLs are vetted, and a client has fifty', async () => {
  const { send, register } = await setUp({ webhooks: {}, runsEngine: false })
  const url = 'https://8.8.8.8/hook'
  const { id } = await register({ url })
  const refused = (body: unknown, param: string) => async (response: supertest.Response) => {
    expect(body).toBeDefined()
    expectProblem(response, 'invalid_request', { param })
  }
  for (const [body, param] of [
    [{}, 'url'],
    [{ url: 'no url' }, 'url'],
    [{ url: `${url}/${'文'.repeat(700)}` }, 'url'],
    [{ url, colour: 'red' }, 'colour'],
    [{ url, events: [] }, 'events'],
    [{ url, events: ['video.exploded'] }, 'events.0'],
    [{ url, enabled: 'yes' }, 'enabled'],
  ] as const)
    await refused(body, param)(await send('post', '/webhook_endpoints', body))
  expectProblem(await send('patch', `/webhook_endpoints/${id}`, { secret: 'x' }), 'invalid_request', {
    param: 'secret',
  })
  for (const bad of ['http://8.8.8.8/', 'https://127.0.0.1/', 'https://a:b@8.8.8.8/', 'https://8.8.8.8:22/']) {
    expectProblem(await send('post', '/webhook_endpoints', { url: bad }), 'webhook_url_not_allowed', { param: 'url' })
    const patched = await send('patch', `/webhook_endpoints/${id}`, { url: bad })
    expectProblem(patched, 'webhook_url_not_allowed', { param: 'url' })
  }
  for (let n = 1; n < 50; n += 1) await register({ url })
  expectProblem(await send('post', '/webhook_endpoints', { url }), 'invalid_request')
  await send('post', '/webhook_endpoints', { url }, KEYS.bert).expect(201)
})
