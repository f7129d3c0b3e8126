import { rm } from 'node:fs/promises'
import { pino } from 'pino'
import { onTestFinished } from 'vitest'
import { startGateway } from '../../../src/gateway.ts'
import { fakeClock, type FakeClock } from '../../fakes/clock.ts'
import { layEmptyStore } from '../../fakes/empty-store.ts'
import { SECRET_KEY, temporaryFolder } from '../../fakes/gateway.ts'
import { watchQuiet } from '../../fakes/quiet.ts'
import type { Contract } from '../../../packages/sandbox/test/contract/parse.ts'
import { documentsOf, sandboxKey, type NewKey, type Stage } from '../../../packages/sandbox/test/contract/stage.ts'
import { ask, start, type Ask } from '../../../packages/sandbox/test/harness.ts'
import { createLedger } from './ledger.ts'
import { createPass, watchedClock } from './passing.ts'
import { behindIn, clientOf, configOf, FIRST, keyOf, setupOf, type Lane } from './setup.ts'

/** Time passes for as long as `work` takes: it may wait for a timer. */
const passing = async (clock: FakeClock, work: Promise<unknown>): Promise<void> => {
  const state = { isDone: false }
  const over = work.finally(() => (state.isDone = true))
  while (!state.isDone) await clock.advance(1)
  await over
}

/** A gateway in front of the sandbox, on one clock with it: the rules ask its `/api/v1` and `/v1`. */
export const gatewayStage =
  (lane: Lane): Stage =>
  async (options) => {
    const clock = fakeClock()
    const sandboxClock = watchedClock(clock)
    const dir = await temporaryFolder()
    onTestFinished(() => rm(dir, { recursive: true, force: true }))
    // A client's rate is the gateway's affair, and the only one that a rule sees.
    const behind = await start({ ...options, unlimitedRate: true }, sandboxClock)
    const { sandbox } = behind
    const urls = { primary: sandbox.primaryUrl, alternate: sandbox.alternateUrl }
    const setup = setupOf({ primary: sandbox.primaryKey, alternate: sandbox.alternateKey })
    const configAt = (port: number) => configOf(setup, { lane, dir, port, urls, options })
    const first = configAt(0)
    layEmptyStore(first.store.path)
    const quiet = watchQuiet({ isHeld: () => sandboxClock.pending() > 0, ignoresFetch: true })
    onTestFinished(() => quiet.close())
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
    onTestFinished(() => passing(clock, gateway.close()))
    const pass = createPass(clock, quiet.settle)
    const ledger = createLedger({ sandbox, gateway, clients: () => setup.clients })

    /** A client of the account's backend, which has one key however many clients it has; a new account's is its own. */
    const newKey = async (contract: Contract, more: NewKey = {}): Promise<string> => {
      const of = behindIn(lane, contract)
      const n = setup.clients.length
      const account = more.account ?? `own-${n}`
      const backend = account === 'sandbox' ? FIRST[of] : account
      let key = keyOf(String(n))
      if (!setup.backends[backend]) {
        key = await sandboxKey(behind, of, { account })
        setup.backends[backend] = { interface: of, api_key: key }
      }
      setup.clients.push(clientOf(contract, backend, key, more, n))
      await passing(clock, gateway.reload(configAt(Number(new URL(gateway.url).port))))
      return key
    }

    const askAs =
      (contract: Contract) =>
      (path: string, asked: Ask = {}) => {
        ledger.note(contract, path, asked)
        return ask(`${gateway.url}${path}`, keyOf(contract), asked)
      }

    return {
      primary: askAs('primary'),
      alternate: askAs('alternate'),
      // Of whoever is behind; what that does not do cannot fail.
      fault: (fault) => behind.fault({ interface: behindIn(lane, 'primary'), ...fault }),
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
