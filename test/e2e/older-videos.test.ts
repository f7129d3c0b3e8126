import { expect, test } from 'vitest'
import { bearer, KEYS } from '../fakes/gateway.ts'
import { until } from '../fakes/until.ts'
import { ALT, stage, type Stage } from './harness.ts'

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

/** So many, one after the other. */
const madeBefore = async (s: Stage, count: number): Promise<string[]> => {
  const ids: string[] = []
  for (let n = 0; n < count; n += 1) ids.push(await madeThere(s))
  return ids
}

interface List {
  data: { id: string }[]
  pagination: { total: number }
}

/** How often the service was asked for its list. */
const listsAsked = ({ sandbox }: Stage): number =>
  sandbox.ledger().requests.filter(({ operation }) => operation === 'listVideos').length

/** What the service itself answers. */
const service = async ({ sandbox }: Stage, path: string): Promise<unknown> =>
  (await fetch(sandbox.alternateUrl + path, { headers: { authorization: `Bearer ${sandbox.alternateKey}` } })).json()

const PATHS = ['', '?limit=100', '?limit=100&page=3', '?page=99', '?status=completed&limit=7&page=2', '?status=failed']

test('an account’s older videos stand in the list of the one client to whom they belong', async () => {
  const s = await stage({
    sandbox: { unlimitedRate: true },
    config: { dropin: { history: { alt: 'anna' } }, backends: { alt: { requests_per_minute: 20 } } },
  })
  const ids = await madeBefore(s, 250)
  await until(async () => ((await service(s, '/v1/videos?status=processing')) as List).data.length === 0)
  const before = listsAsked(s)
  await s.restart()
  const get = app(s)
  await until(async () => ((await get('/v1/videos')).body as unknown as List).pagination.total === 250)
  for (const path of PATHS)
    expect((await get(`/v1/videos${path}`)).body, path).toEqual(await service(s, `/v1/videos${path}`))
  expect(listsAsked(s) - before).toBe(3 + PATHS.length)

  // By its own id: with the answer of the service, but for a link that it signs anew.
  const [old] = ids
  const { download_url: link, ...detail } = (await get(`/v1/videos/${old}`)).body
  const { download_url: _, ...told } = (await service(s, `/v1/videos/${old}`)) as Record<string, unknown>
  expect(detail).toEqual(told)
  expect((await fetch(String(link))).status).toBe(200)
  const download = await get(`/v1/videos/${old}/download`)
  expect((await fetch(String(download.body['download_url']))).status).toBe(200)
  expect((await get('/v1/videos/clip_of_nobody')).status).toBe(404)

  // Nobody else's, and nowhere else.
  const other = app(s, KEYS.bert)
  expect(await other(`/v1/videos/${old}`)).toMatchObject({ status: 404 })
  expect(await other('/v1/videos')).toMatchObject({ body: { pagination: { total: 0 } } })
  expect((await s.call(`/videos/${old}`)).status).toBe(404)
  expect(await (await s.call('/videos')).json()).toMatchObject({ data: [] })
  expect(await (await s.call('/events')).json()).toMatchObject({ data: [] })
  expect(await (await s.call('/usage')).json()).toMatchObject({ client: { videos: { completed: 0, processing: 0 } } })

  // A new one stands before them, once.
  const made = await s.create(ALT)
  await s.ended(made.id)
  expect(await get('/v1/videos?limit=1')).toMatchObject({
    body: { data: [{ id: made.id }], pagination: { total: 251 } },
  })
})
