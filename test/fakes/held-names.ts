import { promises as dns } from 'node:dns'
import dnsModule from 'node:dns'
import { open } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

/**
 * Loaded into a process before its own modules (`node --import`). Names below `slow.example` have name servers that never
 * answer: for `getaddrinfo`, which then holds a thread of libuv's pool (as opening HELD_FIFO does, which nobody ever
 * writes to), and for a resolver of Node's own, which asks HELD_SERVER.
 */
const { HELD_FIFO: fifo = '', HELD_SERVER: server = '' } = process.env

const never = (): Promise<never> =>
  new Promise((_, reject) => open(fifo, 'r', () => reject(new Error('the writer of the FIFO came'))))
const isHeld = (name: unknown): boolean => typeof name === 'string' && name.endsWith('slow.example')

const instead = <T extends object>(
  module: T,
  name: keyof T & string,
  made: (real: (...args: unknown[]) => unknown) => unknown,
): void => {
  const real: unknown = Reflect.get(module, name)
  if (typeof real === 'function') Reflect.set(module, name, made(real.bind(module)))
}

instead(
  dns,
  'lookup',
  (real) =>
    (...args: unknown[]) =>
      isHeld(args[0]) ? never() : real(...args),
)
instead(
  dnsModule,
  'lookup',
  (real) =>
    (...args: unknown[]) =>
      isHeld(args[0]) ? void never() : real(...args),
)
Reflect.set(
  dns,
  'Resolver',
  class extends dns.Resolver {
    constructor(options?: ConstructorParameters<typeof dns.Resolver>[0]) {
      super(options)
      this.setServers([server])
    }
  },
)
syncBuiltinESMExports()
