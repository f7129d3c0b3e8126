import { afterEach, describe, expect, test } from 'vitest'
import type { CreateOutcome } from '../../src/core/adapter.ts'
import { completed, lasting, unread } from '../fakes/adapter.ts'
import { acceptedAs, doubt, HOUR, MINUTE, refused, SECOND } from '../fakes/records.ts'
import { HOOK, openDoubts, PORTRAIT, type DoubtStage } from './doubts.ts'

let stage: DoubtStage
const open = async (...given: Parameters<typeof openDoubts>): Promise<void> => {
  stage = await openDoubts(...given)
}
/** Shared with others, but the backend was told where to call back. */
const shared = (): Promise<void> => open({ exclusive: false }, { callbackUrl: HOOK })
afterEach(async () => {
  await stage.engine.videos.stop()
  await stage.engine.destroy()
})

/** A callback on a token of this attempt that names a job; the fake reads a text as a job id. */
const callback = async (videoId: string, jobId: string | null, attempt = 1): Promise<void> => {
  await stage.engine.videos.hinted(videoId, attempt, jobId)
  await stage.engine.pass(SECOND)
}
const asked = (): string[] =>
  stage.adapter.calls.map((call) => (call.operation === 'status' ? `status ${call.jobId}` : call.operation))

describe('where no evidence can come', () => {
  test('it is unknown at once; the list was read once, and shows nothing of it', async () => {
    await open({ exclusive: false })
    const { id } = await stage.lose()
    await stage.engine.pass(SECOND)
    await stage.expectUnknown(id, 'no evidence came')
    expect(asked()).toEqual(['create', 'list'])
  })

  test('jobs that may be it are named to the operator, and none is taken', async () => {
    await open({ exclusive: false })
    stage.adapter.put('job_7')
    stage.adapter.put('job_of_another_voice', { voiceId: 'v2' })
    const { id } = await stage.lose({ voice_id: 'v1' })
    await stage.engine.pass(SECOND)
    await stage.expectUnknown(id, 'no evidence came, but these jobs may be it: job_7')
    expect((await stage.record(id)).backendJobId).toBeNull()
    const warned = stage.engine.log.find(({ message }) => message === 'a create stays unknown')
    expect(warned?.fields).toMatchObject({ video_id: id, candidates: ['job_7'] })
    await stage.engine.pass(HOUR)
    expect(asked()).toEqual(['create', 'list', 'status job_7', 'status job_of_another_voice'])
  })

  test('tickets are waited for, and no longer than two minutes', async () => {
    await open({ exclusive: false }, { account: { requestsPerMinute: 2 } })
    for (let n = 0; n < 5; n += 1) stage.adapter.put(`job_${n}`)
    const { id } = await stage.lose()
    await stage.engine.pass(30 * SECOND)
    expect(await stage.record(id)).toMatchObject({ phase: 'doubtful' })
    await stage.engine.pass(100 * SECOND)
    await stage.expectUnknown(id, 'no evidence came, but these jobs may be it: job_0, job_1')
    expect(asked()).toEqual(['create', 'list', 'status job_0', 'status job_1'])
  })

  test.each<[boolean, Parameters<typeof open>]>([
    [true, [{ exclusive: false }]],
    [false, [{ exclusive: true }]],
    [false, [{ exclusive: false }, { callbackUrl: HOOK }]],
  ])('the start says so before it costs a video: %s', async (isSaid, given) => {
    await open(...given)
    const said = stage.engine.log.filter(
      ({ level, message }) => level === 'warn' && message.includes('answer to a create'),
    )
    expect(said.map(({ fields }) => fields)).toEqual(isSaid ? [{ backends: ['main'] }] : [])
  })

  test('a list that cannot be read is tried for two minutes', async () => {
    await open({ exclusive: false })
    stage.adapter.lists.push(lasting(unread()))
    const { id } = await stage.lose()
    await stage.engine.pass(130 * SECOND)
    await stage.expectUnknown(id, 'no evidence came; its list could not be read')
  })

  test('a backend that refuses is believed: that is no doubt', async () => {
    await open({ exclusive: false })
    stage.adapter.creates.push(refused({ code: 'insufficient_credits' }))
    await expect(stage.create()).rejects.toMatchObject({ code: 'insufficient_credits' })
  })
})

