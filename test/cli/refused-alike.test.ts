import { once } from 'node:events'
import { cpSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { runHere } from './here.ts'
import { start, temporaryFolder, type Ended } from './harness.ts'

/** What `serve` refuses, `config check` and `doctor` refuse: they say the same of one folder. */

const NOWHERE = 'http://127.0.0.1:1'

const folderWith = (server: object, apiKey = 'up_0123456789abcdef'): string => {
  const cwd = temporaryFolder()
  const config = {
    server,
    store: { path: './data/talkbridge.db' },
    backends: { main: { interface: 'primary', base_url: NOWHERE, api_key: apiKey } },
    clients: [{ id: 'acme', key: 'tb_acme_0123456789abcdef', scopes: ['*'] }],
  }
  writeFileSync(join(cwd, 'gateway.json'), JSON.stringify(config))
  return cwd
}

/** A program that is no Talkbridge of this folder. */
const foreignPort = async (says = 'hello'): Promise<number> => {
  const server = createServer((_req, res) => res.end(says)).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  return z.object({ port: z.number() }).parse(server.address()).port
}

const lostKey = async (): Promise<string> => {
  const cwd = folderWith({ port: 0, shutdown_delay: '0s' })
  const gateway = start(['serve', '--config', 'gateway.json'], { cwd })
  await gateway.printed(/talkbridge serves/)
  gateway.kill('SIGTERM')
  expect((await gateway.ended).code).toBe(0)
  rmSync(join(cwd, 'data/secret.key'))
  return cwd
}

const COMMANDS: [name: string, run: (cwd: string) => Promise<Ended>, code: number][] = [
  ['config check', (cwd) => runHere(['config', 'check', 'gateway.json'], { cwd, env: {} }), 2],
  ['doctor', (cwd) => runHere(['doctor', '--config', 'gateway.json'], { cwd, env: {} }), 1],
  ['serve', (cwd) => start(['serve', '--config', 'gateway.json'], { cwd }).ended, 1],
]

test('a lost key', async () => {
  const cwd = await lostKey()
  for (const [name, run, code] of COMMANDS) {
    const ended = await run(cwd)
    expect([name, ended.code]).toEqual([name, code])
    expect(ended.stderr + ended.stdout).toMatch(/secret\.key|key_lost/)
    expect(ended.stdout).not.toContain('gateway.json: ok')
  }
})

test('a backend with an open video gets another key', async () => {
  const folder = (key: string) => folderWith({ port: 0, shutdown_delay: '0s' }, key)
  const cwd = folder('up_0123456789abcdef')
  const gateway = start(['serve', '--config', 'gateway.json'], { cwd })
  const [, url = ''] = await gateway.printed(/"url":"(http:[^"]+)"/)
  const post = (path: string, body: object) =>
    fetch(`${url}/unified/v1${path}`, {
      method: 'POST',
      headers: { authorization: 'Bearer tb_acme_0123456789abcdef', 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const pause = { creates: true, polls: true, until: null, reason: 'the video stays open' }
  expect((await post('/admin/backends/main/pause', pause)).status).toBe(200)
  const video = { image_url: 'https://example.com/anna.png', text: 'Hello.' }
  expect((await post('/videos', video)).status).toBe(202)
  gateway.kill('SIGTERM')
  await gateway.ended
  for (const [, run] of COMMANDS.slice(0, 1)) expect((await run(cwd)).code).toBe(0)
  cpSync(join(folder('up_another_0123456789'), 'gateway.json'), join(cwd, 'gateway.json'))
  for (const [name, run, code] of COMMANDS) {
    const ended = await run(cwd)
    expect([name, ended.code]).toEqual([name, code])
    expect(ended.stderr + ended.stdout).toMatch(/main.* 1 open video/)
  }
})

test('a port that another program has: all say so; the file itself has no mistake', async () => {
  const cwd = folderWith({ port: await foreignPort() })
  for (const [name, run, code] of COMMANDS) {
    const ended = await run(cwd)
    expect([name, ended.code]).toEqual([name, name === 'config check' ? 0 : code])
    expect(ended.stderr + ended.stdout).toMatch(/port_taken|port \d+ is in use|stop the other program/i)
  }
})

test('a port that another gateway has, and that the file leaves to the default: a warning without a line', async () => {
  const port = await foreignPort('{"status":"ok"}')
  const cwd = folderWith({})
  const env = { TALKBRIDGE_SERVER__PORT: String(port) }
  const { code, stdout, stderr } = await runHere(['config', 'check', 'gateway.json'], { cwd, env })
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'gateway.json: ok\n' })
  expect(stderr).toMatch(/^warning: server\.port: (gateway_other|port_taken): .*`server\.port`\.$/m)
})

test('a host that is another machine’s: the doctor says so; a file may be checked for that machine', async () => {
  const cwd = folderWith({ host: '192.0.2.1', port: 18_080 })
  const [check, doctor, serve] = await Promise.all(COMMANDS.map(([, run]) => run(cwd)))
  expect(check).toMatchObject({ code: 0, stdout: 'gateway.json: ok\n' })
  expect(doctor?.code).toBe(1)
  expect(doctor?.stdout).toMatch(/EADDRNOTAVAIL/)
  expect(serve?.stderr).toMatch(/EADDRNOTAVAIL.*correct server\.host/)
})
