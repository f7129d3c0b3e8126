import * as fc from 'fast-check'
import { Webhook } from 'standardwebhooks'
import { Webhook as SvixWebhook } from 'svix'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { newWebhookSecret, parseWebhookSecret, sign } from '../../src/webhooks/sign.ts'
import { seededBytes } from '../fakes/random.ts'

const NOW_MS = Date.parse('2026-11-20T10:00:00.900Z')
const timestampS = Math.floor(NOW_MS / 1000)
const bytes = seededBytes(1)
const [old, current, other] = [newWebhookSecret(bytes), newWebhookSecret(bytes), newWebhookSecret(bytes)]
const message = { id: 'evt_01', timestampS, body: '{"type":"video.completed","data":{"text":"Grüße 👋"}}' }

// The package under test reads the wall clock to refuse old messages.
beforeEach(() => {
  vi.useFakeTimers({ now: NOW_MS, toFake: ['Date'] })
})
afterEach(() => {
  vi.useRealTimers()
})

type Headers = Record<string, string>
const isTaken = (verify: () => unknown): boolean => {
  try {
    verify()
    return true
  } catch {
    return false
  }
}
/** Both public packages say the same of every message of this file. */
const verifies = (secret: string, body: string, headers: Headers): boolean => {
  const byStandard = isTaken(() => new Webhook(secret).verify(body, headers))
  expect(isTaken(() => new SvixWebhook(secret).verify(body, headers))).toBe(byStandard)
  return byStandard
}

describe('signatures, verified by the public packages', () => {
  test('has the three headers and nothing else', () => {
    const headers = sign({ ...message, secrets: [current] })
    expect(headers).toEqual({
      'webhook-id': 'evt_01',
      'webhook-timestamp': '1795168800',
      'webhook-signature': expect.stringMatching(/^v1,[A-Za-z0-9+/]{43}=$/),
    })
    expect(headers['webhook-signature']).toBe(new Webhook(current).sign('evt_01', new Date(NOW_MS), message.body))
  })

  test('verifies with its own secret only', () => {
    const headers = sign({ ...message, secrets: [current] })
    expect(verifies(current, message.body, headers)).toBe(true)
    expect(verifies(other, message.body, headers)).toBe(false)
  })

  test('during rotation either secret verifies, the newest signs first', () => {
    const headers = sign({ ...message, secrets: [current, old] })
    const [first, second] = headers['webhook-signature']?.split(' ') ?? []
    expect(verifies(current, message.body, headers)).toBe(true)
    expect(verifies(old, message.body, headers)).toBe(true)
    expect(verifies(other, message.body, headers)).toBe(false)
    expect(verifies(current, message.body, { ...headers, 'webhook-signature': String(first) })).toBe(true)
    expect(verifies(old, message.body, { ...headers, 'webhook-signature': String(second) })).toBe(true)
  })

  test.each([
    ['the body', { body: message.body.replace('completed', 'failed'), headers: {} }],
    ['white space in the body', { body: `${message.body} `, headers: {} }],
    ['the id', { body: message.body, headers: { 'webhook-id': 'evt_02' } }],
    ['the timestamp', { body: message.body, headers: { 'webhook-timestamp': String(timestampS + 1) } }],
    ['the border of id and timestamp', { body: message.body, headers: { 'webhook-id': 'evt_01.1' } }],
    ['the version', { body: message.body, headers: { 'webhook-signature': 'v2,abc' } }],
    ['nothing but its presence', { body: message.body, headers: { 'webhook-signature': '' } }],
  ])('tampering with %s is refused', (_what, { body, headers }) => {
    expect(verifies(current, body, { ...sign({ ...message, secrets: [current, old] }), ...headers })).toBe(false)
  })

  test('the timestamp is that of the attempt: an old message is refused, and one of the future', () => {
    for (const [offS, isFresh] of [
      [-301, false],
      [-299, true],
      [299, true],
      [301, false],
    ] as const) {
      const headers = sign({ ...message, timestampS: timestampS + offS, secrets: [current] })
      expect(verifies(current, message.body, headers)).toBe(isFresh)
    }
  })

  test('with no live secret there is no signature that anybody takes', () => {
    expect(verifies(current, message.body, sign({ ...message, secrets: [] }))).toBe(false)
  })

  test('any body is signed as the bytes that are sent', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const body = JSON.stringify({ text })
        expect(verifies(current, body, sign({ ...message, body, secrets: [current] }))).toBe(true)
      }),
      { seed: 3, numRuns: 200 },
    )
  })
})

describe('secrets', () => {
  test('new ones are whsec_ and 32 random bytes', () => {
    expect(current).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(parseWebhookSecret(current)).toHaveLength(32)
    expect(new Set([old, current, other]).size).toBe(3)
  })

  test.each([24, 64])('of %i bytes are taken', (sizeBytes) => {
    expect(parseWebhookSecret(`whsec_${bytes(sizeBytes).toString('base64')}`)).toHaveLength(sizeBytes)
  })

  test.each([
    ['no prefix', current.slice('whsec_'.length)],
    ['another prefix', current.replace('whsec_', 'whpk_')],
    ['empty', ''],
    ['prefix only', 'whsec_'],
    ['too short', `whsec_${bytes(23).toString('base64')}`],
    ['too long', `whsec_${bytes(65).toString('base64')}`],
    ['no base64', 'whsec_this is not base64, but long enough to be one'],
    ['base64url', `whsec_${Buffer.alloc(32, 0xff).toString('base64url')}`],
    ['no padding', current.replace('=', '')],
    ['space', `${current} `],
  ])('malformed ones are refused without being shown: %s', (_what, secret) => {
    expect(() => parseWebhookSecret(secret)).toThrow('a webhook secret is "whsec_" followed by the base64')
  })
})
