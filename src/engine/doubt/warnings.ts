import { doubtWarning } from '../../core/evidence.ts'
import type { Log } from '../../core/log.ts'
import type { Account } from '../upstream/accounts.ts'

/** Said before it costs a video: on these accounts no evidence can end a doubt. */
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
