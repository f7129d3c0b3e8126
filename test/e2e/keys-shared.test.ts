import { rm } from 'node:fs/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { REFRESH_MS } from '../../src/access/keyring.ts'
import { buildApp } from '../../src/app.ts'
import type { Store } from '../../src/core/store/index.ts'
import { buildDeps, type Deps } from '../../src/deps.ts'
import { createLog } from '../../src/log.ts'
import { createGatewayServer } from '../../src/server.ts'
import { startBackend } from '../fakes/backend.ts'
import { fakeClock, type FakeClock } from '../fakes/clock.ts'
import { testPostgres } from '../fakes/databases.ts'
import { bearer, gatewayConfig, KEYS, SECRET_KEY, temporaryFolder } from '../fakes/gateway.ts'
import { skippedWithout } from '../fakes/servers.ts'
import { listen } from '../fakes/sse.ts'
import { until } from '../fakes/until.ts'

const SECOND = 1_000

interface Process {
  url: string
  deps: Deps
  clock: FakeClock
  /** Every verb of its store fails until it is false again. */
  isCutOff: boolean
  /** How often it has read what keys there are, or tried to. */
  looks: number
  call(
    method: string,
    path: string,
    key: string,
    body?: object,
  ): Promise<{ status: number; body: Record<string, string> }>
}

/** Processes of one gateway over one database, each with a clock that the test moves. */
const stage = async () => {
  const dir = await temporaryFolder()
  onTestFinished(() => rm(dir, { recursive: true, force: true }))
  const { url: database } = await testPostgres()
  const backends = await Promise.all([startBackend(), startBackend()])
  onTestFinished(async () => void (await Promise.all(backends.map((one) => one.close()))))
  const [main, alt] = backends
  const usual = gatewayConfig(dir, { main: main.url, alt: alt.url })
  const config = { ...usual, store: { ...usual.store, driver: 'postgres', url: database } } as const

  const start = async (): Promise<Process> => {
    const clock = fakeClock()
    const one = { isCutOff: false, looks: 0 }
    const wrapStore = (store: Store): Store =>
      new Proxy(store, {
        get(target, name: keyof Store) {
          const verb = target[name] as (...args: unknown[]) => Promise<unknown>
          return async (...args: unknown[]) => {
            if (one.isCutOff && name === 'keysSince') one.looks += 1
            if (one.isCutOff) throw new Error('the database is away')
            return verb(...args).finally(() => void (name === 'clientsSince' && (one.looks += 1)))
          }
        },
      })
    const log = createLog({ level: 'silent', format: 'json' }, { write: () => undefined }, false)
    const deps = await buildDeps({ config, clock, log, secretKey: SECRET_KEY, random: () => 0.5, wrapStore })
    onTestFinished(() => {
      one.isCutOff = false
      return deps.lifecycle.close()
    })
    const { server } = createGatewayServer({ ...deps, handle: buildApp(deps), stopping: deps.stopping.signal })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    })
    const address = server.address()
    const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
    one.looks = 0
    deps.access.keyring.start()
    await until(() => one.looks > 0)
    return Object.assign(one, {
      url,
      deps,
      clock,
      async call(method: string, path: string, key: string, body?: object) {
        const headers = { ...bearer(key), ...(body && { 'content-type': 'application/json' }) }
        const init = { method, headers, ...(body && { body: JSON.stringify(body) }) }
        const response = await fetch(`${url}/unified/v1${path}`, init)
        const text = await response.text()
        return { status: response.status, body: (text === '' ? {} : JSON.parse(text)) as Record<string, string> }
      },
    })
  }
  return [await start(), await start()] as const
}

/** Its next look at the store, and no more. */
const looked = async (process: Process): Promise<void> => {
  const before = process.looks
  await process.clock.advance(REFRESH_MS)
  await until(() => process.looks > before)
  // It goes by what it read, and sets the timer of the next.
  await new Promise((resolve) => setImmediate(resolve))
}

describe.skipIf(await skippedWithout(['postgres']))('two processes over one store', () => {
  test('what one does to a key or a client holds at the other within a second', async () => {
    const [one, other] = await stage()
    const uses = async (process: Process, key: string) => (await process.call('GET', '/videos', key)).status
    expect(REFRESH_MS).toBeLessThan(SECOND)

    await one.call('POST', '/admin/clients', KEYS.anna, { id: 'shop' })
    const made = await one.call('POST', '/admin/keys', KEYS.anna, { client: 'shop', scopes: ['*'] })
    const { key = '', id = '' } = made.body
    expect(made.status).toBe(201)
    expect(await uses(one, key)).toBe(200)
    await looked(other)
    expect(await uses(other, key)).toBe(200)

    const stream = await listen(`${other.url}/unified/v1/events/stream`, bearer(key))
    expect(stream.status).toBe(200)
    const rotated = (await one.call('POST', `/admin/keys/${id}/rotate`, KEYS.anna, { overlap: '1h' })).body
    await looked(other)
    expect([await uses(other, key), await uses(other, rotated['key'] ?? '')]).toEqual([200, 200])

    await one.call('POST', `/admin/keys/${id}/revoke`, KEYS.anna)
    expect(await uses(one, key)).toBe(401)
    await looked(other)
    expect(await uses(other, key)).toBe(401)
    expect(await stream.ended).toBe('whole')

    const limits = { requests_per_minute: 1 }
    await one.call('PATCH', '/admin/clients/shop', KEYS.anna, { limits })
    await looked(other)
    expect(await uses(other, rotated['key'] ?? '')).toBe(429)
    await one.call('DELETE', '/admin/clients/shop', KEYS.anna)
    await looked(other)
    expect(await uses(other, rotated['key'] ?? '')).toBe(401)
    // A process that starts knows it all.
    const { body } = await other.call('GET', `/admin/keys/${id}`, KEYS.anna)
    expect(body).toMatchObject({ status: 'revoked', rotated_to: rotated['id'] })
  })

  test('while the store cannot be read, what was known holds for 30 seconds; then issued keys are 503, and others go on', async () => {
    const [one] = await stage()
    const { body } = await one.call('POST', '/admin/keys', KEYS.anna, { client: 'anna', scopes: ['*'] })
    const asks = async (key: string) => (await one.call('GET', '/nothing', key)).status
    one.isCutOff = true
    for (let seconds = 0; seconds < 29.5; seconds += REFRESH_MS / SECOND) await looked(one)
    expect([await asks(body['key'] ?? ''), await asks(KEYS.anna)]).toEqual([404, 404])
    for (let seconds = 0; seconds < 1.5; seconds += REFRESH_MS / SECOND) await looked(one)
    expect([await asks(body['key'] ?? ''), await asks(KEYS.anna)]).toEqual([503, 404])
    one.isCutOff = false
    await looked(one)
    expect(await asks(body['key'] ?? '')).toBe(404)
  })
})
