import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Store } from '../../src/core/store/index.ts'
import { UploadView } from '../../src/core/api/videos.ts'
import { documentOf } from '../../src/routes/openapi/document.ts'
import type { Operation } from '../../src/routes/openapi/operation.ts'
import { UNIFIED_OPERATIONS } from '../../src/routes/unified/routes.ts'
import { fakeClock } from '../fakes/clock.ts'
import { bearer, KEYS, openApp, type TestApp } from '../fakes/gateway.ts'
import { must } from '../fakes/must.ts'
import { expectVideo } from './expect.ts'
import { serveResources } from './resource-services.ts'
import { MAIN_BODY, servePrimary } from './services.ts'

/**
 * What is another client's is to nobody told apart from what does not exist: the same bytes, the same headers and the
 * same reads of the store, on every operation that takes an id.
 */
const SEES = { anna: KEYS.anna, bert: KEYS.bert, carl: 'tb_carl_0123456789abcdef' } as const
const UNKNOWN = {
  video: 'vid_00000000000000000000000000',
  upload: 'upl_00000000000000000000000000',
  endpoint: 'we_00000000000000000000000000',
  event: 'evt_00000000000000000000000000',
  delivery: 'dlv_00000000000000000000000000',
} as const
type Kind = keyof typeof UNKNOWN | 'cursor' | 'eventId'

interface Case {
  /** What of Anna's is named. */
  kind: Kind
  /** In place of `{id}`, and in the query. */
  query?: (id: string) => string
  headers?: (id: string) => Record<string, string>
  body?: (id: string) => object
  status: number
}

const video = (more: Partial<Case> = {}): Case => ({ kind: 'video', status: 404, ...more })

const CASES: Readonly<Record<string, readonly Case[]>> = {
  getVideo: [
    video(),
    video({ query: () => '?expand=timeline' }),
    video({ headers: () => ({ prefer: 'wait=5' }) }),
    video({ headers: () => ({ 'if-none-match': '*' }) }),
  ],
  getVideoDownload: [video()],
  getVideoContent: [video(), video({ query: () => '?sig=wrong' })],
  cancelVideo: [video()],
  deleteVideo: [video()],
  streamVideoEvents: [
    video({ headers: () => ({ accept: 'text/event-stream' }) }),
    video({ headers: () => ({ accept: 'text/event-stream', 'last-event-id': '1' }) }),
    video({ headers: () => ({ accept: 'text/event-stream' }), query: () => '?sig=wrong' }),
  ],
  createVideo: [
    { kind: 'upload', status: 400, body: (id) => ({ image_url: MAIN_BODY.image_url, upload_id: id }) },
    {
      kind: 'upload',
      status: 400,
      headers: () => ({ 'idempotency-key': 'order-1' }),
      body: (id) => ({ image_url: MAIN_BODY.image_url, upload_id: id, backend: 'main' }),
    },
  ],
  checkVideo: [{ kind: 'upload', status: 400, body: (id) => ({ image_url: MAIN_BODY.image_url, upload_id: id }) }],
  listVideos: [{ kind: 'cursor', status: 400, query: (id) => `?cursor=${id}` }],
  getWebhookEndpoint: [{ kind: 'endpoint', status: 404 }],
  updateWebhookEndpoint: [
    { kind: 'endpoint', status: 404, body: () => ({ enabled: false }) },
    { kind: 'endpoint', status: 404, body: () => ({ url: 'https://127.0.0.1/' }) },
  ],
  deleteWebhookEndpoint: [{ kind: 'endpoint', status: 404 }],
  rotateWebhookEndpointSecret: [{ kind: 'endpoint', status: 404, body: () => ({}) }],
  testWebhookEndpoint: [{ kind: 'endpoint', status: 404 }],
  replayWebhookEndpoint: [
    {
      kind: 'endpoint',
      status: 404,
      body: () => ({ since: '2026-01-01T00:00:00Z', until: '2026-02-01T00:00:00Z' }),
    },
  ],
  getEvent: [{ kind: 'event', status: 404 }],
  redeliverEvent: [{ kind: 'event', status: 404 }],
  getDelivery: [{ kind: 'delivery', status: 404 }],
  streamEvents: [
    { kind: 'eventId', status: 400, headers: (id) => ({ accept: 'text/event-stream', 'last-event-id': id }) },
  ],
}

/** Operations that take ids, but none of what is one client's alone. */
const OF_NOBODY_ALONE: Readonly<Record<string, string>> = {
  importVideo: 'a job of the account, read at its backend first; its own test compares the answers',
  getPuppet: 'all clients of a workspace see its puppets',
  deletePuppet: 'all see them, so that another’s is 403 not_owner',
  createSpeech: 'voices are the backend’s',
  getDrift: 'a backend’s name',
  getBackend: 'a backend’s name',
}

const document = documentOf('unified', [])
const held = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
const fieldsOf = ({ body }: Operation): string[] => {
  if (!body) return []
  const schema = held(held(held(document, 'components'), 'schemas'), body.name)
  return Object.keys(Object(held(schema, 'properties')) as object)
}
const takesIds = (operation: Operation): boolean =>
  operation.path.includes('{') || fieldsOf(operation).some((name) => /(^|_)id$/.test(name))
// What only operators may do is about all clients alike.
const served = UNIFIED_OPERATIONS.filter(({ scope }) => scope !== 'admin')
const operationOf = (id: string): Operation => {
  const found = served.find((operation) => operation.id === id)
  if (!found) throw new Error(`no such operation is served: ${id}`)
  return found
}

