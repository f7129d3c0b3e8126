import { afterEach, describe, expect, test } from 'vitest'
import type { CreateOutcome } from '../../src/core/adapter.ts'
import { must } from '../fakes/must.ts'
import { acceptedAs, doubt, MINUTE, refused, SECOND } from '../fakes/records.ts'
import { openEngine, type Engine } from './harness.ts'

let engine: Engine
afterEach(async () => {
  await engine.videos.stop()
  await engine.destroy()
})

describe('a job id is never lost', () => {
  /** A create that the backend sits on for longer than its lease, while the window is open for others. */
  const stuckCreate = async (...next: CreateOutcome[]) => {
    engine = await openEngine({ account: { slots: null } })
    engine.videos.start()
    await engine.create()
    const gate = Promise.withResolvers<CreateOutcome>()
    engine.adapter.creates.push(gate.promise, ...next)
    const creating = engine.create()
    await engine.rest()
    const rows = await engine.store.running(engine.account.id)
    const { id } = must(rows.find(({ phase }) => phase === 'dispatching'))
    await engine.pass(44 * SECOND)
    expect((await engine.record(id)).phase).toBe('dispatching')
    await engine.pass(2 * SECOND)
    return { id, gate, creating }
  }

  test('when its lease is over it is a doubt, and resolved by resending', async () => {
    const { id, gate, creating } = await stuckCreate(acceptedAs('job_again'))
    expect(await engine.record(id)).toMatchObject({ phase: 'accepted', backendJobId: 'job_again', attempt: 1 })
    const [, sent, again] = engine.adapter.callsOf('create')
    expect(again).toMatchObject({ wire: sent?.operation === 'create' ? sent.wire : null })
    gate.resolve(doubt())
    expect((await creating).video).toMatchObject({ phase: 'accepted', backendJobId: 'job_again' })
  })

  test('another id that comes after that is a second job: never hidden', async () => {
    const { id, gate, creating } = await stuckCreate(acceptedAs('job_again'))
    gate.resolve(acceptedAs('job_late'))
    expect((await creating).video).toMatchObject({ id, backendJobId: 'job_again' })
    expect(engine.log).toContainEqual({
      level: 'error',
      message: 'duplicate_job',
      fields: { video_id: id, backend: 'main', job: 'job_late', known_job: 'job_again' },
    })
    expect((await engine.videos.timeline(id)).at(-1)).toMatchObject({ type: 'duplicate_job', detail: 'job_late' })
  })

  test('the same id twice is one job', async () => {
    const { id, gate, creating } = await stuckCreate(acceptedAs('job_again'))
    gate.resolve(acceptedAs('job_again'))
    expect((await creating).video).toMatchObject({ id, backendJobId: 'job_again' })
    expect(engine.log.filter(({ level }) => level === 'error')).toEqual([])
  })

  test('an id that comes first, after its lease was over, is taken', async () => {
    const { id, gate, creating } = await stuckCreate(doubt())
    expect((await engine.record(id)).phase).toBe('doubtful')
    gate.resolve(acceptedAs('job_late'))
    expect((await creating).video).toMatchObject({ id, phase: 'accepted', backendJobId: 'job_late' })
  })

  test('an id that another video has is not shown for this one: it ends unknown, and is seen', async () => {
    engine = await openEngine()
    engine.videos.start()
    const { video: owner } = await engine.create()
    engine.adapter.creates.push(acceptedAs('job_1'))
    const { video } = await engine.create()
    expect(video).toMatchObject({ status: 'failed', backendJobId: null, error: { code: 'create_outcome_unknown' } })
    expect(engine.log).toContainEqual({
      level: 'error',
      message: 'duplicate_job',
      fields: { video_id: video.id, job: 'job_1', owner: owner.id },
    })
    const told = (await engine.videos.timeline(video.id)).filter(({ type }) => type === 'duplicate_job')
    expect(told).toMatchObject([{ detail: `job_1, which ${owner.id} has` }])
    await engine.pass(MINUTE)
    expect(engine.adapter.callsOf('create')).toHaveLength(2)
    expect(await engine.record(owner.id)).toMatchObject({ phase: 'accepted', backendJobId: 'job_1' })
  })

  test('a refusal that comes after that decides nothing, and is not the client’s answer', async () => {
    const { id, gate, creating } = await stuckCreate(doubt())
    gate.resolve(refused({ code: 'insufficient_credits' }))
    expect((await creating).video).toMatchObject({ id, phase: 'doubtful' })
    expect((await engine.record(id)).phase).toBe('doubtful')
    await engine.pass(10 * SECOND)
    expect((await engine.record(id)).phase).toBe('accepted')
  })
})
