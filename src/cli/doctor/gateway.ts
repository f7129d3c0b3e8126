import { createServer } from 'node:net'
import { Agent } from 'undici'
import { z } from 'zod'
import { exchange, type Exchange } from '../../http/exchange.ts'
import { createCallbackTokens } from '../../webhooks/sign.ts'
import { deriveKey } from '../../webhooks/secrets.ts'
import { localUrl } from '../config-file.ts'
import { codeOf } from '../../core/errors.ts'
import { say, sayIf, type Finding } from './findings.ts'
import { type Check, type DoctorContext, type GatewayLook, onTheWay, reach, wordsOf } from './look.ts'
import { lookAtKey } from './store.ts'
import { ADAPTERS } from '../../adapters/index.ts'
import type { Config } from '../../config.ts'
import { isLoopback } from '../../config/fields.ts'

/** Why nobody could listen there; null: somebody could. Listens for a moment: nobody answers there. */
const listening = (host: string, port: number): Promise<string | null> =>
  new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error) => resolve(codeOf(error) || wordsOf(error)))
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(null)))
  })

const unanswered = async ({ server: { host, port } }: Config, url: string): Promise<Finding> => {
  const fault = await listening(host, port)
  if (fault === null) return say('gateway_not_running', 'server.port', `no gateway runs at ${url}`)
  const what = `${host}, port ${port}: ${fault}`
  return fault === 'EACCES' ? say('port_privileged', 'server.port', what) : say('port_unusable', 'server.host', what)
}

const MAX_BYTES = 65_536
/** A video that nobody has: the gateway answers its callback, and does nothing. */
const NOBODY = 'vid_doctor'

const Healthy = z.object({ status: z.literal('ok') })
/** A problem as the gateway words it. */
const Ours = z.object({ code: z.literal('not_found'), request_id: z.string() })

type Ask = (method: 'GET' | 'POST', path: string) => Promise<Exchange>

const jsonOf = (answer: Exchange): unknown => {
  try {
    return answer.kind === 'answered' ? JSON.parse(answer.body.toString()) : null
  } catch {
    return null
  }
}

/** Runs `use` with a way to ask the one that answers at `base`. */
const asking = async <T>(
  base: string,
  { limitMs }: DoctorContext,
  signal: AbortSignal,
  use: (ask: Ask) => Promise<T>,
): Promise<T> => {
  const dispatcher = new Agent({ connect: { timeout: limitMs } })
  const headers = { 'user-agent': 'talkbridge-doctor' }
  const limits = { timeoutMs: limitMs, maxBytes: MAX_BYTES, overflow: 'truncate', signal } as const
  try {
    return await use((method, path) =>
      exchange({ dispatcher, method, url: new URL(`${base}${path}`), headers, body: null, ...limits }),
    )
  } finally {
    await dispatcher.destroy()
  }
}

const isHealthy = (answer: Exchange): boolean => Healthy.safeParse(jsonOf(answer)).success

const statusOf = (answer: Exchange): string =>
  answer.kind === 'answered' ? `it answered ${answer.status}` : `no answer: ${wordsOf(new Error(answer.message))}`

/** Sends a callback that only this secret key can sign. `refused`: by a Talkbridge; otherwise what answered instead. */
const callBack = async (
  ask: Ask,
  key: Buffer | null,
  backend: string,
): Promise<'accepted' | 'refused' | { words: string }> => {
  const token = key === null ? 'doctor' : createCallbackTokens(deriveKey(key, 'callback')).make(backend, NOBODY, 1)
  const answer = await ask('POST', `/hooks/${backend}/${token}`)
  if (answer.kind === 'answered' && answer.status === 204) return 'accepted'
  return Ours.safeParse(jsonOf(answer)).success ? 'refused' : { words: statusOf(answer) }
}

