import { rm } from 'node:fs/promises'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { startSandbox } from '@talkbridge/sandbox'
import { fakeClock } from '../fakes/clock.ts'
import { bearer, gatewayConfig, KEYS, runGateway, temporaryFolder } from '../fakes/gateway.ts'
import { must } from '../fakes/must.ts'

const Backends = z.object({
  data: z.array(
    z.looseObject({ name: z.string(), budget: z.looseObject({ limit: z.number(), remaining: z.number() }) }),
  ),
})

/** A gateway before a backend that says 60 a minute, in a minute that does not pass, with a limit of the operator's. */
const stage = async (perMinute: number) => {
  const dir = await temporaryFolder()
  const clock = fakeClock(Date.now())
  const sandbox = await startSandbox({ clock, speed: 1 })
  const urls = { main: sandbox.primaryUrl, alt: sandbox.alternateUrl }
  const config = (requests_per_minute: number) =>
    gatewayConfig(dir, urls, { backends: { alt: { api_key: sandbox.alternateKey, requests_per_minute } } })
  const start = async (limit: number) => (await runGateway(config(limit), { clock })).gateway
  let gateway = await start(perMinute)
  onTestFinished(async () => {
    await gateway.close()
    await sandbox.close()
    await rm(dir, { recursive: true, force: true })
  })
  const get = async (path: string): Promise<unknown> => {
    const response = await fetch(`${gateway.url}/unified/v1${path}`, { headers: bearer(KEYS.anna) })
    expect(response.status).toBe(200)
    return response.json()
  }
  return {
    reload: (limit: number) => gateway.reload(config(limit)),
    async restart(limit: number) {
      await gateway.close()
      gateway = await start(limit)
    },
    /** Costs a request of the window. */
    ask: () => get('/voices?backend=alt'),
    async left() {
      const { data } = Backends.parse(await get('/backends'))
      const { limit, remaining } = must(data.find(({ name }) => name === 'alt')).budget
      return { limit, remaining }
    },
    asked: () => sandbox.ledger().requests.length,
  }
}

test('a reload that changes `requests_per_minute` holds for the window that runs', async () => {
  const { ask, left, reload, asked } = await stage(10)
  await ask()
  // More than was configured, by the word of the backend.
  expect(await left()).toEqual({ limit: 60, remaining: 59 })
  await reload(4)
  expect(await left()).toEqual({ limit: 4, remaining: 3 })
  await reload(100)
  expect(await left()).toEqual({ limit: 60, remaining: 59 })
  expect(asked()).toBe(1)
})

test('so does a restart, after which the window is the same; a header that says what it said changes nothing', async () => {
  const { ask, left, restart, asked } = await stage(10)
  await ask()
  await restart(4)
  expect(await left()).toEqual({ limit: 4, remaining: 3 })
  await restart(4)
  // Nothing is remembered of catalogues.
  await ask()
  expect([asked(), await left()]).toEqual([2, { limit: 4, remaining: 2 }])
  await restart(2)
  for (let n = 0; n < 3; n += 1) {
    await restart(2)
    expect(await left()).toEqual({ limit: 2, remaining: 0 })
  }
})
