import { createServer } from 'node:net'
import { TLSSocket } from 'node:tls'
import { randomBytes } from 'node:crypto'
import { describe, expect, onTestFinished, test } from 'vitest'
import { ROWS } from '../../../src/cli/doctor/findings.ts'
import { postgresFindings, redisFindings } from '../../../src/cli/doctor/store.ts'
import { createSystemClock } from '../../../src/core/time/clock.ts'
import { openPostgresStore } from '../../../src/stores/postgres/index.ts'
import { testPostgres } from '../../fakes/databases.ts'
import { selfSigned } from '../../adapters/certificate.ts'
import { freePort } from '../../fakes/daemon.ts'
import { ownPgBouncer } from '../../fakes/pgbouncer.ts'
import { postgresUrl, withClient } from '../../fakes/postgres.ts'
import { ownRedis, withRedis } from '../../fakes/redis.ts'
import { skippedWithout } from '../../fakes/servers.ts'
import { runHere } from '../here.ts'
import { expectAllProvoked, openStage, SECRET_KEY, the, type Report, type Stage } from './stage.ts'

const KEY = { TALKBRIDGE_SECRET_KEY: SECRET_KEY }

const on = (stage: Stage, url: string, store: object = {}, wall = Date.now): Promise<Report> =>
  stage.doctor({ store: { driver: 'postgres', url, ...store } }, { env: KEY, machine: { wall } })

/** Of the checks of the server, by code. */
const codesOf = ({ findings }: Report, check: string): string[] =>
  findings.flatMap((finding) => (finding.check === check ? [finding.code] : []))

/** A user who may enter this database and no more; gone when the test ends. */
const stranger = async (url: string, more = ''): Promise<{ url: string; name: string }> => {
  const name = `talkbridge_test_${randomBytes(6).toString('hex')}`
  await withClient(url, (client) => client.query(`CREATE ROLE ${name} LOGIN ${more}`))
  onTestFinished(async () => {
    await withClient(url, (client) => client.query(`DROP OWNED BY ${name} CASCADE; DROP ROLE ${name}`))
  })
  const own = new URL(url)
  own.username = name
  own.password = 'canary-password'
  return { url: own.href, name }
}

