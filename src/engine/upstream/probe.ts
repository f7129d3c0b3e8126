import type { AccountUsage, Adapter, ReadOutcome } from '../../core/adapter.ts'
import type { Log } from '../../core/log.ts'
import type { Replica } from '../../core/replica.ts'
import type { WorkStore } from '../../core/store/work.ts'
import type { Backends } from './accounts.ts'
import type { Upstream } from './tickets.ts'

/** Of the processes that start together, one asks. */
const ONCE_IN_MS = 60_000

/** The cheapest read that tells most of an account, by what its interface can do. It costs no credit. */
export const cheapRead = async (
  adapter: Adapter,
): Promise<{ what: string; outcome: ReadOutcome<AccountUsage | null> }> => {
  const { usage, native_list: hasList } = adapter.capabilities
  if (usage) return { what: 'usage', outcome: await adapter.usage() }
  const outcome = hasList ? await adapter.list(1) : await adapter.voices()
  const what = hasList ? 'the list of videos' : 'voices'
  return { what, outcome: outcome.ok ? { ...outcome, value: null } : outcome }
}

interface ProbeDeps {
  backends: Backends
  upstream: Pick<Upstream, 'ask' | 'heed' | 'isKnown'>
  store: Pick<WorkStore, 'claim'>
  replica: Replica
  log: Log
}

/**
 * Asks each account once, so that a refused key is told at the start and not at the first video. Takes a ticket that is
 * free at once, or none; asks nothing of an account that any process has heard from. Never rejects.
 */
export const createProbe =
  ({ backends, upstream, store, replica, log }: ProbeDeps) =>
  async (): Promise<void> => {
    const accounts = new Set([...backends.values()].map(({ account }) => account))
    await upstream.heed()
    await Promise.all(
      [...accounts].map(async (account) => {
        try {
          const isFirst = replica.isAlone || (await store.claim('maintain', `probe/${account.id}`, ONCE_IN_MS)) !== null
          if (!isFirst || upstream.isKnown(account.id)) return
          await upstream.ask(account, 'read', 0, async () => (await cheapRead(account.adapter)).outcome)
        } catch (err) {
          log.warn(
            { backends: account.backends, err },
            'a backend could not be checked at the start: its first request will show its state',
          )
        }
      }),
    )
  }
