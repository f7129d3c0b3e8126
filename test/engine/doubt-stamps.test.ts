import { afterEach, expect, test } from 'vitest'
import type { CreateOutcome } from '../../src/core/adapter.ts'
import type { ListedAs } from '../fakes/listing.ts'
import { acceptedAs, HOUR, MINUTE, rate, SECOND } from '../fakes/records.ts'
import { openDoubts, type DoubtStage } from './doubts.ts'

/** A list whose stamps cannot be trusted, where what is proven absent is paid once more. */
let stage: DoubtStage
afterEach(async () => {
  await stage.engine.videos.stop()
  await stage.engine.destroy()
})

const dated = (jobId: string, dateMs: number): CreateOutcome => {
  const outcome = acceptedAs(jobId)
  return outcome.kind === 'accepted' ? { ...outcome, rate: rate({ dateMs }) } : outcome
}
const creates = (): number => stage.adapter.callsOf('create').length
/** More than the proof of absence takes. */
const PROOF_MS = 8 * MINUTE

/** The lost create's own job is in the list, told of like this. */
const loseWith = async (given: (nowMs: number) => Partial<ListedAs>): Promise<string> => {
  const { id } = await stage.lose()
  stage.adapter.put('job_lost', given(stage.engine.clock.now()))
  return id
}
const expectNoResend = async (id: string): Promise<void> => {
  await stage.engine.pass(PROOF_MS)
  expect(await stage.record(id)).toMatchObject({ phase: 'doubtful' })
  await stage.engine.pass(HOUR)
  await stage.expectUnknown(id, 'no evidence came')
}

test.each<[string, (nowMs: number) => Partial<ListedAs>]>([
  ['lies ahead of the time that the list itself tells', (nowMs) => ({ createdAtMs: nowMs + HOUR })],
  ['is missing', () => ({ createdAtMs: null })],
])('the stamp of a job %s: nothing is absent, and nothing is sent again', async (_, given) => {
  stage = await openDoubts({ resendWhenAbsent: true })
  const id = await loseWith(given)
  await expectNoResend(id)
  expect(creates()).toBe(1)
})

test('whose a job is made of is not told: nothing is absent, and nothing is sent again', async () => {
  stage = await openDoubts({ resendWhenAbsent: true })
  const id = await loseWith(() => ({ puppetId: null }))
  await expectNoResend(id)
  expect(creates()).toBe(1)
})

test('jobs of ours are stamped at times at which nothing was sent: nothing is absent, and nothing is sent again', async () => {
  stage = await openDoubts({ resendWhenAbsent: true })
  const nowMs = stage.engine.clock.now()
  const behind = { createdAtMs: nowMs - HOUR }
  // Its answer tells the backend's time, by which its stamp is an hour off.
  stage.adapter.creates.push(dated('job_other', nowMs))
  await stage.create({ puppet_id: 'pup_2' })
  const known = await stage.create({ puppet_id: 'pup_3' })
  stage.adapter.put(known.backendJobId ?? '', { ...behind, puppetId: 'pup_3' })
  const id = await loseWith(() => behind)
  await expectNoResend(id)
  expect(creates()).toBe(3)
})

test('whose stamps agree, also where ours and others are told of vaguely: absent is absent', async () => {
  stage = await openDoubts({ resendWhenAbsent: true })
  const nowMs = stage.engine.clock.now()
  stage.adapter.creates.push(dated('job_other', nowMs))
  await stage.create({ puppet_id: 'pup_2' })
  const known = await stage.create({ puppet_id: 'pup_3' })
  stage.adapter.put(known.backendJobId ?? '', { puppetId: 'pup_3' })
  stage.adapter.put('job_other', { puppetId: null })
  stage.adapter.put('job_old', { createdAtMs: nowMs - HOUR, puppetId: null })
  stage.adapter.put('job_of_another_puppet', { createdAtMs: null, puppetId: 'pup_9' })
  await stage.lose()
  await stage.engine.pass(30 * SECOND + PROOF_MS)
  expect(creates()).toBe(4)
})
