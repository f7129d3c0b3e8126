import { describe, expect, test } from 'vitest'
import { HOUR, MINUTE, SECOND } from '../fakes/records.ts'
import { sumOf } from '../fakes/scraped.ts'
import { ALT, virtualStage, type VirtualStage } from './virtual.ts'

/** Evidence that is late, wrong or somebody else's: a paid job is never guessed, and never paid for twice. */
const LOST = { operation: 'createVideo', kind: 'reset', when: 'after' }
const NOT_TAKEN = { operation: 'createVideo', kind: 'reset', when: 'before' }
const TWIN = { ...ALT, text: 'Hello [[foreign-twin]]' }
const UNCALLED = { ...ALT, text: 'Hello [[never-callback]]' }
/** Doubts last for ten minutes here. */
const WINDOW = { engine: { resend_window: '10m' } }
const OWN = { config: { ...WINDOW, backends: { alt: { exclusive: true } } } }

const duplicates = async ({ gateway: { deps } }: VirtualStage): Promise<number> =>
  sumOf(await deps.scrape(), 'talkbridge_duplicate_jobs_total', { backend: 'alt' })
const jobsOf = ({ sandbox }: VirtualStage) => sandbox.ledger().jobs.map(({ id }) => id)
const creates = ({ sandbox }: VirtualStage) =>
  sandbox.ledger().requests.filter(({ operation }) => operation === 'createVideo')
const doubtsOf = async ({ gateway }: VirtualStage, id: string): Promise<string> =>
  (await gateway.deps.videos.timeline(id)).map(({ detail }) => detail ?? '').join('\n')
const expectUnknown = async (s: VirtualStage, id: string): Promise<void> => {
  expect(await s.record(id)).toMatchObject({ error: { code: 'create_outcome_unknown' }, backendJobId: null })
  expect(creates(s)).toHaveLength(1)
}

describe('somebody else’s identical job appears with ours', () => {
  test('on a shared account: the callback tells ours', async () => {
    const s = await virtualStage()
    await s.fault('alternate', LOST)
    const id = await s.create(TWIN)
    expect(jobsOf(s)).toHaveLength(2)
    await s.passUntil(10 * MINUTE, () => s.allEnded([id]))
    const [own] = s.sandbox.ledger().callbacks
    expect(await s.record(id)).toMatchObject({ status: 'completed', backendJobId: own?.job_id })
  })

  test('on a shared account, and ours was never taken: the twin is not it', async () => {
    const s = await virtualStage({ config: WINDOW })
    await s.fault('alternate', NOT_TAKEN)
    const id = await s.create(TWIN)
    expect(jobsOf(s)).toHaveLength(1)
    await s.passUntil(12 * MINUTE, () => s.allEnded([id]))
    await expectUnknown(s, id)
  })

  test('on an account said to be our own: two candidates, which are named and not guessed', async () => {
    const s = await virtualStage(OWN)
    await s.fault('alternate', LOST)
    const id = await s.create({ ...TWIN, text: 'Hello [[foreign-twin]] [[never-callback]]' })
    await s.pass(5 * SECOND)
    await expectUnknown(s, id)
    expect(jobsOf(s)).toHaveLength(2)
    for (const job of jobsOf(s)) expect(await doubtsOf(s, id)).toContain(job)
  })
})

describe('a list', () => {
  test.each([HOUR, -HOUR, 365 * 24 * HOUR])(
    'whose clock is %i ms from that of its jobs: not a candidate, and nothing is paid again',
    async (skewMs) => {
      const s = await virtualStage(OWN)
      await s.fault('alternate', LOST)
      await s.fault('alternate', { operation: 'listVideos', kind: 'clock-skew', skew_ms: skewMs, times: 1_000 })
      const id = await s.create(UNCALLED)
      await s.passUntil(12 * MINUTE, () => s.allEnded([id]))
      await expectUnknown(s, id)
      expect(jobsOf(s)).toHaveLength(1)
    },
  )

  test('that lags: what its first page does not hold yet is found at the next walk', async () => {
    const s = await virtualStage(OWN)
    await s.fault('alternate', LOST)
    const empty = { data: [], pagination: { page: 1, limit: 100, total: 0, total_pages: 0 } }
    await s.fault('alternate', { operation: 'listVideos', kind: 'extra-fields', fields: empty })
    const id = await s.create(UNCALLED)
    await s.pass(5 * SECOND)
    expect(await s.record(id)).toMatchObject({ phase: 'doubtful', search: { walks: { length: 1 } } })
    await s.passUntil(8 * MINUTE, () => s.allEnded([id]))
    expect(await s.record(id)).toMatchObject({ status: 'completed', backendJobId: jobsOf(s)[0] })
    expect(creates(s)).toHaveLength(1)
  })

  test('that does not say how long it is proves nothing, and causes no storm', async () => {
    const s = await virtualStage(OWN)
    await s.fault('alternate', NOT_TAKEN)
    await s.fault('alternate', { operation: 'listVideos', kind: 'drop-fields', fields: ['pagination'], times: 1_000 })
    const id = await s.create(ALT)
    await s.pass(9 * MINUTE)
    expect(await s.record(id)).toMatchObject({ phase: 'doubtful' })
    await s.passUntil(3 * MINUTE, () => s.allEnded([id]))
    await expectUnknown(s, id)
    const lists = s.sandbox.ledger().requests.filter(({ operation }) => operation === 'listVideos')
    // Two early, one each half minute from the sixth on, and the last when the window ends.
    expect(lists.length).toBeLessThanOrEqual(2 + 2 * 5 + 1)
  })

  test('that shifts between two walks proves nothing until it stands still', async () => {
    const s = await virtualStage(OWN)
    await s.fault('alternate', NOT_TAKEN)
    const id = await s.create(ALT)
    await s.pass(5 * MINUTE + 15 * SECOND)
    // Between the two walks that would prove it absent.
    expect(await s.record(id)).toMatchObject({ phase: 'doubtful', search: { walks: { length: 3 } } })
    await s.create({ ...ALT, puppet_id: 'pup_ben' })
    await s.pass(30 * SECOND)
    expect(await s.record(id)).toMatchObject({ phase: 'doubtful', search: { walks: { length: 4 } } })
    await s.pass(MINUTE)
    expect(await s.record(id)).toMatchObject({ error: { code: 'create_outcome_unknown' } })
  })
})

