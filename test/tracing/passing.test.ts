import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { VideoView } from '../../src/core/api/videos.ts'
import type { RecordedRequest } from '../fakes/backend.ts'
import { bearer, KEYS, openApp, type TestApp } from '../fakes/gateway.ts'
import { must } from '../fakes/must.ts'
import { startReceiver, type Receiver } from '../fakes/receiver.ts'
import { until } from '../fakes/until.ts'
import { ALT_BODY, MAIN_BODY, serveAlternate, servePrimary, type Service } from '../routes/services.ts'

/** Without a collector a caller's trace is passed on as it came, and nothing else has one. */
let app: TestApp
let receiver: Receiver
let main: Service
let alt: Service

beforeAll(async () => {
  receiver = await startReceiver()
  app = await openApp({ runsEngine: true, webhooks: { allow: [{ cidr: '127.0.0.0/8', http: true }] } })
  main = servePrimary(app.main)
  alt = serveAlternate(app.alt)
  main.state.nextPollMs = alt.state.nextPollMs = 1
  main.state.onRead = alt.state.onRead = 'completed'
})
afterAll(async () => {
  await app.close()
  await receiver.close()
})

let traces = 0
/** Another one for each test: they share the gateway. */
const another = (flags = '01'): string => {
  traces += 1
  return `00-${traces.toString(16).padStart(32, 'a')}-00f067aa0ba902b7-${flags}`
}
const sent = ({ headers }: RecordedRequest) => [headers['traceparent'], headers['tracestate']]
const create = async (body: object, headers: Record<string, string>): Promise<VideoView> => {
  const answer = await app.post({ ...body, webhook_url: `${receiver.url}/hook` }, headers).expect(202)
  return answer.body as VideoView
}
const delivered = async (id: string) => {
  const of = () => receiver.requests.filter(({ body }) => body.includes(id))
  await until(() => of().length > 0)
  return of().map(({ headers }) => [headers['traceparent'], headers['tracestate']])
}

describe.each([
  ['the primary interface', () => main, MAIN_BODY, '/api/v1/videos/'],
  ['the alternate interface', () => alt, ALT_BODY, '/v1/videos/'],
])('a trace goes on, on %s', (_name, service, body, path) => {
  test('with the create, its polls and its webhook; the caller’s tracestate does not', async () => {
    const traceparent = another('03')
    // The flag that is not known here is not passed on.
    const expected = [`${traceparent.slice(0, -2)}01`, undefined]
    const before = service().creates().length
    const { id, backend_job_id: job } = await create(body, { traceparent, tracestate: 'vendor=opaque' })
    expect(service().creates().slice(before).map(sent)).toEqual([expected])
    expect(await delivered(id)).toEqual([expected])
    const polls = service().asked('GET', `${path}${must(job)}`)
    expect(polls.length).toBeGreaterThan(0)
    for (const poll of polls) expect(sent(poll)).toEqual(expected)
    // Each sending has its own: what is stored to be sent again has none.
    const record = must(await app.deps.store.video(id))
    expect(record.trace).toBe(expected[0])
    expect(JSON.stringify(record.wire)).not.toContain('trace')
    const moved = app.logs.filter((line) => line.includes(id) && line.includes('video moved'))
    expect(moved.length).toBeGreaterThan(0)
    for (const line of moved) expect(line).toContain(`"trace_id":"${traceparent.slice(3, 35)}"`)
  })

  test('and without one nothing has a header', async () => {
    const before = service().creates().length
    const { id, backend_job_id: job } = await create(body, {})
    expect(await delivered(id)).toEqual([[undefined, undefined]])
    const requests = [...service().creates().slice(before), ...service().asked('GET', `${path}${must(job)}`)]
    for (const request of requests) expect(sent(request)).toEqual([undefined, undefined])
    expect(app.logs.filter((line) => line.includes(id) && line.includes('trace_id'))).toEqual([])
  })
})

test('what else asks a backend takes it along, on a drop-in surface, too', async () => {
  const traceparent = another()
  await app.get('/voices').set({ traceparent }).expect(200)
  const headers = { ...bearer(KEYS.anna), traceparent, tracestate: 'vendor=opaque' }
  app.main.next({ body: { audio_url: 'https://files.example/a.wav' } })
  await app.raw.post('/api/v1/tts/service').set(headers).send({ voice_id: 'v1', text: 'Hello' }).expect(200)
  const asked = [
    ...main.asked('GET', '/api/v1/voices'),
    ...alt.asked('GET', '/v1/voices'),
    ...main.asked('POST', '/api/v1/tts/'),
  ]
  expect(asked).toHaveLength(3)
  expect(new Set(asked.map((request) => String(sent(request))))).toEqual(new Set([`${traceparent},`]))
})

test.each([
  ['of a version that is none', 'ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01', null],
  ['of zeros', '00-00000000000000000000000000000000-00f067aa0ba902b7-01', null],
  ['with a parent of zeros', '00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01', null],
  ['in capitals', '00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01', null],
  ['with more behind it', '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more', null],
  ['that is cut off', '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7', null],
  ['that is empty', '', null],
  // A later version may say more; of what this one knows, it is read.
  ['of a later version', 'cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more', '01'],
  ['that nobody keeps', '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00', '00'],
])('a traceparent %s is answered like any other request', async (_name, traceparent, flags) => {
  const before = main.creates().length
  await app.post(MAIN_BODY, { traceparent }).expect(202)
  const expected = flags === null ? undefined : `00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-${flags}`
  expect(main.creates().slice(before).map(sent)).toEqual([[expected, undefined]])
})

test('two of them are none', async () => {
  const before = main.creates().length
  const body = JSON.stringify(MAIN_BODY)
  const headers: [string, string][] = [
    ...Object.entries(bearer(KEYS.anna)),
    ['content-type', 'application/json'],
    ['traceparent', another()],
    ['traceparent', another()],
  ]
  expect((await fetch(`${app.url}/unified/v1/videos`, { method: 'POST', headers, body })).status).toBe(202)
  expect(main.creates().slice(before).map(sent)).toEqual([[undefined, undefined]])
})
