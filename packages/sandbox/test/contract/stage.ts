import { AsyncLocalStorage } from 'node:async_hooks'
import type { LedgerView, Sandbox, SandboxOptions } from '../../src/index.ts'
import type { FakeClock } from '../../../../test/fakes/clock.ts'
import { start, type Harness } from '../harness.ts'
import type { Contract } from './parse.ts'

/** What came of the requests, as a client cannot see it. */
export interface Ledger extends Omit<LedgerView, 'requests' | 'callbacks'> {
  readonly requests: readonly Pick<LedgerView['requests'][number], 'operation'>[]
  /** Every try to announce a video at its webhook_url. */
  readonly callbacks: readonly Pick<LedgerView['callbacks'][number], 'status'>[]
}

/** What the rules ask: both contracts as one service answers them, and what is behind that a client cannot see. */
export interface Service extends Pick<Harness, 'primary' | 'alternate' | 'fault'> {
  /** Whoever answers: where the primary contract is served, and what came of the requests. */
  readonly sandbox: Pick<Sandbox, 'primaryUrl'> & { ledger(): Ledger }
  /** Everybody's. */
  readonly clock: Pick<FakeClock, 'now' | 'advance' | 'pending'>
  /** Where the OpenAPI documents are that every answer must fit. */
  readonly documents: Readonly<Record<Contract, string>>
  /** A key of an account of its own, with these scopes (default: all). */
  newKey(contract: Contract, more?: NewKey): Promise<string>
}
export interface NewKey {
  /** Whose; default: nobody's yet. */
  account?: string
  scopes?: readonly unknown[]
}
/** Opens what a rule walks on; it is closed when the test ends. */
export type Stage = (options: Partial<SandboxOptions>) => Promise<Service>

/** Those that the sandbox serves. */
export const documentsOf = ({ primaryUrl, alternateUrl }: Sandbox): Service['documents'] => ({
  primary: `${primaryUrl}/sandbox/openapi-primary.json`,
  alternate: `${alternateUrl}/sandbox/openapi-alternate.json`,
})

/** The sandbox itself. */
const sandboxStage: Stage = async (options) => {
  const harness = await start(options)
  const { sandbox } = harness
  return {
    ...harness,
    documents: documentsOf(sandbox),
    newKey: (contract, more = {}) => sandboxKey(harness, contract, more),
  }
}

/** Throws where the sandbox makes none. */
export const sandboxKey = async (
  { primary }: Pick<Harness, 'primary'>,
  contract: Contract,
  more: NewKey,
): Promise<string> => {
  const made = await primary('/sandbox/keys', { key: null, body: { interface: contract, ...more } })
  if (made.status !== 201) throw new Error(`the sandbox made no key: ${made.text}`)
  return String(made.body['key'])
}

const stages = new AsyncLocalStorage<Stage>()

/** Runs rules somewhere else than on the sandbox itself. */
export const onStage = <T>(stage: Stage, run: () => Promise<T>): Promise<T> => stages.run(stage, run)
export const stageNow = (): Stage => stages.getStore() ?? sandboxStage
