import { doubtWarning } from '../../core/evidence.ts'
import type { Log } from '../../core/log.ts'
import type { Account } from '../upstream/accounts.ts'

/** Warns at the start of accounts on which nothing can end a doubt. */
export const warnOfDoubts = (
  accounts: Iterable<Account>,
  calledBack: (account: Account) => boolean,
  log: Pick<Log, 'warn'>,
): void => {
  for (const account of accounts) {
    const { exclusive } = account.evidence
    const warning = doubtWarning(account.adapter.capabilities, { exclusive, isReachable: calledBack(account) })
    if (warning !== null) log.warn({ backends: account.backends }, warning)
  }
}
