import { expect } from 'vitest'
import type supertest from 'supertest'
import { bearer, KEYS, testApp, type GatewayOptions, type TestApp } from '../../fakes/gateway.ts'
import type { RecordedRequest, Script } from '../../fakes/backend.ts'

/** `/api/v1` in front of a scripted backend. */

export const IMAGE = 'https://img.example/me.png'
export const VIDEO = { image_url: IMAGE, text: 'Hello there' }
export const JOB = 'api_video_upstream-1'

type Json = Record<string, unknown>

export interface Stage {
  app: TestApp
  post(path: string, body: unknown, headers?: Record<string, string>): supertest.Test
  get(path: string, key?: string): supertest.Test
  /** What the primary backend was sent, parsed. */
  sent(): Json[]
}

/** Accepts every create as a job of its own, which then runs. */
export const accepting = (more: Json = {}): ((request: RecordedRequest) => Script) => {
  let jobs = 0
  return ({ method, path }) => {
    if (method === 'POST' && path.startsWith('/api/v1/videos/')) {
      jobs += 1
      return { status: 202, body: { id: `${JOB}${jobs === 1 ? '' : `-${jobs}`}`, status: 'queued', ...more } }
    }
    return { status: 404, body: { error: 'job_not_found', message: 'none' } }
  }
}

export const stage = async (options: GatewayOptions = {}): Promise<Stage> => {
  const app = await testApp(options)
  app.main.answer(accepting())
  return {
    app,
    post: (path, body, headers = {}) =>
      app.raw
        .post(`/api/v1${path}`)
        .set({ ...bearer(KEYS.anna), 'content-type': 'application/json', ...headers })
        .send(typeof body === 'string' ? body : JSON.stringify(body)),
    get: (path, key = KEYS.anna) => app.raw.get(path).set(bearer(key)),
    sent: () => app.main.requests.map(({ body }) => JSON.parse(body) as Json),
  }
}

/** An error as the primary contract has it: both spellings of what there is, all of it again in `details`. */
export const expectError = (response: supertest.Response, status: number, error: string, block?: string): Json => {
  const body = response.body as Json
  expect([response.status, body['error'], body['retry_block_code']]).toEqual([status, error, block])
  expect(response.headers['content-type']).toBe('application/json; charset=utf-8')
  const { error: _, message, details, ...shared } = body
  expect(message).toEqual(expect.stringMatching(/\S/))
  expect(details).toMatchObject({ ...shared, code: error, reason: message })
  expect(body['retryBlockCode']).toBe(block)
  return body
}
