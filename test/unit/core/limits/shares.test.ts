import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { createShares, createStreamPlaces } from '../../../../src/core/limits/rates.ts'

/** The same cases in every run. */
const RUNS = { seed: 20_261_122, numRuns: 300 }
const WINDOW_MS = 1_000

const steps = fc.array(
  fc.record({
    passesMs: fc.integer({ min: 0, max: 400 }),
    givesBack: fc.boolean(),
    share: fc.integer({ min: 1, max: 6 }),
  }),
  { maxLength: 80 },
)

test('no more than a share in any window, and one again to the millisecond', () => {
  fc.assert(
    fc.property(steps, (all) => {
      let nowMs = 5_000
      const shares = createShares({ now: () => nowMs })
      let held: number[] = []
      for (const { passesMs, givesBack, share } of all) {
        nowMs += passesMs
        held = held.filter((atMs) => nowMs - atMs < WINDOW_MS)
        const taken = shares.take('acme', share, WINDOW_MS)
        const oldest = held.at(-share)
        if (oldest !== undefined) {
          expect(taken).toEqual({ ok: false, retryAtMs: oldest + WINDOW_MS })
          continue
        }
        expect(taken.ok).toBe(true)
        if (taken.ok && givesBack) taken.giveBack()
        else held.push(nowMs)
      }
    }),
    RUNS,
  )
})

test('what is given back late frees nothing, and another holder has a share of its own', () => {
  let nowMs = 0
  const shares = createShares({ now: () => nowMs })
  const early = shares.take('acme', 1, WINDOW_MS)
  expect(shares.take('acme', 1, WINDOW_MS).ok).toBe(false)
  expect(shares.take('other', 1, WINDOW_MS).ok).toBe(true)
  nowMs += WINDOW_MS
  expect(shares.take('acme', 1, WINDOW_MS).ok).toBe(true)
  if (early.ok) early.giveBack()
  expect(shares.take('acme', 1, WINDOW_MS).ok).toBe(false)
})

test('places of streams: as many as the limit at once, for each client', async () => {
  const places = createStreamPlaces()
  const take = (client = 'acme') => places.take(client, 2)
  const [one, two] = [await take(), await take()]
  expect([await take(), await take('other')]).toEqual([null, expect.any(Function)])
  one?.()
  const three = await take()
  expect([three, await take()]).toEqual([expect.any(Function), null])
  two?.()
  three?.()
  expect([await take(), await take(), await take()]).toEqual([expect.any(Function), expect.any(Function), null])
})
