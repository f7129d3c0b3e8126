import { describe, expect, test } from 'vitest'
import { MINUTE, SECOND } from '../../../fakes/records.ts'
import { createWorld, type World } from './window-stage.ts'

const LARGE = 64_000

/** Runs until all of them are through. */
const settled = async <T>(world: World, work: readonly Promise<T>[], ms = SECOND): Promise<T[]> => {
  const all = Promise.all(work)
  await world.clock.advance(ms)
  return all
}
const reads = (world: World, count: number) => Array.from({ length: count }, () => world.ask('read'))

/** A world whose window is known, and in which a block was taken and used up: of 64,000 257 are sent. */
const known = async (limit = LARGE, storeMs = 0): Promise<World> => {
  const world = createWorld({ seed: 1, limit, storeMs })
  await settled(world, [world.ask('poll')])
  await settled(world, [world.ask('read')])
  await settled(world, reads(world, (world.calls.taken.at(-1) ?? 0) - 1))
  return world
}

describe('where the window has many requests left', () => {
  test('reads at once take their tickets with one write, and are learned of with one', async () => {
    const world = await known()
    const before = { ...world.calls }
    const asked = await settled(world, reads(world, 200))
    expect(asked.every(({ kind }) => kind === 'asked')).toBe(true)
    expect(world.calls.spend - before.spend).toBe(1)
    expect(world.calls.learn - before.learn).toBe(1)
    expect(world.budget()).toMatchObject({ unanswered: 256 - 200, told: LARGE - 257 - 200 })
  })

  test('those for whom a block was not enough share the next', async () => {
    const world = await known()
    const before = world.calls.spend
    await settled(world, reads(world, 600))
    expect(world.calls.spend - before).toBe(3)
    expect(world.used()).toEqual([257 + 600])
  })

  test('a block is a sixty-fourth of what is left, and leaves what others want', async () => {
    const world = await known(640)
    await settled(world, reads(world, 1))
    expect(world.calls.taken.at(-1)).toBe(9)
    const busy = await known(640)
    busy.wants(600, 25)
    await settled(busy, reads(busy, 1))
    expect(busy.calls.taken.at(-1)).toBe(5)
  })

  test('creates and polls take theirs one by one', async () => {
    const world = await known()
    const before = world.calls.taken.length
    await settled(world, [world.ask('create'), world.ask('poll'), world.ask('create')])
    expect(world.calls.taken.slice(before)).toEqual([1, 1, 1])
    expect(world.budget()).toMatchObject({ creates: 2, unanswered: 0, told: LARGE - 257 - 3 })
  })

  test('the answers are learned before anything else is taken', async () => {
    const world = await known()
    const [, create] = await settled(world, [world.ask('read'), world.ask('create')], 0)
    expect(create?.kind).toBe('asked')
    await settled(world, [world.ask('poll')], 0)
    // The create's and the read's. The poll's, and what is left of the block, are unanswered.
    expect(world.budget()).toMatchObject({ told: LARGE - 257 - 2, unanswered: 256 })
    await settled(world, [world.ask('create')])
    expect(world.budget()).toMatchObject({ told: LARGE - 257 - 4, unanswered: 255 })
  })

  test('a client’s share is that of the window', async () => {
    const world = await known(384)
    const asked = await settled(
      world,
      Array.from({ length: 200 }, () => world.ask('read', 'acme')),
    )
    expect(asked.filter(({ kind }) => kind === 'asked')).toHaveLength(128)
  })
})

describe('a block is void', () => {
  test('at its window’s end, to the millisecond', async () => {
    const world = await known()
    await settled(world, reads(world, 1))
    const { spend } = world.calls
    await world.clock.advance((world.budget().resetsAtMs ?? 0) - world.clock.now() - 1)
    await settled(world, reads(world, 1), 0)
    expect(world.calls.spend).toBe(spend)
    await world.clock.advance(1)
    await settled(world, reads(world, 1), 0)
    expect(world.calls.taken.slice(spend)).toEqual([1])
    expect(world.budget().reserved).toBe(0)
  })

  test('at its window’s end, and what is left of it is kept from nobody', async () => {
    const world = await known()
    await settled(world, reads(world, 1))
    await world.clock.advance(2 * MINUTE)
    await settled(world, [world.ask('create')])
    expect(world.budget()).toMatchObject({ reserved: 0, unanswered: 0, late: [] })
    await settled(world, reads(world, 3))
    expect(world.budget().told).toBe(LARGE - 4)
    expect(world.refused()).toBe(0)
  })

  test('when the backend refuses: nothing goes before it says', async () => {
    const world = await known()
    await settled(world, reads(world, 1))
    world.othersSend(LARGE)
    await settled(world, [world.ask('read')])
    expect(world.refused()).toBe(1)
    const left = await settled(world, reads(world, 50), 3 * SECOND)
    expect(left.every(({ kind }) => kind === 'not_now')).toBe(true)
    expect(world.refused()).toBe(1)
    expect(world.budget().unanswered).toBe(0)
  })

  test('also one that is being taken then', async () => {
    const world = await known(LARGE, 50)
    world.othersSend(LARGE)
    const poll = world.ask('poll')
    await world.clock.advance(20)
    const read = world.ask('read')
    await settled(world, [poll, read], 3 * SECOND)
    expect((await read).kind).toBe('not_now')
    expect(world.refused()).toBe(1)
    expect(world.budget().unanswered).toBe(0)
  })

  test('when far less is left than it was taken from: a poll’s answer told', async () => {
    const world = await known()
    await settled(world, reads(world, 1))
    world.othersSend(LARGE - 300)
    await settled(world, [world.ask('poll')])
    await settled(world, reads(world, 100), 3 * SECOND)
    expect(world.used()).toEqual([LARGE])
    expect(world.refused()).toBe(0)
  })

  test('at a stop', async () => {
    const world = await known()
    await settled(world, reads(world, 1), 0)
    await world.close()
    expect(world.budget().unanswered).toBe(0)
  })
})

test('a store that fails is a fault of each that asks, and of nobody after', async () => {
  const world = await known()
  world.breakStore(true)
  const failed = Promise.allSettled(reads(world, 5))
  await world.clock.advance(0)
  expect((await failed).map(({ status }) => status)).toEqual(Array.from({ length: 5 }, () => 'rejected'))
  world.breakStore(false)
  const asked = await settled(world, reads(world, 5))
  expect(asked.every(({ kind }) => kind === 'asked')).toBe(true)
})

test('answers that could not be written with a ticket are written with the next', async () => {
  const world = await known()
  await settled(world, [world.ask('create'), world.ask('poll')], 0)
  const { unanswered } = world.budget()
  world.breakStore(true)
  await expect(world.ask('poll')).rejects.toThrow('the store is broken')
  world.breakStore(false)
  await settled(world, [world.ask('poll')], 0)
  expect(world.budget().unanswered).toBe(unanswered - 1)
})
