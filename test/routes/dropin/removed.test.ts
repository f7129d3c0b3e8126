import { expect, onTestFinished, test } from 'vitest'
import { bearer } from '../../fakes/gateway.ts'
import { HOUR, MINUTE, SECOND } from '../../fakes/records.ts'
import { sandboxStage } from './sandbox-stage.ts'
import { VIDEO } from './stage.ts'

/** `retention_days`, by default. */
const RETENTION = 30 * 24 * HOUR

test('a video that ended more than `retention_days` ago is gone from both surfaces; the service keeps it', async () => {
  const { app, clock, get, post, sandbox } = await sandboxStage()
  const { videos, maintainer } = app.deps
  videos.start()

  /** One on each surface, when both have ended: their paths there, and their ids, the newest first. */
  const makeBoth = async () => {
    const job = (await post('/api/v1/videos/text', VIDEO)).body as { id: string }
    const clip = (await post('/v1/videos', { script: 'Hello', puppet_id: 'pup_ada' })).body as { id: string }
    const paths = [`/api/v1/videos/${job.id}`, `/v1/videos/${clip.id}`] as const
    const statuses = async () => {
      await clock.advance(5 * SECOND)
      return Promise.all(paths.map(async (path) => (await get(path)).body.status as unknown))
    }
    await expect.poll(statuses, { timeout: 120_000 }).toEqual(['completed', 'completed'])
    return { paths, ids: [clip.id, job.id.replace('api_video_', 'vid_')] }
  }
  const atService = async (path: string, key: string): Promise<number> =>
    (await fetch(path, { headers: bearer(key) })).status
  const nativeId = async (id: string) => (await get(`/unified/v1/videos/${id}`)).body.backend_job_id as string
  const listed = async () => ((await get('/v1/videos')).body.data as { id: string }[]).map(({ id }) => id)
  const statusOf = async (path: string) => (await get(path)).status

  const old = await makeBoth()
  clock.jump(RETENTION - HOUR)
  const young = await makeBoth()
  expect(await listed()).toEqual([...young.ids, ...old.ids])
  const [clip, job] = await Promise.all(old.ids.map(nativeId))

  clock.jump(HOUR + MINUTE)
  maintainer.start()
  onTestFinished(() => maintainer.stop())
  await expect.poll(listed, { timeout: 120_000 }).toEqual(young.ids)
  expect(await Promise.all(old.paths.map(statusOf))).toEqual([404, 404])
  expect(await Promise.all(young.paths.map(statusOf))).toEqual([200, 200])
  expect(await atService(`${sandbox.alternateUrl}/v1/videos/${clip}`, sandbox.alternateKey)).toBe(200)
  expect(await atService(`${sandbox.primaryUrl}/api/v1/videos/${job}`, sandbox.primaryKey)).toBe(200)
})
