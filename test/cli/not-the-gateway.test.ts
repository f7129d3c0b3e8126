import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { runHere } from './here.ts'

/** Every command of an operator, where `--url` leads to something else than a gateway. */

const COMMANDS = [
  'backends pause main --reason why',
  'backends resume main',
  'keys list',
  'keys create --client anna --scopes videos:read',
  'migrate status',
  'migrate step',
  'migrate report --from main --to alt',
  'resolve vid_1 --show',
]

const run = (command: string, url: string) =>
  runHere([...command.split(' '), '--url', url], { env: { TALKBRIDGE_ADMIN_KEY: 'tb_0123456789abcdef' } })

const answering = async (status: number, body: string): Promise<string> => {
  const server = createServer((_req, res) => res.writeHead(status).end(body)).listen(0, '127.0.0.1')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test.each([
  [502, '<html>Bad Gateway</html>'],
  [200, 'ok'],
  [404, ''],
  [403, '{"error":"forbidden"}'],
])('an answer %i %s', async (status, body) => {
  const url = await answering(status, body)
  const stderr = `talkbridge: something else than the gateway answered ${status}, such as a proxy\n`
  for (const command of COMMANDS)
    expect([command, await run(command, url)]).toEqual([command, { code: 1, stdout: '', stderr }])
})

test.each(['127.0.0.1:8080', 'localhost', 'ftp://127.0.0.1'])('a URL that is none: %s', async (url) => {
  const stderr = 'talkbridge: --url must be a URL such as http://127.0.0.1:8080\n'
  for (const command of COMMANDS)
    expect([command, await run(command, url)]).toEqual([command, { code: 2, stdout: '', stderr }])
})
