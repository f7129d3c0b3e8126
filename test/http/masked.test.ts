import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createMasks } from '../../src/http/hand-through.ts'

const KEY = 'sk/aa-aab-aa'
const STARS = '*'.repeat(KEY.length)

/** The text in parts cut at these places, as it comes out. */
const masked = (text: string, cuts: readonly number[]): string => {
  const mask = createMasks(KEY)()
  const places = [0, ...cuts.toSorted((a, b) => a - b), text.length]
  const parts = places.slice(1).map((to, n) => Buffer.from(text.slice(places[n], to)))
  return Buffer.concat([...parts.map((part) => mask.next(part)), mask.rest() ?? Buffer.alloc(0)]).toString()
}

describe('a secret in what streams by', () => {
  test('is covered with as many stars, also where it is told with escaped slashes', () => {
    expect(masked(`a${KEY}b${KEY}${KEY}`, [])).toBe(`a${STARS}b${STARS}${STARS}`)
    expect(masked(String.raw`"sk\/aa-aab-aa"`, [])).toBe(`"*${STARS}"`)
  })

  test('is covered wherever it is cut, and nothing else is touched', () => {
    const piece = fc.constantFrom(KEY, 'sk/aa-', 'aab-aa', 'a', 'sk', 's', '{"x":1}', String.raw`sk\/aa-aab-aa`)
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), fc.array(fc.nat(200), { maxLength: 6 }), (pieces, nats) => {
        const text = pieces.join('')
        const cuts = nats.map((nat) => nat % (text.length + 1))
        expect(masked(text, cuts)).toBe(text.replaceAll(/sk\\?\/aa-aab-aa/g, (found) => '*'.repeat(found.length)))
      }),
      { numRuns: 500, seed: 13 },
    )
  })

  test('that is too short is not looked for', () => {
    expect(createMasks('short')().next(Buffer.from('short')).toString()).toBe('short')
  })
})

describe('a callback token in what streams by', () => {
  const ID = 'vid_01M7WA9S7VF4P8S27TV0W2QQJ9'
  const TOKEN = `${ID}.1.${'aB-_9'.repeat(8)}vid`
  const TOKENS = /vid_[0-9A-Z]{26}\.\d+\.[\w-]{0,43}/g

  test('is covered wherever it is cut, whole or in part; ids are not', () => {
    const piece = fc.constantFrom(
      TOKEN,
      TOKEN.slice(0, 50),
      TOKEN.slice(0, 33),
      ID,
      `${ID}.`,
      'vid_',
      'v',
      '"',
      ' x ',
      KEY,
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), fc.array(fc.nat(400), { maxLength: 6 }), (pieces, nats) => {
        const text = pieces.join(',')
        const cuts = nats.map((nat) => nat % (text.length + 1))
        const stars = (found: string): string => '*'.repeat(found.length)
        expect(masked(text, cuts)).toBe(text.replaceAll(KEY, STARS).replaceAll(TOKENS, stars))
      }),
      { numRuns: 500, seed: 13 },
    )
  })
})
