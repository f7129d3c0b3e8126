import { afterEach, describe, expect, test } from 'vitest'
import type { Store } from '../../src/core/store/index.ts'
import type { Pause } from '../../src/core/store/accounts.ts'
import { isPast } from '../../src/core/video.ts'
import type { CreateOutcome, JobPage, JobReport, ReadOutcome } from '../../src/core/adapter.ts'
import { completed, listed, unread } from '../fakes/adapter.ts'
import { NO_DEFAULTS } from '../../src/core/access.ts'
import { acceptedAs, ACCOUNT, HOUR, MINUTE, SECOND } from '../fakes/records.ts'
import { openDoubts, type DoubtStage } from './doubts.ts'

const DAY = 24 * HOUR
const LIMITS = { queuedVideos: 100, videosPerMonth: null, creditsPerMonth: null }

let stage: DoubtStage
/** An engine before an account that made so many jobs in the days before. */
const open = async (
  count: number,
  historyOf: Record<string, string> = { main: 'shop' },
  pauses: readonly Pause[] = [],
): Promise<void> => {
  stage = await openDoubts({}, { account: { requestsPerMinute: 20 }, historyOf: {}, pauses: () => pauses })
  const nowMs = stage.engine.clock.now()
  for (let n = 0; n < count; n += 1) stage.adapter.put(`old_${n}`, { createdAtMs: nowMs - 9 * DAY + n * MINUTE })
  await restart('stopped', historyOf)
}
const restart = async (how: 'stopped' | 'crashed', historyOf?: Record<string, string>): Promise<void> => {
  stage.engine = await stage.engine.restart(how, historyOf && { historyOf })
  stage.engine.videos.start()
  await stage.engine.rest()
}
afterEach(async () => {
  await stage.engine.videos.stop()
  await stage.engine.destroy()
})
const pages = () => stage.adapter.callsOf('list').map((call) => ('page' in call ? call.page : 0))
const listedNow = async (): Promise<(string | null)[]> => {
  const query = { statuses: null, offset: 0, limit: 1_000, history: [ACCOUNT] }
  const { videos, total } = await stage.engine.videos.page('shop', query)
  expect(videos).toHaveLength(total)
  return videos.flatMap((video) => (isPast(video) ? [video.backendJobId] : []))
}
const olderThan = (count: number): string[] => Array.from({ length: count }, (_, n) => `old_${count - 1 - n}`)

describe('the list of an account whose older jobs are a client’s', () => {
  test('is walked page by page within its share of the window, and then looked at every ten minutes', async () => {
    await open(950)
    await stage.engine.pass(20 * SECOND)
    // A third of twenty.
    expect(pages()).toEqual([1, 2, 3, 4, 5, 6])
    await stage.engine.pass(2 * MINUTE)
    expect(pages()).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    expect(await listedNow()).toEqual(olderThan(950))
    await stage.engine.pass(30 * MINUTE)
    expect(pages().slice(10)).toEqual([1, 1, 1])
    expect(stage.adapter.callsOf('status')).toEqual([])
  })

  test('is walked on after a crash where the walk was, and no job is lost to those that come at its front', async () => {
    await open(250)
    await stage.engine.pass(1_500)
    expect(pages()).toEqual([1, 2])
    for (let n = 250; n < 400; n += 1)
      stage.adapter.put(`old_${n}`, { createdAtMs: stage.engine.clock.now() - 9 * DAY + n * MINUTE })
    await restart('crashed')
    await stage.engine.pass(5 * SECOND)
    expect(pages().slice(2)).toEqual([3, 4])
    await stage.engine.pass(11 * MINUTE)
    expect(pages().slice(4)).toEqual([1, 2])
    expect(await listedNow()).toEqual(olderThan(400))
  })

  test('is read later when the backend is down or has no request left', async () => {
    await open(0)
    stage.adapter.put('old_0', { createdAtMs: stage.engine.clock.now() - DAY })
    stage.adapter.lists.push(unread(), unread(false, stage.engine.clock.now() + 20 * MINUTE))
    await stage.engine.pass(10 * MINUTE)
    await stage.engine.pass(2 * MINUTE)
    expect(await listedNow()).toEqual([])
    await stage.engine.pass(10 * MINUTE)
    expect(await listedNow()).toEqual(['old_0'])
  })

  test('is not walked while an operator has paused the polls, and soon after that it is', async () => {
    const pauses: Pause[] = []
    await open(0, {}, pauses)
    const pause = { creates: false, polls: true, reason: 'why', by: 'ops', sinceMs: stage.engine.clock.now() }
    pauses.push({ ...pause, untilMs: pause.sinceMs + HOUR })
    await restart('stopped', { main: 'shop' })
    await stage.engine.pass(HOUR - MINUTE)
    expect(pages()).toEqual([])
    await stage.engine.pass(2 * MINUTE)
    expect(pages()).toEqual([1])
  })

  test('is not walked, and shows nobody anything, without the setting; what was seen before comes back with it', async () => {
    await open(5)
    await stage.engine.pass(SECOND)
    await restart('stopped', {})
    const { videos } = stage.engine
    const shop = { id: 'shop', visible: stage.engine.backends }
    expect(videos.history.of(shop)).toEqual([])
    expect(await videos.history.find(videos.history.of(shop), 'old_1')).toBeNull()
    await stage.engine.pass(HOUR)
    expect(pages()).toEqual([1])
    await restart('stopped', { main: 'shop' })
    expect(await stage.engine.videos.history.find(stage.engine.videos.history.of(shop), 'old_1')).toMatchObject({
      backendJobId: 'old_1',
      client: 'shop',
    })
  })

  test('names odd things: they are passed over, and what has no time stands beside its neighbours', async () => {
    await open(2)
    const nowMs = stage.engine.clock.now()
    for (const id of ['../x', 'a/b', 'x'.repeat(201)]) stage.adapter.put(id, { createdAtMs: nowMs - DAY })
    stage.adapter.put('far', { createdAtMs: nowMs + 100 * 365 * DAY })
    stage.adapter.put('timeless', { createdAtMs: null })
    await stage.engine.pass(11 * MINUTE)
    expect(await listedNow()).toEqual(['far', 'old_1', 'old_0', 'timeless'])
  })
})

