import { pino, type DestinationStream } from 'pino'

/** A `kill -9` loses the lines of so long, and nothing else does. */
const BATCH_MS = 20

/**
 * Lines into a file, many in one write, for which nobody waits: one for each line took a tenth of a read. What is left
 * when the process exits is written then, also after an uncaught exception.
 */
export const batchedTo = (place: { fd: number } | { dest: string }): DestinationStream => {
  const file = pino.destination({ ...place, sync: false })
  let batch = ''
  const write = (): void => {
    if (batch === '') return
    const lines = batch
    batch = ''
    file.write(lines)
  }
  // pino calls it as the process exits. What it is given then would be written by another thread, which may end before.
  const flush = file.flushSync.bind(file)
  file.flushSync = () => {
    flush()
    if (batch !== '') pino.destination({ ...place, sync: true }).write(batch)
    batch = ''
  }
  return {
    write(line) {
      if (batch === '') setTimeout(write, BATCH_MS)
      batch += line
    },
  }
}