/**
 * Who answers a `/healthz` like ours: the lock of the store and a callback under its key say whether it is this
 * gateway.
 */
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
  const url = localUrl(context.config)
  if (url === null) return null
  const reached = await reach(new URL(url), context, signal)
  if (reached.kind === 'no_name' || reached.kind === 'no_answer')
    return { isRunning: false, finding: await unanswered(context.config, url) }
  return asking(url, context, signal, async (ask) => {
    const health = await ask('GET', '/healthz')
    return isHealthy(health)
      ? { isRunning: true, finding: await whoAnswers(ask, url, context) }
      : { isRunning: false, finding: say('port_taken', 'server.port', `${url}/healthz: ${statusOf(health)}`) }
  })
}

/** Whether the gateway answers where it listens, or somebody else does. */
export const gatewayCheck: Check = {
  name: 'gateway',
  async run({ gateway }) {
    const look = await gateway()
    return look === null ? [] : [look.finding]
  },
}

const ABOUT = 'server.public_url'

/** Asks as clients and backends would: who answers, and whether a callback arrives. */
const fromOutside = async (ask: Ask, key: Buffer | null, backend: string): Promise<Finding[]> => {
  const health = await ask('GET', '/healthz')
  if (!isHealthy(health)) return [say('public_url_elsewhere', ABOUT, `/healthz: ${statusOf(health)}`)]
  const callback = await callBack(ask, key, backend)
  if (callback === 'accepted') return [say('public_url_ok', ABOUT, 'a callback arrives')]
  if (callback !== 'refused') return [say('callbacks_blocked', ABOUT, `POST /hooks/${backend}/…: ${callback.words}`)]
  return key === null
    ? [say('public_url_unknown', ABOUT, 'a Talkbridge answers')]
    : [say('public_url_other_gateway', ABOUT, 'it refuses a callback that this key signed')]
}

const metricsFindings = async (ask: Ask): Promise<Finding[]> => {
  const metrics = await ask('GET', '/metrics')
  const isOpen = metrics.kind === 'answered' && metrics.status === 200 && metrics.body.includes('talkbridge_')
  return sayIf(isOpen, 'metrics_public', ABOUT, '/metrics answers without a token')
}

/** The backends that would gain by an address of the gateway's. */
const callingBack = ({ backends }: Config): Config['backends'][string][] =>
  Object.values(backends).filter(({ interface: name }) => ADAPTERS[name].capabilities.native_webhook)

/** A callback from this machine arrives there: that proves nothing for a backend on another one. */
const loopbackFindings = (config: Config, { hostname }: URL): Finding[] => {
  const isElsewhere = callingBack(config).some(({ base_url: base }) => !isLoopback(new URL(base).hostname))
  const words = `${hostname} is this machine only: no backend elsewhere can send callbacks to it`
  return sayIf(isLoopback(hostname) && isElsewhere, 'public_url_loopback', ABOUT, words)
}

/** Whether the public URL leads to the gateway of this machine. */
export const publicUrlCheck: Check = {
  name: 'public URL',
  async run(context, signal) {
    const { config, env, store, wall } = context
    const { public_url: publicUrl, trust_proxy: trustsProxy } = config.server
    if (publicUrl === null) return sayIf(callingBack(config).length > 0, 'public_url_unset', ABOUT, 'it is null')
    const url = new URL(publicUrl)
    const isStopped = (await context.gateway())?.isRunning === false
    const reached = await reach(url, context, signal)
    const found = [
      ...loopbackFindings(config, url),
      // Where the gateway itself is the only one that could answer, that it does not run is said already.
      ...(isStopped && reached.kind === 'no_answer' ? [] : onTheWay('public_url', ABOUT, reached, wall())),
    ]
    if (isStopped && found.length === 0)
      return [say('public_url_unchecked', ABOUT, 'whether callbacks arrive was not checked: no gateway runs here')]
    // A proxy without a gateway behind it answers something of its own.
    if (isStopped || reached.kind !== 'reached') return found
    const { key } = lookAtKey(config, (await store()).path, env)
    return asking(publicUrl, context, signal, async (ask) => [
      ...found,
      ...(await fromOutside(ask, key, Object.keys(config.backends)[0] ?? '')),
      ...(isLoopback(url.hostname) && !trustsProxy ? [] : await metricsFindings(ask)),
    ])
  },
}
