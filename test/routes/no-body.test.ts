import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { UNIFIED_OPERATIONS } from '../../src/routes/unified/routes.ts'
import { bearer, KEYS, openApp, type TestApp } from '../fakes/gateway.ts'
import { expectProblem } from './expect.ts'

/** What is sent to an operation that takes nothing is refused, not ignored: somebody meant something by it. */
let app: TestApp
beforeAll(async () => {
  app = await openApp()
})
afterAll(() => app.close())

const BODILESS = UNIFIED_OPERATIONS.filter(({ body }) => body === undefined)
const CASES = BODILESS.map(({ id, method, path }) => [id, method, path] as const)

const ask = (method: (typeof CASES)[number][1], path: string, body: Buffer, headers: Record<string, string> = {}) =>
  app.raw[method](path.replaceAll(/\{\w+\}/g, 'x'))
    .set({ ...bearer(KEYS.anna), accept: 'application/json, text/event-stream', ...headers })
    .serialize((bytes: unknown) => bytes as string)
    .send(body as unknown as string)

const JSON_TYPE = { 'content-type': 'application/json' }

test('there are such operations of every kind', () => {
  const methods = new Set(BODILESS.map(({ method }) => method))
  expect([...methods].toSorted()).toEqual(['delete', 'get', 'post'])
})

describe.each(CASES)('%s', (name, method, path) => {
  test.each([
    ['a field', '{"wait":true}', JSON_TYPE],
    ['a list', '[]', JSON_TYPE],
    ['null', 'null', JSON_TYPE],
    ['no JSON', 'x', JSON_TYPE],
    ['a form', 'a=1', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['a large one', 'x'.repeat(70_000), { 'content-type': 'application/octet-stream' }],
    ['an encoding that nobody knows', '{}', { 'content-encoding': 'snappy' }],
  ])('refuses %s', async (_what, body, headers) => {
    const response = await ask(method, path, Buffer.from(body), headers)
    const detail = 'this operation takes no body'
    expectProblem(response, 'invalid_request', { detail, param: null, retryable: false })
  })

  test('takes none, and an object that says nothing, for the same', async () => {
    const none = await app.raw[method](path.replaceAll(/\{\w+\}/g, 'x')).set({
      ...bearer(KEYS.anna),
      accept: 'application/json',
    })
    expect([name, none.status]).not.toEqual([name, 415])
    // Of a stream the next line would never end.
    if (none.status === 406) return
    for (const body of ['{}', ' { }\n', ''])
      expect((await ask(method, path, Buffer.from(body), { ...JSON_TYPE, accept: 'application/json' })).status).toBe(
        none.status,
      )
    const packed = await ask(method, path, gzipSync('{}'), {
      ...JSON_TYPE,
      accept: 'application/json',
      'content-encoding': 'gzip',
    })
    expect(packed.status).toBe(none.status)
  })
})

test('HEAD is as GET', async () => {
  const headers = { ...bearer(KEYS.anna), 'content-length': 10 }
  const asked = request(`${app.url}/unified/v1/videos`, { method: 'HEAD', headers })
  asked.end('{"wait":1}')
  const [{ statusCode }] = (await once(asked, 'response')) as [IncomingMessage]
  expect(statusCode).toBe(400)
})

test('a stranger learns nothing, and a link that carries its signature is told likewise', async () => {
  expectProblem(await app.raw.get('/unified/v1/videos').send({ a: 1 }), 'unauthenticated')
  expectProblem(await app.raw.get('/unified/v1/videos/x/content?sig=x').send({ a: 1 }), 'invalid_request')
})

test('what may be left out is documented so, and may', async () => {
  const optional = UNIFIED_OPERATIONS.filter(({ body }) => body?.optional)
  expect(optional.map(({ id }) => id)).toEqual([
    'rotateWebhookEndpointSecret',
    'rotateWebhookSecret',
    'disableAdminEndpoint',
    'enableAdminEndpoint',
    'testAdminEndpoint',
    'rotateKey',
    'stepSplit',
    'rollbackSplit',
    'resumeSplit',
  ])
  const required = UNIFIED_OPERATIONS.filter(({ body }) => body && !body.optional)
  for (const { id, method, path, body } of [...optional, ...required]) {
    const { status } = await app.raw[method](path.replaceAll(/\{\w+\}/g, 'x')).set(bearer(KEYS.anna))
    expect([id, status === 415]).toEqual([id, !body?.optional])
  }
})
