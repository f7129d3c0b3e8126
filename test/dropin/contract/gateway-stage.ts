import { rm } from 'node:fs/promises'
import { pino } from 'pino'
import { onTestFinished } from 'vitest'
import { startSandbox, STANDARD, type SandboxOptions } from '@talkbridge/sandbox'
import { startGateway } from '../../../src/gateway.ts'
import { fakeClock, type FakeClock } from '../../fakes/clock.ts'
import { layEmptyStore } from '../../fakes/empty-store.ts'
import { SECRET_KEY, temporaryFolder } from '../../fakes/gateway.ts'
import { watchQuiet } from '../../fakes/quiet.ts'
import { CONTRACTS } from '../../../packages/sandbox/test/contract/all.ts'
import type { Contract } from '../../../packages/sandbox/test/contract/parse.ts'
import {
  documentsOf,
  sandboxKey,
  type NewKey,
  type Service,
  type Stage,
} from '../../../packages/sandbox/test/contract/stage.ts'
import { ask, type Ask } from '../../../packages/sandbox/test/harness.ts'
import { createLedger } from './ledger.ts'
import { createPass, watchedClock } from './passing.ts'
import {
  addSeat,
  backendOf,
  behindIn,
  clientOf,
  configOf,
  keyOf,
  nameOf,
  OWN_ACCOUNT,
  type Lane,
  type Setup,
} from './setup.ts'

/** Time passes for as long as `work` takes: it may wait for a timer. */
const passing = async (clock: FakeClock, work: Promise<unknown>): Promise<void> => {
  const state = { isDone: false }
  const over = work.finally(() => (state.isDone = true))
  while (!state.isDone) await clock.advance(1)
  await over
}

/** Every job takes the median: how long one takes does not depend on how many there were before. */
const DECISIONS = { ...STANDARD, timing: { ...STANDARD.timing, sigma: 0 } }

const DAY_MS = 86_400_000

/** Operations that the alternate does not have: whatever is behind, a primary backend does them. */
const PRIMARY_ONLY = /^(createServiceSpeech|createHostedAudioUploadUrl|createPuppet|deletePuppet)$/

