import { execFileSync } from 'node:child_process'
import { chownSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSystemClock } from '../../src/core/time/clock.ts'
import { openPostgresStore, type PostgresOptions } from '../../src/stores/postgres/index.ts'
import { openWaiting } from '../contract/store/helpers.ts'
import type { OwnServer } from '../fakes/daemon.ts'
import { cutConnections, ownPostgres, withClient } from '../fakes/postgres.ts'
import { skippedWithout } from '../fakes/servers.ts'
import { temporaryFolder } from '../fakes/folder.ts'
import { until } from '../fakes/until.ts'

const PASSWORD = 'canary-password'

describe.skipIf(await skippedWithout(['ownPostgres']))('a server with TLS and passwords', () => {
  let server: OwnServer
  let folder: string
  const openssl = (...args: string[]): unknown => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' })
  /** An authority, whose certificate is in `NAME.pem`. */
  const authority = (name: string): unknown =>
    openssl(
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-days',
      '2',
      '-subj',
      `/CN=${name}`,
      '-keyout',
      `${name}.key`,
      '-out',
      `${name}.pem`,
    )

  beforeAll(async () => {
    folder = await temporaryFolder()
    server = await ownPostgres()
    authority('ours')
    authority('theirs')
    openssl(
      'req',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-subj',
      '/CN=localhost',
      '-keyout',
      'server.key',
      '-out',
      'server.csr',
    )
    writeFileSync(join(folder, 'names'), 'subjectAltName=DNS:localhost')
    openssl(
      'x509',
      '-req',
      '-in',
      'server.csr',
      '-CA',
      'ours.pem',
      '-CAkey',
      'ours.key',
      '-CAcreateserial',
      '-days',
      '2',
      '-extfile',
      'names',
      '-out',
      'server.pem',
    )
    await withClient(server.url, async (client) => {
      const { rows } = await client.query<{ data: string; hba: string }>(
        `SELECT current_setting('data_directory') AS data, current_setting('hba_file') AS hba`,
      )
      const { data = '', hba = '' } = rows[0] ?? {}
      const { uid, gid } = statSync(hba)
      for (const name of ['server.key', 'server.pem']) {
        const file = join(data, name)
        writeFileSync(file, readFileSync(join(folder, name)), { mode: 0o600 })
        chownSync(file, uid, gid)
      }
      writeFileSync(hba, `hostssl all app all scram-sha-256\nhost all app all reject\n${readFileSync(hba, 'utf8')}`)
      await client.query(`CREATE ROLE app LOGIN PASSWORD '${PASSWORD}'`)
      await client.query('CREATE DATABASE app OWNER app')
      await client.query(`ALTER SYSTEM SET ssl_cert_file = 'server.pem'`)
      await client.query('ALTER SYSTEM SET ssl = on')
      await client.query('SELECT pg_reload_conf()')
    })
    await until(() =>
      openApp()
        .then((store) => store.close())
        .then(
          () => true,
          () => false,
        ),
    )
  })
  afterAll(async () => {
    await server.close()
    await rm(folder, { recursive: true })
  })

  const urlOf = ({
    host = 'localhost',
    authority = 'ours',
    mode = 'verify-full',
    password = PASSWORD,
  } = {}): string => {
    const url = new URL(server.url)
    url.hostname = host
    url.pathname = '/app'
    url.username = 'app'
    url.password = password
    url.search = `?sslmode=${mode}&sslrootcert=${join(folder, `${authority}.pem`)}`
    return url.href
  }
  const openApp = (given: Partial<PostgresOptions> = {}) =>
    openPostgresStore({
      url: urlOf(),
      schema: 'talkbridge',
      pool: 2,
      clock: createSystemClock(),
      onError: () => undefined,
      ...given,
    })
  const refusal = async (given: Partial<PostgresOptions>): Promise<string> => {
    const error: unknown = await openApp(given).catch((reason: unknown) => reason)
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain(PASSWORD)
    const { message } = error as Error
    expect(message.split('\n')).toHaveLength(1)
    return message
  }

  test('is used where its authority and its name are the ones of the URL', async () => {
    const store = await openApp()
    await openWaiting(store, { id: 'vid_1' })
    const { rows } = await withClient(server.url, (client) =>
      client.query(
        `SELECT bool_and(ssl) AS all FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE usename = 'app'`,
      ),
    )
    expect(rows).toEqual([{ all: true }])
    await store.close()
  })

  test('is refused, in one line, with another authority, another name, another password, or no such file', async () => {
    expect(await refusal({ url: urlOf({ authority: 'theirs' }) })).toMatch(
      /^store\.url: .*certificate.* \(see sslrootcert/,
    )
    expect(await refusal({ url: urlOf({ host: '127.0.0.1' }) })).toMatch(
      /^store\.url: .*127\.0\.0\.1.* \(see sslrootcert/,
    )
    expect(await refusal({ url: urlOf({ password: `${PASSWORD}-2` }) })).toMatch(
      /^store\.url: password authentication failed/,
    )
    expect(await refusal({ url: urlOf({ authority: 'nobody' }) })).toMatch(/^store\.url: ENOENT: .*nobody\.pem/)
    expect(await refusal({ url: urlOf({ mode: 'disable' }) })).toMatch(/^store\.url: /)
  })

  test('gets the password that is in the file when a connection is made', async () => {
    const passwordFile = join(folder, 'password')
    writeFileSync(passwordFile, `${PASSWORD}\n`)
    const store = await openApp({ url: urlOf({ password: '' }), passwordFile })
    await withClient(server.url, (client) => client.query(`ALTER ROLE app PASSWORD '${PASSWORD}-3'`))
    writeFileSync(passwordFile, `${PASSWORD}-3\n`)
    const app = new URL(server.url)
    app.pathname = '/app'
    expect(await cutConnections(app.href)).toBeGreaterThan(0)
    await store.ping()
    await store.close()
    await rm(passwordFile)
    expect(await refusal({ url: urlOf({ password: '' }), passwordFile })).toContain('ENOENT')
  })
})
