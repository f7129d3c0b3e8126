import { expect, test } from 'vitest'
import { createPools } from '../../../../src/engine/account/pools.ts'
import { accountOf, backendOf, NOT_PAUSED, scriptedAdapter } from '../../../fakes/adapter.ts'
import { accountId, T0, video } from '../../../fakes/records.ts'

type Deps = Parameters<typeof createPools>[0]

const POOL = { name: 'main', members: ['a', 'b'] }
const VIDEO = video({ pool: 'main', backend: 'a', account: accountId('a'), interface: 'primary' })

/** Whether it may go from `a` to `b`. */
const mayPass = (
  given: { interface?: string; pool?: typeof POOL; drain?: boolean; isPaused?: boolean } & Partial<Faults>,
) => {
  const { isPaused = false, refusesUntilMs = T0, status = 'up', isOpen = true, maySee = true, ...its } = given
  const member = (name: string, more: object = {}) =>
    backendOf(
      name,
      accountOf(
        scriptedAdapter(() => T0),
        { id: accountId(name), ...more },
      ),
    )
  const b = {
    ...member('b', { paused: { ...NOT_PAUSED, isPaused: () => isPaused } }),
    interface: 'primary',
    pool: POOL,
    ...its,
  }
  const deps = {
    clock: { now: () => T0 },
    upstream: { refusesUntilMs: () => refusesUntilMs, health: () => ({ status, reason: null }) },
    intake: { isOpen: () => isOpen },
    backends: new Map([
      ['a', { ...member('a'), interface: 'primary', pool: POOL }],
      ['b', b],
    ]),
    maySee: () => maySee,
  }
  return createPools(deps as unknown as Deps).mayPass(VIDEO)
}
interface Faults {
  refusesUntilMs: number
  status: 'up' | 'degraded' | 'down'
  isOpen: boolean
  maySee: boolean
}

test('what a member refused goes to another one that is well', () => {
  expect(mayPass({})).toBe(true)
  expect(mayPass({ status: 'degraded' })).toBe(true)
})

test.each([
  ['it has another interface since a reload', { interface: 'alternate' }],
  ['it is in another pool', { pool: { name: 'other', members: ['b', 'c'] } }],
  ['it is drained', { drain: true }],
  ['it is paused', { isPaused: true }],
  ['it refuses creates, too', { refusesUntilMs: T0 + 1 }],
  ['it is down', { status: 'down' as const }],
  ['a reload removes it', { isOpen: false }],
  ['the client may not use it', { maySee: false }],
])('not if %s', (_, given) => expect(mayPass(given)).toBe(false))
