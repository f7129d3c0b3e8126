import { expect, test } from 'vitest'
import { MAX_ENDPOINTS } from '../../src/core/endpoints.ts'
import { bearer, KEYS, testApp } from '../fakes/gateway.ts'
import { expectProblem, expectVideo } from './expect.ts'
import { MAIN_BODY, servePrimary } from './services.ts'

/** What is refused, or answered as before, anyway costs nobody's name servers a question. */
const start = async () => {
  const asked: string[] = []
  const app = await testApp({
    lookup: async (name) => {
      asked.push(name)
      return [{ address: '93.184.215.14', family: 4 }]
    },
  })
  servePrimary(app.main)
  return { app, asked }
}

test('an endpoint too many', async () => {
  const { app, asked } = await start()
  const create = (n: number) =>
    app.raw
      .post('/unified/v1/webhook_endpoints')
      .set(bearer(KEYS.anna))
      .send({ url: `https://n${n}.example/hook` })
  for (let n = 0; n < MAX_ENDPOINTS; n += 1) expect((await create(n)).status).toBe(201)
  expect(asked).toHaveLength(MAX_ENDPOINTS)
  expectProblem(await create(MAX_ENDPOINTS), 'invalid_request', { details: { max_endpoints: MAX_ENDPOINTS } })
  expect(asked).toHaveLength(MAX_ENDPOINTS)
})

test('a create that is repeated', async () => {
  const { app, asked } = await start()
  const create = () =>
    app.raw
      .post('/unified/v1/videos')
      .set({ ...bearer(KEYS.anna), 'idempotency-key': 'once' })
      .send({ ...MAIN_BODY, webhook_url: 'https://hooks.example/hook' })
  const { id } = expectVideo(await create(), 202)
  expect((await create()).body).toMatchObject({ id })
  expect(asked).toEqual(['hooks.example'])
})
