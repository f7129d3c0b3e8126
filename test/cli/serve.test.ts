import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createSystemClock } from '../../src/core/time/clock.ts'
import { startSandbox } from '@talkbridge/sandbox'
import { start, temporaryFolder, type Running } from './harness.ts'

const CLIENT_KEY = 'canary-client-key-4f1b9a'
const KEY = (byte: number): string => Buffer.alloc(32, byte).toString('base64')

/** A folder with `gateway.json`: both backends of a sandbox, an ephemeral port, a store in the folder. */
const configured = async (server: Record<string, unknown> = { port: 0 }): Promise<string> => {
  const sandbox = await startSandbox({ clock: createSystemClock() })
  onTestFinished(() => sandbox.close())
  const cwd = temporaryFolder()
  const config = {
    server,
    store: { driver: 'sqlite', path: join(cwd, 'data/talkbridge.db') },
    backends: {
      main: { interface: 'primary', base_url: sandbox.primaryUrl, api_key: sandbox.primaryKey },
      alt: { interface: 'alternate', base_url: sandbox.alternateUrl, api_key: sandbox.alternateKey },
    },
    clients: [{ id: 'acme', key: CLIENT_KEY }],
    routing: { default: 'main' },
  }
  writeFileSync(join(cwd, 'gateway.json'), JSON.stringify(config))
  return cwd
}

const serve = (cwd: string, env: Record<string, string> = {}): Running =>
  start(['serve', '--config', 'gateway.json'], { cwd, env })

/** The origin that the log names once it serves. */
const urlOf = async (gateway: Running): Promise<string> =>
  (await gateway.printed(/"url":"(http:[^"]+)".*"talkbridge serves"/))[1] ?? ''

/** Leaves a store behind. */
const servedOnce = async (cwd: string, env: Record<string, string>): Promise<void> => {
  const gateway = serve(cwd, env)
  await urlOf(gateway)
  gateway.kill('SIGTERM')
  await gateway.ended
}

/** What a start says that ends with 1. */
const refusalOf = async (cwd: string, env: Record<string, string> = {}): Promise<string> => {
  const { code, stdout, stderr } = await serve(cwd, env).ended
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  return stderr
}

const bearer = { authorization: `Bearer ${CLIENT_KEY}` }