describe('a callback that comes before the answer', () => {
  const answeredAfter = async (ms: number): Promise<{ s: VirtualStage; creating: Promise<string> }> => {
    const s = await virtualStage({ sandbox: { speed: 2 } })
    await s.fault('alternate', { operation: 'createVideo', kind: 'latency', when: 'after', latency_ms: ms })
    const creating = s.create(ALT)
    return { s, creating }
  }
  const called = ({ sandbox }: VirtualStage): boolean => sandbox.ledger().callbacks.length > 0

  test('of a create that is answered then: polled without delay', async () => {
    const { s, creating } = await answeredAfter(29 * SECOND)
    await s.passUntil(29 * SECOND, () => called(s))
    await s.pass(20 * SECOND)
    const id = await creating
    expect(await s.record(id)).toMatchObject({ status: 'completed', backendJobId: jobsOf(s)[0] })
    expect(s.sandbox.ledger().requests.map(({ operation }) => operation)).toEqual(['createVideo', 'getVideo'])
  })

  test('of a create that never is: adopted as soon as it is in doubt', async () => {
    const { s, creating } = await answeredAfter(HOUR)
    await s.passUntil(35 * SECOND, () => called(s))
    await s.pass(35 * SECOND)
    const id = await creating
    expect(await s.record(id)).toMatchObject({ status: 'completed', backendJobId: jobsOf(s)[0] })
    expect(creates(s)).toHaveLength(1)
  })
})

describe('a callback on a token that is ours', () => {
  const post = (s: VirtualStage, id: string, jobId: string) =>
    fetch(`${s.gateway.url}/hooks/alt/${s.gateway.deps.callbackTokens.make('alt', id, 1)}`, {
      method: 'POST',
      body: JSON.stringify({ video: { video_id: jobId } }),
    })
  const reads = ({ sandbox }: VirtualStage) =>
    sandbox.ledger().requests.filter(({ operation }) => operation === 'getVideo')

  test('that names job after job that is not ours costs three reads, and gives no job away', async () => {
    const s = await virtualStage()
    await s.fault('alternate', NOT_TAKEN)
    const id = await s.create(ALT)
    for (let n = 0; n < 200; n += 1) expect((await post(s, id, `clip_${n}`)).status).toBe(204)
    await s.pass(10 * MINUTE)
    expect(reads(s)).toHaveLength(3)
    expect(await s.record(id)).toMatchObject({ phase: 'doubtful', backendJobId: null })
    expect(await duplicates(s)).toBe(0)
  })

  test('that names the job of another video neither costs a read nor raises an alarm', async () => {
    const s = await virtualStage()
    const other = await s.create({ ...ALT, text: 'Hello [[stuck]]' })
    const { backendJobId } = await s.record(other)
    const id = await s.create({ ...ALT, text: 'Hi [[stuck]]' })
    await post(s, id, backendJobId ?? '')
    await s.pass(SECOND)
    // No more than the hint that any callback is: a poll of its own job.
    const own = (await s.record(id)).backendJobId ?? ''
    expect(reads(s).map(({ path }) => path)).toEqual([`/v1/videos/${own}`])
    expect(await duplicates(s)).toBe(0)
  })

  test('that names a second job of the video: an alarm, once the backend confirms it', async () => {
    const s = await virtualStage()
    const id = await s.create({ ...TWIN, text: 'Hello [[foreign-twin]] [[stuck]]' })
    const own = (await s.record(id)).backendJobId
    const twin = jobsOf(s).find((job) => job !== own) ?? ''
    for (let n = 0; n < 3; n += 1) await post(s, id, twin)
    await s.pass(MINUTE)
    expect(await duplicates(s)).toBe(1)
    expect(await doubtsOf(s, id)).toContain(twin)
    expect(await s.record(id)).toMatchObject({ phase: 'accepted', backendJobId: own })
  })
})
