import { isMainThread, parentPort, Worker, type WorkerOptions } from 'node:worker_threads'
import { createRequire, syncBuiltinESMExports } from 'node:module'

/** Preloaded (`--import`) into a gateway: at SIGUSR2 its writer thread meets an error that no verb of it expects. */
const DIE = 'die'

if (isMainThread) {
  const threads = createRequire(import.meta.url)('node:worker_threads') as { Worker: typeof Worker }
  threads.Worker = class extends Worker {
    constructor(file: string | URL, options?: WorkerOptions) {
      super(file, options)
      process.once('SIGUSR2', () => this.postMessage(DIE))
    }
  }
  syncBuiltinESMExports()
} else {
  parentPort?.on('message', (message) => {
    if (message === DIE) throw new Error('something that nobody thought of')
  })
}