test('every operation that takes an id is in the table, or says why not', () => {
  const asking = served.filter(takesIds).map(({ id }) => id)
  expect(asking).toContain('createVideo')
  const listed = [...Object.keys(CASES), ...Object.keys(OF_NOBODY_ALONE)]
  expect(asking.filter((id) => !listed.includes(id))).toEqual([])
  expect(Object.keys(CASES).filter((id) => id in OF_NOBODY_ALONE)).toEqual([])
})

let app: TestApp
let reads: string[] = []
let theirs: Readonly<Record<Kind, string>>
let unknown: Readonly<Record<Kind, string>>

const recorded = (store: Store): Store =>
  new Proxy(store, {
    get: (target, name: keyof Store) => {
      const verb = target[name] as (...args: unknown[]) => unknown
      return (...args: unknown[]) => {
        reads.push(JSON.stringify([name, ...args]))
        return verb(...args)
      }
    },
  })

const upload = (client: keyof typeof SEES) =>
  app.raw
    .post('/unified/v1/uploads')
    .set(bearer(SEES[client]))
    .send({ content_type: 'audio/wav', size_bytes: 1_000 })
    .expect(201)

beforeAll(async () => {
  const clients = Object.entries(SEES).map(([id, key]) => ({ id, key }))
  app = await openApp({ clock: fakeClock(), clients, wrapStore: recorded })
  serveResources(app.main)
  const made = UploadView.parse((await upload('anna')).body)
  const endpoint = await app.raw
    .post('/unified/v1/webhook_endpoints')
    .set(bearer(SEES.anna))
    .send({ url: 'https://8.8.8.8/hook' })
    .expect(201)
  servePrimary(app.main).state.onCreate = 'completed'
  const first = expectVideo(await app.post(MAIN_BODY), 200)
  expectVideo(await app.post(MAIN_BODY), 200)
  const { cursors } = app.deps
  const sealed = (client: string) => ({
    cursor: cursors.seal(JSON.stringify(['videos', client, {}]), `${Date.parse(first.created_at)} ${first.id}`),
    eventId: cursors.seal(`events\0${client}`, '1'),
  })
  const [delivery] = ((await app.get('/deliveries').expect(200)).body as { data: { id: string; event_id: string }[] })
    .data
  theirs = {
    video: first.id,
    upload: made.id,
    endpoint: (endpoint.body as { id: string }).id,
    event: must(delivery).event_id,
    delivery: must(delivery).id,
    ...sealed('anna'),
  }
  unknown = { ...UNKNOWN, ...sealed('nobody') }
})
afterAll(() => app.close())

const ALL = Object.entries(CASES).flatMap(([id, cases]) =>
  cases.map((one, n): [string, Case] => [`${id} ${n + 1}`, one]),
)

describe.each(ALL)('%s', (name, { kind, query, headers, body, status }) => {
  const { method, path } = operationOf(name.split(' ')[0] ?? '')

  /** As a client that has never asked for anything like it, and that is told apart from the other by nothing but this. */
  const asked = async (client: 'anna' | 'bert' | 'carl', id: string) => {
    reads = []
    const url = path.replace(/\{\w+\}/, id) + (query?.(id) ?? '')
    const response = await app.raw[method](url)
      .set({ ...bearer(SEES[client]), 'x-request-id': 'same', ...headers?.(id) })
      .send(body?.(id))
    const { date: _date, ...shown } = response.headers as Record<string, string>
    const nameless = (text: string): string =>
      text
        .replaceAll(id, '(id)')
        .replaceAll(`"${client}"`, '"(client)"')
        // A hash of the body that names it.
        .replaceAll(/"fingerprint":"\w+"/g, '"fingerprint":"(hash)"')
    return {
      status: response.status,
      headers: { ...shown, 'content-length': null },
      body: nameless(response.text),
      reads: reads.map(nameless),
      lengthBeyondId: Number(shown['content-length']) - id.length * (response.text.split(id).length - 1),
    }
  }

  test('answers another’s as it answers an unknown one, by the same reads, and asks no backend', async () => {
    const upstream = app.upstream()
    const seen = await asked('bert', theirs[kind])
    const expected = await asked('carl', unknown[kind])
    expect(seen.status).toBe(status)
    expect(seen.body).toContain('"code"')
    expect(seen).toEqual(expected)
    expect(app.upstream()).toBe(upstream)
  })
})

test('a job of another client is imported by nobody else, and answered as one that there is not', async () => {
  const ask = (client: 'bert' | 'carl', job: string) =>
    app.raw
      .post('/unified/v1/videos/import')
      .set({ ...bearer(SEES[client]), 'x-request-id': 'same' })
      .send({ backend: 'main', backend_job_id: job })
  const [foreign, none] = [await ask('bert', 'api_video_1'), await ask('carl', 'api_video_x')]
  expect([foreign.status, none.status]).toEqual([404, 404])
  expect(foreign.text.replaceAll('api_video_1', '(id)')).toBe(none.text.replaceAll('api_video_x', '(id)'))
})

test('Anna herself is answered otherwise: these are hers', async () => {
  const own = await app.get(`/videos/${theirs.video}`)
  expectVideo(own, 200)
  await app.get(`/webhook_endpoints/${theirs.endpoint}`).expect(200)
  await app.get(`/events/${theirs.event}`).expect(200)
  await app.get(`/deliveries/${theirs.delivery}`).expect(200)
  await app.get(`/videos?cursor=${theirs.cursor}`).expect(200)
  const spoken = await app.post({ image_url: MAIN_BODY.image_url, upload_id: theirs.upload })
  expect(spoken.body).not.toMatchObject({ code: 'upload_not_found', backend: null })
  const gone = await app.get('/events/stream').set({ 'last-event-id': unknown.eventId, accept: 'text/event-stream' })
  expect(gone.status).toBe(400)
})