describe('a callback that names the job', () => {
  test('in doubt: adopted, once that job was read', async () => {
    await shared()
    const { id } = await stage.lose()
    await stage.engine.pass(MINUTE)
    expect(await stage.record(id)).toMatchObject({ phase: 'doubtful' })
    expect(asked()).toEqual(['create'])
    stage.adapter.put('job_7')
    await callback(id, 'job_7')
    expect(await stage.record(id)).toMatchObject({ phase: 'accepted', backendJobId: 'job_7', credits: null })
    expect(asked()).toEqual(['create', 'status job_7'])
    expect(await stage.history(id)).toEqual([
      'waiting for a callback',
      'a callback named job_7',
      'a callback named job_7',
    ])
  })

  test('of a job that ended already: one read, one event', async () => {
    await shared()
    stage.adapter.creates.push(doubt())
    const { video } = await stage.engine.create({ input: PORTRAIT, webhookUrl: 'https://hooks.example/' })
    stage.adapter.polls.push(
      completed({ made: { puppetId: 'pup_1', voiceId: 'v1', resolution: null, createdAtMs: null } }),
    )
    await callback(video.id, 'job_7')
    expect(await stage.record(video.id)).toMatchObject({ status: 'completed', backendJobId: 'job_7' })
    expect(await stage.engine.store.deliveriesOf(video.id)).toMatchObject([{ event: { type: 'video.completed' } }])
    expect(asked()).toEqual(['create', 'status job_7'])
  })

  test('while it is dispatched, before the create failed: adopted at once', async () => {
    await shared()
    const gate = Promise.withResolvers<CreateOutcome>()
    stage.adapter.creates.push(gate.promise)
    const creating = stage.create()
    await stage.engine.rest()
    const [row] = await stage.engine.store.running(stage.engine.account.id)
    const id = row?.id ?? ''
    stage.adapter.put('job_7')
    await callback(id, 'job_7')
    expect(await stage.record(id)).toMatchObject({ phase: 'dispatching', backendJobId: null })
    expect(asked()).toEqual(['create'])
    gate.resolve(doubt())
    expect((await creating).phase).toBe('doubtful')
    await stage.engine.pass(SECOND)
    expect(await stage.record(id)).toMatchObject({ phase: 'accepted', backendJobId: 'job_7' })
  })

  test('while it is dispatched, before the create was answered: polled without delay', async () => {
    await shared()
    const gate = Promise.withResolvers<CreateOutcome>()
    stage.adapter.creates.push(gate.promise)
    const creating = stage.create()
    await stage.engine.rest()
    const [row] = await stage.engine.store.running(stage.engine.account.id)
    stage.adapter.put('job_7')
    await callback(row?.id ?? '', 'job_7')
    stage.adapter.polls.push(completed())
    gate.resolve(acceptedAs('job_7', { status: 'processing' }))
    await creating
    await stage.engine.pass(SECOND)
    expect(await stage.record(row?.id ?? '')).toMatchObject({ status: 'completed' })
  })

  test('that cannot be read yet: read again, with a pause', async () => {
    await shared()
    const { id } = await stage.lose()
    stage.adapter.put('job_7')
    stage.adapter.polls.push(unread(), unread())
    await callback(id, 'job_7')
    expect(await stage.record(id)).toMatchObject({
      phase: 'doubtful',
      search: { named: [{ jobId: 'job_7', state: 'pending' }] },
    })
    await stage.engine.pass(10 * SECOND)
    expect(await stage.record(id)).toMatchObject({ phase: 'accepted', backendJobId: 'job_7' })
    expect(asked()).toHaveLength(4)
  })

  test('while the window is spent: read when there is a ticket again', async () => {
    await open({ exclusive: false }, { callbackUrl: HOOK, account: { requestsPerMinute: 1 } })
    const { id } = await stage.lose()
    stage.adapter.put('job_7')
    await callback(id, 'job_7')
    expect(asked()).toEqual(['create'])
    await stage.engine.pass(62 * SECOND)
    expect(await stage.record(id)).toMatchObject({ phase: 'accepted', backendJobId: 'job_7' })
  })

  test('and then a restart: what it named is not forgotten', async () => {
    await shared()
    const { id } = await stage.lose()
    stage.adapter.put('job_7')
    stage.adapter.polls.push(unread())
    await callback(id, 'job_7')
    stage.engine = await stage.engine.restart('crashed')
    stage.engine.videos.start()
    await stage.engine.pass(10 * SECOND)
    expect(await stage.engine.record(id)).toMatchObject({ phase: 'accepted', backendJobId: 'job_7' })
    expect(stage.adapter.callsOf('create')).toHaveLength(1)
  })
})

