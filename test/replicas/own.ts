import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { OwnServer } from '../fakes/daemon.ts'
import { testPostgres, testRedis } from '../fakes/databases.ts'
import { openDatabase, ownPostgres, type OwnPostgresOptions } from '../fakes/postgres.ts'
import { ownRedis } from '../fakes/redis.ts'
import type { StoreSections } from './stage.ts'

/** What replicas share: a database and a Redis. */
export interface Shared {
  /** Of the database. */
  url: string
  store: (folder: string) => StoreSections
}

const sections =
  (url: string, redis: Readonly<Record<string, unknown>>): Shared['store'] =>
  (folder) => ({ store: { driver: 'postgres', url, pool: 5, path: join(folder, 'talkbridge.db') }, redis })

/** What stands between the replicas and a server: given the server's address, it answers its own. */
type Way = (url: string) => Promise<string>
const straight: Way = (url) => Promise.resolve(url)

/** On the servers that the tests find: a database and keys that go with the test. */
export const sharedServers = async (toPostgres = straight, toRedis = straight): Promise<Shared> => {
  const [{ url }, redis] = [await testPostgres(), testRedis()]
  return { url, store: sections(await toPostgres(url), { url: await toRedis(redis.url), prefix: redis.prefix }) }
}

/** On servers of the test's own, to stop and kill. */
export const ownServers = async (
  options: OwnPostgresOptions = {},
): Promise<Shared & { postgres: OwnServer; redis: OwnServer }> => {
  const postgres = await ownPostgres(options)
  onTestFinished(() => postgres.close())
  const redis = await ownRedis()
  onTestFinished(() => redis.close())
  const { url } = await openDatabase(postgres.url)
  return { postgres, redis, url, store: sections(url, { url: redis.url }) }
}
