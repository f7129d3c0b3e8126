import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { fakeClock } from '../fakes/clock.ts'
import { bearer, KEYS, testApp, type TestApp } from '../fakes/gateway.ts'
import { expectProblem, expectVideo } from './expect.ts'
import { MAIN_BODY, servePrimary } from './services.ts'

const OPERATOR = 'tb_operator_0123456789abcdef'
const CLIENTS = [
  ...Object.entries(KEYS).map(([id, key]) => ({ id, key, scopes: ['videos:read', 'videos:create'] })),
  { id: 'ops', key: OPERATOR, scopes: ['admin'] },
]

const stage = async () => {
  const app = await testApp({ clock: fakeClock(), clients: CLIENTS })
  return { app, main: servePrimary(app.main) }
}
const remove = (app: TestApp, path: string, key: string = KEYS.anna) =>
  app.raw.delete(`/unified/v1${path}`).set(bearer(key))

/** In every place where the word may be. */
const body = (n: number) => ({
  image_url: `https://img.example/zebra-${n}.png`,
  text: `zebra text ${n}`,
  metadata: { order: `zebra-${n}` },
  webhook_url: `https://hooks.example/zebra-${n}`,
})

/** Every row of the store that has the word, by its table. */
const tablesWith = (app: TestApp, word: string): string[] => {
  const db = new DatabaseSync(app.deps.config.store.path, { readOnly: true })
  const tables = db.prepare(`SELECT name FROM sqlite_master WHERE type = 'table'`).all()
  const found = tables
    .map(({ name }) => String(name))
    .filter((name) => JSON.stringify(db.prepare(`SELECT * FROM "${name}"`).all()).includes(word))
  db.close()
  return found
}

test('of a deleted video nothing is left but whose it is, when it was made and what it cost', async () => {
  const { app, main } = await stage()
  main.state.onCreate = 'completed'
  const create = () => app.post(body(1)).set('idempotency-key', 'key-1')
  const before = expectVideo(await create(), 200)
  expect(tablesWith(app, 'zebra')).toEqual(expect.arrayContaining(['videos', 'video_metadata', 'deliveries', 'events']))
  const used = async () => ((await app.get('/usage').expect(200)).body as { months: object[] }).months
  const usage = await used()
  const sent = app.upstream()

  await remove(app, `/videos/${before.id}`).expect(204)
  expect(tablesWith(app, 'zebra')).toEqual([])
  const after = expectVideo(await app.get(`/videos/${before.id}`), 200)
  const { id, status, created_at, completed_at, credits, backend_job_id } = before
  expect(after).toMatchObject({ id, status, created_at, completed_at, credits, backend_job_id })
  expect(after).toMatchObject({ deleted_at: expect.any(String), metadata: {}, video_url: null, webhook_url: null })
  expect(Object.values(after.input).filter((value) => value !== null)).toEqual([])
  expect(await used()).toEqual(usage)

  // Once more changes nothing; the file is gone here, and no backend is asked for it; the key makes no second video.
  await remove(app, `/videos/${id}`).expect(204)
  expect(expectVideo(await app.get(`/videos/${id}`), 200)).toEqual(after)
  expectProblem(await app.get(`/videos/${id}/download`), 'video_not_found')
  expectProblem(
    await app.raw.get(new URL(before.content_url).pathname + new URL(before.content_url).search),
    'video_not_found',
  )
  expect(expectVideo(await create(), 200)).toEqual(after)
  expect(app.upstream()).toBe(sent)
})

test('one that has not ended is kept, and so is another client’s', async () => {
  const { app } = await stage()
  const { id } = expectVideo(await app.post(body(1)), 202)
  expectProblem(await remove(app, `/videos/${id}`), 'video_not_deletable')
  expectProblem(await remove(app, `/videos/${id}`, KEYS.bert), 'video_not_found')
  expectProblem(await remove(app, '/videos/vid_none'), 'video_not_found')
  expect(tablesWith(app, 'zebra text 1')).toContain('videos')
})

test('an operator deletes what a client made, page by page; the audit log has it, and others keep theirs', async () => {
  const { app, main } = await stage()
  main.state.onCreate = 'completed'
  for (let n = 0; n < 101; n += 1) expectVideo(await app.post(body(n)), 200)
  await app.raw
    .post('/unified/v1/videos')
    .set(bearer(KEYS.bert))
    .send({ ...MAIN_BODY, text: 'of bert' })
    .expect(200)
  main.state.onCreate = 'queued'
  const { id: running } = expectVideo(await app.post(body(102)), 202)
  const path = '/admin/clients/anna/data'
  expectProblem(await remove(app, path), 'insufficient_scope')
  const first = (await remove(app, path, OPERATOR).expect(200)).body as { next_cursor: string }
  expect(first).toMatchObject({ object: 'deletion', deleted: 99, not_deletable: 1, has_more: true })
  const second = await remove(app, `${path}?cursor=${encodeURIComponent(first.next_cursor)}`, OPERATOR).expect(200)
  expect(second.body).toMatchObject({ deleted: 2, not_deletable: 0, has_more: false, next_cursor: null })
  expect(expectVideo(await app.get(`/videos/${running}`), 200).input.text).toBe('zebra text 102')
  expect(tablesWith(app, 'zebra text 1')).toEqual(['videos'])
  expect(tablesWith(app, 'of bert')).toContain('videos')
  const audit = await app.raw.get('/unified/v1/admin/audit?action=client.erase').set(bearer(OPERATOR)).expect(200)
  const { data } = audit.body as { data: object[] }
  expect(data).toMatchObject(['anna', 'anna'].map((subject) => ({ subject, actor: 'ops' })))

  const again = await remove(app, path, OPERATOR).expect(200)
  expect(again.body).toMatchObject({ deleted: 0, not_deletable: 1 })
  expectProblem(await remove(app, '/admin/clients/nobody/data', OPERATOR), 'client_not_found')
  expectProblem(await remove(app, `${path}?cursor=rubbish`, OPERATOR), 'invalid_cursor')
})
