import { Agent } from 'undici'
import { ADAPTERS } from '../../adapters/index.ts'
import type { Config } from '../../config.ts'
import type { Check, DoctorContext } from './context.ts'
import { asker, callBack, isHealthy, statusOf, type Ask } from './gateway.ts'
import { findings, spanText, type Finding, type Rows } from './findings.ts'
import { hostOf, reach, type Reach } from './reach.ts'
import { lookAtKey } from './secret-key.ts'

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
const say = findings(PUBLIC_URL_ROWS)

const SOON_MS = 14 * 86_400_000
const ABOUT = 'server.public_url'
const onTheWay = (reached: Reach, isRunning: boolean | null, nowMs: number): Finding[] => {
  switch (reached.kind) {
    case 'no_name':
      return [say('public_url_no_name', ABOUT, reached.words)]
    case 'no_answer':
      // Where the gateway itself is the only one that could answer, that it does not run is said already.
      return isRunning === false ? [] : [say('public_url_no_answer', ABOUT, reached.words)]
    case 'no_trust':
      return reached.endedMs === null
        ? [say('public_url_untrusted', ABOUT, reached.words)]
        : [say('public_url_certificate_over', ABOUT, `it ended ${new Date(reached.endedMs).toISOString()}`)]
    case 'reached': {
      const leftMs = reached.certificateEndsMs === null ? Infinity : reached.certificateEndsMs - nowMs
      return leftMs < SOON_MS ? [say('public_url_certificate_ends', ABOUT, `in ${spanText(leftMs)}`)] : []
    }
  }
}

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
  return isOpen ? [say('metrics_public', ABOUT, '/metrics answers without a token')] : []
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
    if (publicUrl === null) return couldCallBack(config) ? [say('public_url_unset', ABOUT, 'it is null')] : []
    const isRunning = (await context.gateway())?.isRunning ?? null
    const agent = new Agent({ connect: { timeout: limitMs } })
    try {
      return await publicFindings(publicUrl, asker(agent, publicUrl, limitMs, signal), isRunning, context, signal)
    } finally {
      await agent.destroy()
    }
  },
}
