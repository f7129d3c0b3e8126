import { spawnSync } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { commandPath } from './daemon.ts'
import { ownPgBouncerFault } from './pgbouncer.ts'
import { faketimeFault, ownPostgresFault, POSTGRES_VARIABLE, postgresFault, postgresUrl } from './postgres.ts'
import { prometheusFault } from './prometheus.ts'
import { ownRedisFault, REDIS_VARIABLE, redisFault, redisUrl } from './redis.ts'

/** What a file of tests may need of the machine. `own…`: what it starts a server of its own with. */
export type Need =
  'postgres' | 'redis' | 'ownPostgres' | 'ownRedis' | 'pgbouncer' | 'faketime' | 'prometheus' | 'terminal' | 'oldNode'

type Env = NodeJS.ProcessEnv

interface Finding {
  title: string
  /** Why it is not there; null: it is. */
  fault(env: Env): Promise<string | null> | string | null
  /** How to get it. */
  how: string
}

/** Where nobody says otherwise, the port where Debian's packages listen. Never shows a URL: it may hold a password. */
const whereOf = (variable: string, env: Env): string => (env[variable] ? variable : 'the usual port')

interface Node {
  path: string
  version: string
}

/** Those of PATH that the command refuses, each once. */
export const oldNodes = ({ PATH = '' }: Env = process.env): Node[] => {
  const paths = PATH.split(delimiter).flatMap((folder) => ['node', 'nodejs'].map((name) => join(folder, name)))
  const all = [...new Set(paths.filter((path) => existsSync(path)).map((path) => realpathSync(path)))]
  return all
    .map((path) => ({
      path,
      version: spawnSync(path, ['-p', 'process.versions.node'], { encoding: 'utf8' }).stdout.trim(),
    }))
    .filter(({ version }) => Number.parseInt(version, 10) < 24)
}

const FINDINGS: Readonly<Record<Need, Finding>> = {
  postgres: {
    title: 'PostgreSQL server',
    async fault(env) {
      const fault = await postgresFault(postgresUrl(env))
      return fault && `${whereOf(POSTGRES_VARIABLE, env)}: ${fault}`
    },
    how: `set ${POSTGRES_VARIABLE}=postgres://user:password@host:5432/postgres, of a user who may create databases`,
  },
  redis: {
    title: 'Redis server',
    async fault(env) {
      const fault = await redisFault(redisUrl(env))
      return fault && `${whereOf(REDIS_VARIABLE, env)}: ${fault}`
    },
    how: `set ${REDIS_VARIABLE}=redis://host:6379/0`,
  },
  ownPostgres: { title: 'PostgreSQL to start', fault: ownPostgresFault, how: 'apt-get install postgresql' },
  pgbouncer: { title: 'PgBouncer to start', fault: ownPgBouncerFault, how: 'apt-get install pgbouncer' },
  faketime: { title: 'libfaketime', fault: faketimeFault, how: 'apt-get install libfaketime' },
  prometheus: { title: 'Prometheus to start', fault: prometheusFault, how: 'apt-get install prometheus' },
  ownRedis: { title: 'Redis to start', fault: ownRedisFault, how: 'apt-get install redis-server' },
  terminal: {
    title: 'pseudo terminal',
    fault: ({ PATH }) => (commandPath('script', { PATH }) ? null : 'there is no `script` of util-linux'),
    how: 'apt-get install bsdutils',
  },
  oldNode: {
    title: 'Node older than 24',
    fault: (env) => (oldNodes(env).length > 0 ? null : 'PATH has none'),
    how: 'apt-get install nodejs (of Debian 12 or 13), or put another one on PATH',
  },
}

export const isCi = ({ CI }: Env): boolean => CI !== undefined && CI !== '' && CI !== 'false'

/**
 * True when one of them is missing and need not be there, which is said on stderr: the file leaves its tests out. In CI
 * they must be there: then the tests run, and fail where they find none.
 */
export const skippedWithout = async (
  needs: readonly Need[],
  env: Env = process.env,
  say: (text: string) => void = (text) => void process.stderr.write(text),
): Promise<boolean> => {
  if (isCi(env)) return false
  const missing: string[] = []
  for (const need of needs) {
    const { title, fault, how } = FINDINGS[need]
    const why = await fault(env)
    if (why !== null) missing.push(`no ${title} (${why}); ${how}`)
  }
  if (missing.length === 0) return false
  say(`\n*** SKIPPED: what needs a server is NOT tested here: ${missing.join('. And ')}.\n\n`)
  return true
}
