import { afterEach, describe, expect, test } from 'vitest'
import type { JobPage, ReadOutcome } from '../../src/core/adapter.ts'
import { lasting, listed } from '../fakes/adapter.ts'
import { doubt, HOUR, MINUTE, SECOND } from '../fakes/records.ts'
import { HOOK, openDoubts, type DoubtStage } from './doubts.ts'

let stage: DoubtStage
const open = async (...given: Parameters<typeof openDoubts>): Promise<void> => {
  stage = await openDoubts(...given)
}
afterEach(async () => {
  await stage.engine.videos.stop()
  await stage.engine.destroy()
})

const pass = (ms: number): Promise<void> => stage.engine.pass(ms)
const lists = (): number => stage.adapter.callsOf('list').length
const creates = (): number => stage.adapter.callsOf('create').length

describe('one job that can only be it', () => {
  test('is adopted at the first walk, and everything else is left alone', async () => {
    await open({})
    const other = await stage.create({ puppet_id: 'pup_9' })
    stage.adapter.put(other.backendJobId ?? '', { puppetId: 'pup_9' })
    stage.adapter.put('job_old', { createdAtMs: stage.engine.clock.now() - HOUR })
    stage.adapter.put('job_of_another_puppet', { puppetId: 'pup_2' })
    stage.adapter.creates.push(doubt())
    stage.adapter.put('job_7')
    const { id } = await stage.create()
    await pass(SECOND)
    expect(await stage.record(id)).toMatchObject({ phase: 'accepted', backendJobId: 'job_7', credits: null })
    expect(await stage.history(id)).toEqual(['the list named job_7'])
    expect(creates()).toBe(2)
  })

  test.each([HOUR, -HOUR, 90 * SECOND])('by a clock that is %i ms ahead of ours, too', async (skewMs) => {
    await open({})
    stage.adapter.skewMs = skewMs
    stage.adapter.put('job_7')
    const { id } = await stage.lose()
    await pass(SECOND)
    expect(await stage.record(id)).toMatchObject({ phase: 'accepted', backendJobId: 'job_7' })
  })

  test('that the list tells of late is adopted then, also after a list that was whole', async () => {
    await open({})
    const { id } = await stage.lose()
    stage.adapter.put('job_7', { visibleFromMs: stage.engine.clock.now() + 5 * MINUTE + 45 * SECOND })
    await pass(5 * MINUTE + 40 * SECOND)
    expect(await stage.record(id)).toMatchObject({ phase: 'doubtful', search: { walks: { length: 3 } } })
    await pass(MINUTE)
    expect(await stage.record(id)).toMatchObject({ phase: 'accepted', backendJobId: 'job_7' })
  })

  test('is found among many over as many windows and processes as that takes: nothing is read twice', async () => {
    await open({}, { account: { requestsPerMinute: 4 } })
    for (let n = 0; n < 9; n += 1) stage.adapter.put(`job_other_${n}`, { voiceId: 'v2' })
    stage.adapter.put('job_7', { voiceId: 'v1' })
    const { id } = await stage.lose({ voice_id: 'v1' })
    await pass(90 * SECOND)
    expect(await stage.record(id)).toMatchObject({
      phase: 'doubtful',
      search: { reading: { candidates: { length: 10 } } },
    })
    stage.engine = await stage.engine.restart('crashed')
    stage.engine.videos.start()
    await pass(6 * MINUTE)
    expect(await stage.engine.record(id)).toMatchObject({ phase: 'accepted', backendJobId: 'job_7' })
    expect(lists()).toBe(1)
    const read = stage.adapter.callsOf('status').map((call) => call.operation === 'status' && call.jobId)
    for (let n = 0; n < 9; n += 1) expect(read.filter((jobId) => jobId === `job_other_${n}`)).toHaveLength(1)
  })

  test('over fifty that may be it are not read: nobody knows', async () => {
    await open({})
    for (let n = 0; n < 51; n += 1) stage.adapter.put(`job_${n}`)
    const { id } = await stage.lose()
    await pass(SECOND)
    await stage.expectUnknown(id, 'more than 50 jobs may be it')
    expect(stage.adapter.callsOf('status')).toHaveLength(0)
  })

  test('however many are those of other videos', async () => {
    await open({})
    for (let n = 0; n < 51; n += 1) stage.adapter.put(`job_${n}`)
    stage.adapter.put('job_of_it')
    const { store } = stage.engine
    const { owner } = store
    store.owner = async (account, jobId) => (/^job_\d+$/.test(jobId) ? 'vid_other' : owner(account, jobId))
    const { id } = await stage.lose()
    await pass(SECOND)
    expect(await stage.record(id)).toMatchObject({ phase: 'accepted', backendJobId: 'job_of_it' })
    expect(stage.adapter.callsOf('status')).toHaveLength(1)
  })

  test('of the wanted voice, where another is of another', async () => {
    await open({})
    stage.adapter.put('job_other_voice', { voiceId: 'v2' })
    stage.adapter.put('job_7', { voiceId: 'v1' })
    const { id } = await stage.lose({ voice_id: 'v1' })
    await pass(SECOND)
    expect(await stage.record(id)).toMatchObject({ backendJobId: 'job_7' })
  })
})

