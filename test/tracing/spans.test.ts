import { expect, onTestFinished, test } from 'vitest'
import { ATTRIBUTES, SPANS } from '../../src/core/tracing.ts'
import { ALT, MAIN, stage } from '../e2e/harness.ts'
import { fakeClock } from '../fakes/clock.ts'
import { startCollector, type ReadSpan } from '../fakes/collector.ts'
import { bearer, KEYS } from '../fakes/gateway.ts'
import { must } from '../fakes/must.ts'
import { until } from '../fakes/until.ts'

const CALLER = { traceId: 'af7651916cd43dd8448eb211c80319c7', spanId: 'b7ad6b7169203331' }
const UNWANTED = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b9c7c989f97918e1' }
const PARENT = `00-${CALLER.traceId}-${CALLER.spanId}-01`
const HOOK_TOKEN = 'canaryhooktoken'
const SCRIPT_TEXT = 'canary words of the script'

/** One story: a create in a caller's trace, a restart while it runs, its webhook, which fails once, and some reads. */
const story = async () => {
  const clock = fakeClock(Date.now())
  const collector = await startCollector()
  onTestFinished(() => collector.close())
  const s = await stage({ clock, config: { tracing: { otlp_endpoint: collector.url } }, sandbox: { speed: 20 } })
  const hook = `${s.receiver.url}/${HOOK_TOKEN}?t=${HOOK_TOKEN}`
  s.receiver.script({ kind: 'answer', status: 500 })
  const made = await s.create(
    { ...MAIN, text: SCRIPT_TEXT, webhook_url: hook },
    { traceparent: PARENT, tracestate: 'vendor=opaque', 'x-request-id': 'the-create' },
  )
  const unwanted = { traceparent: `00-${UNWANTED.traceId}-${UNWANTED.spanId}-00` }
  const silent = await s.create({ ...ALT, webhook_url: hook, webhook_events: ['video.failed'] }, unwanted)
  await s.call(`/videos/${made.id}`, { headers: { traceparent: `${PARENT}-and-more`, 'x-request-id': 'bad-parent' } })
  await s.call('/voices', { headers: { traceparent: PARENT, 'x-request-id': 'the-voices' } })
  await fetch(`${s.gateway().gateway.url}/healthz`, { headers: { 'x-request-id': 'the-probe' } })
  const nowhere = { ...bearer(KEYS.anna), 'x-request-id': 'nowhere' }
  await fetch(`${s.gateway().gateway.url}/not/there?token=${HOOK_TOKEN}`, { headers: nowhere })
  const { logs } = s.gateway()
  const stream = await fetch(`${s.gateway().gateway.url}/unified/v1/videos/${silent.id}/events`, {
    headers: { ...bearer(KEYS.anna), accept: 'text/event-stream', 'x-request-id': 'the-stream' },
  })
  await stream.body?.cancel()
  await until(() => logs.some((line) => line.includes('the-stream')))
  expect(await s.restart()).toBe(true)
  await until(async () => {
    await clock.advance(1_000)
    return s.receiver.requests.length === 2
  })
  await s.ended(silent.id)
  // What is left is sent now, and nothing waits for the exporter's own time.
  expect(await s.stop()).toBe(true)
  const lines = [...logs, ...s.gateway().logs].map((line) => JSON.parse(line) as Record<string, unknown>)
  return { ...collector, id: made.id, lines, hooks: s.receiver.requests, secrets: [s.sandbox.primaryKey] }
}
type Told = Awaited<ReturnType<typeof story>>

const of = (span: ReadSpan, name: keyof typeof ATTRIBUTES) => span.attributes[ATTRIBUTES[name].key]
const named = ({ spans }: Told, name: string): ReadSpan[] => spans.filter((span) => span.name === name)
const ofVideo = (told: Told, name: string): ReadSpan[] =>
  named(told, name).filter((span) => of(span, 'video') === told.id)
const ofRequest = ({ spans }: Told, id: string): ReadSpan => must(spans.find((span) => of(span, 'requestId') === id))
const linkTo = ({ traceId, spanId }: ReadSpan) => [{ traceId, spanId }]

/** The request is a child of its caller, its dispatch one of the request, and the exchange one of the dispatch. */
const seesTheCreate = (told: Told): void => {
  const created = ofRequest(told, 'the-create')
  expect(created).toMatchObject({ name: 'POST /unified/v1/videos', kind: 'server', failed: false })
  expect(created).toMatchObject({ traceId: CALLER.traceId, parentId: CALLER.spanId, state: 'vendor=opaque' })
  expect(created.attributes).toEqual({
    'http.request.method': 'POST',
    'http.route': '/unified/v1/videos',
    'http.response.status_code': 202,
    'talkbridge.request.id': 'the-create',
    'talkbridge.client': 'anna',
  })
  const [dispatch, ...others] = ofVideo(told, 'dispatch')
  expect(others).toEqual([])
  expect(dispatch).toMatchObject({ kind: 'internal', traceId: CALLER.traceId, parentId: created.spanId, links: [] })
  expect(must(dispatch).attributes).toEqual({
    'talkbridge.video.id': told.id,
    'talkbridge.client': 'anna',
    'talkbridge.backend': 'main',
    'talkbridge.attempt': 1,
    'talkbridge.outcome': 'accepted',
  })
  const [exchange] = named(told, 'backend createVideo').filter(({ traceId }) => traceId === CALLER.traceId)
  expect(exchange).toMatchObject({ kind: 'client', parentId: must(dispatch).spanId, failed: false })
  expect(must(exchange).attributes).toEqual({
    'http.request.method': 'POST',
    'http.response.status_code': 202,
    'server.address': '127.0.0.1',
    'server.port': expect.any(Number),
    'talkbridge.operation': 'createVideo',
    'talkbridge.backend': 'main',
  })
}

