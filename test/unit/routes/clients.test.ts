import { describe, expect, test } from 'vitest'
import type { Scope } from '../../../src/core/vocabulary.ts'
import { fakeClock } from '../../fakes/clock.ts'
import { fakeKeyring } from '../../fakes/keyring.ts'
import { NO_DEFAULTS } from '../../../src/core/access.ts'
import { createClients, demand, type Client } from '../../../src/routes/clients.ts'

const client = (id: string, ...scopes: Scope[]): Client => ({
  id,
  scopes: new Set(scopes),
  visible: new Map(),
  limits: { queuedVideos: 1, videosPerMonth: null, creditsPerMonth: null, requestsPerMinute: 1, streams: 1 },
  defaults: NO_DEFAULTS,
})
const clients = createClients({
  configured: [
    { key: 'key-of-anna-0123456789', path: 'clients.anna.key', client: client('anna', '*') },
    { key: 'key-of-bert-0123456789', path: 'clients.bert.keys.0', client: client('bert', 'videos:read') },
    { key: 'more-of-bert-0123456789', path: 'clients.bert.keys.1', client: client('bert', 'videos:read') },
  ],
  backends: new Map(),
  access: { keyring: fakeKeyring(), sessions: { markOf: (key) => `mark of ${key}` } },
  clock: fakeClock(),
})

describe('authenticate', () => {
  test.each([
    ['Bearer key-of-anna-0123456789', 'anna', 'clients.anna.key'],
    ['bearer  key-of-bert-0123456789', 'bert', 'clients.bert.keys.0'],
    ['Bearer more-of-bert-0123456789', 'bert', 'clients.bert.keys.1'],
  ])('%s', (header, id, keyId) => expect(clients.authenticate(header)).toMatchObject({ client: { id }, keyId }))

  test.each([
    [undefined],
    [''],
    ['Bearer'],
    ['Bearer '],
    ['key-of-anna-0123456789'],
    ['Bearer key-of-anna-012345678'],
    ['Bearer key of anna'],
    ['Bearer ключ'],
    [`Bearer ${'k'.repeat(513)}`],
    ['xBearer key-of-anna-0123456789'],
  ])('%j is nobody', (header) =>
    expect(() => clients.authenticate(header)).toThrow(expect.objectContaining({ code: 'unauthenticated' })),
  )

  test('keeps no key', () => expect(JSON.stringify(clients)).not.toContain('key-of'))
})

test('demand names the scope that is missing', () => {
  expect(() => demand(client('x', '*'), 'admin')).not.toThrow()
  expect(() => demand(client('x', 'videos:read'), 'videos:read')).not.toThrow()
  expect(() => demand(client('x', 'videos:read'), 'videos:create')).toThrow(
    expect.objectContaining({ code: 'insufficient_scope', extras: { details: { scope: 'videos:create' } } }),
  )
})
