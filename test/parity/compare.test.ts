import { describe, expect, test } from 'vitest'
import { compare, type Sides } from './compare.ts'
import type { Answer, Header } from './exchange.ts'
import { createReferences } from './references.ts'
import { compareStates } from './states.ts'

const THERE = 'http://127.0.0.1:1001'
const HERE = 'http://127.0.0.1:1002'
const BACKEND = 'http://127.0.0.1:1003'
const ULIDS = ['A', 'B', 'C', 'D'].map((letter) => `01JD${letter.repeat(22)}`)
const [ONE = '', TWO = '', THREE = '', FOUR = ''] = ULIDS

const sides = (): Sides => ({
  direct: { own: THERE, files: [THERE] },
  gateway: { own: HERE, files: [HERE, BACKEND] },
  references: createReferences(),
})

const answer = (body: unknown, headers: readonly Header[] = [], status = 200): Answer => ({
  status,
  headers: [['content-type', 'application/json; charset=utf-8'], ...headers],
  body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
})

const found = (direct: Answer, gateway: Answer, all = sides(), byBytes = false): string[] =>
  compare(all, direct, gateway, byBytes).map(({ place, kind }) => `${place} ${kind}`)

const BODY = { id: `api_video_${ONE}`, status: 'queued', progress: 0.5, tags: [{ name: 'a' }], next: null }

describe('what is the same', () => {
  test('an answer and itself', () => expect(found(answer(BODY), answer(BODY))).toEqual([]))

  test('one whose ids, origins and signatures are other ones, each everywhere', () => {
    const told = (own: string, files: string, id: string, file: string, signature: string): Answer =>
      answer({ ...BODY, id, video_url: `${files}/media/videos/${file}.mp4?expires=9&signature=${signature}` }, [
        ['location', `${own}/api/v1/videos/${id}`],
      ])
    const direct = told(THERE, THERE, `api_video_${ONE}`, `api_video_${ONE}`, 's'.repeat(43))
    const gateway = told(HERE, BACKEND, `api_video_${TWO}`, `api_video_${THREE}`, 't'.repeat(43))
    expect(found(direct, gateway)).toEqual([])
  })

  test('one that is told by its length and one that is told in chunks, each with a Date of its own clock', () => {
    const date = (text: string): Header => ['date', text]
    const direct = answer({}, [date('Fri, 20 Nov 2026 10:00:00 GMT'), ['content-length', '2'], ['connection', 'close']])
    const gateway = answer({}, [date('Sun, 22 Nov 2026 16:04:09 GMT'), ['transfer-encoding', 'chunked']])
    expect(found(direct, gateway)).toEqual([])
  })

  test('the order of keys, but not to the byte', () => {
    expect(found(answer('{"a":1,"b":2}'), answer('{"b":2,"a":1}'))).toEqual([])
    expect(found(answer('{"a":1,"b":2}'), answer('{"b":2,"a":1}'), sides(), true)).toEqual(['body bytes'])
  })
})

