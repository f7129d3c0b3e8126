import { rm } from 'node:fs/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { REFRESH_MS } from '../../src/access/keyring.ts'
import { KNOWN_MS } from '../../src/access/index.ts'
import { buildApp } from '../../src/app.ts'
import type { Config } from '../../src/config.ts'
import { Problem } from '../../src/core/errors.ts'
import type { Store } from '../../src/core/store/index.ts'
import { buildDeps, type Deps } from '../../src/deps.ts'
import { createLog } from '../../src/log.ts'
import { createGatewayServer } from '../../src/server.ts'
import { startBackend } from '../fakes/backend.ts'
import { fakeClock, type FakeClock } from '../fakes/clock.ts'
import { testPostgres } from '../fakes/databases.ts'
import { gatewayConfig, KEYS, SECRET_KEY, temporaryFolder } from '../fakes/gateway.ts'
import { HOUR, MINUTE } from '../fakes/records.ts'
import { skippedWithout } from '../fakes/servers.ts'
import { listen } from '../fakes/sse.ts'
import { until } from '../fakes/until.ts'

/** Sessions of the console, at several processes over one store. */

const SECOND = 1_000
const FROM_PAGE = { 'x-talkbridge-console': '1', 'content-type': 'application/json' }

interface Process {
  url: string
  deps: Deps
  clock: FakeClock
  /** It cannot read sessions until it is false again. */
  isCutOff: boolean
  /** How often it has read sessions, or tried to; and what keys there are. */
  reads: number
  keyReads: number
  close(): Promise<void>
  call(
    method: string,
    path: string,
    cookie: string,
    body?: object,
  ): Promise<{ status: number; body: Answer; cookie: string }>
}
type Answer = Record<string, unknown>

const closing = (close: () => Promise<void>): (() => Promise<void>) => {
  let done: Promise<void> | null = null
  return () => (done ??= close())
}

const startOver = async (config: Config, nowMs?: number): Promise<Process> => {
  const clock = fakeClock(nowMs)
  const one = { isCutOff: false, reads: 0, keyReads: 0 }
  const wrapStore = (store: Store): Store =>
    new Proxy(store, {
      get(target, name: keyof Store) {
        const verb = target[name] as (...args: unknown[]) => Promise<unknown>
        return async (...args: unknown[]) => {
          const told = (): void => {
            if (name === 'sessions') one.reads += 1
            if (name === 'clientsSince') one.keyReads += 1
          }
          if (!one.isCutOff || name !== 'sessions') return verb(...args).finally(told)
          told()
          throw new Problem('store_unavailable', 'the store cannot be read at the moment')
        }
      },
    })
  const log = createLog({ level: 'silent', format: 'json' }, { write: () => undefined }, false)
  const deps = await buildDeps({ config, clock, log, secretKey: SECRET_KEY, random: () => 0.5, wrapStore })
  const { server } = createGatewayServer({ ...deps, handle: buildApp(deps), stopping: deps.stopping.signal })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = closing(async () => {
    one.isCutOff = false
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
    await deps.lifecycle.close()
  })
  onTestFinished(close)
  const address = server.address()
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  one.keyReads = 0
  deps.access.keyring.start()
  await until(() => one.keyReads > 0)
  return Object.assign(one, {
    url,
    deps,
    clock,
    close,
    async call(method: string, path: string, cookie: string, body?: object) {
      const init = { method, headers: { ...FROM_PAGE, cookie }, ...(body && { body: JSON.stringify(body) }) }
      const response = await fetch(`${url}/console${path}`, init)
      const text = await response.text()
      const set = response.headers.get('set-cookie')?.split(';', 1)[0] ?? ''
      return { status: response.status, body: (text === '' ? {} : JSON.parse(text)) as Answer, cookie: set }
    },
  })
}

const stage = async () => {
  const dir = await temporaryFolder()
  onTestFinished(() => rm(dir, { recursive: true, force: true }))
  const { url: database } = await testPostgres()
  const [main, alt] = await Promise.all([startBackend(), startBackend()])
  onTestFinished(async () => void (await Promise.all([main.close(), alt.close()])))
  const configOf = (clients?: Record<string, unknown>[]): Config => {
    const usual = gatewayConfig(dir, { main: main.url, alt: alt.url }, { ...(clients && { clients }) })
    return { ...usual, store: { ...usual.store, driver: 'postgres', url: database } }
  }
  return { configOf, one: await startOver(configOf()), other: await startOver(configOf()) }
}

const signIn = async (process: Process, key: string = KEYS.anna): Promise<string> => {
  const { status, cookie } = await process.call('POST', '/session', '', { key })
  expect(status).toBe(200)
  return cookie
}
const isIn = async (process: Process, cookie: string): Promise<boolean> =>
  (await process.call('GET', '/api/unified/v1/videos', cookie)).status === 200