describe('a job that a create may have made that was given up', () => {
  test('does not make every walk go back to it once it is a day old', async () => {
    stage = await openDoubts({}, { account: { requestsPerMinute: 20 }, historyOf: { main: 'shop' } })
    const sentAtMs = stage.engine.clock.now()
    const doubt = await stage.lose()
    stage.adapter.put('of_the_doubt', { visibleFromMs: sentAtMs + HOUR })
    await stage.engine.pass(2 * HOUR)
    expect(await stage.record(doubt.id)).toMatchObject({ error: { code: 'create_outcome_unknown' } })
    stage.engine.clock.stall(27 * HOUR)
    for (let n = 1; n <= 250; n += 1)
      stage.adapter.put(`new_${n}`, { puppetId: 'pup_9', createdAtMs: sentAtMs + n * MINUTE })
    await stage.engine.pass(11 * MINUTE)
    const before = pages().length
    await stage.engine.pass(30 * MINUTE)
    expect(new Set(pages().slice(before))).toEqual(new Set([1]))
  })
})

test('a page of more jobs than were asked for is written in parts, and listed in its order', async () => {
  stage = await openDoubts({}, { account: { requestsPerMinute: 20 }, historyOf: { main: 'shop' } })
  const { store, clock } = stage.engine
  const createdAtMs = clock.now() - 9 * DAY
  const items = (from: number, count: number) =>
    Array.from({ length: count }, (_, n) =>
      listed({ jobId: `old_${from + n}`, status: 'completed', puppetId: null, createdAtMs }),
    )
  const page = (given: JobPage['items']) =>
    ({ ok: true, rate: null, value: { items: given, total: 1_250, totalPages: 2, dateMs: clock.now() } }) as const
  stage.adapter.lists.push(page(items(0, 1_150)), page(items(1_150, 100)))
  const sizes: number[] = []
  const real: Store['putHistory'] = store.putHistory
  store.putHistory = (account, jobs, walk) => {
    sizes.push(jobs.length)
    return real(account, jobs, walk)
  }
  await stage.engine.pass(11 * MINUTE)
  expect(Math.max(...sizes)).toBe(100)
  const query = { statuses: null, offset: 0, limit: 2_000, history: [ACCOUNT] }
  const { videos } = await stage.engine.videos.page('shop', query)
  expect(videos.map(({ backendJobId }) => backendJobId)).toEqual(items(0, 1_250).map(({ jobId }) => jobId))
})

