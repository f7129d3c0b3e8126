import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createSystemClock } from '../../src/core/time/clock.ts'
import { startSandbox } from '@talkbridge/sandbox'
import { openSqliteStore } from '../../src/stores/sqlite/index.ts'
import { start, temporaryFolder } from '../cli/harness.ts'
import { listQuery } from '../fakes/records.ts'
import { injectFault } from '../fakes/sandbox-faults.ts'
import { until } from '../fakes/until.ts'

const KEY = 'tb_acme_0123456789abcdef'
const CREATES = 60
/** A stop that had to cut something off ends later, and with 1. */
const GRACE_MS = 100_000

type Told = { status: number; id: string; job: string | null } | null

const post = async (url: string, body: object): Promise<Told> => {
  try {
    const response = await fetch(`${url}/unified/v1/videos`, {
      method: 'POST',
      headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const answer = (await response.json()) as { id?: string; backend_job_id?: string | null }
    return { status: response.status, id: answer.id ?? '', job: answer.backend_job_id ?? null }
  } catch {
    return null
  }
}

test('SIGTERM under load: nothing that was accepted is dropped, and it ends with 0 in time', async () => {
  const sandbox = await startSandbox({
    clock: createSystemClock(),
    speed: 10,
    unlimitedRate: true,
    unlimitedCredits: true,
    unlimitedSlots: true,
  })
  onTestFinished(() => sandbox.close())
  const cwd = temporaryFolder()
  const path = join(cwd, 'talkbridge.db')
  const limits = { requests_per_minute: 100_000, slots: 12 }
  const config = {
    server: { port: 0, shutdown_grace: `${GRACE_MS / 1_000}s` },
    store: { path },
    backends: {
      main: { interface: 'primary', base_url: sandbox.primaryUrl, api_key: sandbox.primaryKey, ...limits },
      alt: { interface: 'alternate', base_url: sandbox.alternateUrl, api_key: sandbox.alternateKey, ...limits },
    },
    clients: [{ id: 'acme', key: KEY }],
    routing: { default: 'main' },
  }
  writeFileSync(join(cwd, 'gateway.json'), JSON.stringify(config))
  const gateway = start(['serve', '--config', 'gateway.json'], { cwd })
  const url = (await gateway.printed(/"url":"(http:[^"]+)".*"talkbridge serves"/))[1] ?? ''
  // Their answers are on their way when the signal comes.
  for (const [base, operation] of [
    [sandbox.primaryUrl, 'createVideoFromText'],
    [sandbox.alternateUrl, 'createVideo'],
  ] as const) {
    await injectFault(base, { operation, kind: 'latency', when: 'after', latency_ms: 1_500, times: 1_000 })
  }

  const creating = Array.from({ length: CREATES }, (_, n) =>
    post(
      url,
      n % 2 ? { image_url: 'https://example.com/a.png', text: 'Hello' } : { puppet_id: 'alt:pup_ada', text: 'Hi' },
    ),
  )
  await until(() => sandbox.ledger().jobs.length >= 20)
  const signalledMs = performance.now()
  gateway.kill('SIGTERM')
  const [told, { code, stderr }] = await Promise.all([Promise.all(creating), gateway.ended])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(performance.now() - signalledMs).toBeLessThan(GRACE_MS)

  const store = await openSqliteStore({ path, clock: createSystemClock(), owner: true })
  onTestFinished(() => store.close())
  const videos = await store.list('acme', listQuery({ limit: 1_000 }))
  const byId = new Map(videos.map((video) => [video.id, video]))
  // Taken, refused because it stops, or not heard any more: nothing else was said to anybody.
  expect(told.filter((one) => one && ![202, 503].includes(one.status))).toEqual([])
  const accepted = told.filter((one) => one?.status === 202)
  expect(accepted.length).toBeGreaterThanOrEqual(20)
  for (const one of accepted) {
    const video = byId.get(one?.id ?? '')
    expect(['waiting', 'accepted', 'ended']).toContain(video?.phase)
    if (one?.job) expect(video?.backendJobId).toBe(one.job)
  }
  // Whatever was paid belongs to one video, and no create is left in doubt by a graceful stop.
  const jobs = videos.flatMap(({ backendJobId }) => backendJobId ?? [])
  expect(new Set(jobs).size).toBe(jobs.length)
  expect(jobs.toSorted()).toEqual(
    sandbox
      .ledger()
      .jobs.map(({ id }) => id)
      .toSorted(),
  )
  expect(videos.filter(({ phase }) => phase === 'dispatching' || phase === 'doubtful')).toEqual([])
})
