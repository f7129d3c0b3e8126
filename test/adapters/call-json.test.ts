import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type JsonReply, MAX_ANSWER_BYTES, callJson, createAgents } from '../../src/http/exchange.ts'
import { USER_AGENT } from '../../src/core/vocabulary.ts'
import { startBackend, type Script, type ScriptedBackend } from '../fakes/backend.ts'

const KEY = 'secret/0123456789'
const agents = createAgents()
let backend: ScriptedBackend
beforeAll(async () => {
  backend = await startBackend()
})
afterAll(async () => {
  await agents.close()
  await backend.close()
})
beforeEach(() => {
  backend.requests.length = 0
})

const call = (apiKey = KEY, headers: Record<string, string> = {}): Promise<JsonReply<{ ok: boolean }>> =>
  callJson({
    dispatcher: agents.reads,
    method: 'GET',
    url: new URL('/x', backend.url),
    headers,
    body: null,
    schema: z.looseObject({ ok: z.boolean() }),
    timeoutMs: 500,
    trust: { kind: 'config', credential: { authorization: `Token ${apiKey}` }, apiKey },
  })

const padded = (sizeBytes: number): string => '{"ok":true}'.padEnd(sizeBytes)

describe('an answer is JSON of the schema, or unusable, with its status and headers', () => {
  test.each<[string, Script, object]>([
    [
      'JSON',
      { status: 404, headers: { 'x-a': 'b' }, body: { ok: true } },
      { kind: 'json', status: 404, body: { ok: true } },
    ],
    ['JSON as text', { headers: { 'content-type': 'text/plain' }, body: '{"ok":true}' }, { kind: 'json' }],
    ['a byte order mark', { body: '\ufeff{"ok":true}' }, { kind: 'json' }],
    ['1 MiB', { body: padded(MAX_ANSWER_BYTES) }, { kind: 'json' }],
    ['1 MiB and a byte', { body: padded(MAX_ANSWER_BYTES + 1) }, { kind: 'unusable', why: 'too_large', status: 200 }],
    ['another shape', { body: { ok: 1 } }, { kind: 'unusable', why: 'unexpected_shape' }],
    ['HTML', { status: 502, body: ' <html>' }, { kind: 'unusable', why: 'html', status: 502 }],
    ['nothing', { status: 204, body: '' }, { kind: 'unusable', why: 'empty', status: 204 }],
    ['blanks', { body: ' \n' }, { kind: 'unusable', why: 'empty' }],
    ['half of it', { body: '{"ok":tr' }, { kind: 'unusable', why: 'not_json' }],
    [
      'a break',
      { fault: 'cut', headers: { 'x-a': 'b' } },
      { kind: 'unusable', why: 'truncated', headers: { 'x-a': 'b' } },
    ],
    ['silence after the headers', { fault: 'drip', headers: { 'x-a': 'b' } }, { kind: 'unusable', why: 'timeout' }],
    ['silence', { fault: 'hang' }, { kind: 'failed', began: true, fault: 'timeout' }],
    ['a reset', { fault: 'reset' }, { kind: 'failed', began: true, fault: 'connection' }],
    [
      'a redirect',
      { status: 302, headers: { location: '/y' }, body: '' },
      { kind: 'unusable', why: 'empty', status: 302 },
    ],
  ])('%s', async (_name, script, expected) => {
    backend.next(script)
    expect(await call()).toMatchObject(expected)
    expect(backend.requests).toHaveLength(1)
  })
})

test('nobody overrides the credential or who is calling', async () => {
  backend.next({ body: { ok: true } })
  await call(KEY, { Authorization: 'Bearer other', 'USER-AGENT': 'other', Accept: 'text/html', 'X-Other': 'kept' })
  expect(backend.requests[0]?.headers).toMatchObject({
    authorization: `Token ${KEY}`,
    'user-agent': USER_AGENT,
    accept: 'application/json',
    'accept-encoding': 'identity',
    'x-other': 'kept',
  })
})

test('an echoed credential is taken out of headers and bodies', async () => {
  backend.next({ headers: { 'x-echo': `<${KEY}>` }, body: `{"ok":true,"a":"${KEY}","${KEY}":"secret\\/0123456789"}` })
  expect(await call()).toMatchObject({
    headers: { 'x-echo': '<[key]>' },
    body: { ok: true, a: '[key]', '[key]': '[key]' },
  })
})

test('a key that no header can carry fails before anything is written, and is not told', async () => {
  const reply = await call('line\nbreak-0123')
  expect(reply).toMatchObject({ kind: 'failed', began: false })
  expect(JSON.stringify(reply)).not.toContain('break-0123')
  expect(backend.requests).toEqual([])
})

test('a short key is not looked for in innocent text', async () => {
  backend.next({ body: { ok: true, word: 'okra' } })
  expect(await call('ok')).toMatchObject({ body: { ok: true, word: 'okra' } })
})

test('the User-Agent names the version of the package', () => {
  const { version } = z
    .object({ version: z.string() })
    .parse(JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')))
  expect(USER_AGENT).toBe(`talkbridge/${version}`)
})
