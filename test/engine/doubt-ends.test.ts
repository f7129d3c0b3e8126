import { afterEach, describe, expect, test } from 'vitest'
import type { CreateOutcome } from '../../src/core/adapter.ts'
import { lasting, unread } from '../fakes/adapter.ts'
import { doubt, HOUR, MINUTE, SECOND } from '../fakes/records.ts'
import { HOOK, openDoubts, type DoubtStage } from './doubts.ts'

/** Every doubt ends, and none with a job that may be another video's. */
let stage: DoubtStage
afterEach(async () => {
  await stage.engine.videos.stop()
  await stage.engine.destroy()
})
const pass = (ms: number): Promise<void> => stage.engine.pass(ms)

test.each([true, false])(
  'a callback’s job that can never be read is let go in the end, and no window is spent on it (exclusive: %s)',
  async (exclusive) => {
    stage = await openDoubts({ exclusive }, { callbackUrl: HOOK })
    const { id } = await stage.lose()
    stage.adapter.polls.push(lasting(unread()))
    await stage.engine.videos.hinted(id, 1, 'job_7')
    await pass(2 * HOUR + 5 * MINUTE)
    expect(await stage.record(id)).toMatchObject({ error: { code: 'create_outcome_unknown' } })
    expect(await stage.history(id)).toContain('job_7, which a callback named, cannot be read')
    expect(stage.adapter.callsOf('status').length).toBeLessThan(2 * 70)
  },
)

describe('a job that an earlier like create may have left behind', () => {
  const whole = 'an earlier create may have made it: '

  test('because its video took the job of another attempt: no later one’s', async () => {
    stage = await openDoubts({}, { callbackUrl: HOOK })
    const first = await stage.lose()
    stage.adapter.creates.push(doubt())
    await stage.engine.videos.resolve(first, null)
    await pass(2 * SECOND)
    expect(await stage.record(first.id)).toMatchObject({ phase: 'doubtful', attempt: 2 })
    stage.adapter.put('job_first', { createdAtMs: stage.engine.clock.now() - HOUR })
    stage.adapter.put('job_second')
    await stage.engine.videos.hinted(first.id, 1, 'job_first')
    await pass(SECOND)
    expect(await stage.record(first.id)).toMatchObject({ phase: 'accepted', backendJobId: 'job_first' })
    const { id } = await stage.lose()
    await pass(MINUTE)
    await stage.expectUnknown(id, `${whole}job_second`)
  })

  test('because an operator did not see it, and its video waits to be sent again: no other client’s', async () => {
    stage = await openDoubts({}, { callbackUrl: HOOK })
    const first = await stage.lose()
    await pass(SECOND)
    stage.adapter.put('job_first')
    const { engine } = stage
    await engine.store.exhausted(engine.account.id, engine.clock.now() + 20 * SECOND)
    await engine.videos.resolve(first, null)
    stage.adapter.creates.push(doubt(), doubt())
    const { video } = await engine.create({ input: first.input }, null, 'other')
    await pass(2 * MINUTE)
    expect((await stage.record(first.id)).attempt).toBe(2)
    await stage.expectUnknown(video.id, `${whole}job_first`)
  })

  test('because its video is in doubt anew, by a callback that names it: the earlier one’s', async () => {
    stage = await openDoubts({}, { callbackUrl: HOOK })
    const first = await stage.lose()
    await pass(SECOND)
    // The next that is named is read half a minute after this one.
    await stage.engine.videos.hinted(first.id, 1, 'job_nobody_knows')
    await pass(SECOND)
    stage.adapter.put('job_first')
    const { engine } = stage
    await engine.store.exhausted(engine.account.id, engine.clock.now() + 5 * SECOND)
    await engine.videos.resolve(await stage.record(first.id), null)
    const answer = Promise.withResolvers<CreateOutcome>()
    stage.adapter.creates.push(answer.promise)
    const { video } = await engine.create({ input: first.input }, null, 'other')
    await pass(6 * SECOND)
    expect(await stage.record(video.id)).toMatchObject({ phase: 'dispatching', attempt: 1 })
    await engine.videos.hinted(first.id, 1, 'job_first')
    expect(await stage.record(first.id)).toMatchObject({ phase: 'doubtful', attempt: 1 })
    answer.resolve(doubt())
    await pass(MINUTE)
    expect((await stage.record(video.id)).backendJobId).toBeNull()
    expect(await stage.record(first.id)).toMatchObject({ phase: 'accepted', backendJobId: 'job_first' })
  })

  test('because its video was given up: no later one’s, also after a restart', async () => {
    stage = await openDoubts({})
    stage.adapter.put('job_1')
    stage.adapter.put('job_deleted')
    const first = await stage.lose()
    await pass(SECOND)
    await stage.expectUnknown(first.id, 'more than one job may be it: job_1, job_deleted')
    stage.adapter.jobs.pop()
    const { id } = await stage.lose()
    stage.engine = await stage.engine.restart('crashed')
    stage.engine.videos.start()
    await pass(MINUTE)
    expect(await stage.engine.record(id)).toMatchObject({
      backendJobId: null,
      error: { code: 'create_outcome_unknown' },
    })
    const told = (await stage.engine.videos.timeline(id)).map(({ detail }) => detail)
    expect(told).toContain(`${whole}job_1`)
  })

  test('long ago, or of another puppet: the job is the later one’s', async () => {
    stage = await openDoubts({})
    stage.adapter.put('job_1')
    stage.adapter.put('job_2')
    const first = await stage.lose()
    await pass(5 * MINUTE)
    await stage.expectUnknown(first.id, 'more than one job may be it: job_1, job_2')
    stage.adapter.put('job_3', { puppetId: 'pup_3' })
    stage.adapter.put('job_4', { puppetId: 'pup_3' })
    const other = await stage.lose({ puppet_id: 'pup_3' })
    const { id } = await stage.lose()
    stage.adapter.put('job_own')
    await pass(MINUTE)
    expect(await stage.record(other.id)).toMatchObject({ error: { code: 'create_outcome_unknown' } })
    expect(await stage.record(id)).toMatchObject({ phase: 'accepted', backendJobId: 'job_own' })
  })
})
