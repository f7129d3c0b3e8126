import { expect, onTestFinished, test } from 'vitest'
import { startBackend, type RecordedRequest, type ScriptedBackend } from '../fakes/backend.ts'
import { seededRandom } from '../fakes/random.ts'
import { HOUR, MINUTE, SECOND } from '../fakes/records.ts'
import { MAIN, virtualStage, type VirtualStage } from './virtual.ts'

const LIMIT = 10
const VIDEOS = 12
const JOB_MS = 40_000

interface Honest {
  limit: number
  remaining: number
  resetsAtMs: number
}
type Headers = Record<string, string>

/** A primary of two slots with a true fixed window of its own; what its headers say of it is `lying`'s to decide. */
const limitedBackend = async (
  now: () => number,
  lying: (truth: Honest, random: () => number) => Headers,
): Promise<ScriptedBackend & { refused: () => number; jobs: () => number }> => {
  const backend = await startBackend()
  onTestFinished(() => backend.close())
  const random = seededRandom(20_261_120)
  const endsAt = new Map<string, number>()
  let windowEndMs = 0
  let used = 0
  let refused = 0

  const job = (id: string): unknown => {
    const over = (endsAt.get(id) ?? Infinity) <= now()
    return over ? { id, status: 'completed', video_url: 'https://cdn.example/v.mp4' } : { id, status: 'processing' }
  }
  const work = ({ method, path }: RecordedRequest): { status: number; body: unknown } => {
    if (method !== 'POST') return { status: 200, body: job(path.split('/').at(-1) ?? '') }
    const id = `api_video_${endsAt.size + 1}`
    endsAt.set(id, now() + JOB_MS)
    return { status: 202, body: { id, status: 'queued' } }
  }
  backend.answer((request) => {
    if (now() >= windowEndMs) {
      windowEndMs = now() + MINUTE
      used = 0
    }
    used += 1
    const truth = { limit: LIMIT, remaining: Math.max(0, LIMIT - used), resetsAtMs: windowEndMs }
    const headers = lying(truth, random)
    if (used <= LIMIT) return { headers, ...work(request) }
    refused += 1
    return { status: 429, headers, body: { error: 'rate_limited', message: 'Slow down', retryable: true } }
  })
  return Object.assign(backend, { refused: () => refused, jobs: () => endsAt.size })
}

const seconds = (ms: number): string => String(Math.floor(ms / 1_000))
const rate = ({ limit, remaining }: Honest, resetAtMs: number, dateMs: number): Headers => ({
  'x-ratelimit-limit': String(limit),
  'x-ratelimit-remaining': String(remaining),
  'x-ratelimit-reset': seconds(resetAtMs),
  date: new Date(dateMs).toUTCString(),
})

const opened = async (
  lying: (now: number, truth: Honest, random: () => number) => Headers,
): Promise<{ s: VirtualStage; backend: Awaited<ReturnType<typeof limitedBackend>>; ids: string[] }> => {
  // The backend needs the clock that the stage makes.
  const clock = { now: (): number => 0 }
  const backend = await limitedBackend(
    () => clock.now(),
    (truth, random) => lying(clock.now(), truth, random),
  )
  const s = await virtualStage({ mainUrl: backend.url })
  clock.now = s.clock.now
  const ids: string[] = []
  for (let n = 0; n < VIDEOS; n += 1) ids.push(await s.create(MAIN))
  return { s, backend, ids }
}

const CLOCKS: [string, number][] = [
  ['its clock is an hour ahead', HOUR],
  ['its clock is an hour behind', -HOUR],
  ['its clock is a year ahead', 365 * 24 * HOUR],
]

