import { EventEmitter } from 'node:events'
import { fileURLToPath } from 'node:url'
import { MessageChannel, type MessagePort, Worker, type WorkerOptions } from 'node:worker_threads'

const Thread = Worker

/** Runs the writer's file anew for each store that the thread is lent to, with a port and a setup of that store's. */
const HOST = `
const threads = require('node:worker_threads')
const file = threads.workerData
const code = require('node:fs').readFileSync(file, 'utf8')
const run = require('node:vm').compileFunction(code, ['require'], { filename: file })
threads.parentPort.on('message', ({ port, workerData }) => {
  const own = { ...threads, parentPort: port, workerData }
  port.once('close', () => threads.parentPort.postMessage('free'))
  run((name) => (name === 'node:worker_threads' ? own : require(name)))
})
`

/** Threads whose store is closed. */
const idle: Worker[] = []
const IDLE_AT_MOST = 4

/**
 * What `Worker` is to the writer's starter. Thousands of tests open a store, and to start a thread takes ten times as long
 * as the rest of it. An error that the writer does not catch ends the thread itself, as it ends any.
 */
class LentThread extends EventEmitter {
  readonly #port: MessagePort

  constructor(file: URL, { workerData, resourceLimits = {} }: WorkerOptions) {
    super()
    const thread = idle.pop() ?? new Thread(HOST, { eval: true, workerData: fileURLToPath(file), resourceLimits })
    const { port1, port2 } = new MessageChannel()
    this.#port = port1
    port1.on('message', (message) => void this.emit('message', message))
    const failed = (error: unknown): void => void this.emit('error', error)
    const ended = (): void => {
      port1.close()
      this.emit('exit')
    }
    const free = (): void => {
      thread.off('error', failed).off('exit', ended)
      if (idle.length < IDLE_AT_MOST) idle.push(thread)
      else void thread.terminate()
      thread.unref()
      ended()
    }
    thread.once('error', failed).once('exit', ended).once('message', free).ref()
    thread.postMessage({ port: port2, workerData }, [port2])
  }

  postMessage(message: unknown): void {
    this.#port.postMessage(message)
  }
}

/** A test that watches threads has put its own class in the place of `Worker`. */
const lend = (file: URL, options: WorkerOptions): LentThread | Worker =>
  Worker === Thread ? new LentThread(file, options) : new Worker(file, options)

/** Called with `new`. */
export const WriterThread = function (file: URL, options: WorkerOptions) {
  return lend(file, options)
} as unknown as typeof Worker
