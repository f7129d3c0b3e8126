import { chownSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { commandPath, freePort, ownServer, serverFolder, startDaemon, userOf, type OwnServer } from './daemon.ts'
import { must } from './must.ts'
import { postgresFault } from './postgres.ts'

/** Why none can be started; null: one can. */
export const ownPgBouncerFault = (): string | null =>
  commandPath('pgbouncer') === null ? 'there is no pgbouncer on the PATH or in /usr/sbin' : null

type PoolMode = 'session' | 'transaction' | 'statement'

/** A PgBouncer of its own before the server of `to`, which anybody on this machine may enter. Close it. */
export const ownPgBouncer = async (
  to: string,
  mode: PoolMode,
  settings: Readonly<Record<string, string | number>> = {},
): Promise<OwnServer> => {
  const target = new URL(to)
  const user = userOf('postgres')
  const folder = serverFolder(user)
  const port = await freePort()
  const name = decodeURIComponent(target.username)
  const password = target.password === '' ? '' : ` password=${decodeURIComponent(target.password)}`
  const all = {
    listen_addr: '127.0.0.1',
    listen_port: port,
    unix_socket_dir: '',
    auth_type: 'any',
    pool_mode: mode,
    ...settings,
  }
  const file = join(folder, 'pgbouncer.ini')
  writeFileSync(
    file,
    `[databases]
* = host=${target.hostname} port=${target.port || 5432} user=${name}${password}
[pgbouncer]
${Object.entries(all)
  .map(([key, value]) => `${key} = ${value}`)
  .join('\n')}
`,
    { mode: 0o600 },
  )
  if (user) chownSync(file, user.uid, user.gid)
  const url = new URL(to)
  url.hostname = '127.0.0.1'
  url.port = String(port)
  return ownServer({
    url: url.href,
    folder,
    launch: () => startDaemon(must(commandPath('pgbouncer')), [file], { user, cwd: folder }),
    answers: async () => (await postgresFault(url.href)) === null,
    fast: 'SIGINT',
    notYet: /Address already in use/,
  })
}
