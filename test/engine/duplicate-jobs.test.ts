import { afterEach, describe, expect, test } from 'vitest'
import { Problem } from '../../src/core/errors.ts'
import type { CreateOutcome, JobReport, ReadOutcome } from '../../src/core/adapter.ts'
import { running, unread } from '../fakes/adapter.ts'
import { must } from '../fakes/must.ts'
import { acceptedAs, doubt, HOUR, LINK, MINUTE, refused, SECOND } from '../fakes/records.ts'
import { HOOK, openDoubts, type DoubtStage } from './doubts.ts'

let stage: DoubtStage
const open = async (...given: Parameters<typeof openDoubts>): Promise<void> => {
  stage = await openDoubts(...given)
}
afterEach(async () => {
  await stage.engine.videos.stop()
  await stage.engine.destroy()
})

const UNREAD = unread()
const MADE = { puppetId: 'pup_1', voiceId: 'v1', resolution: null, createdAtMs: null }
const pass = (ms: number): Promise<void> => stage.engine.pass(ms)
const alarms = () => stage.engine.log.filter(({ message }) => message === 'duplicate_job').map(({ fields }) => fields)
const polls = (): string[] =>
  stage.adapter.callsOf('status').flatMap((call) => (call.operation === 'status' ? [call.jobId] : []))

/** In the log, in the count and in the history; each once. */
const expectAlarm = async (id: string, job: string, knownJob: string | null): Promise<void> => {
  expect(alarms()).toEqual([{ video_id: id, backend: 'main', job, known_job: knownJob }])
  expect(stage.engine.tally.counts('duplicate_job')).toEqual([
    { what: 'duplicate_job', labels: { backend: 'main' }, count: 1 },
  ])
  const told = (await stage.engine.videos.timeline(id)).filter(({ type }) => type === 'duplicate_job')
  expect(told.map(({ detail }) => detail)).toEqual([job])
}
const expectQuiet = async (id: string): Promise<void> => {
  expect(alarms()).toEqual([])
  expect(stage.engine.tally.counts('duplicate_job')).toEqual([])
  expect((await stage.engine.videos.timeline(id)).map(({ type }) => type)).not.toContain('duplicate_job')
}

