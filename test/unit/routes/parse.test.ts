import type { Request } from 'express'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { Problem } from '../../../src/core/errors.ts'
import { idempotencyKey, Limit, parseOr400, preferredWaitSeconds } from '../../../src/routes/parse.ts'
import { asProblem } from '../../../src/routes/middleware/problems.ts'
import { ResolveBody } from '../../../src/routes/unified/input.ts'

const problemOf = (run: () => unknown): Problem => {
  try {
    run()
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
  throw new Error('nothing was thrown')
}
const requestWith = (name: string, value: string | undefined) =>
  ({ get: (asked: string) => (asked === name ? value : undefined), headersDistinct: {} }) as unknown as Request

describe('parseOr400', () => {
  const schema = z.strictObject({ a: z.strictObject({ b: z.number() }).optional(), c: z.array(z.string()).optional() })

  test('answers what fits', () => {
    expect(parseOr400(schema, { a: { b: 1 } })).toEqual({ a: { b: 1 } })
    expect(parseOr400(Limit, undefined)).toBe(20)
    expect(parseOr400(Limit, '007')).toBe(7)
  })

  test('names every fault by its dotted path, the first as param', () => {
    const { code, message, extras } = problemOf(() =>
      parseOr400(schema, { a: { b: 'x', y: 1 }, c: ['ok', 2], d: 0, e: 0 }),
    )
    expect(code).toBe('invalid_request')
    expect(extras.errors?.map(({ path }) => path)).toEqual(['a.b', 'a.y', 'c.1', 'd', 'e'])
    expect(extras.param).toBe('a.b')
    expect(message).toMatch(/^a\.b: .+ \(and 4 more\)$/)
  })

  test('suggests what was meant, at any depth, and not for thousands', () => {
    const { extras } = problemOf(() => parseOr400(schema, { a: { b: 1, B_: 2 }, constructor: 1 }))
    expect(extras.errors).toEqual([
      { path: 'a.B_', message: 'unknown field; did you mean `b`?' },
      { path: 'constructor', message: 'unknown field' },
    ])
    const many = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`a${n}`, 1]))
    const { extras: of } = problemOf(() => parseOr400(schema, many))
    expect(of.errors?.filter(({ message }) => message.includes('did you mean'))).toHaveLength(10)
  })

  test('looks across fields though the types are wrong, and though they fit', () => {
    const check = () => [{ path: 'c', message: 'not with a' }]
    expect(problemOf(() => parseOr400(schema, { a: 1 }, check)).extras.errors?.map(({ path }) => path)).toEqual([
      'a',
      'c',
    ])
    expect(problemOf(() => parseOr400(schema, {}, check)).message).toBe('c: not with a')
  })

  test('says of what is not there that it is required', () => {
    const { message, extras } = problemOf(() => parseOr400(schema, { a: {} }))
    expect({ message, errors: extras.errors }).toEqual({
      message: 'a.b: is required',
      errors: [{ path: 'a.b', message: 'is required' }],
    })
    expect(problemOf(() => parseOr400(schema, { a: { b: null } })).message).toBe('a.b: must be a number, not null')
  })

  test('says what is wrong with a key', () => {
    const keyed = z.strictObject({ metadata: z.record(z.string().max(2, 'at most 2 characters'), z.string()) })
    expect(problemOf(() => parseOr400(keyed, { metadata: { abc: 'x' } })).message).toBe(
      'metadata.abc: cannot be a key: at most 2 characters',
    )
  })

  test.each([{}, { absent: true }, { absent: true, attempt: 1, job_id: 'x' }, { absent: false }, { other: 1 }])(
    'names the two bodies of a resolution for %j',
    (body) => {
      const { message } = problemOf(() => parseOr400(ResolveBody, body))
      expect(message).toBe('give only job_id, or only absent: true with its attempt')
    },
  )

  test('has no param for a value that is wrong as a whole', () => {
    expect(problemOf(() => parseOr400(schema, 7)).extras).not.toHaveProperty('param')
  })
})

describe('Prefer', () => {
  test.each<[string | undefined, number | null]>([
    [undefined, null],
    ['', null],
    ['wait=1', 1],
    ['wait=60', 60],
    ['WAIT = 5', 5],
    ['wait="7"', 7],
    ['respond-async, wait=9', 9],
    ['wait=9; foo=bar', 9],
    ['wait=0', null],
    ['wait=61', 60],
    ['wait=99999999999', 60],
    [`wait=${'9'.repeat(5_000)}`, 60],
    ['wait=-1', null],
    ['wait=abc', null],
    ['wait=0, wait=5', 5],
    ['wait=1e1', null],
    ['await=5', null],
    ['wait=5s', null],
  ])('%j waits %j', (header, seconds) => {
    expect(preferredWaitSeconds(requestWith('prefer', header))).toBe(seconds)
  })
})

describe('Idempotency-Key', () => {
  test.each([['a'], [' a '], ['k'.repeat(200)]])('%j is one', (key) => {
    expect(idempotencyKey(requestWith('idempotency-key', key))).toBe(key)
  })
  test('an absent one is none', () => expect(idempotencyKey(requestWith('idempotency-key', undefined))).toBeNull())
  test.each([[''], ['   '], ['\t'], ['k'.repeat(201)]])('%j is refused', (key) => {
    expect(problemOf(() => idempotencyKey(requestWith('idempotency-key', key))).code).toBe('idempotency_key_invalid')
  })
})

describe('asProblem', () => {
  test.each([
    ['entity.parse.failed', 'invalid_json'],
    ['entity.too.large', 'payload_too_large'],
    ['encoding.unsupported', 'unsupported_media_type'],
    ['charset.unsupported', 'unsupported_media_type'],
    ['request.aborted', 'invalid_request'],
    ['request.size.invalid', 'invalid_request'],
  ])('%s of the body parser is %s', (type, code) => {
    expect(asProblem(Object.assign(new Error('secret detail'), { type }))).toMatchObject({ code })
  })

  test('a Problem stays itself; all else is internal_error with its cause kept from view', () => {
    const own = new Problem('not_found', 'x')
    expect(asProblem(own)).toBe(own)
    expect(asProblem(Object.assign(new Error('bad path'), { status: 400 }))).toMatchObject({ code: 'invalid_request' })
    for (const thrown of [
      new Error('SELECT'),
      z.string().safeParse(1).error,
      'text',
      null,
      undefined,
      { status: 404 },
    ]) {
      const problem = asProblem(thrown)
      expect([problem.code, problem.cause]).toEqual(['internal_error', thrown])
      expect(problem.message).toBe('something went wrong in the gateway')
    }
  })
})
