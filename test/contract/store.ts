import { afterEach, beforeEach, describe } from 'vitest'
import type { Store } from '../../src/core/store/index.ts'
import type { Wake } from '../../src/core/ports.ts'
import type { FakeClock } from '../fakes/clock.ts'
import { accessContract } from './store/access.ts'
import { sessionContract } from './store/sessions.ts'
import { adminContract } from './store/admin.ts'
import { doubtContract } from './store/doubts.ts'
import { admissionContract } from './store/admission.ts'
import { poolContract } from './store/pools.ts'
import { turnsContract } from './store/turns.ts'
import { budgetContract } from './store/budgets.ts'
import { countContract } from './store/counts.ts'
import { changeContract } from './store/change.ts'
import { deliveryContract } from './store/deliveries.ts'
import { eventContract } from './store/events.ts'
import { quotaContract } from './store/quotas.ts'
import { factContract } from './store/facts.ts'
import { engineContract } from './store/engine.ts'
import { historyContract } from './store/history.ts'
import { jobContract } from './store/jobs.ts'
import { laneContract } from './store/lanes.ts'
import { leaseContract } from './store/leases.ts'
import { lineContract } from './store/lines.ts'
import { metadataContract } from './store/metadata.ts'
import { openContract } from './store/open.ts'
import { overviewContract } from './store/overview.ts'
import { priorityContract } from './store/priority.ts'
import { purgeContract } from './store/purge.ts'
import { raceContract } from './store/races.ts'
import { readContract } from './store/reads.ts'
import { reuseContract } from './store/reuse.ts'
import { keyedContract } from './store/keyed.ts'
import { monthContract } from './store/months.ts'
import { backlogContract } from './store/webhook-backlogs.ts'
import { meanwhileContract } from './store/webhook-meanwhile.ts'
import { endpointHealthContract } from './store/webhook-health.ts'
import { replayContract } from './store/webhook-replays.ts'
import { webhookContract } from './store/webhooks.ts'
import { replicaContract } from './store/replicas.ts'
import { recordedContract } from './store/recorded.ts'
import { resourceContract } from './store/resources.ts'
import { routingContract } from './store/routing.ts'

/** A store over an empty backend of its own, which can be opened again. */
export interface StoreUnderTest {
  store: Store
  /** The store's clock: the test decides what time it is. */
  clock: FakeClock
  /** Another handle on the same data, beside the first: another process's, as far as the store can tell. */
  second(): Promise<Store>
  /** The driver's alarm clock, as one process has it beside its handle. */
  wake(): Promise<Wake>
  /** Closes every handle and opens one anew, as after a restart. */
  reopen(): Promise<Store>
  /** Closes every handle and removes what was made. */
  destroy(): Promise<void>
}

export interface ContractOptions {
  /** Whether limits of ten thousand are tried, too. Shared SQL holds them, so one driver is enough for a selection. */
  triesLimits: boolean
}

/** The store of the test that runs. What is given no `Wake` cannot depend on one, and is run once. */
export type Current = () => Omit<StoreUnderTest, 'wake'>
export type CurrentWithWake = () => StoreUnderTest

/** Forgets everything, as the port allows: what is lost with it was no promise. */
const forgetful: Wake = {
  hint: () => undefined,
  changed: () => undefined,
  on: () => () => undefined,
  close: async () => undefined,
}

/**
 * What every driver of the port `Store` promises (src/core/store/index.ts), and nothing that is one driver's own. A
 * driver's tests call it with a way to open a fresh, empty store. What listens to `Wake` is run twice: with the driver's,
 * and with one that forgets every hint, so that nothing that matters can hang on it.
 */
export const storeContract = (
  name: string,
  open: () => Promise<StoreUnderTest>,
  options: ContractOptions = { triesLimits: true },
): void => {
  describe(`store contract: ${name}`, () => {
    let current: StoreUnderTest
    beforeEach(async () => void (current = await open()))
    afterEach(() => current.destroy())

    const parts = [
      openContract,
      admissionContract,
      turnsContract,
      priorityContract,
      poolContract,
      reuseContract,
      laneContract,
      historyContract,
      jobContract,
      changeContract,
      countContract,
      overviewContract,
      leaseContract,
      deliveryContract,
      factContract,
      replicaContract,
      readContract,
      purgeContract,
      eventContract,
      quotaContract,
      budgetContract,
      keyedContract,
      resourceContract,
      recordedContract,
      monthContract,
      webhookContract,
      meanwhileContract,
      backlogContract,
      replayContract,
      endpointHealthContract,
      routingContract,
      accessContract,
      sessionContract,
      adminContract,
      doubtContract,
      lineContract,
      metadataContract,
      raceContract,
    ]
    for (const part of parts) part(() => current, options)
    describe('Wake on', () => engineContract(() => current))
    describe('Wake off', () => engineContract(() => ({ ...current, wake: async () => forgetful })))
  })
}
