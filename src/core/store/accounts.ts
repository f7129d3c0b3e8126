import type { AccountId } from '../vocabulary.ts'

/** The part of `Store` about which accounts take new videos, at all processes. */
export interface AccountStore {
  /**
   * D. Puts a configuration's accounts in force, in one step: they take new videos, and from then on every other account
   * that was ever served takes none (`open` and `adopt` answer `closed`). If others have open videos, nothing is written:
   * answers those accounts. Else answers none.
   *
   * `start`: a process that starts with a set of accounts that was in force before, and is not the latest, is one that
   * was not told of a newer configuration, or an operator who went back: it opens its own and closes none.
   */
  serve(accounts: readonly AccountId[], why: 'start' | 'reload'): Promise<AccountId[]>
}
