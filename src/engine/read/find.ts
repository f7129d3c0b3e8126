import type { Store } from '../../core/store/index.ts'
import { hasLanes, type VideoRecord } from '../../core/video.ts'
import type { AccountId, Capabilities, Capability } from '../../core/vocabulary.ts'
import type { Backend, Backends } from '../upstream/accounts.ts'
import type { BackendView } from '../../core/api/videos.ts'
import { type Clock, iso, onTheWall } from '../../core/time/clock.ts'
import type { Pumps } from '../replicas/replica.ts'
import type { Upstream } from '../upstream/tickets.ts'

const OWN = /^(?:vid|api_video)_([0-9A-HJKMNP-TV-Z]{26})$/

/** A video's id here, by the form that any of the surfaces gives it; otherwise as it is. */
const ownForm = (id: string): string => id.replace(OWN, 'vid_$1')

/** A client and the backends that it sees. */
export interface Reader {
  id: string
  visible: Backends
}

/**
 * Finds a client's own video under any name that it goes by: its id on each of the surfaces, or the id of its job at a
 * backend that the client sees. Another client's takes the same reads as one that does not exist.
 */
export const createFind =
  ({ store }: { store: Pick<Store, 'videoOf' | 'owner'> }) =>
  async ({ id: client, visible }: Reader, id: string): Promise<VideoRecord | null> => {
    const own = await store.videoOf(client, ownForm(id))
    if (own) return own
    const accounts = new Set<AccountId>([...visible.values()].map(({ account }) => account.id))
    const owners = await Promise.all([...accounts].map((account) => store.owner(account, id)))
    const videos = await Promise.all(owners.map((owner) => store.videoOf(client, owner ?? id)))
    return videos.find((video) => video !== null) ?? null
  }

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
      limits: {
        text_characters: account.adapter.maxTextCharacters,
        concurrent_creates_per_puppet: hasLanes(account.adapter.capabilities, account.evidence.exclusive) ? 1 : null,
      },
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
