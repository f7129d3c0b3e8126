import { createBoundaries } from './boundaries.ts'
import { liveHere, type FromSender, type SenderSetup } from './sender-run.ts'

/** A sender in a process of its own that dies at a numbered write boundary; says which it passed if it lives. */
const { killAt, ...setup } = JSON.parse(process.argv[2] ?? '{}') as SenderSetup
const boundaries = createBoundaries()
const tell = (message: FromSender): Promise<void> => {
  boundaries.said()
  return new Promise((resolve) => void process.send?.(message, () => resolve()))
}
await liveHere(setup, tell, boundaries.wrapStore, () => boundaries.arm(killAt))
await tell({ kind: 'passed', boundaries: [...boundaries.reached()] })
process.disconnect?.()
