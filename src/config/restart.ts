import type { Config } from '../config.ts'
import type { Fault } from './faults.ts'

/** What the process took hold of when it started: a reload cannot change it. */
const HELD = {
  'server.host': ({ server }) => server.host,
  'server.port': ({ server }) => server.port,
  'server.max_connections': ({ server }) => server.max_connections,
  store: ({ store }) => store,
  redis: ({ redis }) => redis,
  'metrics.enabled': ({ metrics }) => metrics.enabled,
  'log.format': ({ log }) => log.format,
  tracing: ({ tracing }) => tracing,
} as const satisfies Record<string, (config: Config) => unknown>

/** What keeps `next` from taking the place of `before` without a restart; empty: nothing. Pure. */
export const restartFaults = (before: Config, next: Config): Fault[] =>
  Object.entries(HELD).flatMap(([path, of]) =>
    JSON.stringify(of(before)) === JSON.stringify(of(next))
      ? []
      : [{ path, message: 'cannot change while the gateway runs: restart it' }],
  )
