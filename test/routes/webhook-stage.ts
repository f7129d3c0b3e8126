import type supertest from 'supertest'
import { expect, onTestFinished } from 'vitest'
import type { DeliveryWithAttemptsView, EndpointWithSecretView } from '../../src/core/api/webhooks.ts'
import { bearer, KEYS, testApp, type GatewayOptions, type TestApp } from '../fakes/gateway.ts'
import { startReceiver, type Received, type Receiver } from '../fakes/receiver.ts'
import { MAIN_BODY, servePrimary, type Service } from './services.ts'

export interface WebhookStage {
  app: TestApp
  main: Service
  receiver: Receiver
  send(method: 'post' | 'patch' | 'delete' | 'get', path: string, body?: object, key?: string): supertest.Test
  register(body?: object): Promise<EndpointWithSecretView>
  /** Makes a video that ends at once. */
  video(): Promise<string>
  /** Reads until it is as wanted: it is about to be. */
  until<T>(path: string, isRight: (body: T) => boolean): Promise<T>
}

/** What is told of a request is what the receiver was sent, without a signature that could be sent again. */
export const expectAsSent = (
  { request, event_at: eventAt }: DeliveryWithAttemptsView,
  { body, headers }: Received,
): void => {
  const { 'webhook-signature': signature, ...told } = request.headers
  expect(signature).toBe('v1,…')
  expect(headers).toMatchObject(told)
  expect(request.body).toBe(body)
  expect((JSON.parse(request.body) as { timestamp: string }).timestamp).toBe(eventAt)
}

/** A gateway whose videos end at once, and a receiver. */
export const setUp = async (options: GatewayOptions = {}): Promise<WebhookStage> => {
  const receiver = await startReceiver()
  const app = await testApp({
    runsEngine: true,
    webhooks: { allow: [{ cidr: '127.0.0.0/8', http: true }] },
    ...options,
  })
  onTestFinished(() => receiver.close())
  const main = servePrimary(app.main)
  main.state.onCreate = 'completed'
  const send: WebhookStage['send'] = (method, path, body, key = KEYS.anna) => {
    const request = app.raw[method](`/unified/v1${path}`).set(bearer(key))
    return body === undefined ? request : request.send(body)
  }
  return {
    app,
    main,
    receiver,
    send,
    register: async (body = {}) => {
      const response = await send('post', '/webhook_endpoints', { url: `${receiver.url}/hook`, ...body }).expect(201)
      return response.body as EndpointWithSecretView
    },
    video: async () => ((await app.post(MAIN_BODY).expect(200)).body as { id: string }).id,
    async until<T>(path: string, isRight: (body: T) => boolean) {
      for (;;) {
        const body = (await send('get', path).expect(200)).body as T
        if (isRight(body)) return body
        await new Promise((resolve) => setImmediate(resolve))
      }
    },
  }
}
