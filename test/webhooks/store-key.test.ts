import { expect, test } from 'vitest'
import { masterKey } from '../../src/webhooks/secrets.ts'
import { seededBytes } from '../fakes/random.ts'

const SHARED = { driver: 'postgres', path: './data/talkbridge.db' }

test('processes that share a store make no key, each of its own: they say which variable gives it', async () => {
  await expect(masterKey(null, SHARED, () => false, seededBytes(1))).rejects.toThrow(
    /^TALKBRIDGE_SECRET_KEY is required with store.driver: postgres, .* openssl rand -base64 32/,
  )
  const key = Buffer.alloc(32, 1)
  expect(await masterKey(key.toString('base64'), SHARED, () => false, seededBytes(1))).toEqual({
    key,
    whence: 'TALKBRIDGE_SECRET_KEY',
  })
})
