import type { Config } from '../../../src/config.ts'
import type { SandboxOptions } from '@talkbridge/sandbox'
import { gatewayConfig } from '../../fakes/gateway.ts'
import type { Contract } from '../../../packages/sandbox/test/contract/parse.ts'
import type { NewKey } from '../../../packages/sandbox/test/contract/stage.ts'
import { aliasesOf } from './aliases.ts'

/** What is behind a surface: a backend of the surface's own interface, or of the other one. */
export type Lane = 'same' | 'other'

const OTHER = { primary: 'alternate', alternate: 'primary' } as const satisfies Record<Contract, Contract>
export const behindIn = (lane: Lane, contract: Contract): Contract => (lane === 'same' ? contract : OTHER[contract])

/** The sandbox's. */
export const OWN_ACCOUNT = 'sandbox'

/** The backends on it. */
const FIRST = { primary: 'main', alternate: 'alt' } as const satisfies Record<Contract, string>

export interface BackendSetup {
  interface: Contract
  api_key: string
}
export interface ClientSetup {
  id: string
  key: string
  /** Which surface's it is. */
  contract: Contract
  backends: string[]
  scopes: readonly unknown[]
}
/** Who may ask, and where their videos are made. */
export interface Setup {
  backends: Record<string, BackendSetup>
  clients: ClientSetup[]
}

export const keyOf = (name: string): string => `gateway-${name}-key-0123456789`

/** What a client and a backend of an account are called. */
export const nameOf = (contract: Contract, account: string): string => `${contract}-${account}`
export const backendOf = (of: Contract, account: string): string =>
  account === OWN_ACCOUNT ? FIRST[of] : `${FIRST[of]}-${account}`

/**
 * Adds the clients that a rule is when it names no key. Both see both backends of their account; where that would lead
 * them past the surface's backend in `routing.dropin`, which is the sandbox's own account, only the one behind.
 */
export const addSeat = (setup: Setup, lane: Lane, account: string, keys: Record<Contract, string>): void => {
  const names = { primary: backendOf('primary', account), alternate: backendOf('alternate', account) }
  const seesBoth = lane === 'same' || account === OWN_ACCOUNT
  for (const contract of ['primary', 'alternate'] as const) {
    const id = nameOf(contract, account)
    const backends = seesBoth ? Object.values(names) : [names[behindIn(lane, contract)]]
    setup.backends[names[contract]] = { interface: contract, api_key: keys[contract] }
    setup.clients.push({ id, key: keyOf(id), contract, backends, scopes: ['*'] })
  }
}

/** A scope of no surface: a client must have one. */
const NO_SCOPE = 'webhooks:read'

/** A client of a backend; its key is the backend's own where that is its first client's. */
export const clientOf = (contract: Contract, backend: string, key: string, { scopes }: NewKey, n: number) => ({
  id: `client-${n}`,
  key,
  contract,
  backends: [backend],
  scopes: scopes === undefined ? ['*'] : [...scopes, NO_SCOPE],
})

/** Requests a minute, as the sandbox grants them itself. */
const RATES = { primary: 10, alternate: 60 } as const
const UNLIMITED = 1_000_000

export interface Place {
  lane: Lane
  dir: string
  port: number
  /** The sandbox's. */
  urls: Record<Contract, string>
  options: Partial<SandboxOptions>
}

/** The file that the operator of this setup would write. */
export const configOf = ({ backends, clients }: Setup, { lane, dir, port, urls, options }: Place): Config => {
  const slots = { primary: options.unlimitedSlots ? null : 2, alternate: null }
  const written = Object.entries(backends).map(([name, backend]) => {
    const { interface: of } = backend
    return [name, { base_url: urls[of], slots: slots[of], requests_per_minute: 100_000, timeout: '30s', ...backend }]
  })
  return gatewayConfig(
    dir,
    { main: urls.primary, alt: urls.alternate },
    {
      server: { port },
      backends: Object.fromEntries(written),
      clients: clients.map(({ contract, ...client }) => ({
        ...client,
        limits: { requests_per_minute: options.unlimitedRate ? UNLIMITED : RATES[contract] },
      })),
      engine: { poll: { min_interval: '1s' } },
      webhooks: { allow: [{ cidr: '127.0.0.0/8', http: true }] },
      dropin: { adopt_existing: true },
      ...(lane === 'other' && {
        routing: { dropin: { primary: FIRST.alternate, alternate: FIRST.primary } },
        aliases: aliasesOf(backends),
      }),
    },
  )
}
