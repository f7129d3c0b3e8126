import { listOf, PuppetView } from '../../src/core/api/videos.ts'
import { fakeClock } from '../fakes/clock.ts'
import { bearer, KEYS, testApp, type GatewayOptions } from '../fakes/gateway.ts'
import { serveResources } from './resource-services.ts'
import { serveAlternate } from './services.ts'

export const BODY = { image_url: 'https://img.example/me.png', name: 'Me' }

export const start = async (options: GatewayOptions = {}) => {
  const clock = fakeClock()
  const app = await testApp({ clock, ...options })
  const main = serveResources(app.main)
  serveAlternate(app.alt)
  const call = (method: 'get' | 'delete', path: string, key: string = KEYS.anna) =>
    app.raw[method](`/unified/v1${path}`).set(bearer(key))
  const create = (body: object | string = BODY, headers: Record<string, string> = {}, key: string = KEYS.anna) =>
    app.raw
      .post('/unified/v1/puppets')
      .set({ ...bearer(key), 'content-type': 'application/json', ...headers })
      .send(typeof body === 'string' ? body : JSON.stringify(body))
  const listed = async (query = '?backend=main') =>
    listOf(PuppetView)
      .parse((await app.get(`/puppets${query}`)).body)
      .data.map(({ id }) => id)
  return { app, clock, main, call, create, listed }
}
export const keyed = (key: string) => ({ 'idempotency-key': key })
