import { expect, test } from 'vitest'
import { bearer, KEYS } from '../fakes/gateway.ts'
import { stage, type Stage } from './harness.ts'

/** A request of an app that had the service's URL until now. */
const app =
  (s: Stage, key: string = KEYS.anna) =>
  async (path: string) => {
    const response = await fetch(s.gateway().gateway.url + path, { headers: bearer(key) })
    return {
      status: response.status,
      headers: response.headers,
      body: (await response.json()) as Record<string, unknown>,
    }
  }

/** A video that was made at the service itself. */
const madeThere = async ({ sandbox }: Stage): Promise<string> => {
  const response = await fetch(`${sandbox.alternateUrl}/v1/videos`, {
    method: 'POST',
    headers: { authorization: `Bearer ${sandbox.alternateKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ script: 'Made before.', puppet_id: 'pup_ada' }),
  })
  return ((await response.json()) as { id: string }).id
}

test('an adopted video keeps its id on the surface that it comes from', async () => {
  const s = await stage({ sandbox: { sampleJobs: true }, config: { dropin: { adopt_existing: true } } })
  const get = app(s)
  const old = 'api_video_sample'
  const job = await get(`/api/v1/videos/${old}`)
  const path = `/api/v1/videos/${old}`
  const named = { id: old, operation_id: old, request_id: old, status_url: path, content_location: path }
  expect(job).toMatchObject({ status: 200, body: named })
  expect(job.headers.get('location')).toBe(s.gateway().gateway.url + path)
  expect(job.headers.get('x-service-operation-id')).toBe(old)

  const clip = await madeThere(s)
  expect(await get(`/v1/videos/${clip}`)).toMatchObject({ status: 200, body: { id: clip } })
  const { body } = await get('/v1/videos')
  // The list of this surface has all videos of the client: one of the other interface has the gateway's id here.
  expect(body).toMatchObject({ data: [{ id: clip }, { id: expect.stringMatching(/^vid_/) }], pagination: { total: 2 } })
})