describe('a callback that names a second job', () => {
  const called = (): Promise<void> => open({ exclusive: false }, { callbackUrl: HOOK })
  const callback = (id: string, jobId: string, attempt = 1) => stage.engine.videos.hinted(id, attempt, jobId)

  test('that the backend confirms is told of once, however often it is named', async () => {
    await called()
    const { id, backendJobId } = await stage.create()
    stage.adapter.put(backendJobId ?? '')
    stage.adapter.put('job_twin')
    for (let n = 0; n < 5; n += 1) {
      await callback(id, 'job_twin')
      await pass(35 * SECOND)
    }
    await expectAlarm(id, 'job_twin', backendJobId)
    expect(polls().filter((job) => job === 'job_twin')).toHaveLength(1)
    expect(await stage.record(id)).toMatchObject({ phase: 'accepted', backendJobId })
  })

  test.each(['given up', 'completed'])('of one that was %s: told of, too', async (how) => {
    await called()
    stage.adapter.creates.push(
      how === 'completed' ? acceptedAs('job_own', { status: 'completed', link: LINK }) : doubt(),
    )
    const { id } = await stage.create()
    await pass(HOUR + MINUTE)
    const { phase, status, backendJobId, version } = await stage.record(id)
    expect([phase, status]).toEqual(['ended', how === 'completed' ? 'completed' : 'failed'])
    stage.adapter.put('job_late')
    await callback(id, 'job_late')
    await pass(SECOND)
    await expectAlarm(id, 'job_late', backendJobId)
    const after = await stage.record(id)
    expect(after).toMatchObject({ phase, status, backendJobId })
    expect(after.version).toBeGreaterThan(version)
  })

  test('on the token of an attempt that was thought absent, when it was sent again', async () => {
    await open({ resendWhenAbsent: true }, { callbackUrl: HOOK })
    const { id } = await stage.lose()
    await pass(7 * MINUTE)
    const { attempt, backendJobId } = await stage.record(id)
    expect([attempt, backendJobId]).toEqual([2, 'job_1'])
    stage.adapter.put('job_first')
    await callback(id, 'job_first', 1)
    await pass(SECOND)
    await expectAlarm(id, 'job_first', 'job_1')
  })

  test('of an attempt that was refused: read before the video is sent again, and its job', async () => {
    await called()
    const retryAtMs = stage.engine.clock.now() + 10 * SECOND
    stage.adapter.creates.push(refused({ code: 'backend_unavailable', retryable: true, retryAtMs }, 'check'))
    const { id } = await stage.create()
    expect(await stage.record(id)).toMatchObject({ phase: 'waiting', attempt: 1 })
    stage.adapter.put('job_first')
    stage.adapter.polls.push(UNREAD)
    await callback(id, 'job_first')
    await pass(20 * SECOND)
    expect(stage.adapter.callsOf('create')).toHaveLength(1)
    await pass(20 * SECOND)
    expect(stage.adapter.callsOf('create')).toHaveLength(1)
    expect(await stage.record(id)).toMatchObject({ backendJobId: 'job_first', attempt: 1 })
    await expectQuiet(id)
  })

  test('while the create is under way that is answered with another', async () => {
    await called()
    const gate = Promise.withResolvers<CreateOutcome>()
    stage.adapter.creates.push(gate.promise)
    const creating = stage.create()
    await stage.engine.rest()
    const [row] = await stage.engine.store.running(stage.engine.account.id)
    stage.adapter.put('job_twin')
    await callback(must(row).id, 'job_twin')
    await pass(SECOND)
    expect(polls()).toEqual([])
    gate.resolve(acceptedAs('job_own'))
    const { id } = await creating
    await pass(SECOND)
    await expectAlarm(id, 'job_twin', 'job_own')
  })

  test.each<[string, () => void]>([
    ['that the backend does not know', () => undefined],
    ['that is made of something else', () => stage.adapter.put('job_x', { puppetId: 'pup_9' })],
    ['that cannot be read', () => void stage.adapter.polls.push(UNREAD)],
  ])('%s raises nothing, and costs one read', async (_, arrange) => {
    await called()
    const { id, backendJobId } = await stage.create()
    stage.adapter.put(backendJobId ?? '')
    arrange()
    await callback(id, 'job_x')
    await pass(10 * SECOND)
    await expectQuiet(id)
    expect(polls().filter((job) => job === 'job_x')).toHaveLength(1)
  })

  test('that is another video’s raises nothing, and costs nothing', async () => {
    await called()
    const other = await stage.create()
    const { id } = await stage.create()
    await callback(id, other.backendJobId ?? '')
    await pass(40 * SECOND)
    await expectQuiet(id)
    expect((await stage.record(id)).search).toBeNull()
  })

  test('while the window is spent: read when there is a ticket again', async () => {
    await open({ exclusive: false }, { callbackUrl: HOOK, account: { requestsPerMinute: 1 } })
    const { id } = await stage.create()
    stage.adapter.put('job_twin')
    await callback(id, 'job_twin')
    await pass(SECOND)
    expect(polls()).toEqual([])
    await pass(5 * MINUTE)
    await expectAlarm(id, 'job_twin', 'job_1')
  })

  test('that cannot be read at first: read again, without another callback', async () => {
    await called()
    const { id, backendJobId } = await stage.create()
    stage.adapter.put('job_twin')
    stage.adapter.polls.push(UNREAD)
    await callback(id, 'job_twin')
    await pass(29 * SECOND)
    await expectQuiet(id)
    await pass(2 * SECOND)
    await expectAlarm(id, 'job_twin', backendJobId)
  })

  test('that can never be read costs three reads, and no earlier than the backend says', async () => {
    await called()
    stage.adapter.creates.push(acceptedAs('job_own', { status: 'completed', link: LINK }))
    const { id } = await stage.create()
    const at = () => stage.adapter.callsOf('status').map(({ atMs }) => (atMs - startMs) / SECOND)
    const startMs = stage.engine.clock.now()
    stage.adapter.polls.push(unread(false, startMs + 50 * SECOND), UNREAD, UNREAD)
    await callback(id, 'job_twin')
    await pass(10 * MINUTE)
    expect(at()).toEqual([0, 50, 80])
    await expectQuiet(id)
  })

  test('while the store has a bad moment: read when it has one again', async () => {
    await called()
    const { id, backendJobId } = await stage.create()
    stage.adapter.put('job_twin')
    const { store } = stage.engine
    const { change } = store
    await callback(id, 'job_twin')
    store.change = () => Promise.reject(new Problem('store_unavailable', 'scripted'))
    await pass(5 * SECOND)
    store.change = change
    await pass(30 * SECOND)
    await expectAlarm(id, 'job_twin', backendJobId)
  })

  test('is read after a restart', async () => {
    await open({ exclusive: false }, { callbackUrl: HOOK, account: { requestsPerMinute: 1 } })
    const { id } = await stage.create()
    stage.adapter.put('job_twin')
    await callback(id, 'job_twin')
    stage.engine = await stage.engine.restart('crashed')
    stage.engine.videos.start()
    await pass(5 * MINUTE)
    await expectAlarm(id, 'job_twin', 'job_1')
  })

  test('ten thousand of them cost three reads', async () => {
    await called()
    const { id, backendJobId } = await stage.create()
    stage.adapter.put(backendJobId ?? '')
    for (let n = 0; n < 10_000; n += 1) {
      await callback(id, `job_x${n}`)
      if (n % 500 === 0) await pass(10 * SECOND)
    }
    await pass(5 * MINUTE)
    await expectQuiet(id)
    const named = stage.adapter
      .callsOf('status')
      .filter((call) => call.operation === 'status' && call.jobId !== backendJobId)
    expect(named).toHaveLength(3)
    const [first, second, third] = named.map(({ atMs }) => atMs)
    expect((second ?? 0) - (first ?? 0)).toBeGreaterThanOrEqual(30 * SECOND)
    expect((third ?? 0) - (second ?? 0)).toBeGreaterThanOrEqual(30 * SECOND)
  })
})

