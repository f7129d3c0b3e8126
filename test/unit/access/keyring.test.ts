import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createAccessAdmin } from '../../../src/access/index.ts'
import { hashOf, isWellFormed, newKey } from '../../../src/access/keyring.ts'
import { MAX_CLIENTS, MAX_KEYS } from '../../../src/core/access.ts'
import { createIds } from '../../../src/core/ids.ts'
import { clientRecord, keyRecord, OPERATOR } from '../../fakes/access.ts'
import { fakeClock } from '../../fakes/clock.ts'
import { fakeKeyring } from '../../fakes/keyring.ts'
import { MINUTE } from '../../fakes/records.ts'

const DAY = 24 * 60 * MINUTE

describe('the text of a key', () => {
  test('has one length whatever the bytes, and holds all of them', () => {
    const keys = [0, 1, 255].map((byte) => newKey((size) => Buffer.alloc(size, byte)))
    expect(new Set(keys).size).toBe(3)
    for (const key of keys) expect([key.length, isWellFormed(key)]).toEqual([57, true])
  })

  test('no change of one character, and no two that changed places, are taken for a key', () => {
    const key = newKey(randomBytes)
    for (let at = 'tb_live_'.length; at < key.length; at += 1) {
      const other = key[at] === 'A' ? 'B' : 'A'
      expect(isWellFormed(key.slice(0, at) + other + key.slice(at + 1))).toBe(false)
      const [one = '', two = ''] = key.slice(at, at + 2)
      const swapped = key.slice(0, at) + two + one + key.slice(at + 2)
      expect(isWellFormed(swapped)).toBe(swapped === key)
    }
    for (const text of ['', 'tb_live_', key.slice(1), `${key}A`]) expect(isWellFormed(text)).toBe(false)
  })
})

describe('what a process knows', () => {
  test('is what was written last, whatever was read meanwhile', () => {
    const keyring = fakeKeyring()
    const name = keyring.nameOf('secret')
    const record = keyRecord({ hash: hashOf('secret'), change: 5 })
    keyring.learn({ keys: [record], clients: [clientRecord({ change: 6 })] })
    keyring.learn({
      keys: [{ ...record, change: 4, revokedAtMs: 1 }],
      clients: [clientRecord({ change: 1, backends: ['x'] })],
    })
    expect(keyring.find(name)).toEqual(record)
    expect(keyring.backendsOf('acme')).toBeNull()
    expect(JSON.stringify(keyring)).not.toContain('secret')
  })

  test('forgets keys that ended a month ago', async () => {
    const clock = fakeClock()
    const keyring = fakeKeyring({ clock })
    const record = keyRecord({ hash: hashOf('secret'), change: 1, revokedAtMs: clock.now() })
    keyring.learn({ keys: [record], clients: [] })
    clock.jump(30 * DAY - 1)
    await keyring.refresh()
    expect(keyring.find(keyring.nameOf('secret'))).toEqual(record)
    clock.jump(1)
    await keyring.refresh()
    expect(keyring.find(keyring.nameOf('secret'))).toBeUndefined()
  })

  test('names the clients that have an operator’s key which works', () => {
    const clock = fakeClock()
    const keyring = fakeKeyring({ clock })
    const given = [
      { client: 'a', scopes: ['admin'] },
      { client: 'b', scopes: ['*'] },
      { client: 'b', scopes: ['*'] },
      { client: 'c', scopes: ['videos:read'] },
      { client: 'd', scopes: ['admin'], revokedAtMs: clock.now() },
    ] as const
    const keys = given.map((one, n) => keyRecord({ id: `key_${n}`, change: n + 1, ...one }))
    keyring.learn({ keys, clients: [] })
    expect(keyring.operators()).toEqual(['a', 'b'])
  })

  test('writes of the last use are lost with an error, and come again with the next use', async () => {
    const clock = fakeClock()
    const written: unknown[] = []
    const fails = [true, false]
    const store = {
      keysSince: async () => [],
      clientsSince: async () => [],
      keysUsed: async (uses: unknown) => {
        if (fails.shift()) throw new Error('away')
        written.push(uses)
      },
    }
    const keyring = fakeKeyring({ clock, store })
    keyring.used('key_1')
    await clock.advance(MINUTE)
    expect(written).toEqual([])
    keyring.used('key_2')
    keyring.used('key_1')
    keyring.used('key_1')
    await keyring.close()
    expect(written).toEqual([['key_1', 'key_2'].map((id) => ({ id, atMs: clock.now() }))])
  })
})

test('there is an end to how many keys work and how many clients there are', async () => {
  const clock = fakeClock()
  const refuse = () => Promise.reject(new Error('nothing is written'))
  const admin = createAccessAdmin({
    clock,
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    newId: createIds(clock),
    randomBytes,
    store: {
      changeAccess: refuse,
      keyOf: async () => ({ ...keyRecord(), usedAtMs: null }),
      clientOf: async () => null,
    },
    keyring: {
      learn: () => undefined,
      live: () => Array.from({ length: MAX_KEYS }, () => keyRecord()),
      clientIds: () => Array.from({ length: MAX_CLIENTS }, (_, n) => `client_${n}`),
    },
  })
  const full = { code: 'invalid_request', message: expect.stringContaining('10000') as unknown }
  const { id, description, backends, limits } = clientRecord()
  const wanted = { client: 'acme', name: null, scopes: [], expiresAtMs: null }
  const rotation = { overlapMs: 0, expiresAtMs: null }
  await expect(async () => admin.createKey(wanted, OPERATOR)).rejects.toMatchObject(full)
  await expect(admin.rotateKey('key_1', rotation, OPERATOR, () => undefined)).rejects.toMatchObject(full)
  await expect(admin.createClient({ id, description, backends, limits }, OPERATOR)).rejects.toMatchObject(full)
})
