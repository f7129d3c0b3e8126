import { execFile, spawnSync } from 'node:child_process'
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { newWebhookSecret, sign } from '../../src/webhooks/sign.ts'
import { start, temporaryFolder, type Running } from '../cli/harness.ts'
import { KEYS } from '../fakes/gateway.ts'
import { seededBytes } from '../fakes/random.ts'
import { HANG_MS } from '../fakes/until.ts'
import { stage } from './harness.ts'

const EXAMPLES = join(import.meta.dirname, '../../examples')
/** The libraries of the examples for Python and Go cannot be had everywhere: what stands in for them checks as they do. */
const STAND_INS = join(import.meta.dirname, '../fakes/standardwebhooks')
const OTHER_SECRET = newWebhookSecret(seededBytes(21))

const told = (sequence: number): string =>
  JSON.stringify({ type: 'video.progress', data: { id: 'vid_made_up', status: `at ${sequence}`, sequence } })

/** What a receiver must take and refuse, signed as the gateway signs. */
const expectReceives = async (receiver: Running, secret: string): Promise<void> => {
  const [, url = ''] = await receiver.printed(/listening on (http:\S+)/)
  const post = async (
    id: string,
    body: string | Buffer,
    { secrets = [secret], ageS = 0, headers = {} }: { secrets?: string[]; ageS?: number; headers?: object } = {},
  ): Promise<number> => {
    const signed = sign({ secrets, id, timestampS: Math.floor(Date.now() / 1000) - ageS, body: String(body) })
    return (await fetch(url, { method: 'POST', headers: { ...signed, ...headers }, body })).status
  }
  expect(await post('evt_2', told(2))).toBe(204)
  expect(await post('evt_2', told(2))).toBe(204)
  expect(await post('evt_1', told(1))).toBe(204)
  const refused = await Promise.all([
    post('evt_3', told(3), { secrets: [OTHER_SECRET] }),
    post('evt_3', told(3), { ageS: 330 }),
    post('evt_3', told(3), { ageS: -330 }),
    post('evt_3', told(3), { headers: { 'webhook-id': 'evt_4' } }),
    post('evt_3', told(3), { headers: { 'webhook-signature': 'nonsense' } }),
    post('evt_3', told(3), { headers: { 'webhook-signature': 'v1,no+base64' } }),
    post('evt_3', Buffer.from([0x7b, 0xff, 0x7d])),
    post('evt_3', 'no JSON'),
    fetch(url, { method: 'POST', body: told(3) }).then(({ status }) => status),
  ])
  expect(refused).toEqual(refused.map(() => 400))
  expect(await post('evt_3', 'x'.repeat(70_000))).toBe(413)
  // While a secret is rotated there is a signature of each.
  expect(await post('evt_5', told(5), { secrets: [OTHER_SECRET, secret] })).toBe(204)
  expect(await post('evt_6', JSON.stringify({ type: 'endpoint.disabled', data: { endpoint_id: 'we_1' } }))).toBe(204)
  await receiver.printed(/endpoint.disabled we_1 *\n/)
  receiver.kill('SIGTERM')
  const { stdout } = await receiver.ended
  expect(stdout.match(/vid_made_up at \d/g)).toEqual(['vid_made_up at 2', 'vid_made_up at 5'])
}

test('examples/node takes what the real gateway sends, once and in order, and nothing else', async () => {
  const s = await stage()
  const { secret } = (await (await s.call('/webhook_secret')).json()) as { secret: string }
  const env = { WEBHOOK_SECRET: secret, PORT: '0' }
  const receiver = start([], { cwd: temporaryFolder(), env, main: join(EXAMPLES, 'node/receiver.mjs') })
  const [, url = ''] = await receiver.printed(/listening on (http:\S+)/)
  const { id } = await s.create({ backend: 'alt', puppet_id: 'pup_ada', text: 'Hello.', webhook_url: url })
  await receiver.printed(new RegExp(`video.completed ${id} completed\n`))
  expect((await fetch(url)).status).toBe(405)
  await expectReceives(receiver, secret)
})

test('the clients of the two services make the same film at the service and at the gateway', async () => {
  const { sandbox, gateway } = await stage()
  const { url } = gateway().gateway
  const runs = [
    { name: 'primary', baseUrl: sandbox.primaryUrl, key: sandbox.primaryKey },
    { name: 'primary', baseUrl: url, key: KEYS.anna },
    { name: 'alternate', baseUrl: sandbox.alternateUrl, key: sandbox.alternateKey },
    { name: 'alternate', baseUrl: url, key: KEYS.anna },
  ]
  const films = runs.map(async ({ name, baseUrl, key }) => {
    const cwd = temporaryFolder()
    const env = { BASE_URL: baseUrl, API_KEY: key }
    const { code, stdout, stderr } = await start([], { cwd, env, main: join(EXAMPLES, `node/${name}.mjs`) }).ended
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^(api_video|clip|vid)_\w+ completed: film.mp4\n$/)
    return readFileSync(join(cwd, 'film.mp4')).toString('latin1', 4, 8)
  })
  expect(await Promise.all(films)).toEqual(runs.map(() => 'ftyp'))
})

/** Whether the tool is there; where it is not, that is said on stderr. */
const missing = (command: string, ...args: string[]): boolean => {
  if (spawnSync(command, args).status === 0) return false
  process.stderr.write(`\n*** SKIPPED: no ${command} on the PATH. Its example is NOT checked. ***\n\n`)
  return true
}

const SECRET = newWebhookSecret(seededBytes(20))
const ENV = { WEBHOOK_SECRET: SECRET, PORT: '0' }

test.skipIf(missing('python3', '--version'))('examples/python takes what is signed, once and in order', async () => {
  const receiver = start([join(EXAMPLES, 'python/receiver.py')], {
    cwd: temporaryFolder(),
    env: { ...ENV, PYTHONPATH: join(STAND_INS, 'python'), PYTHONDONTWRITEBYTECODE: '1' },
    command: 'python3',
  })
  await expectReceives(receiver, SECRET)
})

test.skipIf(missing('go', 'version'))(
  'examples/go is formatted, vetted, and takes what is signed, once and in order',
  { timeout: 5 * HANG_MS },
  async () => {
    const cwd = temporaryFolder()
    copyFileSync(join(EXAMPLES, 'go/receiver.go'), join(cwd, 'receiver.go'))
    const library = 'github.com/standard-webhooks/standard-webhooks/libraries'
    const lines = ['module receiver', 'go 1.19', `require ${library} v0.0.1`, `replace ${library} => ${STAND_INS}/go`]
    writeFileSync(join(cwd, 'go.mod'), `${lines.join('\n')}\n`)
    // Whatever the network is: nothing is fetched.
    const offline = { GOPROXY: 'off', GOTOOLCHAIN: 'local', GOFLAGS: '-mod=mod', GOWORK: 'off', CGO_ENABLED: '0' }
    const run = (command: string, ...args: string[]) =>
      promisify(execFile)(command, args, { cwd, env: { ...process.env, ...offline } })
    expect((await run('gofmt', '-l', '.')).stdout).toBe('')
    await run('go', 'vet', '.')
    await run('go', 'build', '-o', 'receiver', '.')
    await expectReceives(start([], { cwd, env: ENV, command: join(cwd, 'receiver') }), SECRET)
  },
)
