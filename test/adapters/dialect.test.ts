import { afterAll, beforeAll, expect, test } from 'vitest'
import { createPassing } from '../../src/core/tracing.ts'
import { DIALECT } from '../../src/adapters/alternate/index.ts'
import { ERROR, JOB, USAGE, type Dialect } from '../../src/adapters/shared/dialect.ts'
import { readUsage } from '../../src/adapters/shared/answers.ts'
import { createSpeaker } from '../../src/adapters/shared/speaker.ts'
import { createAgents } from '../../src/http/exchange.ts'
import { upward } from '../../src/routes/dropin/passthrough.ts'
import { startBackend, type ScriptedBackend } from '../fakes/backend.ts'
import { fakeClock } from '../fakes/clock.ts'
import { HANG_MS } from '../fakes/until.ts'
import { CANARY_KEY, NOW_MS } from './harness.ts'

/** As no interface of today speaks: what a dialect can say has to count, whoever says it. */
const STRANGE: Dialect = {
  ...DIALECT,
  credential: (key) => ({ 'x-acme-token': key }),
  durations: 'milliseconds',
  job: { ...JOB, duration: ['length'], durationEstimate: ['expected_length'], hints: ['again_in_ms'] },
  error: { ...ERROR, hints: ['again_in', 'again_in_ms', 'again_at'], hintsUnder: ['fault'] },
}

let backend: ScriptedBackend
const agents = createAgents({ connectTimeoutMs: HANG_MS })
const strange = () =>
  createSpeaker(
    {
      baseUrl: backend.url,
      apiKey: CANARY_KEY,
      timeoutMs: HANG_MS,
      agents,
      clock: fakeClock(NOW_MS),
      drift: () => undefined,
      permitted: () => undefined,
      name: 'acme',
      tracing: createPassing(),
    },
    STRANGE,
  )
beforeAll(async () => {
  backend = await startBackend()
})
afterAll(async () => {
  await agents.close()
  await backend.close()
})

const WIRE = { method: 'POST', path: '/v1/videos', headers: {}, body: '{}' } as const
const inS = (seconds: number): number => NOW_MS + seconds * 1000

test('the key goes out in the header that the dialect names, and in no other', async () => {
  backend.requests.length = 0
  await strange().create(WIRE)
  await strange().job('job-1', 'getVideo')
  const carriers = backend.requests.map(({ headers }) =>
    Object.entries(headers).flatMap(([name, value]) => (value.includes(CANARY_KEY) ? [name] : [])),
  )
  expect(carriers).toEqual([['x-acme-token'], ['x-acme-token']])
})

test('what passes through carries it as well; a client cannot send its own in its place', () => {
  const asked = { 'x-acme-token': 'mine', authorization: 'Bearer mine', 'content-type': 'text/plain' }
  const rest = { host: 'acme.example', hasBody: true, isFresh: false, trace: {} }
  for (const header of ['x-acme-token', 'content-type']) {
    const sent = upward(asked, { ...rest, credential: { [header]: CANARY_KEY } })
    expect(sent).toMatchObject({ [header]: CANARY_KEY })
    expect(Object.values(sent)).not.toContain('mine')
    expect(sent).not.toHaveProperty('authorization')
  }
  expect(upward(asked, { ...rest, credential: null })).not.toHaveProperty('x-acme-token')
})

test('durations are in the unit of the dialect', async () => {
  backend.next({ body: { id: 'job-1', status: 'completed', length: 11_500, expected_length: 900 } })
  const value = { durationSeconds: 11.5, durationEstimateSeconds: 0.9 }
  expect(await strange().job('job-1', 'getVideo')).toMatchObject({ ok: true, value })
})

test.each([
  ['a job', { id: 'job-1', status: 'processing', again_in_ms: 4_500 }, 4.5],
  ['a job, under a wrapper of the dialect', { id: 'job-1', status: 'processing', fault: { again_in_ms: 9_000 } }, 9],
  ['names of no dialect of this one are no hint', { id: 'job-1', status: 'processing', retryAfter: 9 }, null],
])('hints have the names of the dialect: %s', async (_what, body, expectedS) => {
  backend.next({ body })
  const nextPollAtMs = expectedS === null ? null : inS(expectedS)
  expect(await strange().job('job-1', 'getVideo')).toMatchObject({ ok: true, value: { nextPollAtMs } })
})

test.each([
  [{ again_in: 9 }, 9],
  [{ again_in_ms: 2_500 }, 2.5],
  [{ again_at: new Date(inS(7)).toISOString() }, 7],
  [{ fault: { again_in: 9 } }, 9],
])('a refusal: %j', async (body, expectedS) => {
  backend.next({ status: 429, body })
  const outcome = await strange().create(WIRE)
  expect(outcome).toMatchObject({ kind: 'refused', problem: { retryAtMs: inS(expectedS) } })
  const usage = { [USAGE.used[0] ?? '']: 1, ...body }
  const read = readUsage(usage, {}, { base: new URL('https://acme.example'), nowMs: NOW_MS }, STRANGE)
  expect(read?.retryAtMs).toBe(inS(expectedS))
})
