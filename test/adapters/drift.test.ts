import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { unknownFields, unknownWord } from '../../src/adapters/shared/speaker.ts'
import { anyCodePoint } from '../fakes/any-text.ts'

const shownAs = (word: string) => {
  const [field] = unknownFields([{ [word]: 'held' }], new Set(), 'getVideo')
  expect(unknownWord('status', word, 'getVideo').value).toBe(field?.value)
  return field?.value
}

describe('a word or name is shown as it came only where nothing private can hide in it', () => {
  test.each(['rendering', 'In Review', 'step_2', 'v1.2', 'hostedAudioUploadTemporarilyUnavailable', '$meta', 'エラー'])(
    '%s',
    (word) => expect(shownAs(word)).toBe(word),
  )

  test.each([
    'bob@example.com',
    'https://x.example/a?sig=1',
    '/var/lib/secret',
    'sk_live_51H8xAbCdEfGhIjKlMnOpQr',
    'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIx.c2ln',
    'a1B2c3D4',
    'AbCdEfGhIjKlMnOpQr7StUvWxYz',
    '550e8400-e29b-41d4-a716-446655440000',
    'x'.repeat(61),
    '[key]',
    'two\nlines',
    '',
  ])('not %j', (word) => expect(shownAs(word)).toBe(`[${word.length} characters]`))

  test('of a field only the kind and size of its value', () => {
    const held = { a: 'secret', b: [1, 2], c: { x: 1 }, d: null, e: 5, f: true }
    expect(unknownFields([held], new Set(), 'getVideo').map(({ sample }) => sample)).toEqual([
      'string of 6',
      'array of 2',
      'object of 1',
      'null',
      'number',
      'boolean',
    ])
  })

  test('whatever is sent, few and short', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ unit: anyCodePoint, maxLength: 200 }), fc.anything()), (held) => {
        const found = unknownFields([held, held], new Set(), 'getVideo')
        expect(found.length).toBeLessThanOrEqual(20)
        for (const { value, sample } of found) {
          expect(value.length).toBeLessThanOrEqual(60)
          expect(sample.length).toBeLessThanOrEqual(30)
          expect(value.isWellFormed()).toBe(true)
        }
      }),
      { seed: 20_261_120, numRuns: 1_000 },
    )
  })
})
