import { expect, test } from 'vitest'
import { z } from 'zod'
import { createBoard } from '../../../src/engine/replicas/board.ts'
import { fakeClock } from '../../fakes/clock.ts'
import { SECOND } from '../../fakes/records.ts'

test('a board that closes during a write that fails leaves no timer, and writes it again', async () => {
  const clock = fakeClock()
  const writing = Promise.withResolvers<void>()
  const written: string[] = []
  const board = createBoard(
    {
      store: {
        facts: async () => [],
        async putFacts(_kind, facts) {
          written.push(...facts.map(({ value }) => value))
          if (written.length === 1) await writing.promise
        },
      },
      clock,
      log: { info: () => undefined, warn: () => undefined, error: () => undefined },
      replica: { id: 'one', isAlone: false },
    },
    'account',
  )
  const cell = board.cell('n', z.number())
  cell.say('a', 1)
  await clock.advance(SECOND)
  expect(written).toEqual(['1'])
  const closed = board.close()
  writing.reject(new Error('the store is away'))
  await closed
  expect(written).toEqual(['1', '1'])
  expect(clock.nextAtMs()).toBeNull()
})