describe('a callback that proves nothing', () => {
  const stillInDoubt = async (id: string, last: string): Promise<void> => {
    expect(await stage.record(id)).toMatchObject({ phase: 'doubtful', backendJobId: null })
    expect((await stage.record(id)).search?.named.filter(({ state }) => state === 'pending') ?? []).toEqual([])
    expect((await stage.history(id)).at(-1)).toBe(last)
    // And the right one still counts; if a poll was spent on the wrong one, 30 s after it.
    stage.adapter.put('job_right')
    await callback(id, 'job_right')
    await stage.engine.pass(29 * SECOND)
    expect(await stage.record(id)).toMatchObject({ phase: 'accepted', backendJobId: 'job_right' })
  }

  test('it names the job of another video', async () => {
    await shared()
    const other = await stage.create()
    stage.adapter.put(other.backendJobId ?? '')
    const { id } = await stage.lose()
    await callback(id, other.backendJobId)
    expect(asked()).toEqual(['create', 'create'])
    await stillInDoubt(id, 'waiting for a callback')
    expect(await stage.record(other.id)).toMatchObject({ phase: 'accepted', backendJobId: other.backendJobId })
  })

  test('it names a job of another puppet', async () => {
    await shared()
    const { id } = await stage.lose()
    stage.adapter.put('job_7', { puppetId: 'pup_2' })
    await callback(id, 'job_7')
    expect(await stage.history(id)).toContain('a callback named job_7, which is not ours')
    await stillInDoubt(id, 'waiting for a callback')
  })

  test('it names a job of another voice than was asked for', async () => {
    await shared()
    const { id } = await stage.lose({ voice_id: 'v9' })
    stage.adapter.put('job_7', { voiceId: 'v1' })
    await callback(id, 'job_7')
    expect(await stage.record(id)).toMatchObject({ phase: 'doubtful' })
  })

  test('it names a job that the backend does not know', async () => {
    await shared()
    const { id } = await stage.lose()
    await callback(id, 'job_7')
    await stillInDoubt(id, 'waiting for a callback')
  })

  test('it is about another attempt', async () => {
    await shared()
    const { id } = await stage.lose()
    stage.adapter.put('job_7')
    await callback(id, 'job_7', 2)
    await callback(id, 'job_7', 0)
    expect(asked()).toEqual(['create'])
    await stillInDoubt(id, 'waiting for a callback')
  })

  test('it names nothing', async () => {
    await shared()
    const { id } = await stage.lose()
    await callback(id, null)
    expect(asked()).toEqual(['create'])
    await stillInDoubt(id, 'waiting for a callback')
  })

  test('two videos in doubt, one callback each that name the same job: it is one video’s', async () => {
    await shared()
    const first = await stage.lose()
    const second = await stage.lose()
    stage.adapter.put('job_7')
    await Promise.all([
      stage.engine.videos.hinted(first.id, 1, 'job_7'),
      stage.engine.videos.hinted(second.id, 1, 'job_7'),
    ])
    await stage.engine.pass(5 * SECOND)
    const phases = [await stage.record(first.id), await stage.record(second.id)].map(({ phase }) => phase)
    expect(phases.toSorted()).toEqual(['accepted', 'doubtful'])
  })
})

describe('without a callback', () => {
  test('it lasts for the window, holds its key and its slot, and then is unknown', async () => {
    await open({ exclusive: false }, { callbackUrl: HOOK, account: { slots: 1 } })
    const { id } = await stage.lose({}, 'order-1')
    const next = await stage.create({ puppet_id: 'pup_2' })
    expect(next.phase).toBe('waiting')
    await stage.engine.pass(59 * MINUTE)
    expect(await stage.record(id)).toMatchObject({ phase: 'doubtful' })
    expect(await stage.create({}, 'order-1')).toMatchObject({ id })
    expect(asked()).toEqual(['create'])
    await stage.engine.pass(2 * MINUTE)
    await stage.expectUnknown(id, 'no evidence came')
    expect((await stage.record(next.id)).phase).toBe('accepted')
  })

  test('a job id that the create still answers after the lease ends it', async () => {
    await shared()
    const gate = Promise.withResolvers<CreateOutcome>()
    stage.adapter.creates.push(gate.promise)
    const creating = stage.create()
    await stage.engine.pass(46 * SECOND)
    const [row] = await stage.engine.store.running(stage.engine.account.id)
    expect(row).toMatchObject({ phase: 'doubtful' })
    gate.resolve(acceptedAs('job_late'))
    expect(await creating).toMatchObject({ phase: 'accepted', backendJobId: 'job_late' })
    await stage.engine.pass(HOUR)
    expect(await stage.record(row?.id ?? '')).toMatchObject({ backendJobId: 'job_late' })
  })
})
