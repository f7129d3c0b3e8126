import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { said } from '../said.ts'

/** What the processes of this benchmark say to each other. */
export interface Setup {
  /** Origins of the receivers. */
  targets: string[]
  /** Where the store's file may be made. */
  folder: string
}
export interface Order {
  /** Deliveries of this round. */
  count: number
}
export interface Measured {
  elapsedMs: number
  /** Of all threads of the process, by its own accounting. */
  cpuMs: number
}

/** Per target, and so 256 at once in all: the limits of the gateway as it is delivered. */
export const TARGETS = 32
export const PER_TARGET = 8
export const TIMEOUT_MS = 15_000

export interface Contender {
  run(order: Order): Promise<Measured>
  end(): Promise<void>
}

const start = (file: string, argument: unknown): ChildProcess =>
  fork(new URL(file, import.meta.url), [JSON.stringify(argument)], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })

const end = async (child: ChildProcess): Promise<void> => {
  const exited = once(child, 'exit')
  child.disconnect()
  await exited
}

/** Receivers that answer 204 to everything, in a process of their own. */
export const startReceivers = async (count: number): Promise<{ targets: string[]; end(): Promise<void> }> => {
  const child = start('./receivers.ts', count)
  const targets = (await said(child)) as string[]
  return { targets, end: () => end(child) }
}

export const startContender = async (file: string, setup: Setup): Promise<Contender> => {
  const child = start(file, setup)
  await said(child)
  return {
    async run(order) {
      const measured = said(child)
      child.send(order)
      return (await measured) as Measured
    },
    end: () => end(child),
  }
}

/** In the process of a contender: does each round that it is told to, `prepare` unmeasured and what it answers measured. */
export const serve = (prepare: (order: Order) => Promise<() => Promise<void>>, close: () => Promise<void>): void => {
  const round = async (order: Order): Promise<void> => {
    const run = await prepare(order)
    const startedAtMs = performance.now()
    const before = process.cpuUsage()
    await run()
    const { user, system } = process.cpuUsage(before)
    const measured: Measured = { elapsedMs: performance.now() - startedAtMs, cpuMs: (user + system) / 1_000 }
    process.send?.(measured)
  }
  process.on('message', (order: Order) => void round(order))
  process.once('disconnect', () => void close())
  process.send?.('ready')
}

/** As large as an event of a completed video is. */
export const bodyOf = (n: number): string => {
  const data = { id: `vid_${n}`, object: 'video', status: 'completed', sequence: 3, about: 'x'.repeat(1_400) }
  return JSON.stringify({ type: 'video.completed', timestamp: '2026-11-20T10:00:00.000Z', data })
}
