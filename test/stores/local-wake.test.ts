import { beforeEach, describe, expect, test } from 'vitest'
import type { Wake } from '../../src/core/ports.ts'
import { createLocalWake } from '../../src/stores/index.ts'
import { wakeContract } from '../contract/wake.ts'
import { fakeClock, type FakeClock } from '../fakes/clock.ts'

let clock: FakeClock
let wake: Wake
let heard: string[]
beforeEach(() => {
  clock = fakeClock()
  wake = createLocalWake(clock)
  heard = []
  wake.on({
    work: (kind, id) => void heard.push(`${kind} ${id}`),
    changed: (id, version) => void heard.push(`changed ${id} ${version}`),
  })
})

describe('as any other', () => {
  wakeContract(async () => {
    const own = fakeClock()
    const one = createLocalWake(own)
    return {
      clock: own,
      wakes: [one, one],
      turn: () => own.advance(0),
      pass: (ms) => own.advance(ms),
      close: () => one.close(),
    }
  })
})

describe('hint', () => {
  test('rings when it is due, once', async () => {
    wake.hint('account', 'a', clock.now() + 1_000)
    await clock.advance(999)
    expect(heard).toEqual([])
    await clock.advance(1)
    await clock.advance(60_000)
    expect(heard).toEqual(['account a'])
  })

  test('of a time that is past rings at once, but not before the caller is done', async () => {
    wake.hint('deliver', 'a', clock.now() - 1_000)
    expect(heard).toEqual([])
    await clock.advance(0)
    expect(heard).toEqual(['deliver a'])
  })

  test('an earlier one takes the place of a later one', async () => {
    wake.hint('account', 'a', clock.now() + 5_000)
    wake.hint('account', 'a', clock.now() + 1_000)
    wake.hint('account', 'a', clock.now() + 9_000)
    await clock.advance(1_000)
    expect(heard).toEqual(['account a'])
    expect(clock.pending()).toBe(0)
  })

  test('kinds and ids are apart', async () => {
    wake.hint('account', 'a', clock.now())
    wake.hint('account', 'b', clock.now())
    wake.hint('deliver', 'a', clock.now())
    await clock.advance(0)
    expect(heard).toEqual(['account a', 'account b', 'deliver a'])
  })

  test('of later than a minute sets no timer: the sweep finds it', async () => {
    wake.hint('deliver', 'later', clock.now() + 60_001)
    expect(clock.pending()).toBe(0)
    wake.hint('deliver', 'soon', clock.now() + 60_000)
    await clock.advance(120_000)
    expect(heard).toEqual(['deliver soon'])
  })

  test('of 20,000 that come within the minute has timers for half, and rings whatever is due now', async () => {
    for (let n = 0; n < 20_000; n += 1) wake.hint('deliver', `dlv_${n}`, clock.now() + 30_000)
    expect(clock.pending()).toBe(10_000)
    wake.hint('deliver', 'now', clock.now())
    expect(clock.pending()).toBe(10_001)
    // One that has a timer is moved all the same.
    wake.hint('deliver', 'dlv_0', clock.now() + 1)
    expect(clock.nextAtMs()).toBe(clock.now())
    await wake.close()
  })

  test('of an account rings when it is due, however many deliveries have timers', async () => {
    for (let n = 0; n < 10_000; n += 1) wake.hint('deliver', `dlv_${n}`, clock.now() + 30_000)
    wake.hint('account', 'main', clock.now() + 500)
    await clock.advance(500)
    expect(heard).toEqual(['account main'])
    await wake.close()
  })

  test('after it rang it can be set again', async () => {
    wake.hint('account', 'a', clock.now())
    await clock.advance(0)
    wake.hint('account', 'a', clock.now() + 1)
    await clock.advance(1)
    expect(heard).toEqual(['account a', 'account a'])
  })
})

test('changed reaches everybody who listens, and nobody who does no more', () => {
  const others: string[] = []
  const off = wake.on({ changed: (id) => void others.push(id) })
  wake.changed('vid_1', 2, 'acme')
  off()
  wake.changed('vid_1', 3, 'acme')
  expect(others).toEqual(['vid_1'])
  expect(heard).toEqual(['changed vid_1 2', 'changed vid_1 3'])
})

test('close rings nothing more, and leaves no timer', async () => {
  wake.hint('account', 'a', clock.now() + 1_000)
  await wake.close()
  expect(clock.pending()).toBe(0)
  await clock.advance(2_000)
  wake.changed('vid_1', 1, 'acme')
  expect(heard).toEqual([])
})
