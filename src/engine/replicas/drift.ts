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
  return {
    /** What this process met. */
    say(account: AccountId, met: readonly DriftView[]): void {
      told.say(`${account}/${deps.replica.id}`, met.slice(0, TOLD_AT_MOST))
    },
    /** What the others met in the last day, each by itself. Never rejects. */
    async others(account: AccountId): Promise<DriftView[]> {
      await board.exchange()
      return [...told.all()].flatMap(([name, { value, isOwn }]) =>
        !isOwn && name.startsWith(`${account}/`) ? value : [],
      )
    },
    close: board.close,
  }
}
export type DriftBoard = ReturnType<typeof createDriftBoard>
