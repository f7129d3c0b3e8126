import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { start, temporaryFolder } from '../cli/harness.ts'
import { stage } from './harness.ts'

const EXAMPLES = join(import.meta.dirname, '../../examples')
const ALT = { backend: 'alt', puppet_id: 'pup_ada', text: 'Hello.' }

test('examples/node takes what the real gateway sends, once and in order, and nothing else', async () => {
  const s = await stage()
  const { secret } = (await (await s.call('/webhook_secret')).json()) as { secret: string }
  const env = { WEBHOOK_SECRET: secret, PORT: '0' }
  const receiver = start([], { cwd: temporaryFolder(), env, main: join(EXAMPLES, 'node/receiver.mjs') })
  const [, url = ''] = await receiver.printed(/listening on (http:\S+)/)
  const { id } = await s.create({ ...ALT, webhook_url: url })
  await receiver.printed(new RegExp(`video.completed ${id} completed\n`))

  const post = async (eventId: string, body: string, key = secret): Promise<number> => {
    const at = new Date()
    const headers = {
      'webhook-id': eventId,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new Webhook(key).sign(eventId, at, body),
    }
    return (await fetch(url, { method: 'POST', headers, body })).status
  }
  const told = (sequence: number) =>
    JSON.stringify({ type: 'video.progress', data: { id: 'vid_made_up', status: `at ${sequence}`, sequence } })
  expect(await post('evt_2', told(2))).toBe(204)
  expect(await post('evt_2', told(2))).toBe(204)
  expect(await post('evt_1', told(1))).toBe(204)
  expect(await post('evt_3', told(3), `whsec_${Buffer.alloc(32, 1).toString('base64')}`)).toBe(401)
  expect(await post('evt_4', 'x'.repeat(70_000))).toBe(413)
  expect((await fetch(url)).status).toBe(405)
  expect(await post('evt_5', told(5))).toBe(204)
  await receiver.printed(/at 5\n/)
  receiver.kill('SIGTERM')
  const { stdout } = await receiver.ended
  expect(stdout.match(/vid_made_up at \d/g)).toEqual(['vid_made_up at 2', 'vid_made_up at 5'])
})

/** Whether the tool is there; where it is not, that is said on stderr. */
const missing = (command: string, flag: string): boolean => {
  if (spawnSync(command, [flag]).status === 0) return false
  process.stderr.write(`\n*** SKIPPED: no ${command} on the PATH. Its example is NOT checked. ***\n\n`)
  return true
}

test.skipIf(missing('python3', '--version'))('examples/python can be read by Python', () => {
  const parse = 'import ast, sys; ast.parse(open(sys.argv[1]).read())'
  const { status, stderr } = spawnSync('python3', ['-c', parse, join(EXAMPLES, 'python/receiver.py')])
  expect(stderr.toString()).toBe('')
  expect(status).toBe(0)
})

test.skipIf(missing('gofmt', '-h'))('examples/go is as gofmt writes it', () => {
  const { status, stdout, stderr } = spawnSync('gofmt', ['-l', join(EXAMPLES, 'go/receiver.go')])
  expect({ status, out: `${String(stdout)}${String(stderr)}` }).toEqual({ status: 0, out: '' })
})
