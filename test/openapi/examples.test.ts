import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SANDBOX_CLIENT_KEY } from '../../src/cli/config-file.ts'
import { INTERFACES } from '../../src/adapters/index.ts'
import { SURFACES } from '../../src/core/vocabulary.ts'
import { documentOf } from '../../src/routes/openapi/document.ts'
import { startProfile, type Profile } from '../docs/profile.ts'
import { undocumented, type Seen } from '../fakes/documented.ts'
import { requestsOf, type ExampleRequest } from './example-requests.ts'

/** "Try it" on the page of the API sends these as they stand to what `npm start` starts. */

let profile: Profile
beforeAll(async () => {
  profile = await startProfile()
})
afterAll(() => profile.close())

const send = async ({ method, path, headers, body }: ExampleRequest): Promise<Seen> => {
  const { addresses } = profile
  const answer = await fetch(`${addresses['http://127.0.0.1:8080']}${path}`, {
    method: method.toUpperCase(),
    redirect: 'manual',
    headers: {
      authorization: `Bearer ${SANDBOX_CLIENT_KEY}`,
      ...headers,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    body:
      body === undefined
        ? null
        : JSON.stringify(body).replaceAll('http://127.0.0.1:4010', addresses['http://127.0.0.1:4010']),
  })
  const { status, headers: got } = answer
  const isStream = got.get('content-type')?.startsWith('text/event-stream') === true
  // It may go on for ever.
  if (isStream) await answer.body?.cancel()
  const text = isStream ? '' : await answer.text()
  return { method: method.toUpperCase(), url: path, status, headers: Object.fromEntries(got), text }
}

/** One that finds the window spent, or a create under way that may have made the job, comes back when it is told to. */
const sent = async (request: ExampleRequest): Promise<Seen> => {
  for (;;) {
    const seen = await send(request)
    const { 'retry-after': retryAfter } = seen.headers
    if (![409, 503].includes(seen.status) || retryAfter === undefined) return seen
    await pause(Number(retryAfter) * 1_000)
  }
}

const REQUESTS = requestsOf(documentOf('all', INTERFACES))

test('there is one of every operation, and of every body', () => {
  const operations = Object.values(documentOf('all', INTERFACES)['paths'] as Record<string, object>)
  expect(new Set(REQUESTS.map(({ id }) => id)).size).toBe(operations.flatMap((one) => Object.keys(one)).length)
  expect(REQUESTS.filter(({ takesBody, body }) => takesBody && body === undefined)).toEqual([])
})

test.each(SURFACES)('the document of %s alone has the same ones', (surface) => {
  const toSend = ({ id: _id, ...request }: ExampleRequest) => JSON.stringify(request)
  const all = new Set(REQUESTS.map(toSend))
  const own = requestsOf(documentOf(surface, INTERFACES)).map(toSend)
  expect(own.filter((request) => !all.has(request))).toEqual([])
  expect(own.length).toBeGreaterThan(5)
})

describe('is answered as its document says', () => {
  test.each(REQUESTS)('$id, $name', async (request) => {
    const seen = await sent(request)
    const { status, text } = seen
    expect({ status, text: status < 400 ? '' : text }).toMatchObject(
      request.refusedWith === null
        ? { status: expect.toSatisfy((one: number) => one >= 200 && one < 400) as number }
        : { status: request.refusedWith },
    )
    expect(undocumented(seen)).toEqual([])
    if (request.id === 'checkVideo') expect(JSON.parse(text)).toMatchObject({ chosen: expect.any(String) as string })
  })
})
