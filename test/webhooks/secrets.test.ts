import { describe, expect, test } from 'vitest'
import type { SecretKeeper } from '../../src/core/store/webhooks.ts'
import { createSecretBox, createWebhookSecrets, deriveKey, parseSecretKey } from '../../src/webhooks/secrets.ts'
import type { SecretOwner } from '../../src/webhooks/secrets.ts'
import { newWebhookSecret, parseWebhookSecret } from '../../src/webhooks/sign.ts'
import { fakeClock } from '../fakes/clock.ts'
import { seededBytes } from '../fakes/random.ts'

const bytes = seededBytes(2)
const secretKey = bytes(32)
const acme: SecretOwner = { purpose: 'webhook_secret', client: 'acme' }

describe('the secret key', () => {
  test('is 32 bytes of base64, space around it ignored', () => {
    expect(parseSecretKey(secretKey.toString('base64'))).toEqual(secretKey)
    expect(parseSecretKey(` ${secretKey.toString('base64')}\n`)).toEqual(secretKey)
  })

  test.each([
    '',
    'x',
    Buffer.alloc(31).toString('base64'),
    Buffer.alloc(33).toString('base64'),
    Buffer.alloc(32, 0xff).toString('base64url'),
    Buffer.alloc(32).toString('hex'),
    `${Buffer.alloc(32).toString('base64')} x`,
  ])('is refused otherwise, without being shown: %j', (text) => {
    expect(() => parseSecretKey(text)).toThrow(/^the secret key must be 32 bytes in base64 \(make one with: /)
  })

  test('gives each purpose its own subkey, the same in every process', () => {
    const keys = (['cursor', 'content', 'callback', 'box'] as const).map((purpose) => deriveKey(secretKey, purpose))
    expect(new Set(keys.map((key) => key.toString('hex'))).size).toBe(4)
    expect(keys.every((key) => key.length === 32 && !key.equals(secretKey))).toBe(true)
    expect(deriveKey(Buffer.alloc(32, 7), 'box').toString('hex')).toBe(
      '452ffd041705255759474c7e260d57b82c082f5c0b4bb190b8e590a4182b0729',
    )
  })
})

describe('the box', () => {
  const box = createSecretBox(deriveKey(secretKey, 'box'), bytes)

  test('opens what it sealed, and never seals alike twice', () => {
    const [first, second] = [box.seal(acme, 'whsec_x'), box.seal(acme, 'whsec_x')]
    expect(box.open(acme, first)).toBe('whsec_x')
    expect(box.open(acme, second)).toBe('whsec_x')
    expect(first).not.toBe(second)
    expect(first).toMatch(/^v1\.[A-Za-z0-9_-]+$/)
    expect(first).not.toContain('whsec')
  })

  test('of another key says what is wrong', () => {
    const stranger = createSecretBox(deriveKey(bytes(32), 'box'), bytes)
    expect(() => stranger.open(acme, box.seal(acme, 'whsec_x'))).toThrow(
      'cannot decrypt the webhook_secret of acme: is TALKBRIDGE_SECRET_KEY the key that it was stored with?',
    )
  })

  test('does not open one client’s secret as another’s', () => {
    expect(() => box.open({ ...acme, client: 'evil' }, box.seal(acme, 'whsec_x'))).toThrow('cannot decrypt')
  })

  test('notices a change of any byte', () => {
    const sealed = Buffer.from(box.seal(acme, 'whsec_x').slice(3), 'base64url')
    for (let i = 0; i < sealed.length; i += 1) {
      const forged = Buffer.from(sealed)
      forged[i] = (forged[i] ?? 0) ^ 1
      expect(() => box.open(acme, `v1.${forged.toString('base64url')}`)).toThrow('cannot decrypt')
    }
  })

  test.each(['', 'v1', 'v1.', 'v1.AAAA', 'v2.' + 'A'.repeat(80), 'v1.' + 'A'.repeat(80) + '.x', 'whsec_plain'])(
    'knows its own form only: %j',
    (sealed) => {
      expect(() => box.open(acme, sealed)).toThrow('in a form that this version does not know')
    },
  )
})

describe('the secrets of clients and endpoints', () => {
  const box = createSecretBox(deriveKey(secretKey, 'box'), bytes)
  const clock = fakeClock()
  const acmes = { kind: 'client', id: 'acme' } as const
  const none = new Map<string, string>()
  /** Newest first, as sealed. */
  const storeOf = (rows: Map<string, string[]>) => ({
    secrets: async ({ kind, id }: SecretKeeper, candidate: string) => {
      const key = `${kind} ${id}`
      if (!rows.has(key)) rows.set(key, [candidate])
      return rows.get(key) ?? []
    },
    rotateSecret: async ({ kind, id }: SecretKeeper, secret: string, oldUntilMs: number) => {
      rotatedUntil.push(oldUntilMs)
      rows.set(`${kind} ${id}`, [secret, ...(rows.get(`${kind} ${id}`) ?? [])])
      return true
    },
  })
  const rotatedUntil: number[] = []
  const secretsOver = (rows: Map<string, string[]>, configured = none) =>
    createWebhookSecrets({ store: storeOf(rows), box, configured, clock, randomBytes: bytes })

  test('are made at first use, stored encrypted, and the same afterwards, in every replica', async () => {
    const rows = new Map<string, string[]>()
    const [one, two] = [secretsOver(rows), secretsOver(rows)]
    const [first, again, elsewhere] = await Promise.all([one.live(acmes), one.live(acmes), two.live(acmes)])
    expect(parseWebhookSecret(first[0] ?? '')).toHaveLength(32)
    expect(again).toEqual(first)
    expect(elsewhere).toEqual(first)
    expect(await one.live({ kind: 'client', id: 'other' })).not.toEqual(first)
    expect(await one.live({ kind: 'endpoint', id: 'acme' })).not.toEqual(first)
    expect([...rows.values()].join()).not.toContain('whsec_')
  })

  test('follow a rotation at the next call, in every replica, the newest first', async () => {
    const rows = new Map<string, string[]>()
    const [one, two] = [secretsOver(rows), secretsOver(rows)]
    const before = await one.live(acmes)
    const rotated = await two.rotate(acmes, 5_000)
    expect(await one.live(acmes)).toEqual([rotated, ...before])
    expect(rotatedUntil.at(-1)).toBe(clock.now() + 5_000)
  })

  test('come from the configuration first, without a store, and are rotated there', async () => {
    const secret = newWebhookSecret(bytes)
    const asked = () => Promise.reject(new Error('asked'))
    const store = { secrets: asked, rotateSecret: asked }
    const configured = new Map([['acme', secret]])
    const secrets = createWebhookSecrets({ store, box, configured, clock, randomBytes: bytes })
    expect(await secrets.live(acmes)).toEqual([secret])
    expect(await secrets.rotate(acmes, 1)).toBeNull()
    await expect(secrets.live({ kind: 'client', id: 'other' })).rejects.toThrow('asked')
    await expect(secrets.live({ kind: 'endpoint', id: 'acme' })).rejects.toThrow('asked')
  })

  test('one’s is none of another kind’s', async () => {
    const rows = new Map<string, string[]>()
    await secretsOver(rows).live(acmes)
    rows.set('endpoint acme', rows.get('client acme') ?? [])
    await expect(secretsOver(rows).live({ kind: 'endpoint', id: 'acme' })).rejects.toThrow('cannot decrypt')
  })

  test('malformed in the configuration are refused at once, by client, unseen', () => {
    const configured = new Map([['acme', 'whsec_hunter2']])
    expect(() => secretsOver(new Map(), configured)).toThrow(/^client acme: a webhook secret is/)
    expect(() => secretsOver(new Map(), configured)).not.toThrow('hunter2')
  })
})