test('a job that no video has is no other client’s to adopt', async () => {
  await open(2)
  await stage.engine.pass(SECOND)
  stage.adapter.put('of_nobody')
  const { videos, backends } = stage.engine
  const importAs = (client: string, jobId: string) =>
    videos.import(
      { client, visible: backends, limits: LIMITS, defaults: NO_DEFAULTS },
      { backend: 'main', jobId, webhookUrl: null, metadata: {} },
    )
  for (const jobId of ['old_1', 'of_nobody', 'unknown'])
    await expect(importAs('other', jobId)).rejects.toMatchObject({ code: 'video_not_found' })
  expect(await listedNow()).toEqual(olderThan(2))
  expect(await importAs('shop', 'old_1')).toMatchObject({ isNew: true, video: { client: 'shop' } })
})

describe('a job is nobody’s older one', () => {
  test('if a video has it, or may have it: a create without an outcome', async () => {
    stage = await openDoubts({}, { historyOf: { main: 'shop' } })
    stage.adapter.put('old_0', { createdAtMs: stage.engine.clock.now() - DAY })
    const made = await stage.create()
    stage.adapter.put(String(made.backendJobId))
    const doubt = await stage.lose()
    stage.adapter.put('of_the_doubt', { visibleFromMs: stage.engine.clock.now() + HOUR })
    stage.adapter.put('of_another_puppet', { puppetId: 'pup_9' })
    await stage.engine.pass(11 * MINUTE)
    expect(await stage.record(doubt.id)).toMatchObject({ error: { code: 'create_outcome_unknown' } })
    await stage.engine.pass(2 * HOUR)
    // Given up: the job that appears so late may still be its own, and its client's.
    expect(await listedNow()).toEqual(['of_another_puppet', 'old_0'])
    const { history } = stage.engine.videos
    const shop = history.of({ id: 'shop', visible: stage.engine.backends })
    expect(await history.find(shop, 'of_the_doubt')).toBeNull()
    expect(await history.find(shop, String(made.backendJobId))).toBeNull()
    // Its client's operator said that it made none: it is somebody else's.
    await stage.engine.videos.resolve(await stage.record(doubt.id), null)
    await stage.engine.pass(11 * MINUTE)
    expect(await listedNow()).toEqual(['of_the_doubt', 'of_another_puppet', 'old_0'])
  })

  test('if a create got it while it was read', async () => {
    stage = await openDoubts({}, { historyOf: { main: 'shop' } })
    const [made, read] = [Promise.withResolvers<CreateOutcome>(), Promise.withResolvers<ReadOutcome<JobReport>>()]
    // The first of a window goes by itself.
    await stage.create({ puppet_id: 'pup_2' })
    stage.adapter.creates.push(made.promise)
    stage.adapter.polls.push(read.promise)
    const created = stage.create()
    await stage.engine.rest()
    const { history } = stage.engine.videos
    const found = history.find(history.of({ id: 'shop', visible: stage.engine.backends }), 'job_new')
    await stage.engine.rest()
    made.resolve(acceptedAs('job_new'))
    expect(await created).toMatchObject({ backendJobId: 'job_new' })
    read.resolve(completed({ jobId: 'job_new' }))
    expect(await found).toBeNull()
  })

  test('if the record of the create that made it may be removed by now', async () => {
    await open(1)
    const { store, clock } = stage.engine
    const nowMs = clock.now()
    const real: Store['historyBounds'] = store.historyBounds
    store.historyBounds = async () => ({ ...(await real()), goneAtMs: nowMs - 30 * DAY, firstMs: nowMs - 90 * DAY })
    stage.adapter.put('since', { createdAtMs: nowMs - 20 * DAY })
    stage.adapter.put('between', { createdAtMs: nowMs - 60 * DAY })
    stage.adapter.put('before', { createdAtMs: nowMs - 100 * DAY })
    await stage.engine.pass(11 * MINUTE)
    expect(await listedNow()).toEqual(['old_0', 'since', 'before'])
  })
})

test('its detail is read when it is asked for, and then the list says how it ended', async () => {
  await open(3)
  await stage.engine.pass(SECOND)
  const { history } = stage.engine.videos
  const shop = history.of({ id: 'shop', visible: stage.engine.backends })
  const known = await history.find(shop, 'old_1')
  expect(known).toMatchObject({ status: 'processing', thumbnailUrl: null })
  expect(stage.adapter.callsOf('status')).toEqual([])
  stage.adapter.polls.push(completed({ jobId: 'old_1', thumbnailUrl: 'https://cdn.example/t.png' }))
  const seen = known && (await history.detail(known))
  expect(seen).toMatchObject({ status: 'completed', thumbnailUrl: 'https://cdn.example/t.png' })
  expect(await history.find(shop, 'old_1')).toMatchObject({ status: 'completed', thumbnailUrl: null })
})