test('serves until SIGTERM, answering who waits, and ends with 0', async () => {
  const gateway = serve(await configured())
  const url = await urlOf(gateway)
  expect((await fetch(`${url}/readyz`)).status).toBe(200)

  const videos = `${url}/unified/v1/videos`
  const headers = { ...bearer, 'content-type': 'application/json' }
  const body = JSON.stringify({ image_url: 'https://example.com/anna.png', text: '[[stuck]]' })
  const created = await fetch(videos, { method: 'POST', headers, body })
  expect(created.status).toBe(202)
  // Read to its end: its connection is free for the one that waits, and the one after it has to open another.
  await created.text()
  const { pathname } = new URL(created.headers.get('location') ?? '', url)
  const waiting = fetch(`${url}${pathname}`, { headers: { ...bearer, prefer: 'wait=60' } })
  expect((await fetch(`${url}${pathname}`, { headers: bearer })).status).toBe(200)
  gateway.kill('SIGTERM')
  const { code, stdout, stderr } = await gateway.ended
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const answer = await waiting
  expect(await answer.json()).toMatchObject({ object: 'video', error: null })
  // Kept alive, it would have held the stop up.
  expect(answer.headers.get('connection')).toBe('close')
  expect(stdout).not.toContain(CLIENT_KEY)
  expect(stdout).toMatch(/"signal":"SIGTERM","delay_ms":0,"grace_ms":35000,"msg":"talkbridge stops /)
})

test('a reader of its log that stops reading holds up no request', async () => {
  const gateway = serve(await configured())
  const url = await urlOf(gateway)
  gateway.stopReading()
  // Of a line of 300 bytes each: more than the pipe to the reader holds.
  for (let n = 0; n < 50; n += 1) {
    const path = `${url}/unified/v1/${'x'.repeat(200)}`
    const answers = await Promise.all(Array.from({ length: 20 }, () => fetch(path)))
    expect(new Set(await Promise.all(answers.map(async (answer) => [answer.status, await answer.text()][0])))).toEqual(
      new Set([401]),
    )
  }
})

test('npm start hands SIGTERM on, and waits for the end', async () => {
  const cwd = await configured()
  const root = join(import.meta.dirname, '../..')
  const env = { PATH: process.env['PATH'], HOME: cwd }
  const npm = spawn('npm', ['start', '--', '--config', join(cwd, 'gateway.json')], { cwd: root, env, detached: true })
  onTestFinished(() => {
    // What is left of its group, should the test fail.
    if (npm.exitCode === null && npm.pid) process.kill(-npm.pid, 'SIGKILL')
  })
  let printed = ''
  const ended = once(npm, 'close')
  for await (const text of npm.stdout.setEncoding('utf8')) {
    printed += String(text)
    if (printed.includes('talkbridge serves') && !npm.killed) npm.kill('SIGTERM')
  }
  await ended
  expect(npm.exitCode).toBe(0)
  expect(printed).toContain('talkbridge stops')
})

/** What the scripts of package.json run. */
const LAUNCHER = join(import.meta.dirname, '../../scripts/talkbridge.js')

test.each([
  ['the command', undefined, /^talkbridge: needs Node 24 or 26; this is 20\.20\.2 \(.*\)\n$/],
  ['the npm scripts', LAUNCHER, /^talkbridge: needs Node 24 or 26; this is 20\.20\.2 \(.*\)\..*`npm ci`.*\n$/],
])('an older Node is told what is needed by %s', async (_, main, told) => {
  // It reads no TypeScript either.
  const old = 'Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.20.2" } })'
  const flags = ['--import', `data:text/javascript,${encodeURIComponent(old)}`, ...(main ? ['--no-strip-types'] : [])]
  const { code, stderr } = await start(['--version'], { cwd: temporaryFolder(), flags, ...(main && { main }) }).ended
  expect(code).toBe(1)
  expect(stderr).toMatch(told)
})

test('the npm scripts start the launcher, never TypeScript itself', async () => {
  const { scripts } = JSON.parse(await readFile(join(import.meta.dirname, '../../package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }
  for (const name of ['start', 'demo', 'dev', 'talkbridge'])
    expect(scripts[name]).toMatch(/node .*scripts\/talkbridge\.js/)
  expect((await start(['--version'], { cwd: temporaryFolder(), main: LAUNCHER }).ended).stdout).toMatch(/^\d+\.\d+/)
})

test('a restart finds what the process before it accepted', async () => {
  const cwd = await configured()
  const env = { TALKBRIDGE_SECRET_KEY: KEY(1) }
  const first = serve(cwd, env)
  const headers = { ...bearer, 'content-type': 'application/json' }
  const body = JSON.stringify({ puppet_id: 'alt:pup_ada', text: '[[stuck]]' })
  const created = await fetch(`${await urlOf(first)}/unified/v1/videos`, { method: 'POST', headers, body })
  const path = created.headers.get('location') ?? ''
  expect(path).toMatch(/^\/unified\/v1\/videos\/vid_/)
  first.kill('SIGTERM')
  expect((await first.ended).code).toBe(0)

  const second = serve(cwd, env)
  const found = await fetch(`${await urlOf(second)}${path}`, { headers: bearer })
  expect(await found.json()).toMatchObject({ backend: 'alt', status: 'processing' })
})

test('another TALKBRIDGE_SECRET_KEY on a store written with one: 1', async () => {
  const cwd = await configured()
  await servedOnce(cwd, { TALKBRIDGE_SECRET_KEY: KEY(1) })
  const stderr = await refusalOf(cwd, { TALKBRIDGE_SECRET_KEY: KEY(2) })
  expect(stderr).toBe(
    'talkbridge: TALKBRIDGE_SECRET_KEY is not the key of this store: set the right key as TALKBRIDGE_SECRET_KEY\n',
  )
})

test.each([
  ['the variable is not set any more', { TALKBRIDGE_SECRET_KEY: KEY(1) }],
  ['its file is gone', {}],
])('a store whose key is lost, because %s: 1, and no other key is made, however often it starts', async (_, env) => {
  const cwd = await configured()
  await servedOnce(cwd, env)
  const data = join(cwd, 'data')
  rmSync(join(data, 'secret.key'), { force: true })
  const before = readdirSync(data)
  for (let start = 0; start < 2; start += 1) {
    const stderr = await refusalOf(cwd)
    expect(stderr).toMatch(/^talkbridge: key_lost: there is no \/.*\/data\/secret\.key, .*TALKBRIDGE_SECRET_KEY\n$/)
    expect(readdirSync(data)).toEqual(before)
  }
  const doctor = await start(['doctor', '--config', 'gateway.json', '--json'], { cwd }).ended
  expect(doctor.code).toBe(1)
  expect(doctor.stdout).toContain('"code":"key_lost"')
})

test('a TALKBRIDGE_SECRET_KEY that is none: 1, without its value', async () => {
  const stderr = await refusalOf(await configured(), { TALKBRIDGE_SECRET_KEY: 'canary-too-short' })
  expect(stderr).toMatch(/^talkbridge: TALKBRIDGE_SECRET_KEY: .*32 bytes.*\n$/)
  expect(stderr).not.toContain('canary')
})

test.each([
  ['a folder', (path: string) => mkdirSync(path), /^store\.path: .*talkbridge\.db is a folder: name a file in it$/],
  [
    'no database',
    (path: string) => writeFileSync(path, 'canary '.repeat(200)),
    /^.*talkbridge\.db: file is not a database: name another store\.path, or restore a backup$/,
  ],
  [
    'one beside which nothing can be opened',
    // What holds for root, too.
    (path: string) => mkdirSync(`${path}.lock`),
    /^.*talkbridge\.db: unable to open database file: this user must be able to write the file and its folder$/,
  ],
  [
    'one whose folder cannot be made',
    // What holds for root, too.
    (path: string) => {
      rmSync(dirname(path), { recursive: true })
      writeFileSync(dirname(path), '')
    },
    /^store\.path: cannot open .*data\/talkbridge\.db: EEXIST: .*: name another store\.path$/,
  ],
])('a store.path that is %s: 1, with its name and what to do', async (_, prepare, told) => {
  const cwd = await configured()
  mkdirSync(join(cwd, 'data'))
  prepare(join(cwd, 'data/talkbridge.db'))
  const stderr = await refusalOf(cwd)
  expect(stderr.replace(/^talkbridge: (.*)\n$/, '$1')).toMatch(told)
})

test('the store is for its owner alone, also in a folder that is not', async () => {
  const cwd = await configured()
  mkdirSync(join(cwd, 'data'), { mode: 0o755 })
  const gateway = serve(cwd)
  await urlOf(gateway)
  for (const name of ['talkbridge.db', 'talkbridge.db-wal', 'talkbridge.db.lock', 'secret.key'])
    expect([name, statSync(join(cwd, 'data', name)).mode & 0o777]).toEqual([name, 0o600])
  gateway.kill('SIGTERM')
  await gateway.ended
})

test('a store that another process serves: 1, and that one goes on', async () => {
  const cwd = await configured()
  const first = serve(cwd)
  const url = await urlOf(first)
  expect(await refusalOf(cwd)).toMatch(/^talkbridge: another process serves .*talkbridge\.db: stop it first.*\n$/)
  expect((await fetch(`${url}/readyz`)).status).toBe(200)
})

test('the start says which values of the file are not used, and warns of servers without TLS', async () => {
  const cwd = await configured()
  const gateway = serve(cwd, { TALKBRIDGE_SERVER__SHUTDOWN_DELAY: '1s', TALKBRIDGE_SERVER__PORT: '0' })
  await gateway.printed(
    /"level":"info".*"setting":"server\.port".*TALKBRIDGE_SERVER__PORT is used, not the value in gateway\.json"/,
  )
  gateway.kill('SIGTERM')
  expect((await gateway.ended).stdout).not.toMatch(/"level":"warn".*TLS/)
  const url = 'postgres://192.0.2.1:1/talkbridge?connect_timeout=1'
  const other = serve(cwd, { TALKBRIDGE_STORE__DRIVER: 'postgres', TALKBRIDGE_STORE__URL: url })
  await other.printed(/"level":"warn".*"setting":"store\.url".*PostgreSQL is on another machine.*sslmode=verify-full"/)
  other.kill('SIGKILL')
  await other.ended
})

test('a store that may be an earlier copy: 1, with what to do; said to be restored, it is served', async () => {
  const cwd = await configured()
  const stopped = async (gateway: Running): Promise<string> => {
    await urlOf(gateway)
    gateway.kill('SIGTERM')
    const { code, stdout } = await gateway.ended
    expect(code).toBe(0)
    return stdout
  }
  await stopped(serve(cwd))
  rmSync(join(cwd, 'data/talkbridge.db.mark'))
  const refused = await serve(cwd).ended
  expect(refused.code).toBe(1)
  expect(refused.stderr).toMatch(
    /^talkbridge: .*\.mark\. If it is a restored backup, .*: start once with `serve --restored`\n$/,
  )
  const restored = await stopped(start(['serve', '--restored', '--config', 'gateway.json'], { cwd }))
  expect(restored).toMatch(/"doubts":0,"msg":"the store was restored from a copy/)
  await stopped(serve(cwd))
})

test('two first starts at once: one serves, the other says why it does not, and ends with 1', async () => {
  const cwd = await configured()
  const both = [serve(cwd), serve(cwd)]
  const { code, stdout, stderr } = await Promise.race(both.map(({ ended }) => ended))
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toMatch(/^talkbridge: another process serves .*talkbridge\.db: stop it first.*\n$/)
  const url = await Promise.any(both.map(urlOf))
  expect((await fetch(`${url}/readyz`)).status).toBe(200)
})

test('without a configuration it prints lines that any shell takes as they are, and that work', async () => {
  const gateway = start(['serve'], { cwd: temporaryFolder(), env: { TALKBRIDGE_SERVER__PORT: '0' } })
  const [, line = ''] = await gateway.printed(/^ *(curl -s \S*voices\S* .*)$/m)
  // Some shells take the ? of a bare word for a pattern, and refuse it.
  const [, url = '', key = ''] = /^curl -s '([^']+)' -H 'authorization: Bearer (\S+)'$/.exec(line) ?? []
  expect(line).toContain(`'${url}'`)
  const voices = await fetch(url, { headers: { authorization: `Bearer ${key}` } })
  expect(await voices.json()).toMatchObject({ object: 'list', has_more: true })
})

test('a folder where the sandbox cannot keep anything: 1, with its name', async () => {
  const cwd = temporaryFolder()
  writeFileSync(join(cwd, 'data'), '')
  const { code, stdout, stderr } = await start(['serve'], { cwd }).ended
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toMatch(/^talkbridge: the sandbox cannot start in \/.*\/data\/sandbox: \S.*\n$/)
})

test('a port in use: 1', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void taken.close())
  await once(taken, 'listening')
  const address = taken.address()
  const port = address !== null && typeof address === 'object' ? address.port : 0
  expect(await refusalOf(await configured({ port }))).toMatch(new RegExp(`^talkbridge: port ${port} is in use: .*\\n$`))
})

test('an address that is not of this machine: 1', async () => {
  expect(await refusalOf(await configured({ port: 0, host: '192.0.2.1' }))).toMatch(
    /^talkbridge: listen EADDRNOTAVAIL.* 192\.0\.2\.1: correct server\.host or server\.port\n$/,
  )
})

test('a bad configuration: 2, every fault a line', async () => {
  const cwd = temporaryFolder()
  writeFileSync(join(cwd, 'gateway.json'), JSON.stringify({ server: { port: 'canary' }, bakends: {}, clients: [] }))
  const { code, stdout, stderr } = await serve(cwd).ended
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr.match(/^[a-z.]+(?=: )/gm)).toEqual(['bakends', 'clients', 'server.port'])
  expect(stderr).not.toContain('canary')
})
