import { afterAll, beforeAll, expect, test } from 'vitest'
import { isWellFormed } from '../../src/access/index.ts'
import { bearer, KEYS, openApp, type TestApp } from '../fakes/gateway.ts'
import { runHere } from './here.ts'

let app: TestApp
beforeAll(async () => {
  app = await openApp()
})
afterAll(() => app.close())

const keys = (argv: string[], env: Record<string, string> = { TALKBRIDGE_ADMIN_KEY: KEYS.anna }) =>
  runHere(['keys', ...argv, '--url', app.url], { env })
const ANNAS = ['create', '--client', 'anna', '--scopes', 'videos:read, videos:create']

test('a key is created, listed, rotated and revoked; alone on stdout it is itself', async () => {
  const made = await keys([...ANNAS, '--name', 'checkout', '--expires', '90d'])
  expect(made).toMatchObject({ code: 0, stderr: expect.stringContaining('a key of anna, videos:read videos:create') })
  const key = made.stdout.trim()
  expect(isWellFormed(key)).toBe(true)
  const use = (one: string) => app.raw.get('/unified/v1/videos').set(bearer(one))
  await use(key).expect(200)
  const id = /^key_\w+/.exec(made.stderr)?.[0] ?? ''
  const { stdout: table } = await keys(['list', '--client', 'anna'])
  const [head, row] = table.split('\n')
  expect(head).toMatch(/^id +client +name +ends in +status/)
  expect(row?.split(/ {2,}/).slice(0, 5)).toEqual([id, 'anna', 'checkout', `…${key.slice(-4)}`, 'active'])
  expect(table).not.toContain(key)

  const rotated = await keys(['rotate', id, '--overlap', '0'])
  expect(rotated).toMatchObject({ code: 0, stderr: expect.stringContaining(`replaces ${id}, which ends after 0`) })
  await use(key).expect(401)
  await use(rotated.stdout.trim()).expect(200)
  const next = /^key_\w+/.exec(rotated.stderr)?.[0] ?? ''
  expect(await keys(['revoke', next])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(`${next}: revoked at 20`),
  })
  await use(rotated.stdout.trim()).expect(401)
})

test('a name that would command the terminal is shown, and does nothing', async () => {
  await keys([...ANNAS, '--name', '\u001B[2Jgone\nnew line'])
  const { stdout } = await keys(['list', '--client', 'anna'])
  expect(stdout).toContain('\uFFFD[2Jgone\uFFFDnew line')
  expect(stdout).not.toContain('\u001B')
})

test('--json prints what programs read', async () => {
  const made = JSON.parse((await keys([...ANNAS, '--json'])).stdout) as Record<string, string>
  expect(made).toMatchObject({ object: 'key', client: 'anna', key: expect.stringMatching(/^tb_live_/) })
  const lines = (await keys(['list', '--json'])).stdout.trim().split('\n')
  const first: unknown = JSON.parse(lines[0] ?? '')
  expect(first).toMatchObject({ id: made['id'], status: 'active' })
  const revoked: unknown = JSON.parse((await keys(['revoke', made['id'] ?? '', '--json'])).stdout)
  expect(revoked).toMatchObject({ status: 'revoked' })
})

test.each([
  ['no key of an operator', ANNAS, {}, 2, 'set TALKBRIDGE_ADMIN_KEY'],
  ['no scopes', ['create', '--client', 'anna'], undefined, 2, '--scopes'],
  ['an expiry that is none', [...ANNAS, '--expires', 'soon'], undefined, 2, '--expires must be a duration such as 90d'],
  ['what the gateway refuses', ['create', '--client', 'none', '--scopes', '*'], undefined, 1, 'no client with this id'],
  ['an unknown key', ['revoke', 'key_none'], undefined, 1, 'there is no key with this id'],
  ['an overlap that is none', ['rotate', 'key_none', '--overlap', 'x'], undefined, 1, 'overlap'],
])('%s', async (_, argv, env, code, message) => {
  expect(await keys(argv, env)).toMatchObject({ code, stderr: expect.stringContaining(message) })
})

test('no gateway there', async () => {
  const env = { TALKBRIDGE_ADMIN_KEY: KEYS.anna }
  const lost = await runHere(['keys', 'list', '--url', 'http://127.0.0.1:1'], { env })
  expect(lost).toMatchObject({ code: 1, stderr: expect.stringContaining('no gateway answers') })
})
