import { describe, expect, test } from 'vitest'
import type { Exchange } from '../../src/http/exchange.ts'
import { KEPT_ANSWER_BYTES, attemptOf, outcomeOf } from '../../src/webhooks/sender.ts'
import { createFairQueue, createIntake, laneOf, createTasks } from '../../src/webhooks/queue.ts'
import { nextTryMs } from '../../src/core/time/clock.ts'
import { fakeClock } from '../fakes/clock.ts'
import { createDeliveryStore } from '../fakes/delivery-store.ts'

const answered = (status: number, body: Buffer | string = '', headers: Record<string, string> = {}): Exchange => ({
  kind: 'answered',
  status,
  headers,
  body: Buffer.from(body),
})
const failed = (fault: 'timeout' | 'connection', message: string, status: number | null = null): Exchange => ({
  kind: 'failed',
  began: true,
  fault,
  status,
  headers: {},
  message,
})

describe('what an exchange comes to', () => {
  test.each<[Exchange, number | null, string | null]>([
    [answered(200), 200, null],
    [answered(204), 204, null],
    [answered(302), 302, 'redirects are not followed'],
    [answered(404), 404, 'status 404'],
    [answered(500), 500, 'status 500'],
    [failed('timeout', 'no complete answer within 15000 ms'), null, 'timeout: no complete answer within 15000 ms'],
    [failed('timeout', 'late', 200), null, 'timeout: late (an answer of status 200 had begun)'],
    [failed('connection', 'other side closed'), null, 'connection: other side closed'],
    [failed('connection', 'cert of\r\nevil\u0007 é'), null, 'connection: cert of evil'],
  ])('%j', (exchange, status, error) => {
    expect(attemptOf(exchange, 1_000, 1_250)).toMatchObject({ atMs: 1_000, durationMs: 250, status, error })
  })

  test('a long message makes no long error', () => {
    const attempt = attemptOf(failed('connection', 'x'.repeat(10_000)), 1_000, 1_500)
    expect(attempt.error).toHaveLength(300)
  })

  test.each<[string, Buffer]>([
    ['text', Buffer.from('x'.repeat(KEPT_ANSWER_BYTES))],
    ['no UTF-8', Buffer.alloc(KEPT_ANSWER_BYTES, 0xff)],
    ['a character cut in two', Buffer.from('é'.repeat(KEPT_ANSWER_BYTES)).subarray(0, KEPT_ANSWER_BYTES - 1)],
    ['long characters', Buffer.from('👋'.repeat(KEPT_ANSWER_BYTES)).subarray(0, KEPT_ANSWER_BYTES)],
  ])('of %s at most 16 KiB are kept', (_what, body) => {
    const kept = attemptOf(answered(200, body), 0, 0).responseBody ?? ''
    expect(Buffer.byteLength(kept)).toBeLessThanOrEqual(KEPT_ANSWER_BYTES)
    expect(Buffer.byteLength(kept)).toBeGreaterThan(KEPT_ANSWER_BYTES - 4)
  })

  test('the schedule learns the status, Retry-After, and whether it was a timeout', () => {
    expect(outcomeOf(answered(503, '', { 'retry-after': '7' }))).toEqual({
      kind: 'answered',
      status: 503,
      retryAfter: '7',
    })
    expect(outcomeOf(answered(200))).toEqual({ kind: 'answered', status: 200, retryAfter: null })
    expect(outcomeOf(failed('timeout', '', 200))).toEqual({ kind: 'timeout' })
    expect(outcomeOf(failed('connection', ''))).toEqual({ kind: 'failed' })
  })
})

describe('lanes', () => {
  const { add } = createDeliveryStore(fakeClock())
  const lane = (url: string, client = 'acme'): string => laneOf({ ...add({ url }), client })

  test.each([
    ['another path', 'https://a.example/1', 'https://a.example/2', true],
    ['another query', 'https://a.example/?v=1', 'https://a.example/?v=2', true],
    ['the port spelled out', 'https://a.example/', 'https://a.example:443/', true],
    ['capitals', 'https://A.example/', 'https://a.example/', true],
    ['another host', 'https://a.example/', 'https://b.example/', false],
    ['another port', 'https://a.example/', 'https://a.example:8443/', false],
    ['no URL', 'nonsense', 'other nonsense', false],
  ])('%s: shared is %s %s → %s', (_what, one, other, shared) => {
    expect(lane(one) === lane(other)).toBe(shared)
  })

  test('two clients never share one', () => {
    expect(lane('https://a.example/', 'acme')).not.toBe(lane('https://a.example/', 'other'))
  })
})

test('what is hinted at at once is queued in that order', async () => {
  const clock = fakeClock()
  const store = createDeliveryStore(clock)
  const ids = Array.from({ length: 100 }, () => store.add({ url: 'https://a.example/' }).id)
  const queue = createFairQueue({ perLane: 100, total: 1_000, capacity: 1_000 })
  const tasks = createTasks({ info: () => undefined, warn: () => undefined, error: () => undefined })
  const intake = createIntake({ store, clock, queue, tasks, onQueued: () => undefined })
  for (const id of ids) expect(intake.arrive(id)).toBe(true)
  await tasks.idle()
  expect(ids.map(() => queue.next()?.id)).toEqual(ids)
})

test.each([
  [1, 0, 100],
  [2, 0, 200],
  [7, 0, 6_400],
  [8, 0, 10_000],
  [5_000, 0, 10_000],
  [1, 1, 100],
  [8, 1, 500],
  [8, 4, 500],
  [8, 5, null],
])('after %i failed tries to record, %i of them while stopping, the wait is %s', (tries, late, waitMs) => {
  expect(nextTryMs(tries, late)).toBe(waitMs)
})
