import { afterEach, describe, expect, test } from 'vitest'
import type { Store } from '../../src/core/store/index.ts'
import type { CreateOutcome } from '../../src/core/adapter.ts'
import { must } from '../fakes/must.ts'
import { acceptedAs, doubt, MINUTE, rate, refused, SECOND } from '../fakes/records.ts'
import { openEngine, type Engine, type EngineOptions } from './harness.ts'

// Where the window has many requests left, tickets are in hand. Then a create is stored together with its bytes.

let engine: Engine
afterEach(async () => {
  await engine.videos.stop()
  await engine.destroy()
})

const LIMIT = 64_000
const acceptedOf = (used: number): CreateOutcome => {
  const outcome = acceptedAs(`job_early_${used}`)
  const told = rate({ limit: LIMIT, remaining: LIMIT - used, resetAtMs: engine.clock.now() + MINUTE })
  return outcome.kind === 'accepted' ? { ...outcome, rate: told } : outcome
}

/** Two creates are through: the first asked for the window, the second took a block. What comes next finds tickets in hand. */
const inHand = async (options: EngineOptions = {}): Promise<void> => {
  engine = await openEngine({ ...options, account: { slots: null, ...options.account } })
  engine.videos.start()
  for (const n of [1, 2]) {
    engine.adapter.creates.push(acceptedOf(n))
    await engine.create()
    await engine.rest()
  }
}
const creates = () => engine.adapter.callsOf('create').slice(2)
const sentBytes = () => creates().map((call) => call.operation === 'create' && call.wire)
const typesOf = async (id: string) => (await engine.videos.timeline(id)).map(({ type }) => type)
/** How many of the window are out of the others' reach. */
const unused = async (): Promise<number> => (await engine.store.budget(engine.account.id, NOTHING, LIMIT)).remaining
const NOTHING = { pollsDue: 0, createsWaiting: 0 }

/** Calls of one verb of the store, from now on. */
const counted = (verb: 'open' | 'change'): (() => number) => {
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

describe('a create whose ticket is in hand', () => {
  test('takes two writes, and its bytes are stored before they go', async () => {
    await inHand()
    const [opens, changes] = [counted('open'), counted('change')]
    const answer = Promise.withResolvers<CreateOutcome>()
    engine.adapter.creates.push(answer.promise)
    const creating = engine.create()
    await engine.rest()
    const [wire] = sentBytes()
    const id = await onlyUndecided()
    expect(await engine.record(id)).toMatchObject({ phase: 'dispatching', attempt: 1, wire, told: false })
    expect([opens(), changes()]).toEqual([1, 0])
    answer.resolve(acceptedAs('job_3'))
    const { video } = await creating
    expect(video).toMatchObject({ id, phase: 'accepted', backendJobId: 'job_3', attempt: 1, wire: null, version: 3 })
    expect([opens(), changes()]).toEqual([1, 1])
    expect((await typesOf(id)).slice(0, 3)).toEqual(['created', 'dispatched', 'accepted'])
    expect(await engine.record(id)).toEqual(video)
  })

  test('a callback that was written meanwhile is not lost', async () => {
    await inHand({ interface: 'alternate', callbackUrl: 'https://gateway.example/callback' })
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
    await inHand()
    engine.adapter.creates.push(refused())
    await expect(engine.create()).rejects.toMatchObject({ name: 'Problem' })
    expect(await engine.store.undecided(engine.account.id)).toEqual([])
  })

  test('where all slots are held, it waits without bytes, and its ticket is given back', async () => {
    await inHand({ account: { slots: 2 } })
    const before = await unused()
    const { video } = await engine.create()
    expect(video).toMatchObject({ phase: 'waiting', wire: null, attempt: 0, dispatchedAtMs: null })
    expect(await typesOf(video.id)).toEqual(['created'])
    await engine.videos.stop()
    expect(creates()).toEqual([])
    expect(await unused()).toBe(before)
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
    await inHand()
    const id = await died()
    expect((await engine.record(id)).wire).not.toBeNull()
    await restarted()
    expect(await typesOf(id)).toContain('doubtful')
    await engine.pass(MINUTE)
    expect(await engine.record(id)).toMatchObject({ phase: 'accepted', told: true })
    expect(sentBytes()).toMatchObject([{ headers: { 'idempotency-key': `${id}.1` } }])
  })

  test('where nothing could end a doubt, it was stored without bytes: it waits, and is ordered once', async () => {
    await inHand({ interface: 'alternate' })
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
  await inHand()
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
