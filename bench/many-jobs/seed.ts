import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { accountId } from '../../src/accounts.ts'
import { parseConfig } from '../../src/config.ts'
import { putVideo } from '../../src/stores/sql/outbox.ts'
import { dbOf, openFile, migrate, PRAGMAS } from '../../src/stores/sqlite/db.ts'
import { accepted } from '../../test/fakes/records.ts'
import { CLIENT, configOf, type Upstream } from './gateway.ts'

/** In the order of their making, as the gateway's own ids are. */
export const idOf = (n: number): string => `vid_00${String(n).padStart(24, '0')}`

export interface Running {
  jobs: number
  /** When they were accepted, and over how long their next polls are spread, from `nowMs` on. */
  nowMs: number
  spreadMs: number
}

/** Makes the store of a gateway that has so many jobs running. */
export const seed = async (folder: string, upstream: Upstream, { jobs, nowMs, spreadMs }: Running): Promise<void> => {
  await mkdir(folder, { recursive: true })
  const parsed = parseConfig({
    text: JSON.stringify(configOf(folder, upstream)),
    format: 'json',
    env: {},
    readFile: () => '',
  })
  if (!parsed.ok) throw new Error(parsed.faults.map(({ path, message }) => `${path}: ${message}`).join('\n'))
  const backend = parsed.config.backends['main']
  if (!backend) throw new Error('there is no backend main')
  const common = { account: accountId(backend), client: CLIENT, createdAtMs: nowMs, acceptedAtMs: nowMs }
  const file = openFile(join(folder, 'talkbridge.db'), { readOnly: false })
  file.exec(PRAGMAS)
  migrate(file.raw)
  // All of it in memory until the commit.
  file.exec('PRAGMA cache_size = -1000000')
  file.exec('BEGIN')
  const db = dbOf(file)
  for (let n = 0; n < jobs; n += 1)
    await putVideo(
      db,
      accepted({
        ...common,
        id: idOf(n),
        status: 'processing',
        backendStatus: 'processing',
        dueAtMs: nowMs + Math.floor((spreadMs * ((n * 7_919) % jobs)) / jobs),
      }),
      null,
      [],
    )
  file.exec('COMMIT')
  file.close()
}
