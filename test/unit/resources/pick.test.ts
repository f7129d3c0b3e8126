import { describe, expect, test } from 'vitest'
import { Problem } from '../../../src/core/errors.ts'
import type { Capability } from '../../../src/core/vocabulary.ts'
import { ownersOf, pick } from '../../../src/resources/keyed.ts'
import { createAliases, NO_ALIASES } from '../../../src/engine/create/route.ts'
import type { Backends } from '../../../src/engine/upstream/accounts.ts'
import { accountOf, backendOf, capabilities, scriptedAdapter } from '../../fakes/adapter.ts'
import { accountId } from '../../fakes/records.ts'

interface Given {
  can?: boolean
  drain?: boolean
  denied?: readonly Capability[] | null
}
const backends = (given: Record<string, Given>): Backends =>
  new Map(
    Object.entries(given).map(([name, { can = true, drain = false, denied = null }]) => {
      const adapter = scriptedAdapter(() => 0, 'primary', can ? capabilities('uploads') : capabilities('usage'))
      const account = accountOf(adapter, { id: accountId(name), denied: () => denied })
      return [name, { ...backendOf(name, account), drain }]
    }),
  )
const UPLOADS = { capability: 'uploads', what: 'host audio' } as const

const picked = (given: Record<string, Given>, pin: string | null = null): string => {
  try {
    return pick({ ...UPLOADS, pin: pin === null ? null : { backend: pin, param: 'backend' } }, backends(given), 'main')
      .name
  } catch (error) {
    return error instanceof Problem ? `${error.code} ${error.extras.param ?? '-'}` : String(error)
  }
}

describe('pick', () => {
  test.each<[string, Record<string, Given>, string | null, string]>([
    ['the default first', { a: {}, main: {} }, null, 'main'],
    ['else the first', { b: {}, a: {} }, null, 'b'],
    ['that can', { main: { can: false }, b: { can: false }, a: {} }, null, 'a'],
    ['and is open', { main: { drain: true }, a: { drain: true }, b: {} }, null, 'b'],
    ['and whose key may', { main: { denied: ['speech', 'uploads'] }, a: {} }, null, 'a'],
    ['or was refused something else', { main: { denied: ['speech'] }, a: {} }, null, 'main'],
    [
      'a refused key is tried where nobody else can',
      { a: { can: false }, main: { denied: ['uploads'] } },
      null,
      'main',
    ],
    ['nobody can', { main: { can: false } }, null, 'capability_not_supported -'],
    ['nobody is there', {}, null, 'capability_not_supported -'],
    ['who can is drained', { main: { can: false }, a: { drain: true } }, null, 'backend_unavailable -'],
    ['the one that is named', { main: {}, a: { denied: ['uploads'] } }, 'a', 'a'],
    ['named, and cannot', { main: {}, a: { can: false } }, 'a', 'capability_not_supported backend'],
    ['named, and drained', { main: {}, a: { drain: true } }, 'a', 'backend_unavailable -'],
    ['named, and unknown', { main: {} }, 'a', 'invalid_request backend'],
  ])('%s', (_, given, pin, expected) => expect(picked(given, pin)).toBe(expected))
})

test.each([
  ['a:p1', 'a p1'],
  ['a:p:1', 'a p:1'],
  ['p1', 'main p1'],
  ['none:p1', 'main none:p1'],
  ['a:', null],
  ['', null],
])('ownersOf %s', (id, expected) => {
  const visible = backends({ a: {}, main: {} })
  const [found = null, ...others] = ownersOf(createAliases(NO_ALIASES).puppets.read(id, visible), visible, 'main')
  expect(found && `${found.backend.name} ${found.id}`).toBe(expected)
  expect(others).toEqual([])
})