/** They were made by another process, and are traces of their own, linked to the create. */
const seesThePolls = (told: Told): void => {
  const links = linkTo(ofRequest(told, 'the-create'))
  const polls = ofVideo(told, 'poll')
  expect(polls.length).toBeGreaterThan(0)
  for (const poll of polls) {
    expect(poll).toMatchObject({ kind: 'internal', parentId: '', links })
    expect(poll.traceId).not.toBe(CALLER.traceId)
    const exchanges = told.spans.filter(({ name, traceId }) => name !== 'poll' && traceId === poll.traceId)
    expect(new Set(exchanges.map(({ parentId }) => parentId))).toEqual(new Set([poll.spanId]))
    expect(new Set(exchanges.map(({ name }) => name))).toEqual(new Set(['backend getVideo']))
  }
  expect(polls.map((poll) => of(poll, 'outcome'))).toContain('completed')
}

/** So are the attempts of its webhook, and the receiver is told which. */
const seesTheDeliveries = (told: Told): void => {
  const links = linkTo(ofRequest(told, 'the-create'))
  const attempts = ofVideo(told, 'delivery').toSorted((a, b) => Number(of(a, 'attempt')) - Number(of(b, 'attempt')))
  for (const span of attempts) expect(span).toMatchObject({ kind: 'client', parentId: '', links })
  expect(attempts.map((span) => [of(span, 'attempt'), of(span, 'status'), of(span, 'outcome'), span.failed])).toEqual([
    [1, 500, 'pending', true],
    [2, 204, 'delivered', false],
  ])
  const parents = attempts.map(({ traceId, spanId }) => `00-${traceId}-${spanId}-01`)
  expect(told.hooks.map(({ headers }) => headers['traceparent'])).toEqual(parents)
  expect(told.hooks.map(({ headers }) => headers['tracestate'])).toEqual([undefined, undefined])
  expect(attempts.map((span) => of(span, 'event'))).toEqual(told.hooks.map(({ headers }) => headers['webhook-id']))
}

const seesTheRest = (told: Told): void => {
  // A read that asks a backend is one trace; what cannot be read as a parent is none.
  const voices = ofRequest(told, 'the-voices')
  expect(voices).toMatchObject({ name: 'GET /unified/v1/voices', parentId: CALLER.spanId })
  const asked = named(told, 'backend listVoices')
  expect(asked.length).toBeGreaterThan(0)
  for (const span of asked) expect(span.parentId).toBe(voices.spanId)
  expect(ofRequest(told, 'bad-parent')).toMatchObject({ name: 'GET /unified/v1/videos/{id}', parentId: '' })
  expect(ofRequest(told, 'nowhere')).toMatchObject({ name: 'GET', failed: false })
  // Its reader left, which is how a stream ends.
  const stream = ofRequest(told, 'the-stream')
  expect(stream).toMatchObject({ name: 'GET /unified/v1/videos/{id}/events', failed: false })
  expect([of(stream, 'status'), of(stream, 'error')]).toEqual([200, undefined])
  expect(told.spans.filter((span) => of(span, 'requestId') === 'the-probe')).toEqual([])
  // Its caller keeps no trace of it, so nobody does: not of its polls a day later, either.
  const ofUnwanted = told.spans.filter(
    ({ traceId, links }) => traceId === UNWANTED.traceId || links.some((link) => link.traceId === UNWANTED.traceId),
  )
  expect(ofUnwanted).toEqual([])
}

/** Every name and attribute is one that is pinned, on the spans that it is pinned to. */
const usesPinnedNames = ({ spans }: Told): void => {
  const words = new Set<string>(Object.keys(SPANS))
  const nameOf = ({ name, kind }: ReadSpan) => (kind === 'server' ? 'request' : (name.split(' ', 1)[0] ?? ''))
  for (const span of spans) {
    expect(words).toContain(nameOf(span))
    const allowed = Object.values(ATTRIBUTES).flatMap(({ key, on }) =>
      on.some((name) => name === nameOf(span)) ? [key] : [],
    )
    expect(Object.keys(span.attributes).filter((key) => !allowed.some((known) => known === key))).toEqual([])
  }
}

const logsItsTrace = ({ lines, id }: Told): void => {
  const ofTrace = (line: Record<string, unknown>) => line['trace_id'] === CALLER.traceId
  expect(lines.filter((line) => line['request_id'] === 'the-create').every(ofTrace)).toBe(true)
  const moves = lines.filter((line) => line['video_id'] === id && line['msg'] === 'video moved')
  expect(moves.length).toBeGreaterThan(1)
  expect(moves.every(ofTrace)).toBe(true)
}

test('a video can be followed from its create to its webhook, over a restart', async () => {
  const told = await story()
  seesTheCreate(told)
  seesThePolls(told)
  seesTheDeliveries(told)
  seesTheRest(told)
  usesPinnedNames(told)
  logsItsTrace(told)
  expect(told.paths).toEqual(new Set(['/v1/traces']))
  expect(told.resource).toMatchObject({ 'service.name': 'talkbridge', 'service.version': expect.any(String) })
  for (const secret of [KEYS.anna, ...told.secrets, HOOK_TOKEN, SCRIPT_TEXT]) expect(told.raw()).not.toContain(secret)
})
