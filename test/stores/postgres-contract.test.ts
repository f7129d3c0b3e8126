import { afterAll, describe } from 'vitest'
import { storeContract } from '../contract/store.ts'
import { isFull } from '../fakes/full.ts'
import { skippedWithout } from '../fakes/servers.ts'
import { postgresDatabase } from './postgres-database.ts'

describe.skipIf(await skippedWithout(['postgres']))('with a server', () => {
  const database = postgresDatabase()
  afterAll(database.remove)
  storeContract('postgres', () => database.open(), { triesLimits: isFull })
})
