import { Webhook } from 'standardwebhooks'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { isFull } from '../fakes/full.ts'
import { must } from '../fakes/must.ts'
import { HANG_MS } from '../fakes/until.ts'
import { seededRandom } from '../fakes/random.ts'
import type { Received } from '../fakes/receiver.ts'
import { inTurn } from './runs.ts'
import { senderRun, type SenderRun, type SentDelivery } from './sender-run.ts'

const NEVER = 0
/** The last of them find no boundary any more. */
const AT_ONCE = isFull ? 6 : 3
const AT_MOST = 250
const PAIRS = isFull ? 6 : 2

afterEach(() => void vi.useRealTimers())

/** Throws unless the public package accepts it, by a clock that shows what the sender's did. */
const verify = ({ headers, body }: Received, secret: string): void => {
  vi.useFakeTimers({ toFake: ['Date'], now: Number(headers['webhook-timestamp']) * 1_000 })
  const texts = Object.entries(headers).map(([name, value]) => [name, String(value)] as const)
  new Webhook(secret).verify(body, Object.fromEntries(texts))
  vi.useRealTimers()
}

const isPartOf = (part: readonly unknown[], whole: readonly unknown[]): boolean => {
  let next = 0
  for (const one of whole) if (next < part.length && part[next] === one) next += 1
  return next === part.length
}

/** What holds of every delivery to a target that is well in the end, wherever the processes of its run died. */
const expectSent = (deaths: number, { delivery, attempts, requests, answers }: SentDelivery): void => {
  // At least once, and for good.
  expect(delivery).toMatchObject({ status: 'delivered', nextAttemptAtMs: null })
  expect(answers).toContain(204)
  // The same bytes, however often.
  expect(new Set(requests.map(({ body }) => body))).toEqual(new Set([delivery.event.body]))
  // Nothing is recorded that was not sent, or twice; a death loses one record of a delivery at the most, and repeats it.
  expect(delivery.attempts).toBe(attempts.length)
  expect(new Set(attempts.map(({ atMs }) => atMs)).size).toBe(attempts.length)
  expect(requests.length - attempts.length).toBeGreaterThanOrEqual(0)
  expect(requests.length - attempts.length).toBeLessThanOrEqual(deaths)
  // What is recorded is what was answered, in that order.
  const statuses = attempts.map(({ status }) => status)
  expect(isPartOf(statuses, answers), `${String(statuses)} of ${String(answers)}`).toBe(true)
}

const successesOf = ({ attempts }: SentDelivery): number => attempts.filter(({ status }) => status === 204).length

const expectUrls = ({ deaths, sent, order }: SenderRun): void => {
  expect(sent).toHaveLength(3)
  for (const one of sent) {
    expectSent(deaths, one)
    expect(successesOf(one)).toBe(1)
  }
  // First attempts of a video's events in their order.
  expect(order.indexOf('/a evt_a_1')).toBeLessThan(order.indexOf('/a evt_a_2'))
}

/** By event id. */
const sentTo = ({ sent }: SenderRun, path: string): Map<string, SentDelivery> =>
  new Map(sent.flatMap((one) => (one.delivery.target.url.endsWith(path) ? [[one.delivery.event.id, one]] : [])))

/** A client that had no answer asks once more: both may have been taken, or one. */
const expectAsked = (times: number, asked: number): void => {
  expect(times).toBeGreaterThanOrEqual(1)
  expect(times).toBeLessThanOrEqual(asked)
}

const EVENTS = ['evt_a_1', 'evt_a_2', 'evt_b_1']

