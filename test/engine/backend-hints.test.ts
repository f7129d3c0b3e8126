import { afterEach, expect, test } from 'vitest'
import { running } from '../fakes/adapter.ts'
import { acceptedAs, MINUTE, SECOND } from '../fakes/records.ts'
import { HOOK, openDoubts, type DoubtStage } from './doubts.ts'

/** No poll is earlier than the backend asked for, whoever wants one. */
let stage: DoubtStage
afterEach(async () => {
  await stage.engine.videos.stop()
  await stage.engine.destroy()
})

const polls = (): number[] => stage.adapter.callsOf('status').map(({ atMs }) => atMs)
const restart = async (): Promise<void> => {
  stage.engine = await stage.engine.restart('crashed')
  stage.engine.videos.start()
}
/** A job that is to be called back about, and not to be asked about for half a minute. */
const open = async (): Promise<{ id: string; dueAtMs: number }> => {
  stage = await openDoubts({ exclusive: false }, { callbackUrl: HOOK })
  const dueAtMs = stage.engine.clock.now() + 30 * SECOND
  stage.adapter.creates.push(
    acceptedAs('job_1', { status: 'processing', backendStatus: 'processing', nextPollAtMs: dueAtMs }),
  )
  const { id } = await stage.create()
  return { id, dueAtMs }
}

test('who suspects that callbacks were lost while it was away waits for it', async () => {
  const { dueAtMs } = await open()
  await restart()
  await stage.engine.pass(40 * SECOND)
  expect(polls()).toEqual([dueAtMs])
})

test('what the last poll that was written was told counts, too', async () => {
  const { dueAtMs } = await open()
  stage.adapter.polls.push(running({ progress: 0.5, nextPollAtMs: dueAtMs + MINUTE }))
  await stage.engine.pass(3 * MINUTE)
  const [first, second] = polls()
  expect(first).toBeGreaterThanOrEqual(dueAtMs)
  expect(second).toBeGreaterThanOrEqual(dueAtMs + MINUTE)
})

test.each(['before', 'after'])('a callback does not make it earlier (%s a restart)', async (when) => {
  const { id, dueAtMs } = await open()
  if (when === 'after') await restart()
  await stage.engine.videos.hinted(id, 1, null)
  await stage.engine.pass(29 * SECOND)
  expect(polls()).toEqual([])
  await stage.engine.pass(2 * SECOND)
  expect(polls()).toEqual([dueAtMs])
})

test('nor after a poll that changed nothing, which only this process remembers', async () => {
  const { id, dueAtMs } = await open()
  const nextAtMs = dueAtMs + 2 * MINUTE
  stage.adapter.put('job_1')
  stage.adapter.polls.push(running({ nextPollAtMs: nextAtMs }))
  await stage.engine.videos.hinted(id, 1, null)
  await stage.engine.pass(40 * SECOND)
  expect(polls()).toEqual([dueAtMs])
  await stage.engine.videos.hinted(id, 1, null)
  await stage.engine.pass(2 * MINUTE)
  expect(polls()).toEqual([dueAtMs, nextAtMs])
})
