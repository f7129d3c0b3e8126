import { expect, test } from 'vitest'
import { must } from '../fakes/must.ts'
import { MINUTE, SECOND } from '../fakes/records.ts'
import { ALT, type Answered, virtualStage, type VirtualStage } from './virtual.ts'

/**
 * How many creates of one puppet are sent at the same time, and what that costs when their answers are lost: decision 8.
 * Both accounts can be called back.
 */
const SHARED = { config: { engine: { resend_window: '10m' } } }
const EXCLUSIVE = { config: { ...SHARED.config, backends: { alt: { exclusive: true } } } }
const N = 5
const LOST = { operation: 'createVideo', kind: 'reset', when: 'after', times: N }

const creates = ({ sandbox }: VirtualStage) =>
  sandbox
    .ledger()
    .requests.filter(({ operation }) => operation === 'createVideo')
    .slice(1)
const limitOf = async ({ gateway: { deps } }: VirtualStage): Promise<number | null> =>
  (await deps.videos.describe(must(deps.backends.get('alt')))).limits.concurrent_creates_per_puppet

/** A window's first request goes alone. */
const openWindow = async (s: VirtualStage): Promise<void> => {
  await s.create({ ...ALT, puppet_id: 'pup_ben', text: 'Hello [[stuck]]' })
}

/** Sends `N` creates at the same time, and lets time pass until all are answered. */
const createAll = async (s: VirtualStage, body: object): Promise<string[]> => {
  const answers: Answered[] = []
  const posts = Array.from({ length: N }, () => s.post(body).then((answer) => answers.push(answer)))
  await s.passUntil(10 * SECOND * N, () => answers.length === N)
  await Promise.all(posts)
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 202))
  return answers.map(({ body: { id } }) => String(id))
}
const inDoubt = async (s: VirtualStage, ids: readonly string[]): Promise<number> =>
  (await Promise.all(ids.map((id) => s.record(id)))).filter(({ phase }) => phase === 'doubtful').length
const jobsIn = async (s: VirtualStage, ids: readonly string[]): Promise<(string | null)[]> =>
  Promise.all(ids.map(async (id) => (await s.record(id)).backendJobId))

test('five at once on a shared account, all answers lost: each finds its own job by its callback', async () => {
  const s = await virtualStage(SHARED)
  await openWindow(s)
  await s.fault('alternate', LOST)
  const ids = await createAll(s, ALT)
  expect(await inDoubt(s, ids)).toBe(N)
  expect(await limitOf(s)).toBeNull()
  await s.passUntil(20 * MINUTE, () => s.allEnded(ids))
  const { callbacks } = s.sandbox.ledger()
  const named = ids.map((id) => callbacks.find(({ url }) => url.includes(`${id}.1.`))?.job_id)
  expect(await jobsIn(s, ids)).toEqual(named)
  expect(new Set(named).size).toBe(N)
  expect(creates(s)).toHaveLength(N)
})

test('five at once on a shared account, all answers and callbacks lost: none is guessed, and none is paid again', async () => {
  const s = await virtualStage(SHARED)
  await openWindow(s)
  await s.fault('alternate', LOST)
  const ids = await createAll(s, { ...ALT, text: 'Hello [[never-callback]]' })
  await s.passUntil(20 * MINUTE, () => s.allEnded(ids))
  for (const id of ids) expect(await s.record(id)).toMatchObject({ error: { code: 'create_outcome_unknown' } })
  expect(await jobsIn(s, ids)).toEqual(ids.map(() => null))
  expect(creates(s)).toHaveLength(N)
})

test('one at a time on an exclusive account, all answers and callbacks lost: each finds its own in the list', async () => {
  const s = await virtualStage(EXCLUSIVE)
  await openWindow(s)
  await s.fault('alternate', LOST)
  const ids = await createAll(s, { ...ALT, text: 'Hello [[never-callback]]' })
  expect(await inDoubt(s, ids)).toBe(1)
  expect(await limitOf(s)).toBe(1)
  await s.passUntil(40 * MINUTE, () => s.allEnded(ids))
  const jobs = await jobsIn(s, ids)
  expect(new Set(jobs).size).toBe(N)
  expect(jobs).not.toContain(null)
  expect(creates(s)).toHaveLength(N)
})
