import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { SANDBOX_CLIENT_KEY } from '../../src/cli/config-file.ts'
import { EXAMPLE_IDS } from '../../src/core/ids.ts'
import { VideoView } from '../../src/core/api/videos.ts'
import { freePort } from '../fakes/daemon.ts'
import { expectInjected, postFault } from '../fakes/sandbox-faults.ts'
import { until } from '../fakes/until.ts'
import { start, temporaryFolder, type Running } from './harness.ts'

const headers = { authorization: `Bearer ${SANDBOX_CLIENT_KEY}`, 'content-type': 'application/json' }

/** What `npm start` runs, in a folder of its own and on a free port. */
const serve = async (cwd: string): Promise<{ gateway: Running; url: string; alternateUrl: string }> => {
  const gateway = start(['serve'], { cwd, env: { TALKBRIDGE_SERVER__PORT: '0' } })
  const [, url = '', alternateUrl = ''] = await gateway.printed(/serves (http:\S+) [^]*alternate (http:\S+)/)
  return { gateway, url, alternateUrl }
}

test('npm start: a create on alt whose answer a kill cut off is found after the restart, and ends well', async () => {
  const cwd = temporaryFolder()
  // Not the usual ports: while nobody is there, the sandbox of another test may take them, and the job be out of reach.
  const sandboxDir = join(cwd, 'data/sandbox')
  mkdirSync(sandboxDir, { recursive: true })
  const ports = [await freePort(), await freePort()]
  writeFileSync(join(sandboxDir, 'ports.json'), JSON.stringify(ports))
  const first = await serve(cwd)
  expect(first.alternateUrl).toBe(`http://127.0.0.1:${ports[1]}`)
  // The job is made, and its answer held back for longer than the process lives.
  const heldBack = { operation: 'createVideo', kind: 'latency', when: 'after', latency_ms: 3_600_000 }
  await postFault(first.alternateUrl, heldBack)
  const body = JSON.stringify({ puppet_id: 'alt:pup_ada', text: 'Hello [[never-callback]]' })
  const creating = fetch(`${first.url}/unified/v1/videos`, { method: 'POST', headers, body }).catch(() => null)
  const ledger = async () =>
    (await (await fetch(`${first.alternateUrl}/sandbox/ledger`)).json()) as {
      jobs: { interface: string; ends_at: string }[]
    }
  const made = async () => (await ledger()).jobs.filter((job) => job.interface === 'alternate')
  await until(async () => (await made()).length === 1)
  const endsAtMs = Date.parse((await made())[0]?.ends_at ?? '')
  await expectInjected(first.alternateUrl)
  first.gateway.kill('SIGKILL')
  await first.gateway.ended
  await creating
  // It is over when it is found: a running one whose callback is lost is polled only after a minute.
  await until(() => Date.now() > endsAtMs)

  const second = await serve(cwd)
  const listed = (await (await fetch(`${second.url}/unified/v1/videos`, { headers })).json()) as { data: VideoView[] }
  // The others are those of the API's examples.
  const own = listed.data.filter(({ id }) => !Object.values<string>(EXAMPLE_IDS).includes(id))
  expect(own).toHaveLength(1)
  const waited = await fetch(`${second.url}/unified/v1/videos/${own[0]?.id}`, {
    headers: { ...headers, prefer: 'wait=60' },
  })
  expect(VideoView.parse(await waited.json())).toMatchObject({ status: 'completed', backend: 'alt', error: null })
})
