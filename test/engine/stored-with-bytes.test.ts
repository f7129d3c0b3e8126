import { afterEach, describe, expect, test } from 'vitest'
import type { Store } from '../../src/core/store/index.ts'
import type { CreateOutcome } from '../../src/core/adapter.ts'
import { must } from '../fakes/must.ts'
import { acceptedAs, doubt, MINUTE, rate, refused, SECOND, unreachable } from '../fakes/records.ts'
import { openEngine, type Engine, type EngineOptions } from './harness.ts'

// One write opens a video and takes its ticket. Where a doubt could be ended, its bytes are stored with it.

let engine: Engine
afterEach(async () => {
  await engine.videos.stop()
  await engine.destroy()
})

const LIMIT = 10
/** One create is through: what the window is, is known. */
const begin = async (options: EngineOptions = {}): Promise<void> => {
  engine = await openEngine({ ...options, account: { slots: null, requestsPerMinute: LIMIT, ...options.account } })
  engine.videos.start()
  const first = acceptedAs('job_first')
  const told = rate({ limit: LIMIT, remaining: LIMIT - 1, resetAtMs: engine.clock.now() + MINUTE })
  engine.adapter.creates.push(first.kind === 'accepted' ? { ...first, rate: told } : first)
  await engine.create()
  await engine.rest()
}
const creates = () => engine.adapter.callsOf('create').slice(1)
const sentBytes = () => creates().map((call) => call.operation === 'create' && call.wire)
const typesOf = async (id: string) => (await engine.videos.timeline(id)).map(({ type }) => type)
/** How many requests the window has left. */
const left = async (): Promise<number> => (await engine.store.budget(engine.account.id, NOTHING, LIMIT)).remaining
const NOTHING = { pollsDue: 0, createsWaiting: 0 }
/** Somebody else takes what is left of it. */
const takeAll = async (): Promise<void> => {
  for (let n = await left(); n > 0; n -= 1) await engine.store.spend(engine.account.id, 'create', NOTHING, LIMIT)
}

/** Five creates in a row meet silence. */
const openBreaker = async (): Promise<void> => {
  const backendError = { status: null, code: null, block_code: null, message: null }
  engine.adapter.creates.push(...Array.from({ length: 5 }, () => unreachable({ backendError })))
  for (let n = 0; n < 5; n += 1) await expect(engine.create()).rejects.toMatchObject({ code: 'backend_unavailable' })
}

/** Calls of one verb of the store, from now on. */
const counted = (verb: 'open' | 'change' | 'spend'): (() => number) => {
  let calls = 0
  const real = engine.store[verb] as (...args: unknown[]) => Promise<unknown>
  Object.assign(engine.store, {
    [verb]: (...args: unknown[]) => {
      calls += 1
      return real(...args)
    },
  })
  return () => calls
}

/** The next video is written, and this process never hears of it. */
const dieAfterOpen = (): void => {
  const real: Store['open'] = engine.store.open
  engine.store.open = async (...args) => {
    engine.store.open = real
    await real(...args)
    throw new Error('it died')
  }
}
const onlyUndecided = async (): Promise<string> => {
  const ids = await engine.store.undecided(engine.account.id)
  expect(ids).toHaveLength(1)
  return must(ids[0])
}

