import { rm } from 'node:fs/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Store } from '../../src/core/store/index.ts'
import { buildDeps } from '../../src/deps.ts'
import { buildApp } from '../../src/app.ts'
import { createGatewayServer } from '../../src/server.ts'
import { createLog } from '../../src/log.ts'
import { startBackend } from '../fakes/backend.ts'
import { fakeClock } from '../fakes/clock.ts'
import { testPostgres } from '../fakes/databases.ts'
import { bearer, gatewayConfig, KEYS, SECRET_KEY, temporaryFolder } from '../fakes/gateway.ts'
import { must } from '../fakes/must.ts'
import { SECOND } from '../fakes/records.ts'
import { skippedWithout } from '../fakes/servers.ts'
import { until } from '../fakes/until.ts'

/** Processes of one gateway over one database, each with a clock that the test moves. */
const stage = async () => {
  const dir = await temporaryFolder()
  onTestFinished(() => rm(dir, { recursive: true, force: true }))
  const { url: database } = await testPostgres()
  const [main, alt] = await Promise.all([startBackend(), startBackend()])
  onTestFinished(async () => void (await Promise.all([main.close(), alt.close()])))
  const usual = gatewayConfig(dir, { main: main.url, alt: alt.url })
  const config = { ...usual, store: { ...usual.store, driver: 'postgres', url: database } } as const

  const start = async () => {
    const clock = fakeClock()
    const seen = { reads: 0 }
    const wrapStore = (store: Store): Store => ({
      ...store,
      operated: (keys) => store.operated(keys).finally(() => void (seen.reads += 1)),
    })
    const log = createLog({ level: 'silent', format: 'json' }, { write: () => undefined }, false)
    const deps = await buildDeps({ config, clock, log, secretKey: SECRET_KEY, random: () => 0.5, wrapStore })
    onTestFinished(async () => {
      await deps.routing.stop()
      await deps.lifecycle.close()
    })
    const { server } = createGatewayServer({ ...deps, handle: buildApp(deps), stopping: deps.stopping.signal })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    })
    const address = server.address()
    const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
    await deps.routing.load()
    deps.routing.start()
    // Its first read is over, and its timer for the next one is set.
    await until(() => clock.pending() > 0)
    return {
      /** A second passes, and what it reads then is read. */
      async second(): Promise<void> {
        const { reads } = seen
        await clock.advance(SECOND)
        await until(() => seen.reads > reads)
      },
      isPaused: () => must(deps.backends.get('main')).account.paused.isPaused('creates'),
      async post(path: string, body?: object) {
        const headers = { ...bearer(KEYS.anna), ...(body && { 'content-type': 'application/json' }) }
        const answer = await fetch(`${url}/unified/v1${path}`, {
          method: 'POST',
          headers,
          ...(body && { body: JSON.stringify(body) }),
        })
        return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
      },
    }
  }
  return { main, one: await start(), two: await start() }
}

describe.skipIf(await skippedWithout(['postgres']))('of two processes', () => {
  test('what one pauses the other pauses within two seconds, and so it is with the end', async () => {
    const { main, one, two } = await stage()
    const pause = { creates: true, polls: true, reason: 'why' }
    expect((await one.post('/admin/backends/main/pause', pause)).status).toBe(200)
    expect([one.isPaused(), two.isPaused()]).toEqual([true, false])
    await two.second()
    expect(two.isPaused()).toBe(true)
    const video = { backend: 'main', image_url: 'https://img.example/me.png', text: 'Hello' }
    expect(await two.post('/videos', video)).toMatchObject({
      status: 202,
      body: { queue: { reason: 'backend_paused' } },
    })
    expect(main.requests.filter(({ method }) => method === 'POST')).toEqual([])
    // The other one resumes what it did not pause.
    expect(await two.post('/admin/backends/main/resume')).toMatchObject({ status: 200, body: { paused: null } })
    expect([one.isPaused(), two.isPaused()]).toEqual([true, false])
    await one.second()
    expect(one.isPaused()).toBe(false)
  })

  test('of two pauses at the same time both are recorded, and one is in force at both', async () => {
    const { one, two } = await stage()
    const both = [one, two].map((each, n) =>
      each.post('/admin/backends/main/pause', { creates: true, polls: false, reason: `reason ${n}` }),
    )
    expect((await Promise.all(both)).map(({ status }) => status)).toEqual([200, 200])
    await Promise.all([one.second(), two.second()])
    expect([one.isPaused(), two.isPaused()]).toEqual([true, true])
  })
})
