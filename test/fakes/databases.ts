import { onTestFinished } from 'vitest'
import { openDatabase, postgresUrl, type TestDatabase } from './postgres.ts'
import { openKeys, redisUrl, type TestKeys } from './redis.ts'

/** An empty database on the server that tests find, dropped when the test ends. Rejects where no server answers. */
export const testPostgres = async (server = postgresUrl()): Promise<TestDatabase> => {
  const database = await openDatabase(server)
  onTestFinished(database.drop)
  return database
}

/** A prefix on the Redis that tests find, whose keys are removed when the test ends. */
export const testRedis = (url = redisUrl()): TestKeys => {
  const keys = openKeys(url)
  onTestFinished(keys.remove)
  return keys
}
