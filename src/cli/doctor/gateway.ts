import { createServer } from 'node:net'
import { Agent } from 'undici'
import { z } from 'zod'
import { exchange, type Exchange } from '../../http/exchange.ts'
import { createCallbackTokens } from '../../webhooks/sign.ts'
import { deriveKey } from '../../webhooks/secrets.ts'
import { localUrl } from '../config-file.ts'
import {
  type Check,
  type DoctorContext,
  type GatewayLook,
  codeOf,
  findings,
  wordsOf,
  type Finding,
  type Rows,
  reach,
  spanText,
  hostOf,
  type Reach,
} from './findings.ts'
import { lookAtKey } from './store.ts'
import { ADAPTERS } from '../../adapters/index.ts'
import type { Config } from '../../config.ts'

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
  port_unusable: {
    level: 'fault',
    means: 'The gateway cannot listen at `server.host` and `server.port` of this machine.',
    advice: 'Correct `server.host`: an address of this machine, or 0.0.0.0 for all. Or set another `server.port`.',
  },
  port_privileged: {
    level: 'warning',
    means: 'The user who runs the doctor may not listen at `server.port`.',
    advice: 'Set a `server.port` of 1024 or more, or let the user of the gateway listen there.',
  },
  port_taken: {
    level: 'fault',
    means: 'Another program answers at `server.host` and `server.port`. The gateway cannot start there.',
    advice: 'Stop the other program, or set another `server.port`.',
  },
} as const satisfies Rows
const say = findings(GATEWAY_ROWS)

/** Why nobody could listen there; null: somebody could. Listens for a moment: nobody answers there. */
const listening = (host: string, port: number): Promise<string | null> =>
  new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error) => resolve(codeOf(error) || wordsOf(error)))
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(null)))
  })

const unanswered = async ({ server: { host, port } }: Config, url: string, words: string): Promise<Finding> => {
  const fault = await listening(host, port)
  if (fault === null) return say('gateway_not_running', 'server.port', `${url}: ${words}`)
  const what = `${host}, port ${port}: ${fault}`
  return fault === 'EACCES' ? say('port_privileged', 'server.port', what) : say('port_unusable', 'server.host', what)
}

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

const isHealthy = (answer: Exchange): boolean => Healthy.safeParse(jsonOf(answer)).success

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
    return { isRunning: false, finding: await unanswered(config, url, reached.words) }
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

export const PUBLIC_URL_ROWS = {
  public_url_ok: {
    level: 'ok',
    means: 'The public URL leads to this gateway: it answers a callback that only its secret key can sign.',
    advice: null,
  },
  public_url_unset: {
    level: 'hint',
    means:
      '`server.public_url` is not set. Links to videos have the gateway’s own address, and no backend can send callbacks.',
    advice: 'Set `server.public_url` to the https URL at which clients and backends reach the gateway.',
  },
  public_url_no_name: {
    level: 'fault',
    means: 'The host of `server.public_url` has no address.',
    advice: 'Create the DNS record, or correct `server.public_url`.',
  },
  public_url_no_answer: {
    level: 'fault',
    means: 'Nothing answers at the host and port of `server.public_url`.',
    advice: 'Start the proxy in front. If only others can reach it, check from there: curl URL/healthz',
  },
  public_url_certificate_over: {
    level: 'fault',
    means: 'The certificate of the public URL has expired. Clients and backends refuse it.',
    advice: 'Renew the certificate of the proxy.',
  },
  public_url_untrusted: {
    level: 'fault',
    means: 'This machine does not trust the certificate of the public URL, or the certificate is for another name.',
    advice: 'Give the proxy a certificate for that name, with its full chain.',
  },
  public_url_certificate_ends: {
    level: 'warning',
    means: 'The certificate of the public URL expires within 14 days.',
    advice: 'Renew the certificate of the proxy, and automate the renewal.',
  },
  public_url_elsewhere: {
    level: 'fault',
    means: 'Another kind of server answers at the public URL, not a Talkbridge.',
    advice: 'Point the proxy to `server.host` and `server.port`, or correct `server.public_url`.',
  },
  public_url_other_gateway: {
    level: 'fault',
    means: 'A Talkbridge with another secret key answers at the public URL: it is another installation.',
    advice: 'Correct `server.public_url`, or run this with the secret key of that gateway.',
  },
  public_url_unknown: {
    level: 'hint',
    means:
      'A Talkbridge answers at the public URL. Without the secret key, the doctor cannot tell whether it is this one.',
    advice: 'Run this where the gateway runs, with its TALKBRIDGE_SECRET_KEY.',
  },
  callbacks_blocked: {
    level: 'warning',
    means: 'The public URL leads to a gateway, but the proxy does not forward /hooks. Callbacks of backends get lost.',
    advice: 'Let the proxy forward POST requests below /hooks.',
  },
  metrics_public: {
    level: 'hint',
    means: 'Anybody can read `/metrics` at the public URL.',
    advice: 'Set `metrics.token`, or block `/metrics` in the proxy.',
  },
} as const satisfies Rows
const sayPublicUrl = findings(PUBLIC_URL_ROWS)

