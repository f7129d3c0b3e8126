import { onTestFinished } from 'vitest'
import { openStage, type Stage, type StageOptions } from './stage.ts'

/** A stage of a test; gone when the test ends. */
export const replicaStage = (options: StageOptions): Promise<Stage> =>
  openStage(options, (undo) => onTestFinished(({ task }) => undo(task.result?.state === 'fail')))
