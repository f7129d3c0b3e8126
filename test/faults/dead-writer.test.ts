import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createSystemClock } from '../../src/core/time/clock.ts'
import { startSandbox } from '@talkbridge/sandbox'
import { start, temporaryFolder } from '../cli/harness.ts'
import { injectFault } from '../fakes/sandbox-faults.ts'
import { until } from '../fakes/until.ts'

const KEY = 'tb_acme_0123456789abcdef'
const DYING = new URL('./dying-writer.ts', import.meta.url).href
const BEARER = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' }

const configured = async () => {
  const sandbox = await startSandbox({ clock: createSystemClock(), unlimitedRate: true, unlimitedSlots: true })
  onTestFinished(() => sandbox.close())
  const cwd = temporaryFolder()
  const config = {
    // Nobody waits for it: a store that is lost serves nobody.
    server: { port: 0, shutdown_delay: '5m' },
    store: { path: join(cwd, 'talkbridge.db') },
    backends: {
      main: { interface: 'primary', base_url: sandbox.primaryUrl, api_key: sandbox.primaryKey, slots: null },
    },
    clients: [{ id: 'acme', key: KEY }],
    routing: { default: 'main' },
  }
  writeFileSync(join(cwd, 'gateway.json'), JSON.stringify(config))
  return { sandbox, cwd }
}

const serve = async (cwd: string, flags: string[] = []) => {
  const gateway = start(['serve', '--config', 'gateway.json'], { cwd, flags })
  const url = (await gateway.printed(/"url":"(http:[^"]+)".*"talkbridge serves"/))[1] ?? ''
  return { gateway, videos: `${url}/unified/v1/videos` }
}

type Told = { status: number; id: string }

const post = async (videos: string): Promise<Told> => {
  const body = JSON.stringify({ image_url: 'https://example.com/a.png', text: '[[stuck]]' })
  const response = await fetch(videos, { method: 'POST', headers: BEARER, body })
  const { id = '' } = (await response.json()) as { id?: string }
  return { status: response.status, id }
}

const jobOf = async (videos: string, id: string): Promise<string | null> => {
  const response = await fetch(`${videos}/${id}`, { headers: BEARER })
  return ((await response.json()) as { backend_job_id: string | null }).backend_job_id
}

test('a writer thread that dies ends the process, with 1 and why; who waits is answered, and the next one goes on', async () => {
  const { sandbox, cwd } = await configured()
  const jobs = (): string[] => sandbox.ledger().jobs.map(({ id }) => id)
  const { gateway, videos } = await serve(cwd, ['--import', DYING])
  const first = await post(videos)
  // Their jobs are made, and their answers on their way, when nothing can be written any more.
  const fault = { operation: 'createVideoFromText', kind: 'latency', when: 'after', latency_ms: 1_000, times: 3 }
  await injectFault(sandbox.primaryUrl, fault)
  const creating = [post(videos), post(videos), post(videos)]
  await until(() => jobs().length === 4)
  gateway.kill('SIGUSR2')
  const [{ code, stdout, stderr }, told] = await Promise.all([gateway.ended, Promise.all(creating)])
  expect(code).toBe(1)
  expect(stderr).toBe('talkbridge: the store cannot be written any more: something that nobody thought of\n')
  expect(stdout).toMatch(/"level":"error".*something that nobody thought of.*the store cannot be written any more/)
  // They may be paid for: nobody was asked to try again.
  expect([first, ...told].map(({ status }) => status)).toEqual([202, 202, 202, 202])

  const next = await serve(cwd)
  const known = async () => Promise.all([first, ...told].map(({ id }) => jobOf(next.videos, id)))
  await expect.poll(async () => new Set(await known())).toEqual(new Set(jobs()))
  expect(jobs()).toHaveLength(4)
})
