import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Clock } from '../../src/core/time/clock.ts'
import type { Wake } from '../../src/core/ports.ts'
import { until } from '../fakes/until.ts'

export interface WakeUnderTest {
  clock: Clock
  /** Of two processes, or twice that of one. */
  wakes: readonly [Wake, Wake]
  /** Lets what is due now ring, where time is the test's. */
  turn(): Promise<void>
  /** Moves time on so that what is due in `ms` rings, or waits for that. */
  pass(ms: number): Promise<void>
  close(): Promise<void>
}

/** What one listener heard, in order. */
export interface Ear {
  heard: string[]
  off: () => void
}

export const listenTo = (wake: Wake): Ear => {
  const heard: string[] = []
  const off = wake.on({
    work: (kind, id) => void heard.push(`${kind} ${id}`),
    changed: (id, version, client) => void heard.push(`changed ${id} ${version} ${client}`),
  })
  return { heard, off }
}

/** What every `Wake` does while nothing is lost. */
export const wakeContract = (open: () => Promise<WakeUnderTest>): void => {
  let under: WakeUnderTest
  let wake: Wake
  let ear: Ear
  beforeEach(async () => {
    under = await open()
    wake = under.wakes[0]
    ear = listenTo(wake)
  })
  afterEach(() => under.close())
  const now = (): number => under.clock.now()
  const hears = (...lines: string[]): Promise<void> =>
    until(async () => {
      await under.turn()
      return lines.every((line) => ear.heard.includes(line))
    })

  describe('a hint', () => {
    test.each(['account', 'deliver', 'transfer'] as const)('of %s that is due rings', async (kind) => {
      wake.hint(kind, 'a', now())
      await hears(`${kind} a`)
    })

    test('of a time that is past rings, too, but not before the caller is done', async () => {
      wake.hint('deliver', 'a', now() - 1_000)
      wake.hint('account', 'a', now() - 1_000)
      expect(ear.heard).toEqual([])
      await hears('deliver a', 'account a')
    })

    test('for later rings when it is due, and not before', async () => {
      const dueAtMs = now() + 400
      wake.hint('deliver', 'a', dueAtMs)
      wake.hint('account', 'a', dueAtMs)
      wake.hint('transfer', 'now', now())
      await hears('transfer now')
      if (now() < dueAtMs) expect(ear.heard).toEqual(['transfer now'])
      await under.pass(400)
      await hears('deliver a', 'account a')
      expect(now()).toBeGreaterThanOrEqual(dueAtMs)
    })

    test('for more than a minute ahead does not ring: the sweep finds it', async () => {
      wake.hint('deliver', 'later', now() + 61_000)
      wake.hint('account', 'later', now() + 61_000)
      wake.hint('deliver', 'now', now())
      await hears('deliver now')
      expect(ear.heard).toEqual(['deliver now'])
    })

    test('that rang can be given again', async () => {
      const first = now()
      wake.hint('deliver', 'a', first)
      await hears('deliver a')
      ear.heard.length = 0
      // A later state of the same work is due later.
      wake.hint('deliver', 'a', first + 1)
      await under.pass(1)
      await hears('deliver a')
    })

    test('takes any id', async () => {
      wake.hint('account', 'main:eu', now())
      wake.hint('deliver', '12:34', now())
      wake.hint('deliver', '1234', now())
      await hears('account main:eu', 'deliver 12:34', 'deliver 1234')
    })

    test('of many at once: every one rings', async () => {
      const ids = Array.from({ length: 1_200 }, (_, n) => `dlv_${n}`)
      for (const id of ids) wake.hint('deliver', id, now())
      await hears(...ids.map((id) => `deliver ${id}`))
      // Twice is allowed: a machine that is busy answers a hint late, and it rings here as well.
      expect([...new Set(ear.heard)].toSorted()).toEqual(ids.map((id) => `deliver ${id}`).toSorted())
    })
  })

  test('a change is heard at once by its own process, once, and soon by the other', async () => {
    const [, other] = under.wakes
    const there = listenTo(other)
    wake.changed('vid_1', 2, 'acme')
    expect(ear.heard).toEqual(['changed vid_1 2 acme'])
    await until(() => there.heard.length > 0)
    wake.changed('vid_1', 3, 'acme')
    await until(() => there.heard.includes('changed vid_1 3 acme'))
    expect(ear.heard).toEqual(['changed vid_1 2 acme', 'changed vid_1 3 acme'])
    there.off()
  })

  test('a change of no video is told, too', async () => {
    wake.changed('', 0, 'acme')
    expect(ear.heard).toEqual(['changed  0 acme'])
  })

  test('who listens no more hears nothing', async () => {
    ear.off()
    ear.off()
    const again = listenTo(wake)
    wake.changed('vid_1', 1, 'acme')
    wake.hint('deliver', 'a', now())
    await until(async () => {
      await under.turn()
      return again.heard.length === 2
    })
    expect(ear.heard).toEqual([])
  })

  test('closed, it rings nothing and throws nothing; closing twice does no harm', async () => {
    wake.hint('deliver', 'a', now() + 200)
    await wake.close()
    await wake.close()
    wake.hint('deliver', 'b', now())
    wake.changed('vid_1', 1, 'acme')
    await under.turn()
    expect(ear.heard).toEqual([])
  })
}
