import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { VideoView, listOf } from '../../src/core/api/videos.ts'
import { fakeClock, type FakeClock } from '../fakes/clock.ts'
import { bearer, KEYS, openApp, type TestApp } from '../fakes/gateway.ts'
import { expectProblem, expectVideo } from './expect.ts'
import { ALT_BODY, MAIN_BODY, serveAlternate, servePrimary } from './services.ts'

const OPERATOR = 'tb_operator_0123456789abcdef'
const CLIENTS = [
  ...Object.entries(KEYS).map(([id, key]) => ({ id, key })),
  { id: 'ops', key: OPERATOR, scopes: ['admin'] },
]

let clock: FakeClock
let app: TestApp
const made: Record<string, string> = {}

const create = async (name: string, client: 'anna' | 'bert', metadata: object, body: object = MAIN_BODY) => {
  const sent = app.raw
    .post('/unified/v1/videos')
    .set(bearer(KEYS[client]))
    .send({ ...body, metadata })
  made[name] = expectVideo(await sent, 202).id
  clock.jump(1_000)
}

beforeAll(async () => {
  clock = fakeClock()
  app = await openApp({ clock, clients: CLIENTS })
  servePrimary(app.main, clock.now)
  serveAlternate(app.alt, clock.now)
  await create('first', 'anna', { order: '1001', team: 'red' })
  await create('second', 'anna', { order: '1002', 'a[b]&c': '1001' }, ALT_BODY)
  await create('theirs', 'bert', { order: '1001' })
  await create('third', 'anna', { order: '1001', url: 'https://x.example/a:b' })
})
afterAll(() => app.close())

const read = async (path: string, key: string = KEYS.anna) => {
  const { body } = await app.raw.get(`/unified/v1${path}`).set(bearer(key)).expect(200)
  return listOf(z.looseObject({ id: VideoView.shape.id }))
    .loose()
    .parse(body)
}
const named = async (query: string, key?: string, list = '/videos') =>
  (await read(`${list}?${query}`, key)).data.map(({ id }) => Object.keys(made).find((name) => made[name] === id))

describe('videos by their metadata', () => {
  test.each([
    ['metadata=1001', ['third', 'second', 'first']],
    ['metadata[order]=1001', ['third', 'first']],
    ['metadata%5Border%5D=1001', ['third', 'first']],
    ['metadata[a%5Bb%5D%26c]=1001', ['second']],
    ['metadata[url]=https://x.example/a:b', ['third']],
    ['metadata=1001&backend=alt', ['second']],
    ['metadata=1001&status=completed', []],
    ['metadata=100', []],
    ['metadata[team]=1001', []],
    ['metadata=1001&created_after=2100-01-01T00:00:00Z', []],
  ])('?%s finds %j, and nothing of others', async (query, found) => {
    expect(await named(query)).toEqual(found)
    expect(await named(query, KEYS.anna, '/videos/search')).toEqual(found)
  })

  test('an operator finds those of all clients, or of one', async () => {
    expect(await named('metadata=1001', OPERATOR, '/admin/videos')).toEqual(['third', 'theirs', 'second', 'first'])
    expect(await named('metadata[order]=1001&client=bert', OPERATOR, '/admin/videos')).toEqual(['theirs'])
  })

  test.each(['/videos', '/videos/search'])('%s in pages; a cursor belongs to what was asked for', async (list) => {
    const first = await read(`${list}?metadata=1001&limit=2`)
    expect(first).toMatchObject({ has_more: true, data: [{ id: made['third'] }, { id: made['second'] }] })
    const next = `limit=2&cursor=${first.next_cursor}`
    expect(await read(`${list}?metadata=1001&${next}`)).toMatchObject({
      has_more: false,
      data: [{ id: made['first'] }],
    })
    for (const other of ['metadata=1002', 'metadata[order]=1001', 'status=queued'])
      expectProblem(await app.get(`${list}?${other}&${next}`), 'invalid_cursor')
  })

  test.each([
    ['metadata=', 'must be 1 to 500 characters'],
    [`metadata=${'x'.repeat(501)}`, 'must be 1 to 500 characters'],
    ['metadata[]=1', 'must have a key of 1 to 40 characters: metadata[order]=1001'],
    [`metadata[${'k'.repeat(41)}]=1`, 'must have a key of 1 to 40 characters: metadata[order]=1001'],
    ['metadata=1&metadata=2', 'must be given once'],
    ['metadata[a]=1&metadata[b]=2', 'give only one: metadata=1001, or metadata[order]=1001'],
    ['metadata=1&metadata[b]=2', 'give only one: metadata=1001, or metadata[order]=1001'],
    [
      'origin=backend&backend=alt&metadata=1',
      'metadata cannot be combined with origin=backend: backends have no metadata',
    ],
  ])('?%s is 400: %s', async (query, message) => {
    const refused = expectProblem(await app.get(`/videos?${query}`), 'invalid_request', { param: 'metadata' })
    expect(JSON.stringify(refused)).toContain(JSON.stringify(message).slice(1, -1))
  })

  test('what only looks like it is an unknown parameter', async () => {
    for (const name of ['metadatax', 'metadata[a]b', 'xmetadata[a]'])
      expectProblem(await app.get(`/videos?${name}=1`), 'invalid_request', { param: name })
  })
})
