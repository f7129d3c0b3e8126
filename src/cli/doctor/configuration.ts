import type { Config } from '../../config.ts'
import type { Fault } from '../../config/faults.ts'
import { tracingFault } from '../../tracing/index.ts'
import { counted } from '../context.ts'
import { placeOf, SANDBOX_CLIENT_KEY } from '../config-file.ts'
import { say, sayIf, type Finding } from './findings.ts'
import type { Check } from './look.ts'
import ipaddr from 'ipaddr.js'
import { isLoopback } from '../../config/fields.ts'
import { CONSOLE_CLIENT } from '../../config/rules.ts'

export const faultFindings = (file: string, faults: readonly Fault[]): Finding[] =>
  faults.map((fault) => say('config_fault', fault.path || file, `${fault.message}${placeOf(fault)}`))

/** What the file does not show, and a start would refuse. */
export const startFaults = ({ tracing }: Pick<Config, 'tracing'>): Fault[] => {
  const fault = tracingFault(tracing.otlp_endpoint)
  return fault === null ? [] : [{ path: 'tracing.otlp_endpoint', message: fault }]
}

/** What the reader of the file warns of. */
export const configurationCheck: Check = {
  name: 'configuration',
  run({ file, config, warnings }) {
    const clients = config.clients.filter(({ id }) => id !== CONSOLE_CLIENT)
    const has = [counted(Object.keys(config.backends).length, 'backend'), counted(clients.length, 'client')]
    const warned = warnings.map(({ path, message }) => say('config_warning', path, message))
    const lacking = startFaults(config).map(({ path, message }) => say('tracing_packages', path, message))
    return [say('config_ok', file, has.join(', ')), ...lacking, ...warned]
  },
}

/** Ranges with more addresses than this hold more than receivers. */
const LEAST_BITS = { ipv4: 16, ipv6: 48 } as const
const METADATA = ipaddr.parse('169.254.169.254')

const allowFindings = ({ cidr, http }: Config['webhooks']['allow'][number], i: number): Finding[] => {
  const about = `webhooks.allow.${i}`
  const [address, bits] = ipaddr.parseCIDR(cidr)
  const isNear = address.range() === 'loopback'
  const holdsMetadata = address.kind() === 'ipv4' && METADATA.match([address, bits])
  return [
    ...sayIf(holdsMetadata, 'allow_metadata', about, `${cidr} holds 169.254.169.254`),
    ...sayIf(!isNear && bits < LEAST_BITS[address.kind()], 'allow_wide', about, `${cidr} is a wide range`),
    ...sayIf(http && !isNear, 'allow_http', about, `plain http is allowed to ${cidr}`),
  ]
}

/** What the configuration opens. Pure. */
const exposureFindings = ({ server, clients, webhooks }: Config): Finding[] => {
  const isOpen = server.public_url !== null || !isLoopback(server.host)
  return [
    ...webhooks.allow.flatMap(allowFindings),
    ...sayIf(server.trust_proxy === true, 'trust_any_proxy', 'server.trust_proxy', 'it is true'),
    ...clients.flatMap(({ id, scopes }, i) => {
      const scope = id === CONSOLE_CLIENT ? undefined : scopes.find((one) => one === 'admin' || one === '*')
      return sayIf(scope !== undefined, 'admin_client', `clients.${i}`, `client ${id} has the scope ${scope}`)
    }),
    ...clients.flatMap(({ id, key, keys }, i) => {
      const isSandboxKey = [key, ...keys].includes(SANDBOX_CLIENT_KEY)
      return sayIf(isOpen && isSandboxKey, 'sandbox_key', `clients.${i}`, `client ${id}`)
    }),
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