describe('more than one, not all of which callbacks could have read when they named them', () => {
  const named = async (...jobs: string[]) => {
    await open({}, { callbackUrl: HOOK })
    const visibleFromMs = stage.engine.clock.now() + 4 * MINUTE
    stage.adapter.put('job_7', { visibleFromMs })
    stage.adapter.put('job_8', { visibleFromMs })
    const { id } = await stage.lose()
    for (const job of jobs) {
      await stage.engine.videos.hinted(id, 1, job)
      await pass(MINUTE)
    }
    expect(await stage.record(id)).toMatchObject({ phase: 'doubtful' })
    await pass(10 * MINUTE)
    const told = await stage.engine.videos.timeline(id)
    const duplicates = told.filter(({ type }) => type === 'duplicate_job').map(({ detail }) => detail)
    return { id, duplicates, video: await stage.record(id) }
  }

  test('both were named: the first is the video’s, and the second is told of once', async () => {
    const { video, duplicates } = await named('job_8', 'job_7')
    expect(video).toMatchObject({ phase: 'accepted', backendJobId: 'job_8' })
    expect(duplicates).toEqual(['job_7'])
    expect(stage.adapter.callsOf('create')).toHaveLength(1)
  })

  test('one was named: it is the video’s, and nothing is said of the other', async () => {
    const { video, duplicates } = await named('job_8')
    expect(video).toMatchObject({ phase: 'accepted', backendJobId: 'job_8' })
    expect(duplicates).toEqual([])
  })
})

describe('more than one', () => {
  test('is never guessed: unknown, and the operator reads which they are', async () => {
    await open({})
    stage.adapter.put('job_7')
    stage.adapter.put('job_8')
    const { id } = await stage.lose()
    await pass(SECOND)
    await stage.expectUnknown(id, 'more than one job may be it: job_7, job_8')
    expect(stage.engine.log).toContainEqual({
      level: 'warn',
      message: 'a create stays unknown',
      fields: {
        video_id: id,
        backend: 'main',
        candidates: ['job_7', 'job_8'],
        why: 'more than one job may be it',
      },
    })
    expect(creates()).toBe(1)
  })

  test('of which the others are owned, or made of something else, is one', async () => {
    await open({})
    const other = await stage.create()
    stage.adapter.put(other.backendJobId ?? '')
    stage.adapter.put('job_720', { resolution: '720p' })
    stage.adapter.put('job_7')
    const { id } = await stage.lose({ resolution: '1080p' })
    await pass(SECOND)
    expect(await stage.record(id)).toMatchObject({ backendJobId: 'job_7' })
  })
})

