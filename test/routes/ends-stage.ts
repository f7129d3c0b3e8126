import { fakeClock, type FakeClock } from '../fakes/clock.ts'
import { bearer, type GatewayOptions, KEYS, openApp, type TestApp } from '../fakes/gateway.ts'
import { expectVideo } from './expect.ts'
import { ALT_BODY, MAIN_BODY, serveAlternate, servePrimary } from './services.ts'

const OPERATOR = 'tb_operator_0123456789abcdef'
/** Two clients, and an operator. */
export const CLIENTS = [
  ...Object.entries(KEYS).map(([id, key]) => ({ id, key })),
  { id: 'ops', key: OPERATOR, scopes: ['admin'] },
]
export const ADMIN = bearer(OPERATOR)

interface Ends {
  clock: FakeClock
  app: TestApp
}

/**
 * Of anna two videos that completed and, `laterMs` after that, one that failed; of bert one that completed. Of `others`
 * one runs, and the rest waits for the only slot.
 */
export const openEnds = async (
  laterMs: number,
  { body = MAIN_BODY, others = ['anna', 'anna', 'anna'] }: { body?: object; others?: (keyof typeof KEYS)[] } = {},
  options: GatewayOptions = {},
): Promise<Ends> => {
  const clock = fakeClock()
  const app = await openApp({ clock, clients: CLIENTS, backends: { alt: { slots: 1 } }, ...options })
  const create = (client: keyof typeof KEYS, given: object) =>
    app.raw.post('/unified/v1/videos').set(bearer(KEYS[client])).send(given)
  const main = servePrimary(app.main, clock.now)
  const alt = serveAlternate(app.alt, clock.now)
  main.state.onCreate = 'completed'
  for (const client of ['anna', 'anna', 'bert'] as const) expectVideo(await create(client, body), 200)
  clock.jump(laterMs)
  main.state.onCreate = 'failed'
  expectVideo(await create('anna', MAIN_BODY), 200)
  alt.state.onCreate = 'processing'
  for (const client of others) expectVideo(await create(client, ALT_BODY), 202)
  return { clock, app }
}
