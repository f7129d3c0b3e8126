import { z } from 'zod'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ProblemView } from '../../src/core/api/videos.ts'
import { BODIES } from '../../src/routes/openapi/components.ts'
import { UNIFIED_OPERATIONS } from '../../src/routes/unified/routes.ts'
import { bearer, KEYS, openApp, type TestApp } from '../fakes/gateway.ts'

/** What people read of what they got wrong: every operation fed with rubbish, and every message that comes of it. */
let app: TestApp
beforeAll(async () => {
  app = await openApp()
})
afterAll(() => app.close())

/** As JSON; what does not fit anywhere, by every kind and size. */
const RUBBISH = [
  'null',
  '""',
  '" "',
  '"x"',
  JSON.stringify('x'.repeat(3_000)),
  '0',
  '-1',
  '1.5',
  '1e300',
  '1e999',
  'true',
  '[]',
  '["x"]',
  JSON.stringify(Array(30).fill('video.failed')),
  '{}',
  '{"a":1}',
  '{"":"x"}',
  JSON.stringify({ ['k'.repeat(50)]: 'v'.repeat(600) }),
  JSON.stringify(Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`k${i}`, 'v'.repeat(200)]))),
  '"2026-13-01"',
]
const fieldsOf = (schema: z.ZodType): string[] =>
  schema instanceof z.ZodObject ? Object.keys(schema.shape) : ['job_id', 'absent', 'attempt']

const messages = new Set<string>()
const heard = (response: { status: number; body: unknown }): void => {
  expect(response.status).not.toBe(500)
  if (response.status !== 400) return
  const { code, errors } = ProblemView.parse(response.body)
  if (code === 'invalid_request') errors.forEach(({ message }) => messages.add(message))
}
const pathOf = (path: string): string => path.replaceAll(/\{\w+\}/g, 'x')

describe('fed with rubbish', () => {
  test.each(UNIFIED_OPERATIONS.map((operation) => [operation.id, operation] as const))(
    '%s',
    async (_id, { method, path, body, query }) => {
      const ask = (search = '') =>
        app.raw[method](`${pathOf(path)}${search}`)
          .set({ ...bearer(KEYS.anna), 'content-type': 'application/json', accept: '*/*' })
          .serialize((text: unknown) => text as string)
      if (body) {
        const names = fieldsOf(BODIES[body.name])
        for (const bad of RUBBISH) {
          heard(await ask().send(`{${names.map((name) => `${JSON.stringify(name)}:${bad}`).join(',')}}`))
          heard(await ask().send(bad))
        }
        heard(await ask().send('{}'))
        heard(await ask('?colour=red').send('{}'))
      }
      for (const name of query ? Object.keys(query.shape) : []) {
        for (const bad of ['', 'x', '0', '1000000', 'x'.repeat(3_000), `x&${name}=y`, '%00'])
          heard(await ask(`?colour=red&${name}=${bad}`))
      }
    },
  )

  test('nothing of it came through', () => expect(app.upstream()).toBe(0))
})

/** How a message may begin, and what no user of an API should have to know. */
const PLAIN =
  /^(is required|is too large|must be |must have |must not be |unknown (field|parameter)(; did you mean `\w+`\?)?$|cannot be a key: |there is no backend .{1,63}: yours are |give (exactly|only|either) )|^the body must be a JSON object, not /
const JARGON = /undefined|NaN|Infinity|Invalid|expected|received|input|[<>]|Too (small|big)|pattern|900719|record/

test('is told in plain words', () => {
  expect(messages.size).toBeGreaterThan(50)
  expect([...messages].filter((message) => !PLAIN.test(message) || JARGON.test(message))).toEqual([])
  expect([...messages]).toEqual(
    expect.arrayContaining([
      'must be a string, not a number',
      'must be true or false, not null',
      'must be one of "720p", "1080p"',
      'must have at most 2048 characters',
      'must be at most 2592000',
      'must be given once',
      'must be a time in ISO 8601 with its zone, such as 2026-11-20T12:00:00Z',
    ]),
  )
})

test.each([
  ['/videos?limit=-1', 'limit', 'must be a whole number from 1 to 100'],
  ['/videos?limit=101', 'limit', 'must be a whole number from 1 to 100'],
  ['/videos?backend=', 'backend', 'must not be empty'],
  ['/videos?limit=1&limit=1', 'limit', 'must be given once'],
  ['/videos?limit[]=1', 'limit[]', 'unknown parameter; did you mean `limit`?'],
  [
    '/videos?created_after=2026-11-20T12:00:00+01:00',
    'created_after',
    'must be a time in ISO 8601 with its zone, such as 2026-11-20T12:00:00Z; in a query, write + as %2B',
  ],
])('of a query: %s', async (path, name, message) => {
  const { body } = await app.get(path)
  expect(ProblemView.parse(body).errors).toEqual([{ path: name, message }])
})

test('a value of a wrong type is one fault', async () => {
  const { body } = await app.post({
    image_url: [],
    text: 'x',
    webhook_url: 'https://h.example/',
    webhook_events: 'all',
  })
  expect(ProblemView.parse(body).errors).toEqual([
    { path: 'image_url', message: 'must be a string, not an array' },
    { path: 'webhook_events', message: 'must be an array, not a string' },
  ])
})
