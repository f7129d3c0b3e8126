import { expect, test } from 'vitest'
import type { AuditEntryView } from '../../src/core/api/admin.ts'
import type { AdminVideoView } from '../../src/core/api/videos.ts'
import { expectProblem } from './expect.ts'
import { givenUp } from './given-up.ts'

/** An operator's word, over HTTP, on a video that was given up as unknown. */

const idOf = (body: unknown): string => (body as AdminVideoView).id

test('the same job said twice is one video, and asks the backend once', async () => {
  const { app, alt, id, resolve } = await givenUp()
  const first = await resolve({ job_id: 'clip_7', note: 'their dashboard shows it' }).expect(200)
  const again = await resolve({ job_id: 'clip_7' }).expect(200)
  expect(idOf(again.body)).toBe(idOf(first.body))
  expect(again.body).toMatchObject({ backend_job_id: 'clip_7', replaces: id })
  expect((await app.get(`/videos/${id}`)).body).toMatchObject({ status: 'failed', replaced_by: idOf(first.body) })
  expect(alt.asked('GET', '/v1/videos/clip_7').length).toBe(1)
  const { body } = await app.get(`/admin/audit?subject=${id}`).expect(200)
  const [entry, ...others] = (body as { data: AuditEntryView[] }).data
  expect(entry).toMatchObject({ action: 'video.resolve', detail: { note: 'their dashboard shows it' } })
  expect(others).toEqual([])
})

test('another job, or none, is refused: which video stands for it is said, and stays so', async () => {
  const { app, alt, id, resolve } = await givenUp()
  const by = idOf((await resolve({ job_id: 'clip_7' }).expect(200)).body)
  for (const word of [{ job_id: 'clip_8' }, { absent: true, attempt: 1 }]) {
    const particular = { video_id: id, details: { replaced_by: by } }
    expect(expectProblem(await resolve(word), 'video_replaced', particular).detail).toContain(by)
  }
  expect(alt.asked('GET', '/v1/videos/clip_8')).toEqual([])
  const { body } = await app.get(`/videos/${id}?expand=timeline`)
  expect(body).toMatchObject({ replaced_by: by })
  const { timeline } = body as { timeline: { type: string; detail: string | null }[] }
  expect(timeline.filter(({ type }) => type === 'resolved').map(({ detail }) => detail)).toEqual([`clip_7 is ${by}`])
})

test('of two jobs said at once one is taken', async () => {
  const { app, id, resolve } = await givenUp()
  const answers = await Promise.all(['clip_7', 'clip_8'].map((job) => resolve({ job_id: job })))
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
  const taken = answers.find(({ status }) => status === 200)
  expect((await app.get(`/videos/${id}`)).body).toMatchObject({ replaced_by: idOf(taken?.body) })
  expect((await app.get('/videos')).body).toMatchObject({ data: [{}, {}] })
})