test.each<[string, (nowMs: number, truth: Honest, random: () => number) => Headers]>([
  ['it tells the truth', (now, truth) => rate(truth, truth.resetsAtMs, now)],
  ...CLOCKS.map(([name, skewMs]): [string, (now: number, truth: Honest) => Headers] => [
    name,
    (now, truth) => rate(truth, truth.resetsAtMs + skewMs, now + skewMs),
  ]),
  [
    'its clock is set by an hour, forth and back',
    (now, truth) => {
      const skewMs = Math.floor(now / 25_000) % 2 === 0 ? 0 : HOUR
      return rate(truth, truth.resetsAtMs + skewMs, now + skewMs)
    },
  ],
  ['its window ends a year ahead', (now, truth) => rate(truth, now + 365 * 24 * HOUR, now)],
  ['every hint is absurd', (now, truth) => ({ ...rate(truth, truth.resetsAtMs, now), 'retry-after': '-7' })],
  [
    'its Retry-After is no number',
    (now, truth) => ({ ...rate(truth, truth.resetsAtMs, now), 'retry-after': 'soon', 'x-service-next-poll-at': 'x' }),
  ],
  ['it tells nothing but a limit', () => ({ 'x-ratelimit-limit': '10' })],
])('%s: all end, and no request is refused', async (_, lying) => {
  const { s, backend, ids } = await opened(lying)
  await s.passUntil(6 * HOUR, () => s.allEnded(ids))
  expect(backend.refused()).toBe(0)
  expect(backend.jobs()).toBe(VIDEOS)
})

test.each<[string, (nowMs: number, truth: Honest, random: () => number) => Headers]>([
  ['its window ended in the past', (now, truth) => rate(truth, now - HOUR, now)],
  [
    'its remainder goes up and down',
    (now, truth, random) => {
      const remaining = Math.floor(random() * 20)
      return rate({ ...truth, remaining }, truth.resetsAtMs, now)
    },
  ],
  ['it says that plenty is left', (now, truth) => rate({ ...truth, limit: 1_000, remaining: 999 }, now + 5_000, now)],
])('%s: what it refuses for that is corrected, all end, and nothing is made twice', async (_, lying) => {
  const { s, backend, ids } = await opened(lying)
  const startedAtMs = s.clock.now()
  await s.passUntil(6 * HOUR, () => s.allEnded(ids))
  expect(backend.jobs()).toBe(VIDEOS)
  const records = await Promise.all(ids.map((id) => s.record(id)))
  expect(records.map(({ status }) => status)).toEqual(ids.map(() => 'completed'))
  // Never a storm: what it says costs some requests of each window, no more.
  const minutes = Math.ceil((s.clock.now() - startedAtMs) / MINUTE)
  expect(backend.refused()).toBeLessThanOrEqual(5 * minutes)
})

test('a Retry-After of a year on a create: an hour at most, and then it is made', async () => {
  let first = true
  const { s, backend, ids } = await opened((now, truth) => {
    const headers = rate(truth, truth.resetsAtMs, now)
    if (!first) return headers
    first = false
    return { ...headers, 'retry-after': String(365 * 24 * 3_600) }
  })
  await s.passUntil(3 * HOUR, () => s.allEnded(ids))
  expect(backend.jobs()).toBe(VIDEOS)
})

test.each([
  ['an hour ahead, once', [HOUR]],
  ['an hour back, once', [-HOUR]],
  ['ahead and back, again and again', [HOUR, -2 * HOUR, HOUR, HOUR, -HOUR, -HOUR, HOUR]],
])('the gateway’s clock is set %s: its windows last as long as the backend’s', async (_, jumps) => {
  const { s, backend, ids } = await opened((now, truth) => rate(truth, truth.resetsAtMs, now))
  const startedAtMs = s.clock.now()
  for (const ms of jumps) {
    await s.pass(25 * SECOND)
    s.setGatewayClock(ms)
  }
  await s.passUntil(HOUR, () => s.allEnded(ids))
  expect(backend.refused()).toBe(0)
  expect(backend.jobs()).toBe(VIDEOS)
  // Six rounds of two jobs; without any jump it takes about as long.
  expect(s.clock.now() - startedAtMs).toBeLessThan(8 * MINUTE)
})
