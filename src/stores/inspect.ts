import { dirname } from 'node:path'
import { statfsSync } from 'node:fs'

/** How `talkbridge doctor` looks at what the gateway keeps things in: facts, and nothing is written. */

export { inspectSqlite, type SqliteFacts } from './sqlite/inspect.ts'
import type { Place } from './postgres/pool.ts'
export type { PostgresFacts } from './postgres/inspect.ts'
import type { RedisPlace } from './redis/client.ts'

export type { RedisFacts } from './redis/inspect.ts'
export { openFault } from './sqlite/ownership.ts'
export { NEEDED_BYTES } from './sqlite/db.ts'

interface Limits {
  limitMs: number
  signal: AbortSignal
}

// Loaded only where they are used, as by the gateway.
export const inspectPostgres = async (at: Place, limits: Limits) =>
  (await import('./postgres/inspect.ts')).inspectPostgres(at, limits)
export const inspectRedis = async (place: RedisPlace, limits: Limits) =>
  (await import('./redis/inspect.ts')).inspectRedis(place, limits)

/** Kinds of file systems by the number that the kernel gives them (statfs(2)). */
const KINDS: Readonly<Record<number, FileSystem>> = {
  0x6969: 'network',
  0x517b: 'network',
  0xff534d42: 'network',
  0xfe534d42: 'network',
  0x01021997: 'network',
  0x00c36400: 'network',
  0x5346414f: 'network',
  0x01021994: 'memory',
  0x858458f6: 'memory',
  0x794c7630: 'layer',
}
/** `layer`: of a container, and gone with it. */
type FileSystem = 'disk' | 'network' | 'memory' | 'layer'

export interface Volume {
  kind: FileSystem
  /** Null where the file system does not say. */
  freeBytes: number | null
}

/** Throws if there is no such folder. */
export const volumeOf = (folder: string): Volume => {
  const { type, bavail, bsize, blocks } = statfsSync(folder)
  return { kind: KINDS[type] ?? 'disk', freeBytes: blocks === 0 ? null : bavail * bsize }
}

/** The folder itself, or the nearest one above it that is there. */
export const nearestFolder = (folder: string, exists: (path: string) => boolean): string => {
  const above = dirname(folder)
  return exists(folder) || above === folder ? folder : nearestFolder(above, exists)
}