describe('a create', () => {
  test('takes two writes, and its bytes are stored before they go', async () => {
    await begin()
    const [opens, changes, spends] = [counted('open'), counted('change'), counted('spend')]
    const answer = Promise.withResolvers<CreateOutcome>()
    engine.adapter.creates.push(answer.promise)
    const creating = engine.create()
    await engine.rest()
    const [wire] = sentBytes()
    const id = await onlyUndecided()
    expect(await engine.record(id)).toMatchObject({ phase: 'dispatching', attempt: 1, wire, told: false })
    expect([opens(), changes(), spends()]).toEqual([1, 0, 0])
    answer.resolve(acceptedAs('job_3'))
    const { video } = await creating
    expect(video).toMatchObject({ id, phase: 'accepted', backendJobId: 'job_3', attempt: 1, wire: null, version: 3 })
    expect([opens(), changes(), spends()]).toEqual([1, 1, 0])
    expect((await typesOf(id)).slice(0, 3)).toEqual(['created', 'dispatched', 'accepted'])
    expect(await engine.record(id)).toEqual(video)
  })

  test('a callback that was written meanwhile is not lost', async () => {
    await begin({ interface: 'alternate', callbackUrl: 'https://gateway.example/callback' })
    const answer = Promise.withResolvers<CreateOutcome>()
    engine.adapter.creates.push(answer.promise)
    const creating = engine.create()
    await engine.rest()
    const id = await onlyUndecided()
    await engine.videos.hinted(id, 1, 'job_3')
    expect((await engine.record(id)).search?.named).toMatchObject([{ jobId: 'job_3', state: 'pending' }])
    answer.resolve(doubt())
    expect((await creating).video).toMatchObject({ phase: 'doubtful', search: { named: [{ jobId: 'job_3' }] } })
  })

  test('a refusal is answered, and leaves nothing behind', async () => {
    await begin()
    engine.adapter.creates.push(refused())
    await expect(engine.create()).rejects.toMatchObject({ name: 'Problem' })
    expect(await engine.store.undecided(engine.account.id)).toEqual([])
  })

  test('where all slots are held, it waits without bytes, and takes no request', async () => {
    await begin({ account: { slots: 1 } })
    const before = await left()
    const { video } = await engine.create()
    expect(video).toMatchObject({ phase: 'waiting', wire: null, attempt: 0, dispatchedAtMs: null })
    expect(await typesOf(video.id)).toEqual(['created', 'waiting'])
    expect(creates()).toEqual([])
    expect(await left()).toBe(before)
  })

  test('where nothing could end a doubt, it takes its ticket as it opens, and its bytes are stored later', async () => {
    await begin({ interface: 'alternate' })
    const [opens, changes, spends] = [counted('open'), counted('change'), counted('spend')]
    const { video } = await engine.create()
    expect(video).toMatchObject({ phase: 'accepted', attempt: 1 })
    expect([opens(), changes(), spends()]).toEqual([1, 2, 0])
    expect((await typesOf(video.id)).slice(0, 3)).toEqual(['created', 'dispatched', 'accepted'])
  })

  test('where the window has no request left, it opens all the same, and waits in the queue', async () => {
    await begin()
    await takeAll()
    const { video } = await engine.create()
    expect(video).toMatchObject({ phase: 'waiting', waitReason: 'no_budget', wire: null, attempt: 0, told: true })
    expect(creates()).toEqual([])
    await engine.pass(2 * MINUTE)
    expect(await engine.record(video.id)).toMatchObject({ phase: 'accepted', attempt: 1 })
    expect(creates()).toHaveLength(1)
  })

  test('while the first request of a window is out, it waits for a ticket, and then stores its bytes', async () => {
    engine = await openEngine({ account: { slots: null } })
    engine.videos.start()
    const answer = Promise.withResolvers<CreateOutcome>()
    engine.adapter.creates.push(answer.promise)
    const first = engine.create()
    await engine.rest()
    const second = engine.create()
    await engine.rest()
    const phases = await Promise.all((await engine.store.undecided(engine.account.id)).map((id) => engine.record(id)))
    expect(phases.map(({ wire, attempt }) => [wire !== null, attempt])).toEqual([
      [true, 1],
      [false, 0],
    ])
    answer.resolve(acceptedAs('job_first'))
    await engine.pass(SECOND)
    expect((await first).video.phase).toBe('accepted')
    expect((await second).video).toMatchObject({ phase: 'accepted', attempt: 1 })
    expect(engine.adapter.callsOf('create')).toHaveLength(2)
  })

  test('while the breaker is open, it takes no request of the window', async () => {
    await begin()
    await openBreaker()
    const before = await left()
    await expect(engine.create()).rejects.toMatchObject({ code: 'backend_unavailable' })
    expect([creates().length, await left()]).toEqual([5, before])
    expect(await engine.store.undecided(engine.account.id)).toEqual([])
  })

  test('if the breaker opens while it is stored, it is not sent, and leaves nothing behind', async () => {
    await begin()
    const real: Store['open'] = engine.store.open
    engine.store.open = async (...args) => {
      engine.store.open = real
      const opened = await real(...args)
      await openBreaker()
      return opened
    }
    await expect(engine.create()).rejects.toMatchObject({ code: 'backend_unavailable' })
    expect(creates()).toHaveLength(5)
    expect(await engine.store.undecided(engine.account.id)).toEqual([])
  })

  test('asked for again after the answer to its write was lost, it is the same video, and its request is taken once', async () => {
    await begin()
    const before = await left()
    dieAfterOpen()
    await expect(engine.create({}, 'order-1')).rejects.toThrow('it died')
    await expect(engine.create({}, 'order-1')).rejects.toMatchObject({ code: 'idempotency_key_in_progress' })
    expect(await left()).toBe(before - 1)
    expect(creates()).toEqual([])
    await engine.pass(2 * MINUTE)
    expect(await engine.create({}, 'order-1')).toMatchObject({ replayed: true, video: { phase: 'accepted' } })
    expect(creates()).toHaveLength(1)
  })
})

describe('the process dies after the write and before the bytes go', () => {
  const died = async (): Promise<string> => {
    dieAfterOpen()
    await expect(engine.create()).rejects.toThrow('it died')
    const id = await onlyUndecided()
    expect(creates()).toEqual([])
    return id
  }
  const restarted = async (): Promise<void> => {
    engine = await engine.restart('crashed')
    engine.videos.start()
    await engine.pass(SECOND)
  }

  test('where the backend knows keys, it is a doubt, and is ordered once', async () => {
    await begin()
    const id = await died()
    expect((await engine.record(id)).wire).not.toBeNull()
    await restarted()
    expect(await typesOf(id)).toContain('doubtful')
    await engine.pass(MINUTE)
    expect(await engine.record(id)).toMatchObject({ phase: 'accepted', told: true })
    expect(sentBytes()).toMatchObject([{ headers: { 'idempotency-key': `${id}.1` } }])
  })

  test('where nothing could end a doubt, it was stored without bytes: it waits, and is ordered once', async () => {
    await begin({ interface: 'alternate' })
    const id = await died()
    expect(await engine.record(id)).toMatchObject({ wire: null, attempt: 0 })
    await restarted()
    await engine.pass(MINUTE)
    expect(await engine.record(id)).toMatchObject({ phase: 'accepted', attempt: 1 })
    expect(await typesOf(id)).not.toContain('doubtful')
    expect(creates()).toHaveLength(1)
  })
})

test('the store was so slow that its lease would end: nothing is sent, and it waits', async () => {
  await begin()
  const real: Store['open'] = engine.store.open
  engine.store.open = async (...args) => {
    engine.store.open = real
    const opened = await real(...args)
    engine.clock.stall(11 * SECOND)
    return opened
  }
  const { video } = await engine.create()
  expect(video).toMatchObject({ phase: 'waiting', told: true, wire: null, lease: null })
  expect(creates()).toEqual([])
})