describe('a second job that is found otherwise', () => {
  /** A create that is answered when its lease is long over, and a read of another candidate that is under way then. */
  const lateAnswer = async (find: (id: string) => Promise<unknown>): Promise<string> => {
    const gate = Promise.withResolvers<CreateOutcome>()
    // The first opens the window for others.
    stage.adapter.creates.push(acceptedAs('job_1', { status: 'completed', link: LINK }), gate.promise)
    await stage.create({ puppet_id: 'pup_2' })
    const creating = stage.create()
    await pass(44 * SECOND)
    const [row] = await stage.engine.store.running(stage.engine.account.id)
    const { id } = must(row)
    stage.adapter.put('job_7')
    const read = Promise.withResolvers<ReadOutcome<JobReport>>()
    stage.adapter.polls.push(read.promise)
    await pass(2 * SECOND)
    const found = find(id)
    await pass(SECOND)
    expect((await stage.record(id)).phase).toBe('doubtful')
    expect(polls()).toEqual(['job_7'])
    gate.resolve(acceptedAs('job_own'))
    expect(await creating).toMatchObject({ phase: 'accepted', backendJobId: 'job_own' })
    read.resolve(running({ jobId: 'job_7', made: MADE }))
    await found
    await pass(SECOND)
    return id
  }

  test('in the list, when the create was answered meanwhile', async () => {
    await open({})
    const id = await lateAnswer(() => Promise.resolve())
    await expectAlarm(id, 'job_7', 'job_own')
  })

  test('by a callback of the doubt, when the create was answered meanwhile', async () => {
    await open({ exclusive: false }, { callbackUrl: HOOK })
    const id = await lateAnswer((video) => stage.engine.videos.hinted(video, 1, 'job_7'))
    await expectAlarm(id, 'job_7', 'job_own')
  })

  test('by an operator, when the create was answered meanwhile', async () => {
    await open({ exclusive: false }, { callbackUrl: HOOK })
    const id = await lateAnswer(async (video) => stage.engine.videos.resolve(await stage.record(video), 'job_7'))
    await expectAlarm(id, 'job_7', 'job_own')
  })
})
