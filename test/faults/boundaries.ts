import { subscribe } from 'node:diagnostics_channel'
import { Socket } from 'node:net'
import type { Store } from '../../src/core/store/index.ts'
import { VERBS } from '../../src/stores/sql/store.ts'

/**
 * Numbers every write boundary of a process: just before and just after each store commit, and each write to a TCP
 * socket. `arm(n)` starts the count; the process dies by SIGKILL at number n. One before a write has no number where it is
 * the same death as the boundary before it: nobody outside could tell the two apart (`outside` below).
 */
export interface Boundaries {
  arm(killAt: number): void
  wrapStore(store: Store): Store
  /** What the process says by other ways than the store and TCP: a death before it differs from one after it. */
  said(): void
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
  'claimDeliveries',
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

  const sockets: Socket[] = []
  const met = (message: unknown): void => {
    if (typeof message === 'object' && message !== null && 'socket' in message && message.socket instanceof Socket)
      sockets.push(message.socket)
  }
  subscribe('net.client.socket', met)
  subscribe('net.server.socket', met)
  /** Made by other ways than numbered commits and TCP. */
  let changes = 0
  /** All that survives this process, in so far as it has a part in it. */
  const outside = (): string => {
    const closed = sockets.filter(({ destroyed }) => destroyed).length
    const readBytes = sockets.reduce((sum, socket) => sum + socket.bytesRead, 0)
    return [sockets.length, closed, readBytes, changes].join(' ')
  }
  /** As it was at the last boundary; null: it was not settled, since a commit was under way. */
  let known: string | null = null

  const passed = (name: string): void => {
    if (killAt === null) return
    reached.push(name)
    if (reached.length === killAt) process.kill(process.pid, 'SIGKILL')
  }
  /** What was written is another state, whatever it was. */
  const after = (name: string): void => {
    passed(name)
    known = busy === 0 ? outside() : null
  }
  const before = (name: string): void => {
    if (known === null || busy > 0 || known !== outside()) passed(name)
    known = null
  }

  const isCommit = (name: PropertyKey): boolean =>
    COMMITS.some((verb) => verb === name) && (name !== 'replayStep' || mayReplay)

  /** A write that has no number is a change all the same, from when it begins. */
  const isWrite = (name: PropertyKey): boolean => Object.hasOwn(VERBS, name)
  const noted =
    (verb: (...args: unknown[]) => Promise<unknown>) =>
    async (...args: unknown[]): Promise<unknown> => {
      busy += 1
      changes += 1
      return verb(...args).finally(() => (busy -= 1))
    }

  // Below `write`: what is corked reaches the kernel here, and the kernel sends it even if we die.
  for (const method of ['_write', '_writev'] as const) {
    const original: unknown = Reflect.get(Socket.prototype, method)
    if (typeof original !== 'function') throw new Error(`net.Socket has no ${method}`)
    Reflect.set(Socket.prototype, method, function counted(this: Socket, ...args: unknown[]): unknown {
      if (this.remotePort === undefined) return Reflect.apply(original, this, args)
      before('> socket')
      const result: unknown = Reflect.apply(original, this, args)
      after('socket >')
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
    said: () => void (changes += 1),
    reached: () => reached,
    wrapStore: (store) =>
      new Proxy(store, {
        get(target, name): unknown {
          const verb: unknown = Reflect.get(target, name)
          if (typeof verb !== 'function') return verb
          if (!isCommit(name)) return isWrite(name) ? noted(verb.bind(target)) : verb
          return async (...args: unknown[]): Promise<unknown> => {
            before(`> ${String(name)}`)
            busy += 1
            const result: unknown = await Reflect.apply(verb, target, args).finally(() => (busy -= 1))
            after(`${String(name)} >`)
            if (name === 'replay') mayReplay = true
            if (name === 'replayStep') mayReplay = result !== null
            return result
          }
        },
      }),
  }
}
