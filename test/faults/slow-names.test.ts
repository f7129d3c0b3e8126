import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createSystemClock } from '../../src/core/time/clock.ts'
import { startSandbox } from '@talkbridge/sandbox'
import { start, temporaryFolder, type Running } from '../cli/harness.ts'
import { startNameServer } from '../fakes/name-server.ts'

const KEY = 'tb_acme_0123456789abcdef'
/** More than there are threads that could wait for them. */
const NAMES = 40

const stage = async ({ main, ...rest }: Record<string, unknown> & { main: Record<string, unknown> }) => {
  const sandbox = await startSandbox({ clock: createSystemClock(), unlimitedRate: true, unlimitedSlots: true })
  onTestFinished(() => sandbox.close())
  const server = await startNameServer(() => 'silence')
  const cwd = temporaryFolder()
  execFileSync('mkfifo', [join(cwd, 'fifo')])
  const config = {
    store: { path: join(cwd, 'talkbridge.db') },
    clients: [{ id: 'acme', key: KEY }],
    backends: {
      main: {
        interface: 'primary',
        // A name, which is resolved for every connection.
        base_url: sandbox.primaryUrl.replace('127.0.0.1', 'localhost'),
        api_key: sandbox.primaryKey,
        slots: null,
        requests_per_minute: 100_000,
        ...main,
      },
    },
    ...rest,
  }
  writeFileSync(join(cwd, 'gateway.json'), JSON.stringify(config))
  const gateway = start(['serve', '--config', 'gateway.json'], {
    cwd,
    env: { HELD_FIFO: join(cwd, 'fifo'), HELD_SERVER: server.at },
    flags: ['--import', join(import.meta.dirname, '../fakes/held-names.ts')],
  })
  return { gateway, server, url: await urlOf(gateway) }
}

const urlOf = async (gateway: Running): Promise<string> =>
  (await gateway.printed(/"url":"(http:[^"]+)".*"talkbridge serves"/))[1] ?? ''

const post = (url: string, body: object): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

const VIDEO = { image_url: 'https://example.com/anna.png', text: 'Hello.' }

test('names that never resolve hold up no backend, and no stop', async () => {
  const { gateway, server, url } = await stage({ server: { port: 0 }, main: {} })
  const endpoints = Array.from({ length: NAMES }, (_, n) =>
    post(`${url}/unified/v1/webhook_endpoints`, { url: `https://n${n}.slow.example/hook` }).then(
      ({ status }) => status,
    ),
  )
  const events = { webhook_url: 'https://other.slow.example/hook' }
  const videos = [post(`${url}/unified/v1/videos`, { ...VIDEO, ...events })]
  for (let n = 0; n < 5; n += 1) {
    const answer = await post(`${url}/unified/v1/videos`, VIDEO)
    expect(await answer.json()).toMatchObject({ object: 'video', backend_job_id: expect.any(String) as string })
  }
  // What does not resolve now may later.
  expect(new Set(await Promise.all(endpoints))).toEqual(new Set([201]))
  expect((await Promise.all(videos)).map(({ status }) => status)).toEqual([202])
  expect(new Set(server.asked).size).toBe(NAMES + 1)
  gateway.kill('SIGTERM')
  expect((await gateway.ended).code).toBe(0)
})

test('a stop ends with the grace, though a look-up never does', async () => {
  const { gateway, url } = await stage({
    server: { port: 0, shutdown_grace: '3s' },
    webhooks: { timeout: '1s' },
    main: { base_url: 'https://api.slow.example', timeout: '1s' },
  })
  const answer = await post(`${url}/unified/v1/videos`, VIDEO)
  expect(answer.status).toBe(503)
  gateway.kill('SIGTERM')
  expect((await gateway.ended).code).toBe(0)
})
