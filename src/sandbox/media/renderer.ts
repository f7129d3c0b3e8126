import { Worker } from 'node:worker_threads'
import type { MediaRequest } from './requests.ts'
import type { RenderOrder, RenderReport, RenderThreadData } from './worker.ts'

/** Too many renders wait: ask again later. */
export class MediaBusy extends Error {}

export interface Renderer {
  /** Renders into `path`. Rejects with MediaBusy, and when the thread dies. */
  render(path: string, request: MediaRequest): Promise<RenderReport>
  /** What is being rendered is given up. */
  close(): Promise<void>
}

const CLOSED = 'The sandbox is closed.'

interface Waiting {
  readonly resolve: (report: RenderReport) => void
  readonly reject: (cause: Error) => void
}

/** One thread, started with the first order, that renders one file at a time; at most `maxWaiting` orders are held. */
export const createRenderer = (videoModule: string | null, maxWaiting: number): Renderer => {
  const waiting = new Map<number, Waiting>()
  let thread: Worker | null = null
  let seq = 0
  let closed = false

  const settle = (report: RenderReport): void => {
    const caller = waiting.get(report.seq)
    waiting.delete(report.seq)
    // An idle thread keeps no process alive.
    if (waiting.size === 0) thread?.unref()
    caller?.resolve(report)
  }
  const die = (reason: string): void => {
    thread = null
    for (const { reject } of waiting.values()) reject(new Error(reason))
    waiting.clear()
  }
  const start = (): Worker => {
    const file = import.meta.url.endsWith('.ts') ? './worker.ts' : './worker.js'
    const workerData: RenderThreadData = { videoModule }
    const started = new Worker(new URL(file, import.meta.url), { workerData })
    started.on('message', settle)
    started.on('error', (cause) => die(`The rendering thread failed: ${String(cause)}`))
    started.on('exit', () => die(closed ? CLOSED : 'The rendering thread ended.'))
    return started
  }
  return {
    render: (path, request) =>
      new Promise((resolve, reject) => {
        if (closed) return reject(new Error(CLOSED))
        if (waiting.size >= maxWaiting) return reject(new MediaBusy(`${waiting.size} renders are waiting.`))
        thread ??= start()
        thread.ref()
        seq += 1
        waiting.set(seq, { resolve, reject })
        thread.postMessage({ seq, path, request } satisfies RenderOrder)
      }),
    async close() {
      closed = true
      await thread?.terminate()
    },
  }
}
