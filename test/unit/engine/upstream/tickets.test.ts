import { expect, test } from 'vitest'
import type { Store } from '../../../../src/core/store/index.ts'
import { createUpstream } from '../../../../src/engine/upstream/tickets.ts'
import { accountOf, scriptedAdapter } from '../../../fakes/adapter.ts'
import { boardOf } from '../../../fakes/board.ts'
import { fakeClock } from '../../../fakes/clock.ts'
import { ACCOUNT, MINUTE, problem, rate, SECOND } from '../../../fakes/records.ts'
import { SILENT } from '../../../../src/core/tally.ts'

const SILENCE = problem({
  code: 'backend_unavailable',
  backendError: { status: null, code: null, block_code: null, message: null },
})

/** A intake to a backend that says nothing, with tickets for everybody. */
const intake = () => {
  const clock = fakeClock()
  const ticket = { account: ACCOUNT, window: 1, probes: false }
  const store = { spend: async () => ({ ok: true, ticket }), learn: async () => undefined } as unknown as Store
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined }
  const upstream = createUpstream({ store, clock, log, tally: SILENT, board: boardOf(store, clock) })
  const account = accountOf(scriptedAdapter(clock.now))
  let sent = 0
  const ask = (
    answer: { rate: ReturnType<typeof rate> | null; problem?: typeof SILENCE; isSilent?: boolean } = {
      rate: null,
      problem: SILENCE,
    },
  ) =>
    upstream.ask(account, 'poll', 0, async () => {
      sent += 1
      return answer
    })
  return { clock, upstream, account, ask, sent: () => sent }
}

test('of many that ask at once of a dead backend whose pause is over, one tries', async () => {
  const { clock, ask, sent } = intake()
  for (let n = 0; n < 5; n += 1) await ask()
  expect(await ask()).toMatchObject({ kind: 'not_now', why: 'circuit_open' })
  expect(sent()).toBe(5)
  clock.jump(10 * SECOND)
  const asked = await Promise.all(Array.from({ length: 8 }, () => ask()))
  expect(sent()).toBe(6)
  expect(asked.filter(({ kind }) => kind === 'asked')).toHaveLength(1)
})

test('many that fail at once are all counted', async () => {
  const { ask, upstream, account } = intake()
  await Promise.all(Array.from({ length: 8 }, () => ask()))
  expect(upstream.health(account.id)).toMatchObject({ status: 'down', reason: 'circuit_open' })
})

test('one word closes it for all', async () => {
  const { clock, ask, upstream, account } = intake()
  for (let n = 0; n < 5; n += 1) await ask()
  clock.jump(10 * SECOND)
  await ask({ rate: null })
  expect(upstream.health(account.id).status).toBe('up')
  expect((await Promise.all([ask({ rate: null }), ask({ rate: null })])).map(({ kind }) => kind)).toEqual([
    'asked',
    'asked',
  ])
})

test('what was not sent is no word of the backend: it neither counts as a failure nor clears those before', async () => {
  const { ask, upstream, account } = intake()
  const unsent = { rate: null, isSilent: true }
  for (let n = 0; n < 8; n += 1) await ask(unsent)
  expect(upstream.health(account.id).status).toBe('up')
  for (let n = 0; n < 4; n += 1) await ask()
  await ask(unsent)
  const before = upstream.health(account.id)
  expect([before.status, before.reason]).toEqual(['down', expect.not.stringMatching('circuit_open')])
  await ask()
  expect(upstream.health(account.id).reason).toBe('circuit_open')
  expect(await ask(unsent)).toMatchObject({ kind: 'not_now', why: 'circuit_open' })
})

test('what a backend’s clock told is known for three minutes', async () => {
  const { clock, ask, upstream, account } = intake()
  expect(upstream.offsetMs(account.id)).toBeNull()
  await ask({ rate: rate({ dateMs: clock.now() - 7 * SECOND }) })
  clock.jump(MINUTE)
  await ask({ rate: rate({ dateMs: null }) })
  await ask()
  clock.jump(2 * MINUTE)
  expect(upstream.offsetMs(account.id)).toBe(-7 * SECOND)
  // Ours may have leapt as well.
  clock.jump(1)
  expect(upstream.offsetMs(account.id)).toBeNull()
})
