import { once } from 'node:events'
import type { ChildProcess } from 'node:child_process'

/** The next message of a process of a benchmark; rejects if that ends instead. */
export const said = async (child: ChildProcess): Promise<unknown> => {
  const died = new AbortController()
  const onExit = (): void => died.abort(new Error(`a process of the benchmark ended by itself: ${child.exitCode}`))
  child.once('exit', onExit)
  try {
    const [message] = await once(child, 'message', { signal: died.signal })
    return message
  } finally {
    child.off('exit', onExit)
  }
}
