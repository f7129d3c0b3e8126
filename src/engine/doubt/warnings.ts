import type { Log } from '../../core/log.ts'
import type { Account } from '../upstream/accounts.ts'

/** Warns at the start of accounts on which nothing can end a doubt. */
export const warnOfDoubts = (
  accounts: Iterable<Account>,
  calledBack: (account: Account) => boolean,
  log: Pick<Log, 'warn'>,
): void => {
  for (const account of accounts) {
    if (account.adapter.capabilities.native_idempotency || account.evidence.exclusive || calledBack(account)) continue
    log.warn(
      { backends: account.backends },
      'if an answer to a create is lost here, nothing can tell what became of it, and the video fails with ' +
        'create_outcome_unknown: set server.public_url, or exclusive: true if nobody else creates on this account',
    )
  }
}
