import { rm } from 'node:fs/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { createSystemClock } from '../../src/core/time/clock.ts'
import { startSandbox } from '@talkbridge/sandbox'
import { bearer, gatewayConfig, KEYS, runGateway, temporaryFolder } from '../fakes/gateway.ts'
import { listenForWebhooks } from './clients/alternate-client.ts'
import { alternateApp, primaryApp, type Trace } from './clients/apps.ts'

/** Two customers' apps live through a move to the other service: what they see is what they saw at their own. */

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

/** An app waits as it is told, on a scale of its own; and a minute, while nothing is there. */
const SCALE = 100
const sleep = (waitMs: number): Promise<void> => new Promise((done) => setTimeout(done, waitMs / SCALE))
const inVainMs = 60_000 / SCALE

const IMAGE = 'https://example.com/anna.png'
const PRIMARY_SETTINGS = { image: IMAGE, voice: 'sandbox-en-us-ava' }
const ALTERNATE_SETTINGS = { puppet: 'pup_ada', voice: 'voice_amber' }
const ALIASES = {
  voices: { narrator: { main: PRIMARY_SETTINGS.voice, alt: ALTERNATE_SETTINGS.voice } },
  puppets: { anna: { main: { image_url: IMAGE }, alt: ALTERNATE_SETTINGS.puppet } },
}

const services = async () => {
  const lifted = { unlimitedRate: true, unlimitedSlots: true, unlimitedCredits: true }
  const sandbox = await startSandbox({ clock: createSystemClock(), speed: 100, ...lifted })
  closing.push(() => sandbox.close())
  return sandbox
}
const receiver = async () => {
  const listening = await listenForWebhooks()
  closing.push(() => listening.close())
  return listening
}

interface App {
  latest(): string
  visit(): Promise<Trace>
  visitInVain(): Promise<Trace>
}
type Surface = 'primary' | 'alternate'

const appAt = async (surface: Surface, baseUrl: string, apiKey: string): Promise<App> => {
  const stage = { baseUrl, apiKey, sleep }
  return surface === 'primary'
    ? primaryApp({ ...stage, inVainMs }, PRIMARY_SETTINGS)
    : alternateApp({ ...stage, receiver: await receiver() }, ALTERNATE_SETTINGS)
}

/** Enough for a share of one half to find some on each side. */
const CUSTOMERS = Array.from({ length: 6 }, (_, n) => ({ id: `customer-${n}`, key: `tb_customer_${n}_0123456789` }))

/** A gateway with the apps' own service on the old side of a split, and the other one on the new side. */
const moving = async (surface: Surface, sandbox: Awaited<ReturnType<typeof services>>) => {
  const dir = await temporaryFolder()
  closing.push(() => rm(dir, { recursive: true, force: true }))
  const config = gatewayConfig(
    dir,
    { main: sandbox.primaryUrl, alt: sandbox.alternateUrl },
    {
      webhooks: { allow: [{ cidr: '127.0.0.0/8', http: true }] },
      backends: { main: { api_key: sandbox.primaryKey }, alt: { api_key: sandbox.alternateKey } },
      clients: [{ id: 'anna', key: KEYS.anna }, ...CUSTOMERS],
      aliases: ALIASES,
      routing: { rules: [{ split: surface === 'primary' ? { main: 100, alt: 0 } : { alt: 100, main: 0 } }] },
    },
  )
  const { gateway } = await runGateway(config)
  closing.push(() => gateway.close())
  const operate = async (deed: 'step' | 'rollback'): Promise<void> => {
    const answer = await fetch(`${gateway.url}/unified/v1/admin/migration/${deed}`, {
      method: 'POST',
      headers: { ...bearer(KEYS.anna), 'content-type': 'application/json' },
      body: JSON.stringify(deed === 'step' ? { force: true } : {}),
    })
    expect(answer.status, await answer.text()).toBe(200)
  }
  const apps = await Promise.all(
    CUSTOMERS.map(async ({ key }) => ({ key, app: await appAt(surface, gateway.url, key) })),
  )
  return {
    operate,
    visits: () => Promise.all(apps.map(({ app }) => app.visit())),
    visitsInVain: () => Promise.all(apps.map(({ app }) => app.visitInVain())),
    /** Which backend made the latest video of each. */
    async sides(): Promise<string[]> {
      const read = async (key: string, id: string): Promise<string> => {
        const answer = await fetch(`${gateway.url}/unified/v1/videos/${id}`, { headers: bearer(key) })
        return ((await answer.json()) as { backend: string }).backend
      }
      return Promise.all(apps.map(({ key, app }) => read(key, app.latest())))
    },
  }
}

const SHARES = [1, 5, 10, 25, 50]

describe.each(['primary', 'alternate'] as const)('an app of the %s interface', (surface) => {
  const [old, other] = surface === 'primary' ? ['main', 'alt'] : ['alt', 'main']

  test('sees its own service before a move, during a split, after the rollback, and its videos while all is down', async () => {
    const own = await services()
    const [url, key] = surface === 'primary' ? [own.primaryUrl, own.primaryKey] : [own.alternateUrl, own.alternateKey]
    const at = await appAt(surface, url, key)
    const atService = [await at.visit(), await at.visit(), await at.visit()]

    const sandbox = await services()
    const on = await moving(surface, sandbox)
    const everybody = (n: number): Trace[] => CUSTOMERS.map(() => atService[n] ?? {})
    expect(await on.visits(), 'before the move').toEqual(everybody(0))
    expect(new Set(await on.sides())).toEqual(new Set([old]))

    for (const _ of SHARES) await on.operate('step')
    expect(await on.visits(), 'during the split').toEqual(everybody(1))
    expect(new Set(await on.sides())).toEqual(new Set([old, other]))

    await on.operate('rollback')
    expect(await on.visits(), 'after the rollback').toEqual(everybody(2))
    expect(new Set(await on.sides())).toEqual(new Set([old]))

    await sandbox.close()
    const { settings, history } = atService[2] ?? {}
    for (const trace of await on.visitsInVain()) {
      expect(trace).toMatchObject({ settings, history })
      expect(String(trace['fromText'] ?? trace['film'])).toMatch(/^503/)
    }
  })
})
