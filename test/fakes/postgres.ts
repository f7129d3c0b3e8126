import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import {
  commandPath,
  freePort,
  ownServer,
  runCommand,
  serverFolder,
  startDaemon,
  userOf,
  type OwnServer,
} from './daemon.ts'
import { must } from './must.ts'
import { HANG_MS } from './until.ts'

/** The server that tests make databases of their own on. */
export const POSTGRES_VARIABLE = 'TALKBRIDGE_TEST_POSTGRES'
const USUAL = 'postgres://postgres@127.0.0.1:5432/postgres'

export const postgresUrl = (env: NodeJS.ProcessEnv = process.env): string => env[POSTGRES_VARIABLE] || USUAL

/** One connection for one piece of work, as whoever the URL names. */
export const withClient = async <T>(url: string, work: (client: Client) => Promise<T>): Promise<T> => {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: HANG_MS })
  // A server that goes away says so here, too; the query that it cut off rejects.
  client.on('error', () => undefined)
  try {
    await client.connect()
    return await work(client)
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** Why no database can be made there; null: one can. Names no password. */
export const postgresFault = async (url: string): Promise<string | null> => {
  try {
    await withClient(url, (client) => client.query('SELECT 1'))
    return null
  } catch (error) {
    return error instanceof Error ? error.message || error.name : 'it cannot be reached'
  }
}

export interface TestDatabase {
  url: string
  drop(): Promise<void>
}

/** A database under a random name. Rejects where no server answers. */
export const openDatabase = async (server = postgresUrl()): Promise<TestDatabase> => {
  const name = `talkbridge_test_${randomBytes(8).toString('hex')}`
  await withClient(server, (client) => client.query(`CREATE DATABASE ${name}`))
  const url = new URL(server)
  url.pathname = `/${name}`
  return {
    url: url.href,
    async drop() {
      await withClient(server, (client) => client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`))
    },
  }
}

/** Cuts every connection to the database but the one that does it. Answers how many there were. */
export const cutConnections = (url: string): Promise<number> =>
  withClient(url, async (client) => {
    const { rows } = await client.query<{ cut: boolean }>(
      'SELECT pg_terminate_backend(pid) AS cut FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    )
    return rows.filter(({ cut }) => cut).length
  })

/** Nothing that a killed server must not lose is in a file that only a power cut could take: no waiting for a disk. */
const SETTINGS = ['listen_addresses=127.0.0.1', 'max_connections=100', 'fsync=off']

/** Why none can be started; null: one can. */
export const ownPostgresFault = (env: NodeJS.ProcessEnv = process.env): string | null =>
  commandPath('initdb', env) === null || commandPath('postgres', env) === null
    ? 'there is no initdb and postgres in /usr/lib/postgresql/*/bin or on the PATH'
    : null

export interface OwnPostgresOptions {
  isOnDisk?: boolean
  clockFile?: string | null
}

/** Where Debian puts the library that gives one process another time. */
const FAKETIME = '/usr/lib'
const faketimePath = (): string | undefined =>
  readdirSync(FAKETIME)
    .map((folder) => join(FAKETIME, folder, 'faketime/libfaketime.so.1'))
    .find((path) => existsSync(path))

export const faketimeFault = (): string | null => (faketimePath() ? null : `there is none in ${FAKETIME}`)

/** A server whose clock alone can be set: `clockFile` holds seconds, `-3600` for an hour back. */
const variablesOf = (clockFile: string | null): Readonly<Record<string, string>> =>
  clockFile === null
    ? {}
    : {
        LD_PRELOAD: must(faketimePath()),
        FAKETIME_TIMESTAMP_FILE: clockFile,
        FAKETIME_NO_CACHE: '1',
        DONT_FAKE_MONOTONIC: '1',
      }

/**
 * A server of its own, which anybody on this machine may enter as postgres. Close it. `isOnDisk`: for gigabytes.
 * `clockFile`: see `variablesOf`.
 */
export const ownPostgres = async ({
  isOnDisk = false,
  clockFile = null,
}: OwnPostgresOptions = {}): Promise<OwnServer> => {
  const [initdb, postgres] = [commandPath('initdb'), commandPath('postgres')]
  if (initdb === null || postgres === null) throw new Error(String(ownPostgresFault()))
  const user = userOf('postgres')
  const folder = serverFolder(user, isOnDisk)
  const [data, where] = [join(folder, 'data'), { user, cwd: folder }]
  await runCommand(
    initdb,
    ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'],
    where,
  )
  const port = await freePort()
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  const settings = [...SETTINGS, `port=${port}`, `unix_socket_directories=${folder}`].flatMap((one) => ['-c', one])
  return ownServer({
    url,
    folder,
    launch: () => startDaemon(postgres, ['-D', data, ...settings], { ...where, variables: variablesOf(clockFile) }),
    answers: async () => (await postgresFault(url)) === null,
    fast: 'SIGINT',
    notYet: /shared memory block|Address already in use|lock file/,
  })
}
