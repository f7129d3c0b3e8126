import type { Store } from '../../core/store/index.ts'
import type { VideoRecord } from '../../core/video.ts'
import type { AccountId } from '../../core/vocabulary.ts'
import type { Backends } from '../upstream/accounts.ts'

const OWN = /^(?:vid|api_video)_([0-9A-HJKMNP-TV-Z]{26})$/

/** A video's id here, by the form that any of the surfaces gives it; else as it is. */
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
