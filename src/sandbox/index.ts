import { createCallbacks } from './alternate/callbacks.ts'
import { createWorld } from './build.ts'
import { isVirtual } from './clock.ts'
import { ALTERNATE_KEY, PRIMARY_KEY } from './keys.ts'
import { listen, serviceApp, type Listening } from './server.ts'
import type { SandboxOptions } from './options.ts'
import { servicesOf } from './services.ts'
import { ledgerView, type LedgerView, type World } from './world.ts'

export type { LedgerView } from './world.ts'
export { SCENARIOS } from './scenarios.ts'
export type { Decisions } from './undecided.ts'
export { STANDARD } from './undecided.ts'
export { isVariant, VARIANTS, type VariantName } from './variants.ts'
export type { SandboxOptions } from './options.ts'
export { virtualClock, type VirtualClock } from './clock.ts'

export interface Sandbox {
  readonly primaryUrl: string
  readonly alternateUrl: string
  readonly primaryKey: typeof PRIMARY_KEY
  readonly alternateKey: typeof ALTERNATE_KEY
  /** What `GET /sandbox/ledger` answers. */
  ledger(): LedgerView
  /** Stops both servers, open connections and waiting callbacks included. Calling it again changes nothing. */
  close(): Promise<void>
}

/** Starts a stand-in for both services: two HTTP servers that share nothing with the gateway but the clock and ids. */
export const startSandbox = async (options: SandboxOptions): Promise<Sandbox> => {
  const closing = new AbortController()
  const world = createWorld(options, closing.signal)
  const callbacks = createCallbacks(world)
  const services = servicesOf(world, callbacks)
  const servers: Listening[] = []
  const shut = async (): Promise<void> => {
    closing.abort()
    await Promise.all(servers.map((server) => server.close()))
    await callbacks.idle()
    await world.media.close()
    world.state.close()
    world.blobs.close()
  }
  let closed: Promise<void> | undefined
  const close = (): Promise<void> => (closed ??= shut())
  try {
    await restoreClock(world)
    const { host = '127.0.0.1', primaryPort = 0, alternatePort = 0 } = options
    const primary = await listen(serviceApp(world, services.primary, services), host, primaryPort)
    servers.push(primary)
    const alternate = await listen(serviceApp(world, services.alternate, services), host, alternatePort)
    servers.push(alternate)
    for (const job of world.state.jobs.values()) callbacks.arm(job)
    return {
      primaryUrl: primary.url,
      alternateUrl: alternate.url,
      primaryKey: PRIMARY_KEY,
      alternateKey: ALTERNATE_KEY,
      ledger: () => ledgerView(world),
      close,
    }
  } catch (cause) {
    await close()
    throw cause
  }
}

/** A virtual clock that was moved goes on from where it was: no time of the kept state lies in its future. */
const restoreClock = async ({ clock, state }: World): Promise<void> => {
  const keptMs = Number(state.facts.get('clock')?.value ?? 0)
  if (isVirtual(clock) && keptMs > clock.now()) await clock.advance(keptMs - clock.now())
}
