import { describe, expect, test } from 'vitest'
import { createAliases, route, type RouteRequest } from '../../../../src/engine/create/route.ts'
import { byRoom } from '../../../../src/engine/routing/pools.ts'
import type { Backends } from '../../../../src/engine/upstream/accounts.ts'
import { backendsOf } from '../../../fakes/adapter.ts'
import { accountId } from '../../../fakes/records.ts'

const POOL = { name: 'main', members: ['a', 'b', 'c'] }
const inPool = (backends: Backends): Backends =>
  new Map([...backends].map(([name, one]) => [name, { ...one, pool: POOL.members.includes(name) ? POOL : null }]))
const BACKENDS = inPool(backendsOf('a', 'alt', 'b', 'c'))
const NOTHING: RouteRequest = { backend: null, voiceId: null, puppetId: null, imageUrl: null, audio: null }
const at = (given: Partial<RouteRequest>, visible = BACKENDS, ...more: [string?, Parameters<typeof route>[3]?]) => {
  const [name = 'main', aliases] = more
  const { backend, via, isOfPool, note, voiceId, puppetId } = route({ ...NOTHING, ...given }, visible, name, aliases)
  return { to: backend.name, via, isOfPool, pool: note.pool, voiceId, puppetId }
}

describe('a pool in the place of a backend', () => {
  test.each<[string, Partial<RouteRequest>, object]>([
    ['by default', {}, { to: 'a', via: 'main', isOfPool: true, pool: 'main' }],
    ['by the request', { backend: 'main' }, { to: 'a', via: 'main', isOfPool: true }],
    [
      'an id of the pool is of each member',
      { voiceId: 'main:v1' },
      { to: 'a', via: 'main', isOfPool: true, voiceId: 'v1' },
    ],
    ['an id of a member pins it there', { voiceId: 'b:v1' }, { to: 'b', via: 'b', isOfPool: false, pool: 'main' }],
    [
      'also where the request names the pool',
      { backend: 'main', puppetId: 'c:p' },
      { to: 'c', isOfPool: false, puppetId: 'p' },
    ],
    ['a member that is named', { backend: 'b' }, { to: 'b', via: 'b', isOfPool: false, pool: 'main' }],
    [
      'an upload',
      { audio: { param: 'upload_id', upload: { account: accountId('b'), backend: 'b' } } },
      { to: 'b', isOfPool: false },
    ],
    [
      'an upload, where the request names the pool',
      { backend: 'main', audio: { param: 'upload_id', upload: { account: accountId('c'), backend: 'c' } } },
      { to: 'c', isOfPool: false },
    ],
  ])('%s', (_, given, expected) => {
    const able = new Map([...BACKENDS].map(([name, one]) => [name, withAudio(one)]))
    expect(at(given, able)).toMatchObject(expected)
  })

  test('members come in the order in which they are given: the one with most room first', () => {
    expect(at({}, inPool(backendsOf('c', 'a', 'b')))).toMatchObject({ to: 'c', isOfPool: true })
  })

  test('a client that does not see all members has its video pinned: it goes to no other', () => {
    expect(at({}, inPool(backendsOf('b', 'c')))).toMatchObject({ to: 'b', isOfPool: false, pool: 'main' })
  })

  test('an alias of the pool is for each member; one with ids of their own pins it', () => {
    const aliases = createAliases({ voices: { ann: { main: 'v1' } }, puppets: { ada: { b: 'p2', c: 'p3' } } })
    expect(at({ voiceId: 'ann' }, BACKENDS, 'main', aliases)).toMatchObject({ to: 'a', isOfPool: true, voiceId: 'v1' })
    expect(at({ puppetId: 'ada' }, BACKENDS, 'main', aliases)).toMatchObject({
      to: 'b',
      isOfPool: false,
      puppetId: 'p2',
    })
  })

  test('a puppet that a member does not have is made where it is, and stays there', () => {
    const has = (name: string) => ({ ...NOTHING, puppetId: name })
    const routed = route(has('p1'), BACKENDS, 'main', undefined, null, ({ name }) => name !== 'c')
    expect(routed).toMatchObject({ backend: { name: 'c' }, isOfPool: false })
    // What nobody is known to have is the first one's to refuse.
    const unknown = route(has('p1'), BACKENDS, 'main', undefined, null, () => true)
    expect(unknown).toMatchObject({ backend: { name: 'a' }, isOfPool: false })
  })

  test('a member that drains is passed over, and the pool is refused only if all drain', () => {
    const drained = (...names: string[]): Backends =>
      new Map([...BACKENDS].map(([name, one]) => [name, { ...one, drain: names.includes(name) }]))
    expect(at({}, drained('a'))).toMatchObject({ to: 'b', isOfPool: true })
    expect(() => at({ backend: 'main' }, drained('a', 'b', 'c'))).toThrow('backend main accepts no new videos')
  })
})

function withAudio<T extends { account: { adapter: { capabilities: object } } }>(one: T): T {
  const { account } = one
  const adapter = { ...account.adapter, capabilities: { ...account.adapter.capabilities, audio_source: true } }
  return { ...one, account: { ...account, adapter } }
}

test.each([
  ['most room', { room: 3 }, { room: 1 }],
  ['one that can send before one with more room that cannot', {}, { canSend: false, room: 9 }],
  ['of those that cannot, the one with fewest before it', { canSend: false, rounds: 1 }, { canSend: false, rounds: 2 }],
  ['then the one that goes first', { canSend: false, pausedMs: 1 }, { canSend: false, pausedMs: 2 }],
  ['whatever is down last', { canSend: false, rounds: 9 }, { isDown: true, room: 9 }],
])('%s', (_, better, worse) => {
  const standing = { isDown: false, canSend: true, room: 1, rounds: 1, pausedMs: 0 }
  expect(byRoom({ ...standing, ...better }, { ...standing, ...worse })).toBeLessThan(0)
  expect(byRoom({ ...standing, ...worse }, { ...standing, ...better })).toBeGreaterThan(0)
})