describe('none', () => {
  test('is proven by two whole walks, five minutes after the deadline; then it failed', async () => {
    await open({})
    stage.adapter.put('job_old', { createdAtMs: stage.engine.clock.now() - HOUR })
    const { id } = await stage.lose()
    const sentAtMs = stage.engine.clock.now()
    await pass(5 * MINUTE + 59 * SECOND)
    expect((await stage.record(id)).phase).toBe('doubtful')
    await pass(2 * SECOND)
    await stage.expectUnknown(id, 'no job was found for it')
    const [, , third, fourth] = stage.adapter.callsOf('list').map(({ atMs }) => atMs - sentAtMs - 30 * SECOND)
    expect([third, fourth]).toEqual([5 * MINUTE, 5 * MINUTE + 30 * SECOND])
    expect(lists()).toBe(4)
    expect(creates()).toBe(1)
  })

  const page = (total: number | null, totalPages: number | null, dateMs: number | null): ReadOutcome<JobPage> => ({
    ok: true,
    value: { items: [], total, totalPages, dateMs },
    rate: null,
  })

  test('is not proven by pages that disagree, nor by a list that is longer than what it shows', async () => {
    await open({})
    const { id } = await stage.lose()
    await pass(5 * MINUTE)
    const dateMs = stage.engine.clock.now()
    // Two pages of a list that grew between them, then one that holds less than it says.
    stage.adapter.lists.push(page(101, 2, dateMs), page(102, 2, dateMs), page(3, 1, dateMs))
    await pass(MINUTE + SECOND)
    expect((await stage.record(id)).phase).toBe('doubtful')
    await pass(MINUTE)
    await stage.expectUnknown(id, 'no job was found for it')
    expect(lists()).toBe(7)
  })

  test('is not proven by a list that has a job twice: it shifted, and another is missing', async () => {
    await open({})
    const { id } = await stage.lose()
    await pass(5 * MINUTE)
    const dateMs = stage.engine.clock.now()
    const old = listed({ jobId: 'job_old', status: 'processing', puppetId: 'pup_1', createdAtMs: dateMs - HOUR })
    const shifted: ReadOutcome<JobPage> = {
      ok: true,
      value: { items: [old, old], total: 2, totalPages: 1, dateMs },
      rate: null,
    }
    stage.adapter.lists.push(shifted, shifted)
    await pass(MINUTE + 25 * SECOND)
    expect(stage.adapter.lists).toEqual([])
    expect((await stage.record(id)).phase).toBe('doubtful')
    await pass(MINUTE)
    await stage.expectUnknown(id, 'no job was found for it')
  })

  test.each<[string, number | null, number | null, boolean]>([
    ['does not say how long it is', null, null, true],
    ['does not tell its time', 0, 1, false],
  ])('is never proven by a list that %s: it ends with the window, without a storm', async (_, total, pages, dated) => {
    await open({})
    const { id } = await stage.lose()
    const dateMs = dated ? stage.engine.clock.now() : null
    stage.adapter.lists.push(lasting(page(total, pages, dateMs)))
    await pass(HOUR - SECOND)
    expect((await stage.record(id)).phase).toBe('doubtful')
    await pass(MINUTE)
    await stage.expectUnknown(id, 'no evidence came')
    expect(lists()).toBeLessThanOrEqual(2 + 2 * 60)
  })

  test('is not proven by twenty pages that do not end: unknown at once', async () => {
    await open({})
    const old = stage.engine.clock.now() - HOUR
    for (let n = 0; n < 2_001; n += 1) stage.adapter.put(`job_${n}`, { createdAtMs: old - n })
    const { id } = await stage.lose()
    await pass(SECOND)
    await stage.expectUnknown(id, 'the list has more than 20 pages')
    expect(lists()).toBe(20)
  })

  test('is proven of twenty pages', async () => {
    await open({})
    const old = stage.engine.clock.now() - HOUR
    for (let n = 0; n < 2_000; n += 1) stage.adapter.put(`job_${n}`, { createdAtMs: old - n })
    const { id } = await stage.lose()
    await pass(7 * MINUTE)
    await stage.expectUnknown(id, 'no job was found for it')
    expect(lists()).toBe(80)
  })
})

describe('creates of the same puppet', () => {
  test('go one at a time, and none while one is in doubt; others pass', async () => {
    await open({})
    const { id } = await stage.lose({ voice_id: 'v1' })
    const [like, alsoLike, other] = [
      await stage.create({ voice_id: 'v1' }),
      await stage.create(),
      await stage.create({ puppet_id: 'pup_2' }),
    ]
    expect([like.phase, alsoLike.phase]).toEqual(['waiting', 'waiting'])
    await pass(2 * SECOND)
    expect((await stage.record(other.id)).phase).toBe('accepted')
    expect((await stage.record(like.id)).phase).toBe('waiting')
    stage.adapter.put('job_7')
    await pass(MINUTE)
    expect(await stage.record(id)).toMatchObject({ backendJobId: 'job_7' })
    expect((await stage.record(like.id)).phase).toBe('accepted')
    expect((await stage.record(alsoLike.id)).phase).toBe('accepted')
    const owners = [id, like.id, alsoLike.id, other.id].map((one) => stage.record(one))
    const jobs = (await Promise.all(owners)).map(({ backendJobId }) => backendJobId)
    expect(new Set(jobs).size).toBe(4)
  })

  test('on an account that others use do not wait for each other', async () => {
    await open({ exclusive: false }, { callbackUrl: HOOK })
    await stage.lose()
    expect((await stage.create()).phase).toBe('accepted')
  })
})

describe('a callback', () => {
  test('ends the search of a list, too', async () => {
    await open({}, { callbackUrl: HOOK })
    const { id } = await stage.lose()
    await pass(10 * SECOND)
    // Made too long ago for the list to be evidence; but the backend itself names it.
    stage.adapter.put('job_7', { createdAtMs: stage.engine.clock.now() - HOUR })
    await stage.engine.videos.hinted(id, 1, 'job_7')
    await pass(SECOND)
    expect(await stage.record(id)).toMatchObject({ phase: 'accepted', backendJobId: 'job_7' })
  })

  test('that is refused leaves the search where it was', async () => {
    await open({}, { callbackUrl: HOOK })
    const { id } = await stage.lose()
    await pass(10 * SECOND)
    await stage.engine.videos.hinted(id, 1, 'job_unknown')
    await pass(SECOND)
    expect(await stage.record(id)).toMatchObject({ phase: 'doubtful', search: { walks: { length: 2 } } })
    await pass(7 * MINUTE)
    await stage.expectUnknown(id, 'no job was found for it')
  })
})
