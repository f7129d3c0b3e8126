import { z } from 'zod'
import { dotted, valueAt, type Fault } from './faults.ts'
import { secretUrl, text, whole } from './fields.ts'

/** `store` and `redis`: where the truth is kept, and what wakes and counts for many processes (docs/replicas.md). */

export const Store = z.strictObject({
  driver: z.enum(['sqlite', 'postgres']).default('sqlite'),
  /** Of `sqlite`. Audio on its way to a backend is put beside it, with either driver. */
  path: z.string().min(1).meta({ title: 'a file path' }).default('./data/talkbridge.db'),
  /** Of `postgres`, as the next two. */
  url: secretUrl('null or a URL such as postgres://user:password@host:5432/database', 'postgres|postgresql')
    .nullable()
    .default(null),
  pool: whole(2, 100).default(10),
  schema: text('a name of 1 to 40 characters a-z, 0-9 and _, starting with a letter', /^[a-z][a-z0-9_]{0,39}$/).default(
    'talkbridge',
  ),
})

export const Redis = z.strictObject({
  /** null: one process, or several that find each other's work by their sweeps. */
  url: secretUrl('null or a URL such as redis://:password@host:6379/0', 'redis|rediss').nullable().default(null),
  prefix: text('a name of 1 to 40 characters a-z, 0-9, _ and -', /^[a-z0-9_-]{1,40}$/).default('talkbridge'),
})

/** What the second pass finds: each driver has keys of its own. */
export const storeFaults = (tree: unknown): Fault[] =>
  valueAt(tree, ['store', 'driver']) === 'postgres' && (valueAt(tree, ['store', 'url']) ?? null) === null
    ? [{ path: dotted(['store', 'url']), message: 'is required with driver: postgres' }]
    : []
