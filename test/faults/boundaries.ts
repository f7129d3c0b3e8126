import { Socket } from 'node:net'
import type { Store } from '../../src/core/store/index.ts'

/**
 * Numbers every write boundary of a process: just before and just after each store commit, and each write to a TCP
 * socket. `arm(n)` starts the count; the process dies by SIGKILL at number n.
 */
export interface Boundaries {
  arm(killAt: number): void
  wrapStore(store: Store): Store
  /** Resolves when no commit is under way: what starting does is over. */
  idle(): Promise<void>
  /** Those that were passed since `arm`, by name, in order. */
  reached(): readonly string[]
}

/** Verbs of the store that commit. `change` commits what it decides. */
const COMMITS = [
  'open',
  'adopt',
  'admit',
  'change',
  'claim',
  'extend',
  'release',
  'attempted',
  'secrets',
  'meta',
  'createEndpoint',
  'changeEndpoint',
  'deleteEndpoint',
  'rotateSecret',
  'redeliver',
  'replay',
  'replayStep',
]

/** Of the event loop, without anything under way. */
const QUIET_ROUNDS = 10

export const createBoundaries = (): Boundaries => {
  let killAt: number | null = null
  const reached: string[] = []
  let busy = 0
  /** A step of a replay may find something: by a timer it is asked for again and again, which would number runs differently. */
  let mayReplay = true

  const boundary = (name: string): void => {
    if (killAt === null) return
    reached.push(name)
    if (reached.length === killAt) process.kill(process.pid, 'SIGKILL')
  }

  const isCommit = (name: PropertyKey): boolean =>
    COMMITS.some((verb) => verb === name) && (name !== 'replayStep' || mayReplay)

  // Below `write`: what is corked reaches the kernel here, and the kernel sends it even if we die.
  for (const method of ['_write', '_writev'] as const) {
    const original: unknown = Reflect.get(Socket.prototype, method)
    if (typeof original !== 'function') throw new Error(`net.Socket has no ${method}`)
    Reflect.set(Socket.prototype, method, function counted(this: Socket, ...args: unknown[]): unknown {
      if (this.remotePort === undefined) return Reflect.apply(original, this, args)
      boundary('> socket')
      const result: unknown = Reflect.apply(original, this, args)
      boundary('socket >')
      return result
    })
  }

  return {
    arm(n) {
      killAt = n
    },
    async idle() {
      for (let quiet = 0; quiet < QUIET_ROUNDS; quiet = busy === 0 ? quiet + 1 : 0) {
        await new Promise((resolve) => setImmediate(resolve))
      }
    },
    reached: () => reached,
    wrapStore: (store) =>
      new Proxy(store, {
        get(target, name): unknown {
          const verb: unknown = Reflect.get(target, name)
          if (typeof verb !== 'function' || !isCommit(name)) return verb
          return async (...args: unknown[]): Promise<unknown> => {
            boundary(`> ${String(name)}`)
            busy += 1
            const result: unknown = await Reflect.apply(verb, target, args).finally(() => (busy -= 1))
            boundary(`${String(name)} >`)
            if (name === 'replay') mayReplay = true
            if (name === 'replayStep') mayReplay = result !== null
            return result
          }
        },
      }),
  }
}
