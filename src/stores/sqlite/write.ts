import { once } from 'node:events'
import { dirname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { Problem } from '../../core/errors.ts'
import { diskFull } from '../../core/log.ts'
import type { VerbName, Verbs } from '../sql/verbs.ts'
import type { Args } from '../sql/store.ts'
import type { takeOver, TakeOverArgs } from './high-water.ts'
import type { WriterReply, WriterRequest, WriterSetup } from './writer.ts'

/** With the time of this process, which is the store's. */
export type WriteNow = <V extends VerbName>(verb: V, args: Args<V> & { nowMs: number }) => ReturnType<Verbs[V]>

export interface Writer {
  write: WriteNow
  /** Voids what a process before held. */
  takeOver(args: TakeOverArgs): ReturnType<typeof takeOver>
  close(): Promise<void>
}

/** Of a batch nothing is left once it is answered. V8 would let what is left of many fill 64 MB before it tidies up. */
const YOUNG = { maxYoungGenerationSizeMb: 6 }

const unavailable = (message: string): Problem =>
  new Problem('store_unavailable', 'the store cannot be written at the moment', { cause: new Error(message) })

/**
 * Starts the writer thread. Resolves when the schema is in place; rejects if that fails. A verb rejects with
 * `store_unavailable` if it or its commit failed; then nothing of it was written. `onLost` is called once if the thread
 * dies: what it was writing may be written or not, and nothing can be written any more.
 */
export const startWriter = async (setup: WriterSetup, onLost: (cause: Error) => void): Promise<Writer> => {
  const file = import.meta.url.endsWith('.ts') ? './writer.ts' : './writer.js'
  const worker = new Worker(new URL(file, import.meta.url), { workerData: setup, resourceLimits: YOUNG })
  const waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>()
  let seq = 0
  let dead: string | null = null
  let closing = false

  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()))

  // Rejects if the thread dies before it is ready, with the reason (a newer schema, no such folder), and not before it
  // has let go of the file.
  await once(worker, 'message').catch(async (error: unknown) => {
    await ended
    throw error
  })

  const die = (cause: Error): void => {
    if (dead !== null) return
    dead = cause.message
    if (!closing) onLost(cause)
    for (const { reject } of waiting.values()) reject(unavailable(cause.message))
    waiting.clear()
  }
  worker.on('message', (replies: WriterReply[]) => {
    for (const reply of replies) {
      const caller = waiting.get(reply.seq)
      waiting.delete(reply.seq)
      if (reply.ok) caller?.resolve(reply.value)
      else caller?.reject(reply.isFull ? diskFull(dirname(setup.path)) : unavailable(reply.message))
    }
  })
  worker.on('error', (error) => die(error instanceof Error ? error : new Error(String(error))))
  worker.on('exit', () => die(new Error('the writer thread ended')))

  // All writes of one turn of the event loop go to the thread in one message: a message costs more than a row.
  let outgoing: WriterRequest[] = []
  const post = (): void => {
    const batch = outgoing
    outgoing = []
    if (batch.length > 0) worker.postMessage(batch)
  }
  const send = (verb: string, args: unknown): Promise<unknown> =>
    new Promise((resolve, reject) => {
      if (dead) return reject(unavailable(dead))
      seq += 1
      waiting.set(seq, { resolve, reject })
      if (outgoing.push({ seq, verb, args }) === 1) setImmediate(post)
    })

  return {
    // The thread answers what the verb of that name returned.
    write: <V extends VerbName>(verb: V, args: Args<V>) => send(verb, args) as ReturnType<Verbs[V]>,
    takeOver: (args) => send('takeOver', args) as ReturnType<typeof takeOver>,
    async close() {
      if (dead) return
      closing = true
      post()
      worker.postMessage('close')
      await ended
    },
  }
}
