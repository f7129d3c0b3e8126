import { describe, expect, onTestFinished, test } from 'vitest'
import type { BackendProblem, CreateOutcome } from '../../src/core/adapter.ts'
import type { VideoRecord } from '../../src/core/video.ts'
import { fakeClock } from '../fakes/clock.ts'
import { must } from '../fakes/must.ts'
import { accountId, doubt, INPUT, listQuery, MINUTE, refused, SECOND, unreachable } from '../fakes/records.ts'
import { openEngine, type Engine, type EngineOptions } from './harness.ts'
import { openPair } from './pair.ts'
import { strictBackend, type StrictBackend } from './strict-backend.ts'

const ACCOUNT = { slots: 2, requestsPerMinute: 10 }

const refusal = (code: BackendProblem['code'], status: number, retryable = false): CreateOutcome =>
  refused({ code, retryable, backendError: { status, code: null, block_code: null, message: null } })
const NO_CREDITS = refusal('insufficient_credits', 402)

/** Members that count what they are asked, and may be made to answer each create the same. */
const membersOf = (names: readonly string[]) => {
  const clock = fakeClock()
  const strict = new Map(names.map((name) => [name, strictBackend(clock, name)]))
  const answers = new Map<string, CreateOutcome>()
  const asked = new Map<string, number[]>()
  for (const [name, { adapter }] of strict) {
    const real = adapter.create
    adapter.create = async (wire) => {
      asked.set(name, [...(asked.get(name) ?? []), clock.now()])
      return answers.get(name) ?? real(wire)
    }
  }
  const options: EngineOptions = {
    account: ACCOUNT,
    members: Object.fromEntries([...strict].map(([name, { adapter }]) => [name, adapter])),
    clock,
    queuedVideos: 1_000,
    queueLimit: 10_000,
  }
  const of = (name: string): StrictBackend => must(strict.get(name))
  return { clock, of, answers, asked: (name: string) => asked.get(name) ?? [], options }
}

interface Stage extends ReturnType<typeof membersOf> {
  engine: Engine
  restart(how: 'stopped' | 'crashed', given?: EngineOptions): Promise<void>
  create(n: number, client?: string): Promise<VideoRecord>
  all(): Promise<VideoRecord[]>
}

const stage = async (names: readonly string[], given: EngineOptions = {}): Promise<Stage> => {
  const members = membersOf(names)
  const made: Stage = {
    ...members,
    engine: await openEngine({ ...members.options, ...given }),
    async restart(how, more) {
      made.engine = await made.engine.restart(how, more)
      made.engine.videos.start()
    },
    create: async (n, client) =>
      (await made.engine.create({ input: { ...INPUT, text: `video ${n}` } }, null, client)).video,
    all: () => made.engine.store.list('acme', listQuery({ limit: 1_000 })),
  }
  onTestFinished(async () => {
    await made.engine.videos.stop()
    await made.engine.destroy()
  })
  return made
}

/** So many wait, some of them at each member. */
const waitAt = async ({ create }: Pick<Stage, 'create'>, count: number): Promise<VideoRecord[]> => {
  const made: VideoRecord[] = []
  for (let n = 0; n < count; n += 1) made.push(await create(n))
  return made.filter(({ phase }) => phase === 'waiting')
}

