import type { AccountId } from '../vocabulary.ts'

/** What a process knows of its configuration, to put it in force. */
export interface Configured {
  accounts: readonly AccountId[]
  /** The same for the same accounts and clients, and for no others. */
  mark: string
  /**
   * `start`: one that was in force before, and is not the latest, is of a process that was not told of a newer one, or
   * of an operator who went back by a restart: it opens its own accounts and closes none.
   */
  why: 'start' | 'reload'
}

export interface Served {
  /** Other accounts, which have open videos. If there are any, nothing was written. */
  orphaned: AccountId[]
  /** It was in force before, and another one is the latest. */
  isOfBefore: boolean
}

/** The part of `Store` about which accounts take new videos, at all processes. */
export interface AccountStore {
  /**
   * D. Puts a configuration in force, in one step: its accounts take new videos, and from then on every other account
   * that was ever served takes none (`open` and `adopt` answer `closed`). Refused if others have open videos.
   */
  serve(configured: Configured): Promise<Served>
}
