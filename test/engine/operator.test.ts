import { forOperator } from '../../src/engine/index.ts'
import { afterEach, expect, test } from 'vitest'
import { Problem } from '../../src/core/errors.ts'
import type { EventRecord } from '../../src/core/video.ts'
import { acceptedAs, doubt as lostAnswer, HOUR, MINUTE } from '../fakes/records.ts'
import { completed } from '../fakes/adapter.ts'
import { openDoubts, PORTRAIT, type DoubtStage } from './doubts.ts'

/** An operator's word on a create that was given up as unknown. */
let stage: DoubtStage
afterEach(async () => {
  await stage.engine.videos.stop()
  await stage.engine.destroy()
})

const HOOK = 'https://hooks.example/a'

/** A create whose answer never came, and of which nothing could be known any more. */
const givenUp = async (key: string | null = null) => {
  stage = await openDoubts({ exclusive: false })
  stage.adapter.creates.push(lostAnswer())
  const given = { input: PORTRAIT, webhookUrl: HOOK, metadata: { order: '7' } }
  const { video } = await stage.engine.create(given, key)
  await stage.engine.pass(MINUTE)
  const lost = await stage.record(video.id)
  expect(lost).toMatchObject({ phase: 'ended', error: { code: 'create_outcome_unknown' } })
  return lost
}
const eventsOf = async (id: string): Promise<string[]> => {
  const { events } = await stage.engine.store.eventsOf('acme', { after: 0, limit: 100, types: null })
  return events.flatMap(({ event }: { event: EventRecord }) => (event.videoId === id ? [event.type] : []))
}
const wordsOf = async (id: string): Promise<(string | null)[]> =>
  (await stage.engine.videos.timeline(id)).filter(({ type }) => type === 'resolved').map(({ detail }) => detail)

test('its job becomes a video of its own, of the same client, and is told to the same URL', async () => {
  const lost = await givenUp()
  stage.adapter.put('job_7')
  const found = await stage.engine.videos.resolve(lost, 'job_7')
  expect(found).toMatchObject({
    phase: 'accepted',
    client: 'acme',
    backend: 'main',
    backendJobId: 'job_7',
    metadata: { order: '7' },
    webhookUrl: HOOK,
    webhookEvents: lost.webhookEvents,
  })
  expect(found.id).not.toBe(lost.id)
  // Each says which stands for which.
  expect(found).toMatchObject({ replaces: lost.id, replacedBy: null })
  expect(await stage.record(lost.id)).toMatchObject({ replaces: null, replacedBy: found.id })
  expect(await stage.engine.videos.render(found)).toMatchObject({ replaces: lost.id, replaced_by: null })
  expect(await wordsOf(lost.id)).toEqual([`job_7 is ${found.id}`])
  stage.adapter.polls.push(completed({ jobId: 'job_7' }))
  await stage.engine.pass(HOUR)
  expect((await stage.record(found.id)).status).toBe('completed')
  expect(await eventsOf(found.id)).toEqual(['video.queued', 'video.processing', 'video.completed'])
  expect((await stage.engine.store.deliveriesOf(found.id)).map(({ event }) => event.type)).toEqual(['video.completed'])
})

test('what it was told of as failed stays so: one terminal event, and its key answers it', async () => {
  const lost = await givenUp('key-1')
  stage.adapter.put('job_7')
  await stage.engine.videos.resolve(lost, 'job_7')
  await stage.engine.pass(MINUTE)
  expect(await stage.record(lost.id)).toMatchObject({ status: 'failed', backendJobId: null, sequence: lost.sequence })
  expect(await eventsOf(lost.id)).toEqual(['video.queued', 'video.failed'])
  const given = { input: PORTRAIT, webhookUrl: HOOK, metadata: { order: '7' } }
  expect(await stage.engine.create(given, 'key-1')).toMatchObject({ replayed: true, video: { id: lost.id } })
  expect(stage.adapter.callsOf('create')).toHaveLength(1)
})

test('said twice it is the same video', async () => {
  const lost = await givenUp()
  stage.adapter.put('job_7')
  const found = await stage.engine.videos.resolve(lost, 'job_7')
  expect(await stage.engine.videos.resolve(lost, 'job_7')).toMatchObject({ id: found.id })
  expect(await wordsOf(lost.id)).toHaveLength(1)
})

test('of another video’s job it is refused: whose it is', async () => {
  const lost = await givenUp()
  stage.adapter.creates.push(acceptedAs('job_8'))
  const other = await stage.create()
  await expect(stage.engine.videos.resolve(lost, 'job_8')).rejects.toMatchObject({
    message: `this job belongs to ${other.id}`,
  })
  expect(await wordsOf(lost.id)).toEqual([])
})

test('a process that ended between the two writes: said once more, the link is whole, and no second video made', async () => {
  const lost = await givenUp()
  stage.adapter.put('job_7')
  const { store } = stage.engine
  const { change } = store
  store.change = () => Promise.reject(new Problem('store_unavailable', 'scripted'))
  await expect(stage.engine.videos.resolve(lost, 'job_7')).rejects.toMatchObject({ code: 'store_unavailable' })
  store.change = change
  const found = await stage.engine.videos.resolve(lost, 'job_7')
  expect(found).toMatchObject({ backendJobId: 'job_7', replaces: lost.id })
  expect(await stage.record(lost.id)).toMatchObject({ replacedBy: found.id })
  expect(await wordsOf(lost.id)).toEqual([`job_7 is ${found.id}`])
})

test('a word about another attempt than the last is refused', async () => {
  const lost = await givenUp()
  await expect(stage.engine.videos.resolve(lost, null, 2)).rejects.toMatchObject({
    message: 'there was no attempt 2: the last one is 1',
  })
  expect(await wordsOf(lost.id)).toEqual([])
})

test('what an operator may speak about is shown while it is in doubt, and after', async () => {
  stage = await openDoubts({ exclusive: false }, { callbackUrl: HOOK })
  const video = await stage.lose()
  const { doubt } = forOperator(video, await stage.engine.videos.render(video))
  expect(doubt).toMatchObject({ open: true, attempt: 1, candidates: [] })
  const other = await stage.create()
  expect(forOperator(other, await stage.engine.videos.render(other)).doubt).toBeNull()
})

test('a job that the backend does not know is refused, and nothing is written', async () => {
  const lost = await givenUp()
  await expect(stage.engine.videos.resolve(lost, 'job_x')).rejects.toMatchObject({ extras: { param: 'job_id' } })
  expect((await stage.record(lost.id)).version).toBe(lost.version)
})

test('that there was none is noted, and nothing is sent again', async () => {
  const lost = await givenUp()
  expect(await stage.engine.videos.resolve(lost, null)).toMatchObject({ id: lost.id, status: 'failed' })
  await stage.engine.pass(MINUTE)
  expect(await wordsOf(lost.id)).toEqual(['there was no job'])
  expect(stage.adapter.callsOf('create')).toHaveLength(1)
})

test('one that ended otherwise is no matter of an operator’s', async () => {
  stage = await openDoubts({})
  const video = await stage.create()
  await expect(stage.engine.videos.resolve(video, 'job_7')).rejects.toMatchObject({
    code: 'invalid_request',
    message: expect.stringContaining('not in doubt'),
  })
})