describe('one member that refuses what waits', () => {
  test.each([
    ['for want of credits', NO_CREDITS],
    ['for a quota', refusal('quota_exceeded', 429)],
    ['with its key', refusal('backend_credentials_rejected', 401)],
    ['for the scope of its key', refusal('backend_credentials_rejected', 403)],
    ['for a while', refusal('backend_unavailable', 503, true)],
  ])('%s takes nothing over, and the others make all of it', async (_, answer) => {
    const made = await stage(['a', 'b', 'c'])
    const waiting = await waitAt(made, 20)
    expect(waiting.some(({ backend }) => backend === 'c')).toBe(true)
    const before = made.asked('c').length
    made.answers.set('c', answer)
    made.engine.videos.start()
    await made.engine.pass(10 * MINUTE)
    const all = await made.all()
    expect(new Set(all.map(({ status }) => status))).toEqual(new Set(['completed']))
    const times = made.asked('c').slice(before)
    expect(times.length).toBeGreaterThan(0)
    // In no minute more than its slots: it is tried, to see.
    for (const [n, atMs] of times.entries())
      expect((times[n + ACCOUNT.slots] ?? Infinity) - atMs).toBeGreaterThanOrEqual(MINUTE)
    const keys = ['a', 'b', 'c'].flatMap((name) => made.of(name).jobs.map(({ key }) => key))
    expect(keys.toSorted()).toEqual(all.map(({ id }) => `${id}.1`).toSorted())
    const moved = must(all.find(({ routing }) => routing.considered.some(({ reason }) => reason !== 'no room')))
    expect(moved.backend).not.toBe('c')
  })

  test('is asked last for a minute, though it has most room', async () => {
    const made = await stage(['b', 'a'])
    made.answers.set('b', NO_CREDITS)
    for (let n = 0; n < 2; n += 1) expect((await made.create(n)).backend).toBe('a')
    expect(made.asked('b')).toHaveLength(1)
    await made.engine.pass(MINUTE)
    await made.create(2)
    expect(made.asked('b')).toHaveLength(2)
  })

  test('and takes creates again makes its share again', async () => {
    const made = await stage(['a', 'b'])
    await waitAt(made, 30)
    const before = made.of('b').jobs.length
    made.answers.set('b', NO_CREDITS)
    made.engine.videos.start()
    await made.engine.pass(2 * MINUTE)
    expect(made.of('b').jobs).toHaveLength(before)
    made.answers.clear()
    await made.engine.pass(10 * MINUTE)
    expect(made.of('b').jobs.length - before).toBeGreaterThan(5)
    expect((await made.all()).every(({ status }) => status === 'completed')).toBe(true)
  })

  test('while it is drained fails nothing of its queue', async () => {
    const made = await stage(['a', 'b'])
    await waitAt(made, 12)
    made.answers.set('b', NO_CREDITS)
    await made.restart('stopped', { drain: ['b'] })
    await made.engine.pass(10 * MINUTE)
    expect((await made.all()).every(({ status }) => status === 'completed')).toBe(true)
  })

  test('keeps its doubts, whatever it refuses afterwards', async () => {
    const made = await stage(['a', 'b'])
    await waitAt(made, 12)
    made.answers.set('b', doubt())
    made.engine.videos.start()
    const doubts = async () => (await made.all()).filter(({ phase }) => phase === 'doubtful')
    while ((await doubts()).length === 0) await made.engine.pass(SECOND)
    const { id } = must((await doubts())[0])
    made.answers.set('b', NO_CREDITS)
    await made.engine.pass(10 * MINUTE)
    expect(await made.engine.record(id)).toMatchObject({ backend: 'b', phase: 'doubtful', attempt: 1 })
  })

  test('fails what is of a client that may use no other', async () => {
    const made = await stage(['a', 'b'], { maySee: (client, member) => client !== 'other' || member === 'b' })
    await waitAt(made, 6)
    const others: VideoRecord[] = []
    for (let n = 0; n < 6; n += 1) others.push(await made.create(n, 'other'))
    const waiting = others.filter(({ phase, backend }) => phase === 'waiting' && backend === 'b')
    expect(waiting.length).toBeGreaterThan(0)
    made.answers.set('b', NO_CREDITS)
    made.engine.videos.start()
    await made.engine.pass(10 * MINUTE)
    for (const { id } of waiting)
      expect(await made.engine.record(id)).toMatchObject({ backend: 'b', error: { code: 'insufficient_credits' } })
  })

  test('before the process dies: what it refused is still made once', async () => {
    const made = await stage(['a', 'b'])
    await waitAt(made, 12)
    made.answers.set('b', NO_CREDITS)
    made.engine.videos.start()
    while (!(await made.all()).some(({ refusal: met, phase }) => phase === 'waiting' && met !== null))
      await made.engine.pass(SECOND)
    await made.restart('crashed')
    await made.engine.pass(10 * MINUTE)
    const all = await made.all()
    expect(all.every(({ status }) => status === 'completed')).toBe(true)
    expect(made.of('a').jobs.length + made.of('b').jobs.length).toBe(all.length)
  })
})

test('what a member tried in vain that nobody reaches is made by the other', async () => {
  const made = await stage(['a', 'b'])
  const waiting = await waitAt(made, 12)
  const before = made.asked('a').length
  made.answers.set('a', unreachable())
  made.engine.videos.start()
  await made.engine.pass(20 * MINUTE)
  expect(made.asked('a').length).toBeGreaterThan(before)
  for (const { id } of waiting)
    expect(await made.engine.record(id)).toMatchObject({ backend: 'b', status: 'completed' })
})

test.each([['insufficient_credits', 402] as const, ['backend_credentials_rejected', 401] as const])(
  'where all refuse with %s, each video fails with that, after few requests',
  async (code, status) => {
    const names = ['a', 'b', 'c']
    const made = await stage(names)
    const waiting = await waitAt(made, 20)
    const before = names.reduce((sum, name) => sum + made.asked(name).length, 0)
    for (const name of names) made.answers.set(name, refusal(code, status))
    made.engine.videos.start()
    await made.engine.pass(5 * MINUTE)
    for (const { id } of waiting)
      expect(await made.engine.record(id)).toMatchObject({ status: 'failed', error: { code, retryable: false } })
    const requests = names.reduce((sum, name) => sum + made.asked(name).length, 0) - before
    expect(requests).toBeLessThanOrEqual(waiting.length + 2 * names.length)
  },
)

test('what one process was refused, the other knows: nothing fails, and nothing is paid twice', async () => {
  const { clock, of, answers, asked, options } = membersOf(['a', 'b', 'c'])
  const pair = await openPair(options)
  const { one, two, pass } = pair
  one.start()
  two.start()
  await pass(6 * SECOND)
  const ids: string[] = []
  for (let n = 0; n < 20; n += 1)
    ids.push((await (n % 2 === 0 ? one : two).create({ input: { ...INPUT, text: `video ${n}` } })).video.id)
  answers.set('c', NO_CREDITS)
  const before = asked('c').length
  const beganMs = clock.now()
  await pass(5 * MINUTE)
  one.kill()
  await pass(10 * MINUTE)
  const all = await Promise.all(ids.map((id) => pair.record(id)))
  expect(all.map(({ status }) => status)).toEqual(all.map(() => 'completed'))
  const keys = ['a', 'b', 'c'].flatMap((name) => of(name).jobs.map(({ key }) => key))
  expect(keys.toSorted()).toEqual(ids.map((id) => `${id}.1`).toSorted())
  const minutes = (clock.now() - beganMs) / MINUTE
  expect(asked('c').length - before).toBeGreaterThan(0)
  expect(asked('c').length - before).toBeLessThanOrEqual(ACCOUNT.slots * minutes)
  expect(await pair.store.queue(accountId('c'))).toMatchObject({ waiting: 0, held: 0 })
})