const expectEndpoints = (run: SenderRun): void => {
  const { deaths, sent, order, secrets, begun, took } = run
  const [well, gone] = [sentTo(run, '/well'), sentTo(run, '/gone')]
  for (const one of sent) expectSent(deaths, one)
  for (const request of [...well.values()].flatMap(({ requests }) => requests)) verify(request, must(secrets['/well']))
  for (const request of [...gone.values()].flatMap(({ requests }) => requests)) verify(request, must(secrets['/gone']))
  expect(order.indexOf('/well evt_a_1')).toBeLessThan(order.indexOf('/well evt_a_2'))

  // Nothing held is lost, and the other was told once that one was disabled.
  expect([...gone.keys()].toSorted()).toEqual(EVENTS)
  expect(gone.get('evt_b_1')?.answers).toContain(410)
  const notices = [...well.values()].filter(({ delivery }) => delivery.event.type === 'endpoint.disabled')
  expect([notices.length, well.size]).toEqual([1, EVENTS.length + 1])
  expect(successesOf(must(notices[0]))).toBe(1)

  // Each event of the replay once, and no other: what was answered by 2xx is sent again only when it is asked for.
  const succeeded = (at: typeof well): number[] => EVENTS.map((id) => successesOf(must(at.get(id))))
  const replays = successesOf(must(well.get('evt_a_2'))) - 1
  const redelivered = successesOf(must(gone.get('evt_a_1'))) - 1
  expectAsked(replays, must(begun.get('replay')))
  expectAsked(redelivered, must(begun.get('redeliver')))
  expect(took.get('replay')).toBe('2')
  expect(succeeded(well)).toEqual([1 + replays + redelivered, 1 + replays, 1])
  expect(succeeded(gone)).toEqual([1 + redelivered, 1, 1])

  // What was sent since the rotation is signed with the new secret, too.
  for (const id of ['evt_a_1', 'evt_a_2']) verify(must(well.get(id)?.requests.at(-1)), must(took.get('rotate')))
}

const CLAIMS = ['> claimDeliveries', 'claimDeliveries >']

const SCENES = {
  // Of the boundaries of a run, each is killed at, or every so many.
  urls: { expectHonest: expectUrls, attempts: 6, upTo: 34, seed: 44, stride: isFull ? 1 : 3 },
  endpoints: { expectHonest: expectEndpoints, attempts: 13, upTo: 97, seed: 45, stride: isFull ? 1 : 5 },
}

describe.each(['urls', 'endpoints'] as const)('kill -9 of the sender, to %s', (scene) => {
  const { expectHonest, attempts, upTo, seed, stride } = SCENES[scene]

  test(
    'at the write boundaries: at least once, under one id, and the record is true',
    { timeout: 5 * HANG_MS },
    async () => {
      const whole = await senderRun(scene, NEVER)
      expectHonest(whole)
      for (const { requests, attempts } of whole.sent) expect(requests).toHaveLength(attempts.length)
      const passed = must(whole.boundaries)
      expect(passed.filter((name) => name === 'attempted >').length).toBeGreaterThanOrEqual(attempts)

      const runs = await inTurn(
        { count: AT_MOST / stride, atOnce: AT_ONCE },
        (index) => senderRun(scene, 1 + index * stride),
        ({ deaths }) => deaths === 0,
      )
      for (const run of runs) expectHonest(run)
      // Up to one that lives through them all: all before it were killed.
      const survivor = runs.findIndex(({ deaths }) => deaths === 0)
      expect(survivor * stride).toBeGreaterThanOrEqual(
        // How many are leased in one write depends on when they came.
        passed.filter((name) => !CLAIMS.includes(name)).length - 1,
      )
      // Somewhere a death came between an answer and its record: it was sent again.
      expect(runs.some(({ sent }) => sent.some(({ requests, attempts }) => requests.length > attempts.length))).toBe(
        true,
      )
    },
  )

  test('and again while it recovers', async () => {
    const random = seededRandom(seed)
    const at = (): number => 1 + Math.floor(random() * upTo)
    const pairs = Array.from({ length: PAIRS }, () => [at(), Math.ceil(at() / 2)] as const)
    const runs = await inTurn({ count: PAIRS, atOnce: AT_ONCE }, (index) => senderRun(scene, ...must(pairs[index])))
    for (const run of runs) expectHonest(run)
    expect(runs.filter(({ deaths }) => deaths === 2).length).toBeGreaterThanOrEqual(PAIRS / 2)
  })
})
