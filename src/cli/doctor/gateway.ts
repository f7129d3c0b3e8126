import { Agent } from 'undici'
import { z } from 'zod'
import { exchange, type Exchange } from '../../http/exchange.ts'
import { createCallbackTokens } from '../../webhooks/inbound.ts'
import { deriveKey } from '../../webhooks/secrets.ts'
import { localUrl } from '../config-file.ts'
import type { Check, DoctorContext, GatewayLook } from './context.ts'
import { findings, wordsOf, type Finding, type Rows } from './findings.ts'
import { reach } from './reach.ts'
import { lookAtKey } from './secret-key.ts'

export const GATEWAY_ROWS = {
  gateway_ok: {
    level: 'ok',
    means: 'The gateway of this store answers at `server.host` and `server.port`.',
    advice: null,
  },
  gateway_not_running: {
    level: 'hint',
    means:
      'No gateway answers at `server.host` and `server.port`. The doctor cannot check what it answers from outside.',
    advice: 'Start the gateway, and run this again while it runs.',
  },
  gateway_unknown: {
    level: 'hint',
    means:
      'A Talkbridge answers at `server.host` and `server.port`. Without the secret key, the doctor cannot tell whether it is this one.',
    advice: 'Run this where the gateway runs, with its TALKBRIDGE_SECRET_KEY.',
  },
  gateway_other: {
    level: 'fault',
    means:
      'Another installation of Talkbridge answers at `server.host` and `server.port`. The gateway cannot start there.',
    advice: 'Stop the other installation, or set another `server.port`.',
  },
  port_taken: {
    level: 'fault',
    means: 'Another program answers at `server.host` and `server.port`. The gateway cannot start there.',
    advice: 'Stop the other program, or set another `server.port`.',
  },
} as const satisfies Rows
const say = findings(GATEWAY_ROWS)

const MAX_BYTES = 65_536
/** A video that nobody has: the gateway answers its callback, and does nothing. */
const NOBODY = 'vid_doctor'

const Healthy = z.object({ status: z.literal('ok') })
/** A problem as the gateway words it. */
const Ours = z.object({ code: z.literal('not_found'), request_id: z.string() })

export type Ask = (method: 'GET' | 'POST', path: string) => Promise<Exchange>

const jsonOf = (answer: Exchange): unknown => {
  try {
    return answer.kind === 'answered' ? JSON.parse(answer.body.toString()) : null
  } catch {
    return null
  }
}

export const asker = (agent: Agent, base: string, limitMs: number, signal: AbortSignal): Ask => {
  return (method, path) =>
    exchange({
      dispatcher: agent,
      method,
      url: new URL(`${base}${path}`),
      headers: { 'user-agent': 'talkbridge-doctor' },
      body: null,
      timeoutMs: limitMs,
      maxBytes: MAX_BYTES,
      overflow: 'truncate',
      signal,
    })
}

export const isHealthy = (answer: Exchange): boolean => Healthy.safeParse(jsonOf(answer)).success

export const statusOf = (answer: Exchange): string =>
  answer.kind === 'answered' ? `it answered ${answer.status}` : `no answer: ${wordsOf(new Error(answer.message))}`

/** Sends a callback that only this secret key can sign. `refused`: by a Talkbridge; else what answered instead. */
export const callBack = async (
  ask: Ask,
  key: Buffer | null,
  backend: string,
): Promise<'accepted' | 'refused' | { words: string }> => {
  const token = key === null ? 'doctor' : createCallbackTokens(deriveKey(key, 'callback')).make(backend, NOBODY, 1)
  const answer = await ask('POST', `/hooks/${backend}/${token}`)
  if (answer.kind === 'answered' && answer.status === 204) return 'accepted'
  return Ours.safeParse(jsonOf(answer)).success ? 'refused' : { words: statusOf(answer) }
}

/** Who answers a `/healthz` like ours: the lock of the store and a callback under its key say whether it is this gateway. */
const whoAnswers = async (ask: Ask, url: string, { config, env, store }: DoctorContext): Promise<Finding> => {
  const about = 'server.port'
  const look = await store()
  if (look.driver === 'sqlite' && look.facts !== null && look.facts.lock !== 'held')
    return say('gateway_other', about, `${url} answers, but no gateway serves ${look.path}`)
  const { key } = lookAtKey(config, look.path, env)
  // One that started under an older configuration may lack a backend.
  for (const backend of Object.keys(config.backends)) {
    const callback = await callBack(ask, key, backend)
    if (callback === 'accepted') return say('gateway_ok', about, `${url} answers`)
    if (callback !== 'refused') return say('port_taken', about, `${url}/hooks: ${callback.words}`)
  }
  return key === null
    ? say('gateway_unknown', about, `${url} answers`)
    : say('gateway_other', about, `${url} refuses a callback that this key signed`)
}

/** Who answers where the gateway of this configuration listens; null: it has no port of its own yet. */
export const lookAtGateway = async (context: DoctorContext, signal: AbortSignal): Promise<GatewayLook | null> => {
  const { config, limitMs, lookup, wall } = context
  const url = localUrl(config)
  if (url === null) return null
  const limited = AbortSignal.any([signal, AbortSignal.timeout(limitMs)])
  const reached = await reach(new URL(url), { lookup, nowMs: wall(), signal: limited })
  if (reached.kind === 'no_name' || reached.kind === 'no_answer')
    return { isRunning: false, finding: say('gateway_not_running', 'server.port', `${url}: ${reached.words}`) }
  const agent = new Agent({ connect: { timeout: limitMs } })
  try {
    const ask = asker(agent, url, limitMs, signal)
    const health = await ask('GET', '/healthz')
    if (!isHealthy(health))
      return { isRunning: false, finding: say('port_taken', 'server.port', `${url}/healthz: ${statusOf(health)}`) }
    return { isRunning: true, finding: await whoAnswers(ask, url, context) }
  } finally {
    await agent.destroy()
  }
}

/** Whether the gateway answers where it listens, or somebody else does. */
export const gatewayCheck: Check = {
  name: 'gateway',
  async run({ gateway }) {
    const look = await gateway()
    return look === null ? [] : [look.finding]
  },
}
