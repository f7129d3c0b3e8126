import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createCursors } from '../../../../src/core/api/signed.ts'

const cursors = createCursors(Buffer.alloc(32, 1))
const SCOPE = 'videos\0acme\0status=queued'

describe('cursors', () => {
  test('open what they sealed, whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, unit: 'grapheme' }), fc.string(), (payload, scope) => {
        expect(cursors.open(scope, cursors.seal(scope, payload))).toBe(payload)
      }),
      { seed: 1, numRuns: 200 },
    )
  })

  test('are URL-safe', () => {
    for (let n = 0; n < 50; n += 1) expect(cursors.seal(SCOPE, `vid_${n}`)).toMatch(/^[A-Za-z0-9_-]+$/)
  })

  test('do not show what they hold as another key’s holder would read it', () => {
    const other = createCursors(Buffer.alloc(32, 2))
    expect(other.open(SCOPE, cursors.seal(SCOPE, 'vid_1'))).toBeNull()
  })

  test('of another list, client or filter are refused', () => {
    expect(cursors.open('videos\0other\0status=queued', cursors.seal(SCOPE, 'vid_1'))).toBeNull()
  })

  test('with any one character changed are refused', () => {
    const cursor = cursors.seal(SCOPE, 'vid_01HZX')
    for (let at = 0; at < cursor.length; at += 1) {
      const other = cursor[at] === 'A' ? 'B' : 'A'
      expect(cursors.open(SCOPE, cursor.slice(0, at) + other + cursor.slice(at + 1))).toBeNull()
    }
  })

  test.each([
    ['empty', ''],
    ['a tag without a payload', cursors.seal(SCOPE, 'x').slice(0, 21)],
    ['cut short', cursors.seal(SCOPE, 'vid_1').slice(0, -1)],
    ['padded', `${cursors.seal(SCOPE, 'vid_1')}=`],
    ['in the other base64 alphabet', Buffer.from(cursors.seal(SCOPE, 'vid_1'), 'base64url').toString('base64')],
    ['with a space', ` ${cursors.seal(SCOPE, 'vid_1')}`],
    ['no base64 at all', '{"before":"vid_1"}'],
    ['huge', 'A'.repeat(100_000)],
  ])('%s is refused', (_, cursor) => {
    expect(cursors.open(SCOPE, cursor)).toBeNull()
  })
})
