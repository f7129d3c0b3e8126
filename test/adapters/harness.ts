import { readFileSync } from 'node:fs'
import { z } from 'zod'
import {
  ADAPTERS,
  type AdapterAccount,
  type Drift,
  type InterfaceName,
  type Operation,
} from '../../src/adapters/index.ts'
import type { Adapter } from '../../src/core/adapter.ts'
import type { Order } from '../../src/core/video.ts'
import { type Agents, createAgents } from '../../src/http/exchange.ts'
import { createPassing } from '../../src/core/tracing.ts'
import { fakeClock, type FakeClock } from '../fakes/clock.ts'
import { HANG_MS } from '../fakes/until.ts'

/** Must never be found in anything that an adapter answers. */
export const CANARY_KEY = 'key_canary/0123456789+abc'
export const NOW_MS = Date.parse('2026-11-20T10:00:00Z')

const Fixture = z.object({ status: z.number(), headers: z.record(z.string(), z.string()), body: z.unknown() })
export type Fixture = z.infer<typeof Fixture>

/** A recorded-style answer out of test/fixtures. */
export const fixture = (name: InterfaceName, file: string): Fixture =>
  Fixture.parse(JSON.parse(readFileSync(new URL(`../fixtures/${name}/${file}.json`, import.meta.url), 'utf8')))

/** Orders that the two interfaces can take in full. */
export const ORDERS = {
  primary: {
    imageUrl: 'https://img.example/me.png',
    puppetId: null,
    text: 'Hello',
    audioUrl: null,
    voiceId: 'aurora-en_01',
    language: 'en',
    expressiveness: 0.5,
    resolution: null,
  },
  alternate: {
    imageUrl: null,
    puppetId: 'pup_anna',
    text: 'Hello',
    audioUrl: null,
    voiceId: 'voice_anna',
    language: null,
    expressiveness: null,
    resolution: '720p',
  },
} as const satisfies Record<string, Order>

export const CONTEXT = { idempotencyKey: 'vid_1.1', callbackUrl: 'https://gateway.example/hooks/alternate/t' }

export interface Spoken {
  adapter: Adapter
  drifts: Drift[]
  /** What the backend let the key do, and what not, in order. */
  permitted: [operation: Operation, allowed: boolean][]
  clock: FakeClock
  agents: Agents
}

export const speak = (name: InterfaceName, baseUrl: string, account: Partial<AdapterAccount> = {}): Spoken => {
  const drifts: Drift[] = []
  const permitted: Spoken['permitted'] = []
  const clock = fakeClock(NOW_MS)
  const agents = account.agents ?? createAgents({ connectTimeoutMs: HANG_MS })
  const adapter = ADAPTERS[name].create({
    baseUrl,
    apiKey: CANARY_KEY,
    timeoutMs: HANG_MS,
    clock,
    drift: (drift) => drifts.push(drift),
    permitted: (operation, allowed) => permitted.push([operation, allowed]),
    name: 'main',
    tracing: createPassing(),
    ...account,
    agents,
  })
  return { adapter, drifts, permitted, clock, agents }
}
