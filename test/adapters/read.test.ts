import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { endOfLink } from '../../src/adapters/shared/answers.ts'
import * as read from '../../src/adapters/shared/read.ts'
import { anyCodePoint } from '../fakes/any-text.ts'

describe('a signed link says itself when it ends', () => {
  const NOW = Date.parse('2026-03-01T12:00:00Z')
  const HOUR = 3_600_000
  test.each<[string, string, number | null]>([
    ['seconds', `Expires=${(NOW + HOUR) / 1000}&Signature=s`, NOW + HOUR],
    ['milliseconds', `expires=${NOW + HOUR}&signature=s`, NOW + HOUR],
    ['Amazon', 'X-Amz-Date=20260301T115500Z&X-Amz-Expires=900&X-Amz-Signature=s', NOW + 10 * 60_000],
    ['Google', 'X-Goog-Date=20260301T120000Z&X-Goog-Expires=60', NOW + 60_000],
    ['Azure', 'sv=2024-01-01&se=2026-03-01T13%3A00%3A00Z&sig=s', NOW + HOUR],
    ['two ends', `Expires=4102444800&X-Amz-Date=20260301T120000Z&X-Amz-Expires=300`, NOW + 5 * 60_000],
    [
      'two ends, one over',
      `Expires=${(NOW - 1000) / 1000}&X-Amz-Date=20260301T120000Z&X-Amz-Expires=300`,
      NOW + 5 * 60_000,
    ],
    ['nothing', 'sig=abc', null],
    ['a time that is over', `Expires=${(NOW - 1000) / 1000}`, null],
    ['no time', 'Expires=soon&X-Amz-Date=x&X-Amz-Expires=900', null],
    ['a date without seconds', 'X-Amz-Date=20260301T120000Z', null],
    ['more seconds than there are', 'X-Amz-Date=20260301T120000Z&X-Amz-Expires=1e300', null],
  ])('%s', (_, query, expected) => expect(endOfLink(`https://cdn.example/v.mp4?${query}`, NOW)).toBe(expected))
})

describe('progress is 0..1: a small percentage is no fraction', () => {
  test.each([
    [0, 0],
    [0.5, 0.005],
    [1, 0.01],
    [42, 0.42],
    ['42', 0.42],
    [100, 1],
    [250, 1],
    [-1, 0],
    [null, null],
  ])('of a hundred: %j → %j', (value, expected) => expect(read.progress('percent')(value)).toBe(expected))

  test.each([
    [0, 0],
    [0.42, 0.42],
    [1, 1],
    [42, 0.42],
    [100, 1],
    [250, 1],
    [-1, 0],
    ['0.5', 0.5],
    ['42', 0.42],
    ['42%', null],
    ['', null],
    [null, null],
    [true, null],
    [[0.5], null],
    [Number.NaN, null],
    [Number.POSITIVE_INFINITY, null],
  ])('of one: %j → %j', (value, expected) => expect(read.progress('fraction')(value)).toBe(expected))
})

describe('locales are canonical, or verbatim', () => {
  test.each([
    ['en_gb', 'en-GB'],
    ['EN-us', 'en-US'],
    ['de', 'de'],
    ['zh_hant_tw', 'zh-Hant-TW'],
    ['not a locale!', 'not a locale!'],
    ['x', 'x'],
    ['', null],
    [7, null],
  ])('%j → %j', (value, expected) => expect(read.locale(value)).toBe(expected))

  test.each([
    ['en-GB', 'English (United Kingdom)'],
    ['de', 'German'],
    ['not a locale!', 'not a locale!'],
  ])('the name of %s is %s', (code, expected) => expect(read.languageName(code)).toBe(expected))
})

