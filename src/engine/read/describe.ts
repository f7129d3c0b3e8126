import type { BackendView } from '../../core/api/videos.ts'
import type { Store } from '../../core/store/index.ts'
import { iso, onTheWall, type Clock } from '../../core/time/clock.ts'
import type { Capabilities, Capability } from '../../core/vocabulary.ts'
import type { Pumps } from '../replicas/pumps.ts'
import type { Backend } from '../upstream/accounts.ts'
import type { Upstream } from '../upstream/tickets.ts'

interface DescribeDeps {
  store: Pick<Store, 'counts'>
  clock: Clock
  upstream: Pick<Upstream, 'heed' | 'budget' | 'health'>
  pumps: Pick<Pumps, 'holderOf'>
}

const off = (capabilities: readonly Capability[]): Partial<Capabilities> =>
  Object.fromEntries(capabilities.map((capability) => [capability, false]))

/** One backend as its clients see it: by what any process knows of it. Asks nobody. */
export const createDescribe =
  ({ store, clock, upstream, pumps }: DescribeDeps) =>
  async ({ name, interface: kind, account }: Backend): Promise<BackendView> => {
    await upstream.heed()
    const [budget, counts, heldBy] = await Promise.all([
      upstream.budget(account),
      store.counts(account.id),
      pumps.holderOf(account.id),
    ])
    const { status, sinceMs, reason } = upstream.health(account.id)
    return {
      object: 'backend',
      name,
      interface: kind,
      health: { status, since: sinceMs === null ? null : iso(sinceMs), reason },
      capabilities: { ...account.adapter.capabilities, ...off(account.denied() ?? []) },
      limits: { text_characters: account.adapter.maxTextCharacters },
      budget: {
        limit: budget.limit,
        remaining: budget.remaining,
        resets_at: budget.resetsAtMs === null ? null : iso(onTheWall(clock, budget.resetsAtMs)),
      },
      slots: { limit: account.slots, used: counts.held },
      queue_depth: counts.waiting,
      held_by: heldBy,
    }
  }
