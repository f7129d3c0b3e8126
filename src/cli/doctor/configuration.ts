import type { Config } from '../../config.ts'
import type { Fault } from '../../config/faults.ts'
import { tracingFault } from '../../tracing/index.ts'
import { placeOf, SANDBOX_CLIENT_KEY } from '../config-file.ts'
import { type Check, findings, type Finding, type Rows } from './findings.ts'
import ipaddr from 'ipaddr.js'
import { CONSOLE_CLIENT } from '../../config/rules.ts'

export const CONFIGURATION_ROWS = {
  config_ok: { level: 'ok', means: 'The configuration has no mistake.', advice: null },
  config_fault: {
    level: 'fault',
    means: 'The configuration has a mistake. The gateway refuses to start, and nothing else was checked.',
    advice: 'Correct it. `talkbridge config check` lists the mistakes, too.',
  },
  tracing_packages: {
    level: 'fault',
    means:
      '`tracing.otlp_endpoint` is set, but the packages that send traces are not installed. The gateway does not start.',
    advice: 'Run the command of the message, or set `tracing.otlp_endpoint` to null.',
  },
  config_warning: {
    level: 'warning',
    means: 'A setting is allowed, but it costs you something, or has no effect.',
    advice: 'Follow the message, or keep the setting if you want it.',
  },
} as const satisfies Rows
const say = findings(CONFIGURATION_ROWS)

export const faultFindings = (file: string, faults: readonly Fault[]): Finding[] =>
  faults.map((fault) => say('config_fault', fault.path || file, `${fault.message}${placeOf(fault)}`))

/** What the file does not show, and a start would refuse. */
export const startFaults = ({ tracing }: Pick<Config, 'tracing'>): Fault[] => {
  const fault = tracingFault(tracing.otlp_endpoint)
  return fault === null ? [] : [{ path: 'tracing.otlp_endpoint', message: fault }]
}

const count = (n: number, what: string): string => `${n} ${what}${n === 1 ? '' : 's'}`

/** What the reader of the file warns of. */
export const configurationCheck: Check = {
  name: 'configuration',
  run({ file, config, warnings }) {
    const has = [count(Object.keys(config.backends).length, 'backend'), count(config.clients.length, 'client')]
    const warned = warnings.map(({ path, message }) => say('config_warning', path, message))
    const lacking = startFaults(config).map(({ path, message }) => say('tracing_packages', path, message))
    return [say('config_ok', file, has.join(', ')), ...lacking, ...warned]
  },
}

export const EXPOSURE_ROWS = {
  guard_ok: { level: 'ok', means: 'No setting opens the gateway more than necessary.', advice: null },
  allow_wide: {
    level: 'warning',
    means: 'A range in `webhooks.allow` is so wide that clients can make the gateway call services in your network.',
    advice: 'Allow only the addresses of your receivers, such as 10.1.2.3/32.',
  },
  allow_metadata: {
    level: 'fault',
    means:
      'A range in `webhooks.allow` contains 169.254.169.254, where clouds give out the credentials of the machine.',
    advice: 'Remove link-local addresses from `webhooks.allow`.',
  },
  allow_http: {
    level: 'warning',
    means: '`http: true` in `webhooks.allow` sends webhooks unencrypted to other machines.',
    advice: 'Use https at the receiver, and remove `http: true`.',
  },
  trust_any_proxy: {
    level: 'warning',
    means: '`server.trust_proxy: true` trusts any `X-Forwarded-For`, so a client can choose the address in the log.',
    advice: 'Set `server.trust_proxy` to the number of proxies in front.',
  },
  admin_client: {
    level: 'warning',
    means: 'A client has the scope `admin` or `*`: its key sees every client, and issues keys for them.',
    advice: 'Remove the scope if the client is an app. For operators, set `console.admin_key` instead.',
  },
  sandbox_key: {
    level: 'fault',
    means: 'A client has the public key of the sandbox, and other machines can reach the gateway.',
    advice: 'Give the client its own key: openssl rand -hex 32',
  },
} as const satisfies Rows
const sayExposure = findings(EXPOSURE_ROWS)

/** Ranges with more addresses than this hold more than receivers. */
const LEAST_BITS = { ipv4: 16, ipv6: 48 } as const
const METADATA = ipaddr.parse('169.254.169.254')

const allowFindings = ({ cidr, http }: Config['webhooks']['allow'][number], i: number): Finding[] => {
  const about = `webhooks.allow.${i}`
  const [address, bits] = ipaddr.parseCIDR(cidr)
  const isNear = address.range() === 'loopback'
  const holdsMetadata = address.kind() === 'ipv4' && METADATA.match([address, bits])
  return [
    ...(holdsMetadata ? [sayExposure('allow_metadata', about, `${cidr} holds 169.254.169.254`)] : []),
    ...(!isNear && bits < LEAST_BITS[address.kind()]
      ? [sayExposure('allow_wide', about, `${cidr} is a wide range`)]
      : []),
    ...(http && !isNear ? [sayExposure('allow_http', about, `plain http is allowed to ${cidr}`)] : []),
  ]
}

const isLoopback = (host: string): boolean =>
  host === 'localhost' || (ipaddr.isValid(host) && ipaddr.parse(host).range() === 'loopback')

/** What the configuration opens. Pure. */
const exposureFindings = ({ server, clients, webhooks }: Config): Finding[] => {
  const isOpen = server.public_url !== null || !isLoopback(server.host)
  return [
    ...webhooks.allow.flatMap(allowFindings),
    ...(server.trust_proxy === true ? [sayExposure('trust_any_proxy', 'server.trust_proxy', 'it is true')] : []),
    ...clients.flatMap(({ id, scopes }, i) => {
      const scope = id === CONSOLE_CLIENT ? undefined : scopes.find((one) => one === 'admin' || one === '*')
      return scope === undefined
        ? []
        : [sayExposure('admin_client', `clients.${i}`, `client ${id} has the scope ${scope}`)]
    }),
    ...clients.flatMap(({ id, key, keys }, i) =>
      isOpen && [key, ...keys].includes(SANDBOX_CLIENT_KEY)
        ? [sayExposure('sandbox_key', `clients.${i}`, `client ${id}`)]
        : [],
    ),
  ]
}

/** What the configuration opens to the network: nothing is asked. */
export const exposureCheck: Check = {
  name: 'exposure',
  run({ config }) {
    const found = exposureFindings(config)
    return found.length > 0
      ? found
      : [sayExposure('guard_ok', 'webhooks.allow', 'nothing is open that need not be open')]
  },
}