describe('moments', () => {
  const at = Date.parse('2026-11-20T10:00:00Z')
  test.each([
    ['2026-11-20T10:00:00Z', at],
    ['2026-11-20T10:00:00.000Z', at],
    ['2026-11-20T12:00:00+02:00', at],
    ['2026-11-20T10:00:00', at],
    ['2026-11-20 10:00:00', at],
    ['2026-11-20', Date.parse('2026-11-20T00:00:00Z')],
    [at / 1000, at],
    [at, at],
    [String(at / 1000), at],
    ['2026-13-40T10:00:00Z', null],
    ['soon', null],
    ['5 apples', null],
    [-5, null],
    [0, null],
    [1e300, null],
    [null, null],
    [{}, null],
  ])('%j → %j', (value, expected) => expect(read.time(value)).toBe(expected))
})

describe('URLs', () => {
  const base = new URL('https://api.example/prefix/')
  test.each([
    ['https://cdn.example/a.mp4?sig=1', 'https://cdn.example/a.mp4?sig=1'],
    ['/api/v1/voices/1', 'https://api.example/prefix/api/v1/voices/1'],
    ['/prefix/api/v1/voices/1', 'https://api.example/prefix/api/v1/voices/1'],
    ['previews/1.wav', 'https://api.example/prefix/previews/1.wav'],
    ['//cdn.example/a', 'https://cdn.example/a'],
    ['javascript:alert(1)', null],
    ['file:///etc/passwd', null],
    ['http://', null],
    ['', null],
    [{}, null],
  ])('%j → %j', (value, expected) => expect(read.absoluteUrl(base)(value)).toBe(expected))
})

test('the first spelling that can be read wins, dots reach into objects, and inherited names are not fields', () => {
  const body = { url: { nested: true }, result: { video_url: 'a' }, video_url: '', downloadUrl: 'b' }
  expect(read.find(body, ['video_url', 'url', 'result.video_url'], read.text)).toBe('a')
  expect(read.find(body, ['downloadUrl', 'result.video_url'], read.text)).toBe('b')
  expect(read.find(body, ['toString', 'constructor.name', 'result.video_url.length'], read.text)).toBeNull()
})

describe('what a backend said is fit to be shown', () => {
  test.each([
    ['Cannot fetch https://img.example/me.png?token=s3cret now', 'Cannot fetch [url] now'],
    ['Authorization: Bearer abc.def is bad', 'Authorization: Bearer [key] is bad'],
    ['see /files/1.mp4?X-Signature=abc', 'see /files/1.mp4?[…]'],
    ['line\none\u0000', 'line one '],
  ])('%j → %j', (words, expected) => expect(read.redact(words)).toBe(expected))

  test('at a cost that a long text does not raise', () => {
    expect(read.redact('?'.repeat(10_000_000))).toHaveLength(300)
  })

  test('and bounded', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCodePoint, maxLength: 2_000 }), (words) => {
        const shown = read.redact(words)
        return shown.length <= 300 && shown.isWellFormed() && !shown.includes('://')
      }),
    )
  })
})

test('no reader throws for any value', () => {
  const readers = [
    read.text,
    read.idText,
    read.number,
    read.count,
    read.duration('seconds'),
    read.duration('milliseconds'),
    read.flag,
    read.progress('fraction'),
    read.progress('percent'),
    read.time,
    read.locale,
    read.absoluteUrl(new URL('https://api.example')),
    (value: unknown) => read.find(value, ['a', 'a.b'], read.text),
    (value: unknown) => read.languageName(typeof value === 'string' ? value : ''),
  ]
  fc.assert(
    fc.property(fc.oneof(fc.anything(), fc.jsonValue()), (value) => {
      for (const reader of readers) reader(value)
    }),
  )
})

describe('an object as it came', () => {
  test('is kept whole', () => {
    expect(read.verbatim({ id: 'x', mood: { deep: [1] } })).toEqual({ id: 'x', mood: { deep: [1] } })
  })

  test.each<[string, unknown]>([
    ['no object', [1]],
    ['too large', { a: 'x'.repeat(8_192) }],
    ['too deep', JSON.parse(`${'{"a":'.repeat(33)}1${'}'.repeat(33)}`)],
    ['so deep that JSON cannot write it again', JSON.parse(`{"a":${'['.repeat(30_000)}${']'.repeat(30_000)}}`)],
  ])('is not kept where it is %s', (_, value) => expect(read.verbatim(value)).toBeNull())
})
