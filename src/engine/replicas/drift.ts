import { z } from 'zod'
import { DriftView } from '../../core/api/resources.ts'
import type { AccountId } from '../../core/vocabulary.ts'
import { createBoard, type BoardDeps } from './board.ts'

const KEPT_MS = 86_400_000
/** Of one account, told by one process: those that it first met latest. */
const TOLD_AT_MOST = 200

/** What processes tell each other of what a backend sent and its contract does not have. */
export const createDriftBoard = (deps: BoardDeps) => {
  const board = createBoard(deps, 'drift', KEPT_MS)
  const told = board.cell('drift', z.array(DriftView))
  const others = async (account: AccountId): Promise<DriftView[]> => {
    await board.exchange()
    return [...told.all()].flatMap(([name, { value, isOwn }]) =>
      !isOwn && name.startsWith(`${account}/`) ? value : [],
    )
  }
  return {
    /** Of one account; null where no other process can meet anything. `others`: in the last day, each by itself. */
    of: (account: AccountId) =>
      deps.replica.isAlone
        ? null
        : {
            say: (met: readonly DriftView[]) => told.say(`${account}/${deps.replica.id}`, met.slice(0, TOLD_AT_MOST)),
            others: () => others(account),
          },
    close: board.close,
  }
}