const opened = async (process: Process, cookie: string) => {
  const stream = await listen(`${process.url}/console/api/unified/v1/events/stream`, { cookie })
  expect(stream.status).toBe(200)
  return stream
}

/** Its next look at sessions, where it holds any stream. */
const looked = async (process: Process): Promise<void> => {
  const before = process.reads
  await process.clock.advance(KNOWN_MS)
  await until(() => process.reads > before)
  await new Promise((resolve) => setImmediate(resolve))
}
/** Its next look at keys. */
const lookedAtKeys = async (process: Process): Promise<void> => {
  const before = process.keyReads
  await process.clock.advance(REFRESH_MS)
  await until(() => process.keyReads > before)
  await new Promise((resolve) => setImmediate(resolve))
}

describe.skipIf(await skippedWithout(['postgres']))('sessions of the console at two processes', () => {
  test('begin at one, are used at the other, and end at both within a second, with their streams', async () => {
    const { one, other } = await stage()
    expect(KNOWN_MS).toBeLessThan(SECOND)
    const [cookie, second] = [await signIn(one), await signIn(one)]
    expect([await isIn(one, cookie), await isIn(other, cookie)]).toEqual([true, true])
    const [here, there, theirs] = [await opened(one, cookie), await opened(other, cookie), await opened(other, second)]
    expect((await one.call('DELETE', '/session', cookie)).status).toBe(204)
    expect(await here.ended).toBe('whole')
    expect(await isIn(one, cookie)).toBe(false)
    await looked(other)
    expect(await there.ended).toBe('whole')
    expect(await isIn(other, cookie)).toBe(false)
    expect([await isIn(one, second), await isIn(other, second)]).toEqual([true, true])
    theirs.hangUp()
  })

  test('end when their key is revoked, everywhere', async () => {
    const { one, other } = await stage()
    const operator = await signIn(one)
    const wanted = { client: 'bert', scopes: ['videos:read', 'webhooks:read'] }
    const { body } = await one.call('POST', '/api/unified/v1/admin/keys', operator, wanted)
    await lookedAtKeys(other)
    const cookie = await signIn(other, String(body['key']))
    const stream = await opened(other, cookie)
    expect(await isIn(one, cookie)).toBe(true)
    expect(
      (await one.call('POST', `/api/unified/v1/admin/keys/${String(body['id'])}/revoke`, operator, {})).status,
    ).toBe(200)
    expect(await isIn(one, cookie)).toBe(false)
    await lookedAtKeys(other)
    expect(await isIn(other, cookie)).toBe(false)
    expect(await stream.ended).toBe('whole')
  })

  test('end when nobody made a request for 8 hours, at either; a stream alone is none', async () => {
    const { one, other } = await stage()
    const cookie = await signIn(one)
    const stream = await opened(other, cookie)
    for (const process of [one, other]) process.clock.jump(7 * HOUR)
    expect(await isIn(one, cookie)).toBe(true)
    for (const process of [one, other]) process.clock.jump(7 * HOUR)
    // Used at one, it did not idle at the other.
    await looked(other)
    expect(await isIn(other, cookie)).toBe(true)
    for (const process of [one, other]) process.clock.jump(8 * HOUR + MINUTE)
    await looked(other)
    expect(await stream.ended).toBe('whole')
    expect([await isIn(one, cookie), await isIn(other, cookie)]).toEqual([false, false])
  })

  test('outlive a restart; a configured key that is replaced or gone ends its own', async () => {
    const { configOf, one, other } = await stage()
    const [anna, bert] = [await signIn(one), await signIn(one, KEYS.bert)]
    await one.close()
    const again = await startOver(configOf())
    expect([await isIn(again, anna), await isIn(again, bert)]).toEqual([true, true])
    const moved = [
      { id: 'anna', key: 'tb_anna_another_0123456789' },
      { id: 'carl', key: KEYS.bert },
    ]
    const changed = await startOver(configOf(moved))
    expect([await isIn(changed, anna), await isIn(changed, bert)]).toEqual([false, false])
    expect([await isIn(other, anna), await isIn(other, bert)]).toEqual([true, true])
  })

  test('what they hold open goes on for 30 seconds while they cannot be read, and requests are 503', async () => {
    const { one } = await stage()
    const cookie = await signIn(one)
    const stream = await opened(one, cookie)
    one.isCutOff = true
    for (let passedMs = 0; passedMs < 29 * SECOND; passedMs += KNOWN_MS) await looked(one)
    const { status } = await one.call('GET', '/session', cookie)
    expect(status).toBe(503)
    for (let passedMs = 0; passedMs < 2 * SECOND; passedMs += KNOWN_MS) await one.clock.advance(KNOWN_MS)
    expect(await stream.ended).toBe('whole')
    one.isCutOff = false
    await one.clock.advance(KNOWN_MS)
    expect(await isIn(one, cookie)).toBe(true)
  })
})
