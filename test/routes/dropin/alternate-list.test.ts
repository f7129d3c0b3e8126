import { describe, expect, test } from 'vitest'
import { fakeClock } from '../../fakes/clock.ts'
import { KEYS } from '../../fakes/gateway.ts'
import { MAIN_BODY } from '../services.ts'
import { ASKED, bodyOf, stage, type AlternateStage, type Body } from './alternate-stage.ts'

/** GET /v1/videos ("List query", "Pagination"). */

const listed = async (on: AlternateStage, query = '', key: string = KEYS.anna) => {
  const { data, pagination } = bodyOf(await on.get(`/videos${query}`, key).expect(200))
  return { data: data as Body[], pagination: pagination as Body }
}
const idsIn = ({ data }: { data: Body[] }): unknown[] => data.map(({ id }) => id)

/** Videos of every status, the oldest first, made on all surfaces. */
const filled = async () => {
  const clock = fakeClock()
  const on = await stage({ clock, backends: { main: { slots: 1 } } })
  const ids: string[] = []
  const kept = async (made: PromiseLike<{ body: unknown }>) => {
    ids.push(String((Object(await made) as { body: Body }).body['id']).replace('api_video_', 'vid_'))
    clock.jump(1_000)
  }
  const bearer = { authorization: `Bearer ${KEYS.anna}` }
  for (const status of ['processing', 'completed', 'failed'] as const) {
    on.alt.onCreate = status
    await kept(on.create().expect(201))
  }
  const { image_url: imageUrl, text } = MAIN_BODY
  await kept(on.app.raw.post('/api/v1/videos/text').set(bearer).send({ imageUrl, text }).expect(202))
  // These wait for the one slot; the second is canceled.
  await kept(on.app.post(MAIN_BODY).expect(202))
  await kept(on.app.post(MAIN_BODY).expect(202))
  await on.app.raw.post(`/unified/v1/videos/${ids[5]}/cancel`).set(bearer).expect(200)
  on.alt.onCreate = 'completed'
  await on.create(ASKED, {}, KEYS.bert).expect(201)
  return { on, ids, newest: ids.toReversed() }
}

describe('the list', () => {
  test('has the client’s own videos of every surface, newest first', async () => {
    const { on, newest } = await filled()
    const { data, pagination } = await listed(on)
    expect(data.map(({ id, status }) => [id, status])).toEqual([
      [newest[0], 'failed'],
      [newest[1], 'processing'],
      [newest[2], 'processing'],
      [newest[3], 'failed'],
      [newest[4], 'completed'],
      [newest[5], 'processing'],
    ])
    expect(pagination).toEqual({ page: 1, limit: 20, total: 6, total_pages: 1 })
    expect(data[5]).toEqual({
      id: newest[5],
      status: 'processing',
      puppet_id: 'pup_1',
      duration_sec: null,
      created_at: '2026-11-20T10:00:00.000Z',
    })
    expect(data[0]).toMatchObject({ puppet_id: null })
    expect((await listed(on, '', KEYS.bert)).pagination['total']).toBe(1)
  })

  test('in pages, the last of them short, and an empty one behind it', async () => {
    const { on, newest } = await filled()
    for (const [page, from] of [
      [1, 0],
      [2, 4],
      [3, 8],
      [9_007_199_254_740_991, 6],
    ] as const) {
      const found = await listed(on, `?limit=4&page=${page}`)
      expect(idsIn(found)).toEqual(newest.slice(from, from + 4))
      expect(found.pagination).toEqual({ page, limit: 4, total: 6, total_pages: 2 })
    }
  })

  test.each([
    ['processing', [1, 2, 5]],
    ['completed', [4]],
    ['failed', [0, 3]],
  ])('of status %s, with its own total', async (status, places) => {
    const { on, newest } = await filled()
    const found = await listed(on, `?status=${status}&limit=1&page=${places.length}`)
    expect(idsIn(found)).toEqual([newest[places.at(-1) ?? 0]])
    expect(found.pagination).toEqual({
      page: places.length,
      limit: 1,
      total: places.length,
      total_pages: places.length,
    })
  })

  test('of a client without videos is empty', async () => {
    const on = await stage()
    expect(await listed(on)).toEqual({ data: [], pagination: { page: 1, limit: 20, total: 0, total_pages: 0 } })
  })

  test.each([
    'page=0',
    'page=-1',
    'page=1.5',
    'page=x',
    'page=',
    'page=9007199254740993',
    'page=1&page=2',
    'limit=0',
    'limit=101',
    'limit=1e1',
    'limit=%2010',
    'status=queued',
    'status=canceled',
    'status=Completed',
    'status=',
  ])('%s is refused', async (query) => {
    const on = await stage()
    const { error } = bodyOf(await on.get(`/videos?${query}`).expect(400)) as { error: Body }
    expect(error['code']).toBe('invalid_request')
    expect(error['message']).toMatch(new RegExp(`^${query.split('=')[0]}: `))
  })

  test('what else a query has means nothing', async () => {
    const on = await stage()
    await on.get('/videos?cursor=x&sort=asc').expect(200)
  })
})
