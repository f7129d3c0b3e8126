import type { Store } from '../../src/core/store/index.ts'
import { createBoard, type Board } from '../../src/engine/replicas/board.ts'
import type { Clock } from '../../src/core/time/clock.ts'

const SILENT = { info: () => undefined, warn: () => undefined, error: () => undefined }

/** Of a process that is alone with its store. */
export const boardOf = (store: Pick<Store, 'putFacts' | 'facts'>, clock: Clock): Board =>
  createBoard({ store, clock, log: SILENT, replica: { id: 'alone', isAlone: true } }, 'account')
