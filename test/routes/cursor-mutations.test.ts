import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bearer, KEYS, openApp, type TestApp } from '../fakes/gateway.ts'
import { expectProblem, expectVideo } from './expect.ts'
import { MAIN_BODY, serveAlternate, servePrimary } from './services.ts'
import { anyCodePoint } from '../fakes/any-text.ts'

/** A cursor is only what the gateway made of it, for that client, that list and those filters. */
const LISTS = ['/videos', '/voices', '/puppets', '/backends/main/drift', '/events'] as const

let app: TestApp
beforeAll(async () => {
  const clients = Object.entries(KEYS).map(([id, key]) => ({ id, key, limits: { requests_per_minute: 1_000_000 } }))
  app = await openApp({ clients })
  const main = servePrimary(app.main)
  serveAlternate(app.alt)
  for (let n = 0; n < 3; n += 1) expectVideo(await app.post(MAIN_BODY), 202)
  expect(main.creates()).toHaveLength(3)
  // Two words that the adapter was never told of.
  for (const error of ['odd_one', 'odd_two']) {
    app.main.next({ status: 418, body: { error, message: 'no' } })
    expect((await app.post(MAIN_BODY)).status).toBe(502)
  }
})
afterAll(() => app.close())

const cursorOf = async (list: string): Promise<string> => {
  const { body } = await app.get(`${list}?limit=1`).expect(200)
  const { next_cursor: cursor } = body as { next_cursor: string | null }
  if (cursor === null) throw new Error(`${list} has one page: nothing to try`)
  return cursor
}
const page = (list: string, cursor: string, more = '') =>
  app.get(`${list}?limit=1&cursor=${encodeURIComponent(cursor)}${more}`)

type Mutation = (cursor: string) => string
const at = fc.nat({ max: 400 })
const char = fc.oneof(
  fc.constantFrom(...'ABCabc019-_=.+/ %&~'.split('')),
  anyCodePoint.filter((one) => /^[\x20-\x7e\u00a0-\ud7ff]$/.test(one)),
)
const spliced =
  (index: number, removed: number, added: string): Mutation =>
  (cursor) => {
    const place = index % (cursor.length + 1)
    return cursor.slice(0, place) + added + cursor.slice(place + removed)
  }
const mutations: fc.Arbitrary<Mutation> = fc.oneof(
  fc.tuple(at, char).map(([index, one]) => spliced(index, 1, one)),
  fc.tuple(at, char).map(([index, one]) => spliced(index, 0, one)),
  fc.tuple(at, fc.integer({ min: 1, max: 40 })).map(([index, removed]) => spliced(index, removed, '')),
  // The bits that a base64 reader throws away, and other spellings of the same bytes.
  fc.constantFrom<Mutation>(
    (cursor) => `${cursor}=`,
    (cursor) => `${cursor}==`,
    (cursor) => cursor.replaceAll('-', '+').replaceAll('_', '/'),
    (cursor) => `${cursor}\n`,
    (cursor) => ` ${cursor}`,
    (cursor) => cursor.toUpperCase(),
    (cursor) => cursor + cursor,
    (cursor) => cursor.split('').toReversed().join(''),
    (cursor) => Buffer.from(cursor, 'base64url').toString('base64url').slice(0, -1),
  ),
  fc.nat({ max: 63 }).map((bits): Mutation => {
    const last = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'[bits] ?? 'A'
    return (cursor) => cursor.slice(0, -1) + last
  }),
)

test.each(LISTS)(
  'any mutation of a cursor of %s is 400 invalid_cursor, and the cursor itself goes on',
  async (list) => {
    const cursor = await cursorOf(list)
    await fc.assert(
      fc.asyncProperty(mutations, async (mutate) => {
        const mutated = mutate(cursor)
        fc.pre(mutated !== cursor && mutated !== '')
        expectProblem(await page(list, mutated), 'invalid_cursor', { param: 'cursor', retryable: false })
      }),
      { numRuns: 150, seed: 20_261_120 },
    )
    expect((await page(list, cursor)).status).toBe(200)
  },
)

test('nor does one go on in another list, under another filter, or for another client', async () => {
  for (const list of LISTS) {
    const cursor = await cursorOf(list)
    for (const other of LISTS)
      if (other !== list) expectProblem(await page(other, cursor), 'invalid_cursor', { param: 'cursor' })
    const theirs = await app.raw.get(`/unified/v1${list}`).query({ limit: 1, cursor }).set(bearer(KEYS.bert))
    expectProblem(theirs, 'invalid_cursor', { param: 'cursor' })
  }
  for (const list of ['/videos', '/voices', '/puppets'])
    expectProblem(await page(list, await cursorOf(list), '&backend=main'), 'invalid_cursor', { param: 'cursor' })
  expectProblem(await page('/backends/alt/drift', await cursorOf('/backends/main/drift')), 'invalid_cursor')
})
