import { Problem } from '../../core/errors.ts'
import type { VideoRecord } from '../../core/video.ts'

export type Accounts = ReadonlySet<string>

export const takenOut = (backend: string): Problem =>
  new Problem('backend_unavailable', `the operator is removing backend ${backend} from the configuration`, { backend })

/**
 * Where videos come in. During a reload, no video is taken on an account that the new configuration lacks: nobody would
 * follow it to its end.
 */
export const createIntake = () => {
  let kept: Accounts | null = null
  const entering = new Set<Promise<void>>()
  return {
    /** `write` makes the video durable. */
    async enter<T>(
      { account, backend }: Pick<VideoRecord, 'account' | 'backend'>,
      write: () => Promise<T>,
    ): Promise<T> {
      if (kept !== null && !kept.has(account)) {
        throw takenOut(backend)
      }
      const writing = write()
      const settled = writing.then(
        () => undefined,
        () => undefined,
      )
      entering.add(settled)
      return writing.finally(() => entering.delete(settled))
    },
    /** Null: open for all accounts again. Resolves when videos that were coming in are in the store. */
    async keepOnly(accounts: Accounts | null): Promise<void> {
      kept = accounts
      await Promise.all(entering)
    },
  }
}
export type Intake = ReturnType<typeof createIntake>