describe.skipIf(await skippedWithout(['postgres']))('PostgreSQL', () => {
  const run = (url: string, sql: string) => withClient(url, (client) => client.query(sql))

  test('before the first start, while a gateway is connected, and after it', async () => {
    const stage = await openStage()
    const { url } = await testPostgres()
    expect(codesOf(await on(stage, url), 'postgres')).toEqual(['postgres_ok', 'postgres_new'])
    const store = await openPostgresStore({
      url,
      schema: 'talkbridge',
      pool: 2,
      clock: createSystemClock(),
      onError: () => undefined,
    })
    expect(codesOf(await on(stage, url), 'postgres')).toEqual(['postgres_ok', 'postgres_served'])
    await store.close()
    await run(url, `UPDATE talkbridge.meta SET value = '{"system":"1"}' WHERE key = 'server'`)
    const restored = await on(stage, url)
    expect(the(restored, 'postgres_restored').found).toContain('on another server than before')
    expect(restored.exit).toBe(1)
    await run(url, "INSERT INTO talkbridge.open_videos VALUES ('acc_x', 'old', 'waiting', 2)")
    expect(the(await on(stage, url), 'account_gone').found).toContain('2 open videos')
    await run(url, 'UPDATE talkbridge.schema_version SET version = 1000')
    const newer = await on(stage, url)
    expect(the(newer, 'postgres_newer').found).toContain('schema version 1000')
    expect(newer.exit).toBe(1)
    await run(url, 'UPDATE talkbridge.schema_version SET version = 1')
    expect((await on(stage, url)).codes).toContain('postgres_older')
  })

  test('what does not let the gateway in', async () => {
    const stage = await openStage()
    const nobody = `postgres://u:canary-password@127.0.0.1:${await freePort()}/x`
    expect((await on(stage, nobody)).codes).toContain('postgres_unreachable')
    const missing = new URL(postgresUrl())
    missing.pathname = '/talkbridge_test_nowhere'
    expect((await on(stage, missing.href)).codes).toContain('postgres_no_database')
    const unknown = new URL(postgresUrl())
    unknown.username = 'talkbridge_test_nobody'
    const refused = await on(stage, unknown.href)
    expect(refused.codes).toContain('postgres_refused')
    expect(refused.exit).toBe(1)
    const { url } = await testPostgres()
    expect((await on(stage, url)).codes).toContain('postgres_ok')
    const allow = (is: boolean) =>
      run(postgresUrl(), `ALTER DATABASE ${new URL(url).pathname.slice(1)} WITH ALLOW_CONNECTIONS ${is}`)
    await allow(false)
    expect((await on(stage, url)).codes).toContain('postgres_failed')
    await allow(true)
    expect((await on(stage, url)).codes).toContain('postgres_ok')
  })

  test('rights, and how many connections', async () => {
    const stage = await openStage()
    const { url } = await testPostgres()
    const { url: own, name } = await stranger(url)
    const without = await on(stage, own)
    expect(the(without, 'postgres_rights').found).toBe('no right to create schema talkbridge')
    expect(without.exit).toBe(1)
    await run(url, 'CREATE SCHEMA talkbridge')
    expect(the(await on(stage, own), 'postgres_rights').found).toBe('no right to use schema talkbridge')
    await run(url, `ALTER SCHEMA talkbridge OWNER TO ${name}`)
    expect(codesOf(await on(stage, own), 'postgres')).toEqual(['postgres_ok', 'postgres_new'])

    await run(url, `ALTER ROLE ${name} CONNECTION LIMIT 15`)
    expect(the(await on(stage, own), 'postgres_connections').found).toBe('15 connections; two gateways open 22')
    expect((await on(stage, own, { pool: 6 })).codes).not.toContain('postgres_connections')
  })

  test('settings', async () => {
    const stage = await openStage()
    const { url } = await testPostgres()
    const name = new URL(url).pathname.slice(1)
    const set = (what: string) => run(url, `ALTER DATABASE ${name} ${what}`)
    await set('SET synchronous_commit = off')
    expect((await on(stage, url)).codes).toContain('postgres_commits')
    await set('RESET synchronous_commit')
    await set('SET default_transaction_read_only = on')
    expect((await on(stage, url)).codes).toContain('postgres_read_only')
    await run(url, `BEGIN READ WRITE; ALTER DATABASE ${name} RESET default_transaction_read_only; COMMIT`)
    const ahead = await on(stage, url, {}, () => Date.now() + 60_000)
    expect(the(ahead, 'postgres_clock').found).toBe("the database's clock is 60 s behind this machine's")
    expect(codesOf(await on(stage, url), 'postgres')).toEqual(['postgres_ok', 'postgres_new'])
  })

  test('an encoding', async () => {
    const stage = await openStage()
    const name = `talkbridge_test_${randomBytes(6).toString('hex')}`
    await run(postgresUrl(), `CREATE DATABASE ${name} ENCODING 'SQL_ASCII' LOCALE 'C' TEMPLATE template0`)
    onTestFinished(() => run(postgresUrl(), `DROP DATABASE ${name} WITH (FORCE)`).then(() => undefined))
    const url = new URL(postgresUrl())
    url.pathname = `/${name}`
    expect(the(await on(stage, url.href), 'postgres_encoding').found).toContain('SQL_ASCII')
  })
})

/** What no server here can be made to say. */
test.each([
  ['postgres_too_old', { version: 130_010 }],
  ['postgres_fsync', { fsync: 'off' }],
  ['postgres_read_only', { isReplica: true }],
  ['postgres_slow', { tookMs: 180 }],
])('%s', (code, more) => {
  const fine = {
    version: 150_000,
    leastVersion: 140_000,
    encoding: 'UTF8',
    isReplica: false,
    isReadOnly: false,
    synchronousCommit: 'on',
    fsync: 'on',
    connections: 100,
    schema: { exists: false, mayUse: true, mayCreate: true },
    store: null,
    copyFault: null,
    isServed: false,
    nowMs: 0,
    tookMs: 1,
  }
  const codes = (facts: typeof fine) => postgresFindings(facts, { pool: 10, schema: 's' }, 0).map((one) => one.code)
  expect(codes({ ...fine, ...more })).toContain(code)
  expect(codes(fine)).toEqual(['postgres_ok', 'postgres_new'])
})

