import { createServer } from 'node:net'
import { once } from 'node:events'
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { EndpointTestView } from '../../src/core/api/webhooks.ts'
import { must } from '../fakes/must.ts'
import { answer } from '../fakes/receiver.ts'
import { expectProblem } from './expect.ts'
import { setUp } from './webhook-stage.ts'

/** `POST /webhook_endpoints/{id}/test`: why it was not delivered, and how many are sent at once. */
const ALLOWED = { allow: [{ cidr: '127.0.0.0/8', http: true }] }

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return address !== null && typeof address === 'object' ? address.port : 0
}

test('a test that was not delivered says why, and what was answered', async () => {
  const addresses = new Map([
    ['gone.example', '127.0.0.1'],
    ['moves.example', '127.0.0.1'],
  ])
  const lookup = async (name: string) => {
    const address = addresses.get(name)
    if (address === undefined)
      throw Object.assign(new Error('the host does not resolve (ENOTFOUND)'), { code: 'ENOTFOUND' })
    return [{ address, family: 4 }]
  }
  const { receiver, register, send } = await setUp({ webhooks: { ...ALLOWED, timeout: '1s' }, lookup })
  const tested = async (url?: string, before = (): void => undefined): Promise<[number | null, string | null]> => {
    const { id } = await register(url === undefined ? {} : { url })
    before()
    const { body, text } = await send('post', `/webhook_endpoints/${id}/test`).expect(200)
    const { delivered, status, error, response_body: said } = EndpointTestView.parse(body)
    expect(delivered).toBe(error === null)
    // Only of a whole answer, and of that only its body.
    expect(said).toBe(status === null ? null : status === 500 ? 'CANARY' : '')
    if (status !== 500) expect(text).not.toContain('CANARY')
    return [status, error]
  }
  const { port } = receiver
  receiver.script(answer(204), answer(500, {}, 'CANARY'), answer(301, { location: 'http://127.0.0.1/CANARY' }))
  expect(await tested()).toEqual([204, null])
  expect(await tested()).toEqual([500, 'status 500'])
  expect(await tested()).toEqual([301, 'redirects are not followed'])
  receiver.script({ kind: 'hang' }, { kind: 'reset' }, { kind: 'raw', bytes: 'CANARY is no HTTP\r\n\r\n' })
  expect(await tested()).toEqual([null, 'timeout: no complete answer within 1000 ms'])
  expect((await tested())[1]).toMatch(/^connection: \S/)
  expect((await tested())[1]).toMatch(/^connection: \S/)
  const closed = await freePort()
  expect((await tested(`http://127.0.0.1:${closed}/`))[1]).toMatch(/^connection: .*ECONNREFUSED/)
  const nameless = await tested(`http://gone.example:${port}/`, () => addresses.delete('gone.example'))
  expect(nameless).toEqual([null, 'connection: the host does not resolve (ENOTFOUND)'])
  const moved = await tested(`http://moves.example:${port}/`, () => addresses.set('moves.example', '10.0.0.1'))
  expect(moved).toEqual([
    null,
    'connection: the address of the host is not allowed: ask the operator to allow it in webhooks.allow',
  ])
})

test('several addresses that all refuse are a reason, too', async () => {
  const lookup = async () => ['127.0.0.1', '127.0.0.2'].map((address) => ({ address, family: 4 }))
  const { register, send } = await setUp({ webhooks: ALLOWED, lookup })
  const { id } = await register({ url: `http://both.example:${await freePort()}/` })
  const { body } = await send('post', `/webhook_endpoints/${id}/test`).expect(200)
  expect(body).toMatchObject({ delivered: false, error: 'connection: ECONNREFUSED' })
})

test('tests hold the slots of deliveries: no more at once than are configured, and one for each endpoint', async () => {
  const { app, receiver, register, send } = await setUp({ webhooks: { ...ALLOWED, concurrency: 2 } })
  const ids: string[] = []
  for (let n = 0; n < 6; n += 1) ids.push((await register()).id)
  receiver.respond({ kind: 'hold', status: 204 })
  const results = ids.map(async (id) => {
    const response = await send('post', `/webhook_endpoints/${id}/test`)
    return [response.status, (response.body as { code?: string }).code]
  })
  await receiver.received(2)
  const again = await Promise.all(ids.map((id) => send('post', `/webhook_endpoints/${id}/test`)))
  for (const refused of again) expectProblem(refused, 'rate_limited', { retryable: true, retry_after_seconds: 1 })
  expect(receiver.requests).toHaveLength(2)
  receiver.release()
  await receiver.received(4)
  expect(receiver.open()).toBe(2)
  // Those that wait are refused by a stop, and those that are out are awaited.
  const stopped = app.deps.sender.stop()
  receiver.release()
  await stopped
  const told = (await Promise.all(results)).map(String).toSorted()
  expect(told).toEqual(['200,', '200,', '200,', '200,', '503,shutting_down', '503,shutting_down'])
  expectProblem(await send('post', `/webhook_endpoints/${ids[0]}/test`), 'shutting_down')
  expect(receiver.requests).toHaveLength(4)
})

test('a test waits for a slot of its endpoint, before the deliveries that wait for one', async () => {
  const { receiver, register, send, video } = await setUp({ webhooks: ALLOWED })
  const { id } = await register()
  receiver.respond({ kind: 'hold', status: 204 })
  for (let n = 0; n < 20; n += 1) await video()
  await receiver.received(8)
  const tested = send('post', `/webhook_endpoints/${id}/test`).then(({ status }) => status)
  // Time enough for a test that does not wait.
  for (let n = 0; n < 30; n += 1) await send('get', '/webhook_endpoints')
  expect(receiver.requests).toHaveLength(8)
  receiver.release()
  const requests = await receiver.received(16)
  expect(requests.slice(8, 16).some(({ body }) => body.includes('webhook.test'))).toBe(true)
  receiver.respond(answer(204))
  receiver.release()
  expect(await tested).toBe(200)
})

test('a test event is sent at once, and nothing of what was answered is kept', async () => {
  const { app, receiver, send, register } = await setUp()
  const { id, secret } = await register({ enabled: false })
  receiver.script(answer(200, {}, 'CANARY_ANSWER'), answer(500, {}, 'CANARY_ANSWER'), { kind: 'reset' })
  const results = [1, 2, 3].map(() => send('post', `/webhook_endpoints/${id}/test`).expect(200))
  for (const [n, wanted] of [
    { delivered: true, status: 200 },
    { delivered: false, status: 500 },
    { delivered: false, status: null },
  ].entries()) {
    const response = await must(results[n])
    expect(response.body).toMatchObject({ object: 'webhook_test', ...wanted })
  }
  const { body, headers } = must(receiver.requests[0])
  expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toMatchObject({
    type: 'webhook.test',
    data: { endpoint_id: id },
  })
  expect((await send('get', '/events')).body).toMatchObject({ data: [] })
  expect((await send('get', '/deliveries')).body).toMatchObject({ data: [] })
  expect(app.logs.join()).not.toContain('CANARY')
})
