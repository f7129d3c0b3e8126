import { Problem } from '../../core/errors.ts'
import type { VideoRecord } from '../../core/video.ts'

export type Accounts = ReadonlySet<string>

/**
 * Where videos come in. While another configuration takes over, none does on an account that it lacks: nobody would
 * follow it to its end.
 */
export const createDoor = () => {
  let kept: Accounts | null = null
  const entering = new Set<Promise<void>>()
  return {
    /** `write` makes the video durable. */
    async enter<T>(
      { account, backend }: Pick<VideoRecord, 'account' | 'backend'>,
      write: () => Promise<T>,
    ): Promise<T> {
      if (kept !== null && !kept.has(account)) {
        throw new Problem('backend_unavailable', `backend ${backend} is being taken out of the configuration`, {
          backend,
        })
      }
      const writing = write()
      const settled = writing.then(
        () => undefined,
        () => undefined,
      )
      entering.add(settled)
      return writing.finally(() => entering.delete(settled))
    },
    /** Null: all of them again. Resolves when those that were on their way in can be read in the store. */
    async keepOnly(accounts: Accounts | null): Promise<void> {
      kept = accounts
      await Promise.all(entering)
    },
  }
}
export type Door = ReturnType<typeof createDoor>