describe('what differs is found', () => {
  const cases: readonly (readonly [what: string, gateway: Answer, expected: string])[] = [
    ['another status', answer(BODY, [], 201), 'status status'],
    ['one header more', answer(BODY, [['x-more', '1']]), 'header.x-more added'],
    ['a field less', answer({ ...BODY, next: undefined }), 'body.next missing'],
    ['a field more', answer({ ...BODY, more: 1 }), 'body.more added'],
    ['a number as a string', answer({ ...BODY, progress: '0.5' }), 'body.progress type'],
    ['null for a string', answer({ ...BODY, status: null }), 'body.status type'],
    ['another number', answer({ ...BODY, progress: 0.51 }), 'body.progress value'],
    ['another word', answer({ ...BODY, status: 'Queued' }), 'body.status value'],
    ['a shorter list', answer({ ...BODY, tags: [] }), 'body.tags.length value'],
    ['another value within a list', answer({ ...BODY, tags: [{ name: 'b' }] }), 'body.tags[].name value'],
    ['an id of another form', answer({ ...BODY, id: `vid_${ONE}` }), 'body.id reference'],
  ]
  test.each(cases)('%s', (_what, gateway, expected) => {
    expect(found(answer(BODY), gateway)).toEqual([expected])
  })

  test('one header less, another value, one header twice', () => {
    const direct = answer(BODY, [['x-own', '1']])
    expect(found(direct, answer(BODY))).toEqual(['header.x-own missing'])
    expect(found(direct, answer(BODY, [['x-own', '2']]))).toEqual(['header.x-own value'])
    const twice = answer(BODY, [
      ['x-own', '1'],
      ['x-own', '1'],
    ])
    expect(found(direct, twice)).toEqual(['header.x-own value'])
  })

  test('a length that is not that of the body, and a Date that is none', () => {
    const direct = answer({}, [['content-length', '2']])
    expect(found(direct, answer({}, [['content-length', '3']]))).toEqual(['header.content-length value'])
    const dated = answer({}, [['date', 'Fri, 20 Nov 2026 10:00:00 GMT']])
    expect(found(dated, answer({}, [['date', '2026-11-20T10:00:00Z']]))).toEqual(['header.date value'])
  })

  test('an id that was another one before, and one that stands for two', () => {
    const all = sides()
    const of = (id: string): Answer => answer({ id: `api_video_${id}` })
    expect(found(of(ONE), of(THREE), all)).toEqual([])
    expect(found(of(ONE), of(FOUR), all)).toEqual(['body.id reference'])
    expect(found(of(TWO), of(THREE), all)).toEqual(['body.id reference'])
    expect(found(of(ONE), of(THREE), all)).toEqual([])
  })

  test('two ids that changed places', () => {
    const pair = (first: string, second: string): Answer =>
      answer({ data: [{ id: `clip_${first}` }, { id: `clip_${second}` }] })
    const all = sides()
    expect(found(pair(ONE, TWO), pair(THREE, FOUR), all)).toEqual([])
    expect(found(pair(ONE, TWO), pair(FOUR, THREE), all)).toEqual([
      'body.data[].id reference',
      'body.data[].id reference',
    ])
  })

  test("a link that leads to another server, and the backend's in the place of our own", () => {
    const link = (url: string): Answer => answer({ link: url })
    const path = '/api/v1/videos/api_video_1'
    expect(found(link(`${THERE}${path}`), link(`${BACKEND}${path}`))).toEqual(['body.link value'])
    expect(found(link(`${THERE}/media/a.mp4`), link('http://127.0.0.1:9/media/a.mp4'))).toEqual(['body.link value'])
  })

  test('bytes that are no text', () => {
    const wav = (bytes: readonly number[]): Answer => ({
      status: 200,
      headers: [['content-type', 'audio/wav']],
      body: Buffer.from(bytes),
    })
    expect(found(wav([1, 2, 3]), wav([1, 2, 3]), sides(), true)).toEqual([])
    expect(found(wav([1, 2, 3]), wav([1, 2, 4]), sides(), true)).toEqual(['body bytes'])
  })

  test('a body that is no JSON where one was', () => {
    expect(found(answer(BODY), { ...answer('<html>'), headers: [['content-type', 'text/html']] })).toEqual([
      'header.content-type value',
      'body bytes',
    ])
  })
})

describe('the order of states', () => {
  const isSame = (direct: readonly string[], gateway: readonly string[]): boolean =>
    compareStates(direct, gateway).length === 0

  test('is the same if one was missed', () => {
    expect(isSame(['queued', 'processing', 'completed'], ['queued', 'completed'])).toBe(true)
    expect(isSame(['processing', 'failed'], ['queued', 'processing', 'failed'])).toBe(true)
  })

  test.each([
    [['processing', 'queued', 'completed']],
    [['queued', 'completed', 'processing', 'completed']],
    [['queued', 'processing']],
    [['queued', 'processing', 'failed']],
    [['queued', 'working', 'completed']],
    [[]],
  ])('is not: %j', (gateway) => {
    expect(isSame(['queued', 'processing', 'completed'], gateway)).toBe(false)
  })
})
