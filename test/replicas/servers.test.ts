import { describe, expect, onTestFinished, test } from 'vitest'
import { testPostgres, testRedis } from '../fakes/databases.ts'
import { cutConnections, ownPostgres, postgresFault, withClient } from '../fakes/postgres.ts'
import { ownRedis, redisFault, withRedis } from '../fakes/redis.ts'
import { skippedWithout } from '../fakes/servers.ts'

/** Nothing listens there: port 9 is "discard", and of root alone. */
const NOWHERE = {
  TALKBRIDGE_TEST_POSTGRES: 'postgres://anna:hush@127.0.0.1:9/none',
  TALKBRIDGE_TEST_REDIS: 'redis://:hush@127.0.0.1:9',
  PATH: '/nowhere',
}

describe('finding servers', () => {
  const asked = async (needs: Parameters<typeof skippedWithout>[0], env: Record<string, string>) => {
    const said: string[] = []
    return { skipped: await skippedWithout(needs, env, (text) => said.push(text)), said: said.join('') }
  }

  test('a laptop without: the tests are left out, and a line says which and how to get them', async () => {
    const { skipped, said } = await asked(['postgres', 'redis'], NOWHERE)
    expect(skipped).toBe(true)
    expect(said).toContain('SKIPPED')
    expect(said).toContain('no PostgreSQL server (TALKBRIDGE_TEST_POSTGRES: connect ECONNREFUSED')
    expect(said).toContain('no Redis server (TALKBRIDGE_TEST_REDIS: ')
    expect(said).not.toContain('hush')
  })

  test.each(['true', '1'])('with CI=%s nothing is left out: the tests run, and fail without a server', async (CI) => {
    expect(await asked(['postgres', 'redis', 'ownPostgres'], { ...NOWHERE, CI })).toEqual({ skipped: false, said: '' })
    await expect(testPostgres(NOWHERE.TALKBRIDGE_TEST_POSTGRES)).rejects.toThrow('ECONNREFUSED')
  })

  test('CI=false is no CI', async () => {
    expect((await asked(['redis'], { ...NOWHERE, CI: 'false' })).skipped).toBe(true)
  })
})

describe.skipIf(await skippedWithout(['postgres']))('a database of a test', () => {
  test('is empty, and gone afterwards', async () => {
    const { url, drop } = await testPostgres()
    await withClient(url, (client) => client.query('CREATE TABLE t (n int)'))
    expect(await cutConnections(url)).toBe(0)
    await drop()
    expect(await postgresFault(url)).toContain('does not exist')
  })
})

describe.skipIf(await skippedWithout(['redis']))('keys of a test', () => {
  test('are gone afterwards, and nobody else’s', async () => {
    const [own, others] = [testRedis(), testRedis()]
    for (const { url, prefix } of [own, others]) await withRedis(url, (redis) => redis.set(`${prefix}:key`, '1'))
    await own.remove()
    const left = (prefix: string) => withRedis(own.url, (redis) => redis.exists(`${prefix}:key`))
    expect([await left(own.prefix), await left(others.prefix)]).toEqual([0, 1])
  })
})

describe.skipIf(await skippedWithout(['ownPostgres', 'ownRedis']))('a server of a test', () => {
  test.each(['fast', 'kill'] as const)('PostgreSQL keeps its address and what was committed: %s', async (how) => {
    const server = await ownPostgres()
    onTestFinished(server.close)
    const { url } = await testPostgres(server.url)
    await withClient(url, (client) => client.query('CREATE TABLE t AS SELECT 7 AS n'))
    await server.stop(how)
    expect(await postgresFault(url)).toContain('ECONNREFUSED')
    await server.start()
    const { rows } = await withClient(url, (client) => client.query<{ n: number }>('SELECT n FROM t'))
    expect(rows).toEqual([{ n: 7 }])
  })

  test('Redis comes back empty', async () => {
    const server = await ownRedis()
    onTestFinished(server.close)
    await withRedis(server.url, (redis) => redis.set('key', '1'))
    await server.stop('kill')
    expect(await redisFault(server.url)).not.toBeNull()
    await server.start()
    expect(await withRedis(server.url, (redis) => redis.exists('key'))).toBe(0)
  })
})
