import { expect, test } from 'vitest'
import { SANDBOX_CLIENT_KEY } from '../../src/cli/config-file.ts'
import { start, temporaryFolder, type Running } from './harness.ts'

/** `npm start`: the console is there at once, with the sandbox's key. */

const serve = (env: Record<string, string> = {}): Running =>
  start(['serve'], { cwd: temporaryFolder(), env: { TALKBRIDGE_SERVER__PORT: '0', ...env } })

const ended = async (gateway: Running): Promise<string> => {
  gateway.kill('SIGTERM')
  const { code, stdout } = await gateway.ended
  expect(code).toBe(0)
  return stdout
}

test('says where the console is, which signs in by itself', async () => {
  const gateway = serve()
  const [, page = ''] = await gateway.printed(/^Console: (http:\S+\/console)$/m)
  const answer = (await (await fetch(`${page}/session`)).json()) as Record<string, unknown>
  expect(answer).toMatchObject({ client: null, sandbox_key: SANDBOX_CLIENT_KEY })
  const signedIn = await fetch(`${page}/session`, {
    method: 'POST',
    headers: { 'x-talkbridge-console': '1', 'content-type': 'application/json' },
    body: JSON.stringify({ key: answer['sandbox_key'] }),
  })
  expect(await signedIn.json()).toMatchObject({ client: 'sandbox', is_admin: true })
  await ended(gateway)
})

test('tells no key that somebody put in the place of the public one', async () => {
  const clients = JSON.stringify([{ id: 'own', key: 'tb_own_key_0123456789abcdef' }])
  const gateway = serve({ TALKBRIDGE_CLIENTS: clients })
  const [, page = ''] = await gateway.printed(/^Console: (http:\S+\/console)$/m)
  expect(await (await fetch(`${page}/session`)).json()).toMatchObject({ client: null, sandbox_key: null })
  await ended(gateway)
})

test('says nothing of it where it is off', async () => {
  const gateway = serve({ TALKBRIDGE_CONSOLE__ENABLED: 'false' })
  const [, api = ''] = await gateway.printed(/^API: (http:\S+)\/docs$/m)
  expect((await fetch(`${api}/console`)).status).toBe(404)
  expect(await ended(gateway)).not.toContain('Console:')
})