/** A gateway in front of the sandbox, on one clock with it: rules ask its `/api/v1` and `/v1`, each on another seat. */
const open = async (lane: Lane, options: Partial<SandboxOptions>, accounts: readonly string[]) => {
  const clock = fakeClock()
  const startMs = clock.now()
  const sandboxClock = watchedClock(clock)
  const dir = await temporaryFolder()
  // A client's rate is the gateway's affair, and the only one that a rule sees.
  const behind = { clock: sandboxClock, speed: 1, decisions: DECISIONS, ...options, unlimitedRate: true }
  const sandbox = await startSandbox(behind)
  const control = (path: string, asked: Ask) => ask(`${sandbox.primaryUrl}${path}`, sandbox.primaryKey, asked)
  const accountKey = (of: Contract, account: string): Promise<string> =>
    sandboxKey({ primary: control }, of, { account })
  const urls = { primary: sandbox.primaryUrl, alternate: sandbox.alternateUrl }
  const own = { primary: sandbox.primaryKey, alternate: sandbox.alternateKey }
  const setup: Setup = { backends: {}, clients: [] }
  for (const account of accounts) {
    const keyAt = async (of: Contract) => (account === OWN_ACCOUNT ? own[of] : accountKey(of, account))
    addSeat(setup, lane, account, { primary: await keyAt('primary'), alternate: await keyAt('alternate') })
  }
  const configAt = (port: number) => configOf(setup, { lane, dir, port, urls, options })
  const first = configAt(0)
  layEmptyStore(first.store.path)
  const quiet = watchQuiet({ isHeld: () => sandboxClock.pending() > 0, ignoresFetch: true })
  const gateway = await startGateway({
    config: first,
    clock,
    log: pino({ level: 'silent' }),
    secretKey: SECRET_KEY,
    random: () => 0,
    backendsAreLocal: true,
    silentTimeoutMs: 0,
    wrapStore: quiet.counted,
  })
  const pass = createPass(clock, quiet.settle)
  let taken = 0

  /** The next seat: nobody's videos, keys and credits yet. */
  const take = async (): Promise<Service> => {
    const account = accounts[taken]
    if (account === undefined) throw new Error('every seat is taken')
    taken += 1
    // Windows end with a whole second.
    await pass((1_000 - (clock.now() % 1_000)) % 1_000)
    const clients = new Set(CONTRACTS.map((contract) => nameOf(contract, account)))
    const charged = new Set([account])
    const ledger = createLedger({ sandbox, gateway, clients, accounts: charged })

    /** A client of the account's backend, which has one key however many clients it has; a new account's is its own. */
    const newKey = async (contract: Contract, more: NewKey = {}): Promise<string> => {
      const of = behindIn(lane, contract)
      const n = setup.clients.length
      const whose = more.account === undefined ? `own-${n}` : `${more.account}-of-${account}`
      const backend = more.account === OWN_ACCOUNT ? backendOf(of, account) : whose
      let key = keyOf(String(n))
      if (!setup.backends[backend]) {
        key = await accountKey(of, whose)
        setup.backends[backend] = { interface: of, api_key: key }
        charged.add(whose)
      }
      const client = clientOf(contract, backend, key, more, n)
      setup.clients.push(client)
      clients.add(client.id)
      await passing(clock, gateway.reload(configAt(Number(new URL(gateway.url).port))))
      return key
    }

    const askAs =
      (contract: Contract) =>
      (path: string, asked: Ask = {}) => {
        ledger.note(contract, path, asked)
        return ask(`${gateway.url}${path}`, keyOf(nameOf(contract, account)), asked)
      }

    return {
      primary: askAs('primary'),
      alternate: askAs('alternate'),
      // Of whoever is behind; what that does not do cannot fail.
      fault: async (fault) => {
        if (accounts.length > 1) throw new Error('a fault would fall on any seat: the row needs a gateway of its own')
        const of = PRIMARY_ONLY.test(String(fault['operation'])) ? 'primary' : behindIn(lane, 'primary')
        return control('/sandbox/faults', { key: null, body: { interface: of, ...fault } })
      },
      sandbox: { primaryUrl: gateway.url, ledger: ledger.view },
      clock: {
        now: clock.now,
        pending: sandboxClock.pending,
        async advance(ms) {
          await pass(ms)
          await ledger.update()
        },
      },
      // What another interface gives, the sandbox's document of this one does not describe; the gateway's own does.
      documents:
        lane === 'same'
          ? documentsOf(sandbox)
          : {
              primary: `${gateway.url}/openapi.json?surface=primary`,
              alternate: `${gateway.url}/openapi.json?surface=alternate`,
            },
      newKey,
    }
  }

  return {
    take,
    /** No seat is left, or so much time has passed that another month may begin within a rule. */
    isUsedUp: (): boolean => taken === accounts.length || clock.now() - startMs > DAY_MS,
    async close(): Promise<void> {
      await passing(clock, gateway.close())
      quiet.close()
      await sandbox.close()
      await rm(dir, { recursive: true, force: true })
    },
  }
}
type Opened = Awaited<ReturnType<typeof open>>

/** Opening a gateway takes longer than most rules; each seat makes it larger, and leaves its unfinished videos behind. */
const SEATS = Array.from({ length: 8 }, (_, n) => `seat-${n}`)

export const gatewayStages = (lane: Lane) => {
  const shared = new Map<string, Opened>()
  const closeShared = async (name: string): Promise<void> => {
    const opened = shared.get(name)
    shared.delete(name)
    await opened?.close()
  }
  return {
    /** On the sandbox's own account, which alone has saved puppets; closed when the test ends. */
    own: (async (options) => {
      const opened = await open(lane, options, [OWN_ACCOUNT])
      onTestFinished(opened.close)
      return opened.take()
    }) satisfies Stage,
    /** A seat on a gateway that earlier rows have used, each on its own accounts. */
    shared: (async (options) => {
      const name = JSON.stringify(options)
      if (shared.get(name)?.isUsedUp()) await closeShared(name)
      const opened = shared.get(name) ?? (await open(lane, options, SEATS))
      shared.set(name, opened)
      return opened.take()
    }) satisfies Stage,
    close: async (): Promise<void> => {
      for (const name of shared.keys()) await closeShared(name)
    },
  }
}
