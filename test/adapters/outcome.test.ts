import { describe, expect, test } from 'vitest'
import { DIALECT as ALTERNATE } from '../../src/adapters/alternate/index.ts'
import { DIALECT as PRIMARY } from '../../src/adapters/primary/index.ts'
import { idInPath, statusOf, type Dialect, type Reply } from '../../src/adapters/shared/dialect.ts'
import { isSuccess, readAnswer, readCreate, readHead, readWrite } from '../../src/adapters/shared/outcome.ts'

const moment = { base: new URL('https://main.example'), nowMs: Date.parse('2026-11-20T10:00:00Z') }
const json = (status: number, body: object = {}): Reply => {
  return { kind: 'json', status, headers: {}, body: { ...body }, text: '' }
}
const unusable = (status: number, why: 'empty' | 'not_json'): Reply => ({
  kind: 'unusable',
  status,
  headers: {},
  why,
})
const CODED = { error: 'no_such_thing', message: 'Gone' }

test.each([
  [199, false],
  [200, true],
  [299, true],
  [300, false],
])('%i is a success: %s', (status, success) => {
  expect(isSuccess(status)).toBe(success)
})

test.each([
  [399, 'doubt'],
  [400, 'refused'],
  [499, 'refused'],
  [500, 'doubt'],
])('an empty %i to a create, where the contract shows no error body and its table refuses: %s', (status, kind) => {
  const rows: Dialect['rows'] = [[status, null, null, 'invalid_request', false, null, 'refused']]
  const dialect = { ...ALTERNATE, rows, errorsMayBeEmpty: true }
  expect(readCreate(unusable(status, 'empty'), dialect, moment).outcome.kind).toBe(kind)
  expect(readCreate(unusable(status, 'not_json'), dialect, moment).outcome.kind).toBe('doubt')
  expect(readCreate(unusable(status, 'empty'), { ...dialect, errorsMayBeEmpty: false }, moment).outcome.kind).toBe(
    'doubt',
  )
})

describe('what a 2xx lacks is said', () => {
  const nothing = () => null
  test('a create', () => {
    const message = 'The backend answered 202, but named no job'
    expect(readCreate(json(202), PRIMARY, moment).outcome).toMatchObject({ kind: 'doubt', problem: { message } })
  })

  test('a read, and a write', () => {
    const read = readAnswer(json(200), PRIMARY, moment, { read: nothing }).outcome
    const lacks = 'The answer of the backend lacks what the gateway asked for'
    expect(read).toMatchObject({ ok: false, lost: false, problem: { message: lacks } })
    const write = readWrite(json(201), PRIMARY, moment, { read: nothing }).outcome
    const message = 'The backend answered 201, but the answer lacks what the gateway asked for'
    expect(write).toMatchObject({ kind: 'doubt', problem: { message } })
  })

  test('a body that is no JSON is said to be that, and lacks nothing that one could name', () => {
    const page = unusable(200, 'not_json')
    const told = [
      readCreate(page, PRIMARY, moment).outcome,
      readAnswer(page, PRIMARY, moment, { read: nothing }).outcome,
      readWrite(page, PRIMARY, moment, { read: nothing }).outcome,
    ]
    for (const outcome of told) {
      expect(outcome).toHaveProperty('problem.message')
      expect(JSON.stringify(outcome)).not.toMatch(/lacks what|named no job/)
    }
  })
})

test('only a conflict on our own key is said to name no job', () => {
  const conflict = json(409, { error: 'idempotency_conflict', message: 'Taken' })
  const { outcome } = readCreate(conflict, PRIMARY, moment)
  if (outcome.kind === 'accepted') throw new Error('taken')
  expect(outcome.problem.message.endsWith(', and it names no job')).toBe(
    outcome.problem.code === 'idempotency_key_conflict',
  )
  const other = readCreate(json(400, CODED), PRIMARY, moment).outcome
  expect(JSON.stringify(other)).not.toContain('names no job')
})

test('a 404 is about the thing that was asked for, where the backend itself says so', () => {
  const ask = (body: object) =>
    readAnswer(json(404, body), PRIMARY, moment, { read: () => null, missing: 'voice_not_found' }).outcome
  expect(ask({ error: 'not_found', message: 'Gone' })).toMatchObject({ problem: { code: 'voice_not_found' } })
  expect(ask({})).toMatchObject({ problem: { code: 'not_found' } })
})

describe('the head of an answer that is handed on', () => {
  const head = (status: number, type: string | null = null) =>
    readHead(
      { kind: 'answered', status, headers: type === null ? {} : { 'content-type': type } },
      PRIMARY,
      moment.nowMs,
    )

  test.each<[number, string | null, boolean, boolean]>([
    [200, null, true, true],
    [304, null, true, true],
    [302, null, false, true],
    [404, null, false, true],
    [499, null, false, true],
    [500, null, false, false],
    [503, 'text/html', false, false],
    [503, 'application/json', false, true],
    [503, 'application/problem+json; charset=utf-8', false, true],
    [503, 'Application/Vnd.acme.v1+JSON', false, true],
    [503, 'text/application/json', false, false],
    [503, 'application/jsonp', false, false],
    [503, 'application/-/json', false, false],
  ])('%i, %s: fine %s, the backend’s own word %s', (status, type, fine, spoke) => {
    const meaning = head(status, type)
    expect([meaning.problem === null, meaning.spoke]).toEqual([fine, spoke])
  })

  test('none came: nobody spoke', () => {
    const failed = { kind: 'failed', began: true, fault: 'timeout', message: 'ETIMEDOUT' } as const
    expect(readHead(failed, PRIMARY, moment.nowMs)).toMatchObject({ spoke: false, rate: null })
  })
})

test.each<[string, string, string | null]>([
  ['/v1/videos/{id}', 'https://a.example/v1/videos/job_1', 'job_1'],
  ['/v1/videos/{id}', '/proxy/v2/videos/job_1/?x=/videos/y#z', 'job_1'],
  ['/v1/videos/{id}', '/v1/videos/a/b', null],
  ['/v1/videos/{id}', '/v1/puppets/job_1', null],
  ['/v1/jobs/{id}/status', '/v2/jobs/job_1/status', 'job_1'],
  ['/v1/jobs/{id}/status', '/v1/jobs/job_1', null],
  ['/v1/jobs/{id}/status', '/status/jobs/job_1', null],
])('of %s, %s names %s', (statusPath, url, id) => {
  expect(idInPath(url, { statusPath })).toBe(id)
})

test('a status word is read in any case, with blanks or dashes between its parts', () => {
  const dialect = { statuses: { almost_done: 'processing' } } as const
  for (const word of ['almost_done', ' Almost - done', 'ALMOST--DONE'])
    expect(statusOf(word, dialect)).toBe('processing')
  expect(statusOf('almostdone', dialect)).toBeNull()
})
