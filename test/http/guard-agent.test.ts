import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Pool } from 'undici'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { type Exchange, exchange } from '../../src/http/exchange.ts'
import {
  type GuardRules,
  type GuardedAgent,
  type Lookup,
  compilePolicy,
  createGuardedAgent,
} from '../../src/http/guard.ts'
import { outcomeOf } from '../../src/webhooks/sender.ts'
import { answer, startReceiver } from '../fakes/receiver.ts'
import type { Behaviour, Receiver } from '../fakes/receiver.ts'
import { HANG_MS } from '../fakes/until.ts'

const LOOPBACK: GuardRules = { ports: [443], allow: [{ cidr: '127.0.0.0/8', http: true }] }
const key = readFileSync(new URL('fixtures/receiver.key.pem', import.meta.url))
const cert = readFileSync(new URL('fixtures/receiver.cert.pem', import.meta.url), 'utf8')

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

const receiver = async (tls?: Parameters<typeof startReceiver>[0]): Promise<Receiver> => {
  const started = await startReceiver(tls)
  closers.push(() => started.close())
  return started
}

const agentOf = (
  lookup: Lookup,
  rules: GuardRules = LOOPBACK,
  ca?: string,
  connectTimeoutMs?: number,
): GuardedAgent => {
  const agent = createGuardedAgent({
    policy: compilePolicy(rules),
    lookup,
    ...(ca === undefined ? {} : { ca }),
    ...(connectTimeoutMs === undefined ? {} : { connectTimeoutMs }),
  })
  closers.push(() => agent.close())
  return agent
}

/** Answers the scripted lists of addresses in turn, the last one for ever; remembers what it was asked. */
const scriptedLookup = (...answers: string[][]): Lookup & { asked: string[] } => {
  const asked: string[] = []
  const lookup: Lookup = async (hostname) => {
    asked.push(hostname)
    const found = answers[Math.min(asked.length, answers.length) - 1] ?? []
    return found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
  }
  return Object.assign(lookup, { asked })
}

const post = (agent: GuardedAgent, url: string, timeoutMs = HANG_MS): Promise<Exchange> =>
  exchange({
    dispatcher: agent.dispatcher,
    method: 'POST',
    url: new URL(url),
    headers: { 'content-type': 'application/json' },
    body: '{"a":1}',
    timeoutMs,
    maxBytes: 1_024,
    overflow: 'truncate',
  })

const failure = (result: Exchange) =>
  result.kind === 'failed' ? { fault: result.fault, began: result.began, message: result.message } : result.status

