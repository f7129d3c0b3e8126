import { afterEach, expect, test } from 'vitest'
import { NO_DEFAULTS } from '../../src/core/access.ts'
import type { Backends, Imported, ImportRequest } from '../../src/engine/index.ts'
import { backendOf, completed, running } from '../fakes/adapter.ts'
import { accepted, HOUR, MINUTE, rate, SECOND } from '../fakes/records.ts'
import { HOOK, openDoubts, type DoubtStage } from './doubts.ts'

let stage: DoubtStage
const open = async (...given: Parameters<typeof openDoubts>): Promise<void> => {
  stage = await openDoubts(...given)
}
afterEach(async () => {
  await stage.engine.videos.stop()
  await stage.engine.destroy()
})

const LIMITS = { queuedVideos: 100, videosPerMonth: null, creditsPerMonth: null }
const adopt = (jobId: string, client = 'acme', given: Partial<ImportRequest> = {}): Promise<Imported> => {
  const visible: Backends = new Map([['main', backendOf('main', stage.engine.account)]])
  const request = { backend: 'main', jobId, webhookUrl: null, metadata: {}, ...given }
  return stage.engine.videos.import({ client, visible, limits: LIMITS, defaults: NO_DEFAULTS }, request)
}
const refusalOf = async (imported: Promise<Imported>): Promise<string> => {
  try {
    const { video } = await imported
    return `imported ${video.backendJobId}`
  } catch (error) {
    return String(Reflect.get(error as object, 'code'))
  }
}

test('the job of a lost create is its client’s: nobody imports it before the list names it, nor after', async () => {
  await open({})
  const lost = await stage.lose()
  stage.adapter.put('job_7', { visibleFromMs: stage.engine.clock.now() })
  expect(await refusalOf(adopt('job_7', 'thief'))).toBe('import_in_doubt')
  expect(await refusalOf(adopt('job_7', 'acme'))).toBe('import_in_doubt')
  await stage.engine.pass(SECOND)
  expect(await stage.record(lost.id)).toMatchObject({ phase: 'accepted', backendJobId: 'job_7' })
  expect(await refusalOf(adopt('job_7', 'thief'))).toBe('video_not_found')
  expect(await adopt('job_7', 'acme')).toMatchObject({ isNew: false, video: { id: lost.id } })
})

test('a job of before is imported beside the doubt, which the list then does not take it for', async () => {
  await open({})
  const createdAtMs = stage.engine.clock.now() - HOUR
  stage.adapter.put('job_old', { createdAtMs })
  const lost = await stage.lose()
  const dateMs = stage.engine.clock.now()
  const made = { puppetId: 'pup_1', voiceId: 'v1', resolution: '1080p', createdAtMs }
  stage.adapter.polls.push(running({ jobId: 'job_old', made }, rate({ dateMs })))
  const { video } = await adopt('job_old')
  await stage.engine.pass(MINUTE)
  expect(await stage.record(lost.id)).toMatchObject({ phase: 'doubtful' })
  expect(await stage.record(video.id)).toMatchObject({ phase: 'accepted', backendJobId: 'job_old' })
})

test('the answer of a create comes while its job is read for an import: it is that video', async () => {
  await open({})
  const { video, engine } = { video: await stage.create(), engine: stage.engine }
  expect(await adopt(video.backendJobId ?? '')).toMatchObject({ isNew: false, video: { id: video.id } })
  // Between the poll the owner and the adoption: the store decides.
  stage.adapter.put('job_raced')
  const status = stage.adapter.status.bind(stage.adapter)
  stage.adapter.status = async (jobId) => {
    const outcome = await status(jobId)
    const { id: _id, ...rest } = accepted({ client: 'other' })
    const raced = { ...rest, id: 'vid_raced', account: engine.account.id, backendJobId: jobId }
    await engine.store.adopt({ video: raced, events: [], notes: [] })
    return outcome
  }
  expect(await refusalOf(adopt('job_raced'))).toBe('video_not_found')
})

test('no callback was promised for it: it is polled as often as where there are none', async () => {
  const pollsAt = (jobId: string | null): number =>
    stage.adapter.callsOf('status').filter((call) => 'jobId' in call && call.jobId === jobId).length
  const pollsAtImported = async (): Promise<number> => {
    stage.adapter.put('job_7')
    await adopt('job_7')
    await stage.engine.pass(3 * MINUTE)
    return pollsAt('job_7')
  }
  await open({})
  const without = await pollsAtImported()
  await stage.engine.videos.stop()
  await stage.engine.destroy()
  await open({}, { callbackUrl: HOOK })
  const ours = await stage.create({ puppet_id: 'pup_9' })
  expect(await pollsAtImported()).toBe(without)
  expect(pollsAt(ours.backendJobId)).toBeLessThan(without / 2)
})

test('when it began nobody knows: its end teaches nothing of how long jobs run, unlike that of ours', async () => {
  await open({})
  const ends = async (jobId: string): Promise<void> => {
    stage.adapter.polls.push(completed({ jobId }))
    await stage.engine.pass(10 * MINUTE)
    expect((await stage.engine.store.queue(stage.engine.account.id)).held).toBe(0)
  }
  stage.adapter.put('job_7')
  await adopt('job_7')
  await ends('job_7')
  const ours = await stage.create()
  await ends(ours.backendJobId ?? '')
  await stage.engine.videos.stop()
  expect(await stage.engine.store.durations('main/text')).toHaveLength(1)
})
