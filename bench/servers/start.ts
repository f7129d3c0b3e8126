import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type { FromServer, ToServer } from './protocol.ts'

/** A server in a process of its own, so that its CPU time is nobody else's. */
export interface BenchServer {
  url: string
  /** Microseconds of CPU since the process began, as it accounts for itself. */
  cpu(): Promise<number>
  /** Stands still (`SIGSTOP`) or goes on (`SIGCONT`). */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void
  close(): Promise<void>
}

const heard = <K extends FromServer['kind']>(child: ChildProcess, kind: K) =>
  new Promise<Extract<FromServer, { kind: K }>>((resolve, reject) => {
    const isIt = (message: FromServer): message is Extract<FromServer, { kind: K }> => message.kind === kind
    const listen = (message: FromServer): void => {
      if (!isIt(message)) return
      child.off('message', listen)
      child.off('exit', died)
      resolve(message)
    }
    const died = (): void => reject(new Error('a server of the benchmark ended by itself'))
    child.on('message', listen)
    child.once('exit', died)
  })

/** Starts the module with `setup` as its only argument, and waits until it serves. */
export const startServer = async (module: URL, setup: unknown): Promise<BenchServer> => {
  const child = fork(module, [JSON.stringify(setup)], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const tell = (message: ToServer): void => void child.send(message)
  const { url } = await heard(child, 'serving')
  return {
    url,
    async cpu() {
      const answer = heard(child, 'cpu')
      tell({ kind: 'cpu' })
      return (await answer).microseconds
    },
    signal: (signal) => void child.kill(signal),
    async close() {
      const exited = once(child, 'exit')
      tell({ kind: 'close' })
      await exited
    },
  }
}