describe('the guarded agent', () => {
  test('connects to the vetted address of a name, asking the resolver once', async () => {
    const target = await receiver()
    const lookup = scriptedLookup(['127.0.0.1'])
    const result = await post(agentOf(lookup), `http://hooks.example:${target.port}/a?b=c`)
    expect(result).toMatchObject({ kind: 'answered', status: 204 })
    expect(lookup.asked).toEqual(['hooks.example'])
    expect(target.requests).toMatchObject([
      { method: 'POST', url: '/a?b=c', body: '{"a":1}', headers: { host: `hooks.example:${target.port}` } },
    ])
  })

  test('refuses a name that rebinds to a private address at the next connection', async () => {
    const target = await receiver()
    target.respond(answer(200, { connection: 'close' }))
    const lookup = scriptedLookup(['127.0.0.1'], ['10.0.0.1'], ['169.254.169.254'])
    const agent = agentOf(lookup)
    expect(await post(agent, `http://rebind.example:${target.port}/`)).toMatchObject({ status: 200 })
    for (const turn of [2, 3]) {
      const refused = failure(await post(agent, `http://rebind.example:${target.port}/`))
      expect(refused).toEqual({
        fault: 'connection',
        began: false,
        message: 'the address of the host is not allowed: ask the operator to allow it in webhooks.allow',
      })
      expect(lookup.asked).toHaveLength(turn)
    }
    expect(target.connections()).toBe(1)
  })

  test.each([[['127.0.0.1', '10.0.0.1']], [['127.0.0.1', '::1']], [['10.0.0.1', '127.0.0.1']], [['::ffff:127.0.0.1']]])(
    'one refused address refuses the name: %j',
    async (addresses) => {
      const target = await receiver()
      const result = await post(agentOf(scriptedLookup(addresses)), `http://mixed.example:${target.port}/`)
      expect(failure(result)).toMatchObject({ fault: 'connection', began: false })
      expect(target.connections()).toBe(0)
    },
  )

  test('vets literals, which Node never resolves', async () => {
    const target = await receiver()
    const lookup = scriptedLookup(['127.0.0.1'])
    const closed = agentOf(lookup, { ports: [443], allow: [] })
    const mapped = `http://[::ffff:127.0.0.1]:${target.port}/`
    for (const url of [target.url, mapped, target.url.replace('http:', 'https:')])
      expect(failure(await post(closed, url))).toMatchObject({ fault: 'connection', began: false })
    expect(failure(await post(agentOf(lookup), mapped))).toMatchObject({ fault: 'connection', began: false })
    expect(target.connections()).toBe(0)
    expect(await post(agentOf(lookup), target.url)).toMatchObject({ status: 204 })
    expect(lookup.asked).toEqual([])
  })

  test('holds scheme and port against the exception that the address falls into', async () => {
    const target = await receiver()
    const lookup = scriptedLookup(['127.0.0.1'])
    const url = `http://hooks.example:${target.port}/`
    const noHttp = agentOf(lookup, { ports: [443], allow: [{ cidr: '127.0.0.0/8' }] })
    const otherPort = agentOf(lookup, { ports: [443], allow: [{ cidr: '127.0.0.0/8', http: true, ports: [1] }] })
    const otherCidr = agentOf(lookup, { ports: [443], allow: [{ cidr: '10.0.0.0/8', http: true }] })
    for (const agent of [noHttp, otherPort, otherCidr])
      expect(failure(await post(agent, url))).toMatchObject({ began: false })
    expect(target.connections()).toBe(0)
  })

  test('lets a single-label name resolve into an exception only, and drops its other addresses', async () => {
    const target = await receiver()
    const url = `http://localhost:${target.port}/`
    expect(await post(agentOf(scriptedLookup(['::1', '127.0.0.1'])), url)).toMatchObject({ status: 204 })
    expect(failure(await post(agentOf(scriptedLookup(['10.0.0.1'])), url))).toMatchObject({ began: false })
    // Where somebody listens, but that is not excepted: only what is left is connected to.
    const other = { ports: [443], allow: [{ cidr: '127.0.0.2/32', http: true }] }
    const both = agentOf(scriptedLookup(['127.0.0.1', '127.0.0.2']), other, undefined, 1_000)
    expect(failure(await post(both, url))).toMatchObject({ fault: 'connection', began: false })
    const strict = agentOf(scriptedLookup(['127.0.0.1']), { ports: [443], allow: [] })
    expect(failure(await post(strict, url))).toMatchObject({ fault: 'connection', began: false })
    expect(target.connections()).toBe(1)
  })

  test('goes through no proxy, whatever the environment says', async () => {
    const target = await receiver()
    const proxy = await receiver()
    for (const name of ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'ALL_PROXY']) vi.stubEnv(name, proxy.url)
    vi.stubEnv('NODE_USE_ENV_PROXY', '1')
    const agent = agentOf(scriptedLookup(['127.0.0.1']))
    expect(failure(await post(agent, `http://hooks.example:${target.port}/`))).toBe(204)
    vi.unstubAllEnvs()
    expect(proxy.connections()).toBe(0)
  })

  test('never follows a redirect', async () => {
    const target = await receiver()
    target.respond(answer(307, { location: `${target.url}/elsewhere` }))
    expect(await post(agentOf(scriptedLookup(['127.0.0.1'])), `http://hooks.example:${target.port}/`)).toMatchObject({
      kind: 'answered',
      status: 307,
    })
    expect(target.requests).toHaveLength(1)
  })

  test.each<[string, Behaviour, number, string | number]>([
    ['hang', { kind: 'hang' }, 300, 'timeout'],
    ['answer with too much', { kind: 'big', status: 200, sizeBytes: 200_000 }, HANG_MS, 200],
  ])('keeps nothing of origins that %s', async (_what, behaviour, timeoutMs, end) => {
    const target = await receiver()
    target.respond(behaviour)
    const dispatched = vi.spyOn(Pool.prototype, 'dispatch')
    const agent = agentOf(scriptedLookup(['127.0.0.1']))
    const results = Array.from({ length: 20 }, (_, n) =>
      post(agent, `http://hooks${n}.example:${target.port}/`, timeoutMs),
    )
    const pools = dispatched.mock.contexts.filter((context) => context instanceof Pool)
    dispatched.mockRestore()
    const cut = pools.map((pool) => once(pool, 'disconnect'))
    for (const result of await Promise.all(results))
      expect(result.kind === 'failed' ? result.fault : result.status).toBe(end)
    await Promise.all(cut)
    await nextTurn()
    expect(pools.map(({ closed }) => closed)).toEqual(Array.from({ length: 20 }, () => true))
  })

  test('an origin that was left is connected to again', async () => {
    const target = await receiver()
    const agent = agentOf(scriptedLookup(['127.0.0.1']))
    const url = `http://hooks.example:${target.port}/`
    target.respond({ kind: 'big', status: 200, sizeBytes: 200_000 })
    for (let turn = 1; turn <= 3; turn += 1) {
      const both = await Promise.all([post(agent, url), post(agent, url)])
      expect(both).toMatchObject([{ status: 200 }, { status: 200 }])
      // Dispatched at the moment at which the connections before are being closed.
      expect(await post(agent, url)).toMatchObject({ status: 200 })
    }
    await agent.close()
    expect(failure(await post(agent, url))).toMatchObject({ fault: 'connection', began: false })
  })

  test('a name that does not resolve, or to nothing, or to garbage, is a failed connection', async () => {
    const agent = agentOf(() => Promise.reject(new Error('getaddrinfo ENOTFOUND nobody.example')))
    expect(failure(await post(agent, 'http://nobody.example/'))).toEqual({
      fault: 'connection',
      began: false,
      message: 'getaddrinfo ENOTFOUND nobody.example',
    })
    for (const addresses of [[], ['garbage']])
      expect(failure(await post(agentOf(scriptedLookup(addresses)), 'http://nobody.example/'))).toMatchObject({
        fault: 'connection',
        began: false,
      })
  })

  test('the connect timeout covers a resolver that never answers', async () => {
    const agent = agentOf(() => new Promise(() => undefined), LOOPBACK, undefined, 50)
    const result = await post(agent, 'http://slow.example/')
    expect(failure(result)).toMatchObject({ fault: 'timeout', began: false })
    // Too slow to connect is too slow to answer: it is left alone for as long.
    expect(outcomeOf(result)).toEqual({ kind: 'timeout' })
  })

  test('over TLS: verifies the name, offers HTTP/1.1 only, pins the address', async () => {
    const offered: string[][] = []
    const target = await receiver({
      key,
      cert,
      ALPNCallback: ({ protocols }) => {
        offered.push(protocols)
        return 'http/1.1'
      },
    })
    target.respond((request) => answer(200, {}, request.url))
    const lookup = scriptedLookup(['127.0.0.1'])
    const agent = agentOf(lookup, LOOPBACK, cert)
    expect(await post(agent, `https://receiver.example:${target.port}/tls`)).toMatchObject({ status: 200 })
    const { ok, url } = { url: '', ...agent.check(`https://receiver2.example.:${target.port}/dot`) }
    expect(ok).toBe(true)
    expect(await post(agent, String(url))).toMatchObject({ status: 200 })
    expect(failure(await post(agent, `https://other.example:${target.port}/`))).toMatchObject({ began: false })
    expect(failure(await post(agentOf(lookup), `https://receiver.example:${target.port}/`))).toMatchObject({
      fault: 'connection',
      began: false,
    })
    expect(new Set(offered.flat())).toEqual(new Set(['http/1.1']))
    expect(target.requests.map(({ url: path }) => path)).toEqual(['/tls', '/dot'])
  })
})
