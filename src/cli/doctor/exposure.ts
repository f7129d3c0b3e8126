import ipaddr from 'ipaddr.js'
import type { Config } from '../../config.ts'
import { CONSOLE_CLIENT } from '../../config/console.ts'
import { SANDBOX_CLIENT_KEY } from '../profile.ts'
import type { Check } from './context.ts'
import { findings, type Finding, type Rows } from './findings.ts'

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
const say = findings(EXPOSURE_ROWS)

/** Ranges with more addresses than this hold more than receivers. */
const LEAST_BITS = { ipv4: 16, ipv6: 48 } as const
const METADATA = ipaddr.parse('169.254.169.254')

const allowFindings = ({ cidr, http }: Config['webhooks']['allow'][number], i: number): Finding[] => {
  const about = `webhooks.allow.${i}`
  const [address, bits] = ipaddr.parseCIDR(cidr)
  const isNear = address.range() === 'loopback'
  const holdsMetadata = address.kind() === 'ipv4' && METADATA.match([address, bits])
  return [
    ...(holdsMetadata ? [say('allow_metadata', about, `${cidr} holds 169.254.169.254`)] : []),
    ...(!isNear && bits < LEAST_BITS[address.kind()] ? [say('allow_wide', about, `${cidr} is a wide range`)] : []),
    ...(http && !isNear ? [say('allow_http', about, `plain http is allowed to ${cidr}`)] : []),
  ]
}

const isLoopback = (host: string): boolean =>
  host === 'localhost' || (ipaddr.isValid(host) && ipaddr.parse(host).range() === 'loopback')

/** What the configuration opens. Pure. */
const exposureFindings = ({ server, clients, webhooks }: Config): Finding[] => {
  const isOpen = server.public_url !== null || !isLoopback(server.host)
  return [
    ...webhooks.allow.flatMap(allowFindings),
    ...(server.trust_proxy === true ? [say('trust_any_proxy', 'server.trust_proxy', 'it is true')] : []),
    ...clients.flatMap(({ id, scopes }, i) => {
      const scope = id === CONSOLE_CLIENT ? undefined : scopes.find((one) => one === 'admin' || one === '*')
      return scope === undefined ? [] : [say('admin_client', `clients.${i}`, `client ${id} has the scope ${scope}`)]
    }),
    ...clients.flatMap(({ id, key, keys }, i) =>
      isOpen && [key, ...keys].includes(SANDBOX_CLIENT_KEY) ? [say('sandbox_key', `clients.${i}`, `client ${id}`)] : [],
    ),
  ]
}

/** What the configuration opens to the network: nothing is asked. */
export const exposureCheck: Check = {
  name: 'exposure',
  run({ config }) {
    const found = exposureFindings(config)
    return found.length > 0 ? found : [say('guard_ok', 'webhooks.allow', 'nothing is open that need not be open')]
  },
}
