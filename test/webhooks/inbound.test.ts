import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createCallbackTokens } from '../../src/webhooks/sign.ts'
import { seededBytes } from '../fakes/random.ts'
import { anyCodePoint } from '../fakes/any-text.ts'

const VIDEO = 'vid_01J0000000000000000000000A'
const bytes = seededBytes(4)
const tokens = createCallbackTokens(bytes(32))

describe('callback tokens', () => {
  test('name the video and the attempt, and fit into a path', () => {
    const token = tokens.make('alt', VIDEO, 3)
    expect(token).toMatch(/^[A-Za-z0-9._-]{1,160}$/)
    expect(encodeURIComponent(token)).toBe(token)
    expect(tokens.verify('alt', token)).toEqual({ videoId: VIDEO, attempt: 3 })
  })

  test('are the same from every process with the key, and worthless to one without', () => {
    const key = bytes(32)
    const token = createCallbackTokens(key).make('alt', VIDEO, 1)
    expect(createCallbackTokens(Buffer.from(key)).verify('alt', token)).toEqual({ videoId: VIDEO, attempt: 1 })
    expect(tokens.verify('alt', token)).toBeNull()
  })

  const token = tokens.make('alt', VIDEO, 1)
  test.each([
    ['of another backend', tokens.make('main', VIDEO, 1)],
    ['of a backend whose name runs on', tokens.make('al', `t${VIDEO}`, 1)],
    ['another attempt', token.replace('.1.', '.2.')],
    ['another video', token.replace('000A', '000B')],
    ['an attempt spelled otherwise', token.replace('.1.', '.01.')],
    ['a signed attempt', token.replace('.1.', '.+1.')],
    ['no mac', token.slice(0, token.lastIndexOf('.') + 1)],
    ['a short mac', token.slice(0, -1)],
    ['a long mac', `${token}A`],
    ['padding', `${token}=`],
    ['a moved border', tokens.make('alt', `${VIDEO}1`, 1).replace('1.1.', '.11.')],
    ['empty', ''],
    ['dots', '..'],
    ['a megabyte', 'a'.repeat(1_000_000)],
    ['a megabyte after a good start', token + 'a'.repeat(1_000_000)],
    ['control characters', `${token}\u0000`],
    ['a line break', `${token}\n`],
  ])('forged: %s', (_what, forged) => {
    expect(tokens.verify('alt', forged)).toBeNull()
  })

  test('every other spelling of the same bits is refused', () => {
    const last = token.at(-1) ?? ''
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    for (const letter of alphabet) {
      const spelled = token.slice(0, -1) + letter
      if (letter !== last) expect(tokens.verify('alt', spelled)).toBeNull()
    }
  })

  test('no text verifies but one that was made', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCodePoint }), fc.nat(token.length - 1), (text, at) => {
        expect(tokens.verify('alt', text)).toBeNull()
        const changed = token.slice(0, at) + text + token.slice(at + 1)
        if (changed !== token) expect(tokens.verify('alt', changed)).toBeNull()
      }),
      { seed: 6, numRuns: 1_000 },
    )
  })

  test.each([
    ['', 1],
    ['vid/..', 1],
    ['a'.repeat(97), 1],
    [VIDEO, -1],
    [VIDEO, 1.5],
    [VIDEO, Number.NaN],
  ])('none is made for what no path can carry: %j, %d', (videoId, attempt) => {
    expect(() => tokens.make('alt', videoId, attempt)).toThrow(RangeError)
  })
})