describe.skipIf(await skippedWithout(['ownRedis']))('Redis', () => {
  test('a server of every kind', async () => {
    const stage = await openStage()
    const server = await ownRedis()
    onTestFinished(() => server.close())
    const look = async (url = server.url): Promise<string[]> => codesOf(await stage.doctor({ redis: { url } }), 'redis')
    const set = (...args: [string, string]) => withRedis(server.url, (redis) => redis.config('SET', ...args))
    expect(await look()).toEqual(['redis_ok'])
    await set('maxmemory-policy', 'allkeys-lru')
    expect(await look()).toEqual(['redis_evicts'])
    await set('maxmemory-policy', 'noeviction')
    await set('maxmemory', '1000')
    expect(await look()).toEqual(['redis_full'])
    await set('maxmemory', '0')
    await withRedis(server.url, (redis) => redis.replicaof('127.0.0.1', 1))
    expect(await look()).toEqual(['redis_replica'])
    await withRedis(server.url, (redis) => redis.replicaof('NO', 'ONE'))
    expect(await look()).toEqual(['redis_ok'])
    const known = new URL(server.url)
    known.password = 'canary-password'
    await set('requirepass', 'canary-password')
    expect(await look()).toEqual(['redis_refused'])
    expect(await look(known.href)).toEqual(['redis_ok'])
    const other = await stage.doctor({ redis: { url: new URL('/999999', known.href).href } })
    expect(the(other, 'redis_unreachable').found).toContain('DB index is out of range')
    await server.stop('fast')
    const gone = await stage.doctor({ redis: { url: known.href } })
    expect(the(gone, 'redis_unreachable').found).toContain('ECONNREFUSED')
    expect(gone.exit).toBe(1)
  })
})

test.skipIf(await skippedWithout(['postgres', 'pgbouncer']))('a connection pooler in transaction mode', async () => {
  const stage = await openStage()
  const pooler = await ownPgBouncer((await testPostgres()).url, 'transaction')
  onTestFinished(() => pooler.close())
  const report = await on(stage, pooler.url)
  expect(codesOf(report, 'postgres')).toEqual(['postgres_pooler'])
  expect(report.exit).toBe(1)
  const checked = await runHere(['config', 'check', 'gateway.json', '--connect'], { cwd: stage.dir, env: KEY })
  expect(checked.stdout + checked.stderr).toContain('a connection pooler loses the settings')
})

test('a server whose certificate nobody trusts', async () => {
  const stage = await openStage()
  const pair = selfSigned(Date.now() + 86_400_000)
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () => {
      socket.write('S')
      new TLSSocket(socket, { isServer: true, ...pair }).on('error', () => undefined)
    })
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await new Promise((resolve) => server.once('listening', resolve))
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : 0
  const report = await on(stage, `postgres://u@127.0.0.1:${port}/x?sslmode=verify-full`)
  expect(codesOf(report, 'postgres')).toEqual(['postgres_untrusted'])
})

test('a server that takes connections and says nothing', async () => {
  const stage = await openStage()
  const mute = createServer(() => undefined).listen(0, '127.0.0.1')
  onTestFinished(() => void mute.close())
  await new Promise((resolve) => mute.once('listening', resolve))
  const address = mute.address()
  const port = typeof address === 'object' ? address?.port : 0
  const draft = {
    redis: { url: `redis://127.0.0.1:${port}/0` },
    store: { driver: 'postgres', url: `postgres://u@127.0.0.1:${port}/x` },
  }
  const { codes, exit } = await stage.doctor(draft, { env: KEY, args: ['--timeout', '300ms'] })
  expect(codes).toEqual(expect.arrayContaining(['redis_unreachable', 'postgres_unreachable']))
  expect(exit).toBe(1)
})

test.each([
  ['redis_old', { version: '6.0.16' }],
  ['redis_slow', { tookMs: 190 }],
])('%s', (code, more) => {
  const fine = { version: '7.0.0', role: 'master', evicts: 'noeviction', usedShare: null, tookMs: 1 }
  expect(redisFindings({ ...fine, ...more }).map((one) => one.code)).toEqual([code])
  expect(redisFindings(fine).map((one) => one.code)).toEqual(['redis_ok'])
})

const OF_FACTS = ['postgres_too_old', 'postgres_fsync', 'postgres_slow', 'redis_old', 'redis_slow']
test.skipIf(await skippedWithout(['postgres', 'pgbouncer', 'ownRedis'], process.env, () => undefined))(
  'every finding about the servers was provoked',
  () => {
    expectAllProvoked(ROWS.PostgreSQL, OF_FACTS)
    expectAllProvoked(ROWS.Redis, OF_FACTS)
  },
)