const SOON_MS = 14 * 86_400_000
const ABOUT = 'server.public_url'
const onTheWay = (reached: Reach, isRunning: boolean | null, nowMs: number): Finding[] => {
  switch (reached.kind) {
    case 'no_name':
      return [sayPublicUrl('public_url_no_name', ABOUT, reached.words)]
    case 'no_answer':
      // Where the gateway itself is the only one that could answer, that it does not run is said already.
      return isRunning === false ? [] : [sayPublicUrl('public_url_no_answer', ABOUT, reached.words)]
    case 'no_trust':
      return reached.endedMs === null
        ? [sayPublicUrl('public_url_untrusted', ABOUT, reached.words)]
        : [sayPublicUrl('public_url_certificate_over', ABOUT, `it ended ${new Date(reached.endedMs).toISOString()}`)]
    case 'reached': {
      const leftMs = reached.certificateEndsMs === null ? Infinity : reached.certificateEndsMs - nowMs
      return leftMs < SOON_MS ? [sayPublicUrl('public_url_certificate_ends', ABOUT, `in ${spanText(leftMs)}`)] : []
    }
  }
}

/** Asks as clients and backends would: who answers, and whether a callback arrives. */
const fromOutside = async (ask: Ask, key: Buffer | null, backend: string): Promise<Finding[]> => {
  const health = await ask('GET', '/healthz')
  if (!isHealthy(health)) return [sayPublicUrl('public_url_elsewhere', ABOUT, `/healthz: ${statusOf(health)}`)]
  const callback = await callBack(ask, key, backend)
  if (callback === 'accepted') return [sayPublicUrl('public_url_ok', ABOUT, 'a callback arrives')]
  if (callback !== 'refused')
    return [sayPublicUrl('callbacks_blocked', ABOUT, `POST /hooks/${backend}/…: ${callback.words}`)]
  return key === null
    ? [sayPublicUrl('public_url_unknown', ABOUT, 'a Talkbridge answers')]
    : [sayPublicUrl('public_url_other_gateway', ABOUT, 'it refuses a callback that this key signed')]
}

const metricsFindings = async (ask: Ask): Promise<Finding[]> => {
  const metrics = await ask('GET', '/metrics')
  const isOpen = metrics.kind === 'answered' && metrics.status === 200 && metrics.body.includes('talkbridge_')
  return isOpen ? [sayPublicUrl('metrics_public', ABOUT, '/metrics answers without a token')] : []
}

const isLoopback = (url: URL): boolean => /^(127\.|::1$|localhost$)/.test(hostOf(url))

const publicFindings = async (
  publicUrl: string,
  ask: Ask,
  isRunning: boolean | null,
  context: DoctorContext,
  signal: AbortSignal,
): Promise<Finding[]> => {
  const { config, env, limitMs, lookup, store, wall } = context
  const url = new URL(publicUrl)
  const limited = AbortSignal.any([signal, AbortSignal.timeout(limitMs)])
  const reached = await reach(url, { lookup, nowMs: wall(), signal: limited })
  const found = onTheWay(reached, isRunning, wall())
  // A proxy without a gateway behind it answers something of its own.
  if (reached.kind !== 'reached' || isRunning === false) return found
  const { key } = lookAtKey(config, (await store()).path, env)
  const outside = await fromOutside(ask, key, Object.keys(config.backends)[0] ?? '')
  const metrics = isLoopback(url) && !config.server.trust_proxy ? [] : await metricsFindings(ask)
  return [...found, ...outside, ...metrics]
}

/** Whether anybody would gain by an address of the gateway's. */
const couldCallBack = ({ backends }: Config): boolean =>
  Object.values(backends).some(({ interface: name }) => ADAPTERS[name].capabilities.native_webhook)

/** Whether the public URL leads to the gateway of this machine. */
export const publicUrlCheck: Check = {
  name: 'public URL',
  async run(context, signal) {
    const { config, limitMs } = context
    const { public_url: publicUrl } = config.server
    if (publicUrl === null) return couldCallBack(config) ? [sayPublicUrl('public_url_unset', ABOUT, 'it is null')] : []
    const isRunning = (await context.gateway())?.isRunning ?? null
    const agent = new Agent({ connect: { timeout: limitMs } })
    try {
      return await publicFindings(publicUrl, asker(agent, publicUrl, limitMs, signal), isRunning, context, signal)
    } finally {
      await agent.destroy()
    }
  },
}
