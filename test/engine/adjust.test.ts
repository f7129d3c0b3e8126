import { afterEach, expect, test } from 'vitest'
import { HOUR, SECOND } from '../fakes/records.ts'
import { HOOK, openDoubts, type DoubtStage } from './doubts.ts'

let stage: DoubtStage
afterEach(async () => {
  await stage.engine.videos.stop()
  await stage.engine.destroy()
})

test('creates from before their account was exclusive get its lane: none goes while one like it is in doubt', async () => {
  stage = await openDoubts({ exclusive: true, absentAfterMs: 300 * SECOND })
  const doubtful = await stage.lose()
  const { id } = await stage.create()
  expect(await stage.record(id)).toMatchObject({ phase: 'waiting', lane: doubtful.lane })
  // As if they had been made before the backend was called exclusive.
  for (const one of [doubtful.id, id]) {
    await stage.engine.store.change(one, (video) => ({
      kind: 'save',
      video: { ...video, lane: null },
      events: [],
      notes: [],
    }))
  }
  stage.engine = await stage.engine.restart('stopped')
  await stage.engine.videos.adjust(new Set(['acme']))
  stage.engine.videos.start()
  await stage.engine.pass(60 * SECOND)
  expect(await stage.engine.record(doubtful.id)).toMatchObject({ phase: 'doubtful', lane: doubtful.lane })
  expect(await stage.engine.record(id)).toMatchObject({ phase: 'waiting', lane: doubtful.lane })
  expect(await stage.engine.store.deliveriesOf(id)).toEqual([])
})

test('creates from when their account was exclusive lose its lane: none waits for one like it any more', async () => {
  stage = await openDoubts({ exclusive: true }, { callbackUrl: HOOK })
  const doubtful = await stage.lose()
  const { id } = await stage.create()
  expect(await stage.record(id)).toMatchObject({ phase: 'waiting', lane: doubtful.lane })
  // The backend is no more ours alone.
  stage.engine.account.evidence.exclusive = false
  stage.engine = await stage.engine.restart('stopped')
  await stage.engine.videos.adjust(new Set(['acme']))
  stage.engine.videos.start()
  await stage.engine.pass(SECOND)
  expect(await stage.engine.record(doubtful.id)).toMatchObject({ phase: 'doubtful', lane: null })
  expect(await stage.engine.record(id)).toMatchObject({ phase: 'accepted', lane: null })
})

test('two like creates in doubt from before their account was exclusive: one job is neither’s for certain', async () => {
  stage = await openDoubts({ exclusive: false }, { callbackUrl: HOOK })
  const [first, second] = [await stage.lose(), await stage.lose()]
  stage.adapter.put('job_7')
  stage.engine.account.evidence.exclusive = true
  stage.engine = await stage.engine.restart('stopped')
  await stage.engine.videos.adjust(new Set(['acme']))
  stage.engine.videos.start()
  await stage.engine.pass(2 * HOUR)
  for (const { id } of [first, second]) {
    expect(await stage.engine.record(id)).toMatchObject({
      backendJobId: null,
      error: { code: 'create_outcome_unknown' },
    })
    const notes = (await stage.engine.videos.timeline(id)).map(({ detail }) => detail)
    expect(notes).toContain('more than one create may have made it: job_7')
  }
})
