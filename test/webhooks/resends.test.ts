import { expect, test } from 'vitest'
import { MAX_RESENT_AN_HOUR, MAX_REPLAYED } from '../../src/core/endpoints.ts'
import { Problem } from '../../src/core/errors.ts'
import { createRates } from '../../src/core/limits/rates.ts'
import { createResends, RESEND_WINDOW_MS } from '../../src/webhooks/endpoints.ts'
import { fakeClock } from '../fakes/clock.ts'
import { HOUR, T0 } from '../fakes/records.ts'

const staged = (limit: number) => {
  const clock = fakeClock(T0)
  const resends = createResends(createRates(clock, RESEND_WINDOW_MS), limit)
  let made = 0
  /** Asks for something that makes so many deliveries; answers when to come back where it was refused. */
  const ask = async (cost: number, client = 'acme'): Promise<number | 'taken'> => {
    try {
      return await resends(
        client,
        async () => {
          // As a write takes its time.
          await new Promise((resolve) => setImmediate(resolve))
          made += cost
          return 'taken' as const
        },
        () => cost,
      )
    } catch (error) {
      if (error instanceof Problem && error.code === 'rate_limited') return error.retryAtMs ?? 0
      throw error
    }
  }
  return { clock, ask, resends, made: () => made }
}

test('a call is taken while any is left, and costs what it makes', async () => {
  const { clock, ask, made } = staged(100)
  expect([await ask(50), await ask(49), await ask(50)]).toEqual(['taken', 'taken', 'taken'])
  expect(await ask(1)).toBe(T0 + HOUR)
  expect([await ask(1, 'other'), made()]).toEqual(['taken', 150])
  clock.jump(HOUR)
  expect(await ask(1)).toBe('taken')
})

test('many at once are taken one after the other: none for the first, whose cost is not known yet', async () => {
  const { ask, made } = staged(100)
  const answers = await Promise.all(Array.from({ length: 50 }, () => ask(40)))
  expect(answers.filter((answer) => answer === 'taken')).toHaveLength(3)
  expect(made()).toBe(120)
})

test('one of more than is left is waited for longer', async () => {
  const { clock, ask } = staged(100)
  await ask(50)
  clock.jump(10 * 60_000)
  await ask(150)
  // What the first gives back is not enough.
  expect(await ask(1)).toBe(T0 + 10 * 60_000 + HOUR)
})

test('what fails costs one, and holds up nobody', async () => {
  const { ask, resends } = staged(2)
  const failing = resends(
    'acme',
    () => Promise.reject(new Error('the disk')),
    () => 9,
  )
  const next = ask(1)
  await expect(failing).rejects.toThrow('the disk')
  expect([await next, await ask(1)]).toEqual(['taken', T0 + HOUR])
})

test('one replay is never too large for the hour', () => {
  expect(MAX_REPLAYED).toBeLessThanOrEqual(MAX_RESENT_AN_HOUR)
})
