import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import { start, temporaryFolder } from './harness.ts'
import { runHere } from './here.ts'

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const OTHER = `whsec_${Buffer.alloc(32, 8).toString('base64')}`
const ID = 'evt_6f2c1d0b9a8e7f6a5b4c3d2e1f'
const BODY = JSON.stringify({ type: 'video.completed', timestamp: '2026-11-20T10:00:00.000Z', data: { id: 'vid_é' } })

interface Parts {
  body?: string | Buffer
  secret?: string
  ageS?: number
  drop?: string
  headers?: Record<string, string>
}

/** As another library signs; `body` is what was captured, not what was signed. */
const captured = ({ body = BODY, secret = SECRET, ageS = 0, drop, headers = {} }: Parts = {}) => {
  const at = new Date(Date.now() - ageS * 1000)
  const all: Record<string, string> = {
    host: 'app.example',
    'Webhook-Id': ID,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign(ID, at, BODY),
    ...headers,
  }
  const lines = Object.entries(all).flatMap(([name, value]) => (name === drop ? [] : [`${name}: ${value}`]))
  return Buffer.concat([Buffer.from(`POST /hook HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`), Buffer.from(body)])
}

const verify = (argv: string[], piped: Buffer | string = '', env: Record<string, string> = {}) => {
  const stdin = async function* () {
    yield Buffer.from(piped)
  }
  return runHere(['verify', ...argv], { env, stdin, cwd: temporaryFolder() })
}
const judged = async (request: Buffer, ...argv: string[]) => {
  const { code, stdout } = await verify(['--json', '--secret', SECRET, ...argv], request)
  const { faults, ...rest } = JSON.parse(stdout) as { faults: { code: string; message: string; hints: string[] }[] }
  return { code, faults, codes: faults.map((one) => one.code), all: JSON.stringify(faults), ...rest }
}

describe('a request that is right', () => {
  test('is 0, from stdin', async () => {
    expect(await verify(['--secret', SECRET], captured())).toEqual({
      code: 0,
      stdout: expect.stringMatching(`^valid: ${ID}, signed \\d seconds? ago\n$`),
      stderr: '',
    })
  })

  test('with headers and body apart, the secret from the environment', async () => {
    const env = { TALKBRIDGE_WEBHOOK_SECRET: SECRET }
    const [head = ''] = captured().toString().split('\r\n\r\n')
    const lines = head.split('\r\n').slice(1)
    const argv = lines.flatMap((line) => ['--header', line])
    expect(await verify(argv, BODY, env)).toMatchObject({ code: 0 })
    const folder = temporaryFolder()
    const files = { lines: join(folder, 'lines'), json: join(folder, 'json'), body: join(folder, 'body') }
    writeFileSync(files.lines, lines.join('\n'))
    writeFileSync(files.json, JSON.stringify(Object.fromEntries(lines.map((line) => line.split(': ', 2)))))
    writeFileSync(files.body, BODY)
    expect(await verify(['--headers', files.lines, '--body', files.body], '', env)).toMatchObject({ code: 0 })
    expect(await verify(['--headers', files.json, '--body', '-'], BODY, env)).toMatchObject({ code: 0 })
  })

  test('with one of several secrets, one of several signatures', async () => {
    const rotated = captured()
      .toString()
      .replace('v1,', `v1,${Buffer.alloc(32).toString('base64')} v1,`)
    expect(await judged(Buffer.from(rotated), '--secret', OTHER)).toMatchObject({
      code: 0,
      ok: true,
      matched_secret: 0,
    })
    const swapped = await verify(['--secret', OTHER, '--secret', SECRET], rotated)
    expect(swapped.stdout).toContain('(secret 2 of 2)')
  })

  test('framed as tools keep it: a line break after content-length, chunks, bare line feeds', async () => {
    const length = String(Buffer.byteLength(BODY))
    const saved = Buffer.concat([captured({ headers: { 'Content-Length': length } }), Buffer.from('\n')])
    expect(await judged(saved)).toMatchObject({ code: 0 })
    const chunks = `5\r\n${BODY.slice(0, 5)}\r\n${(Buffer.byteLength(BODY) - 5).toString(16)}\r\n${BODY.slice(5)}\r\n0\r\n\r\n`
    expect(await judged(captured({ body: chunks, headers: { 'transfer-encoding': 'chunked' } }))).toMatchObject({
      code: 0,
    })
    expect(await judged(captured({ headers: { 'transfer-encoding': 'chunked' } }))).toMatchObject({ code: 0 })
    expect(await judged(Buffer.from(captured().toString().replaceAll('\r\n', '\n')))).toMatchObject({ code: 0 })
  })
})

describe('a request that is wrong is 1, and told why', () => {
  test.each(['webhook-timestamp', 'webhook-signature'])('%s is missing', async (drop) => {
    const result = await judged(captured({ drop }))
    expect(result).toMatchObject({ code: 1, ok: false, codes: ['header_missing'] })
    expect(result.all).toContain(`the header ${drop} is missing`)
  })

  test('all three are missing', async () => {
    const { codes, all } = await judged(Buffer.from(`POST / HTTP/1.1\r\nhost: x\r\n\r\n${BODY}`))
    expect(codes).toEqual(['header_missing', 'header_missing', 'header_missing'])
    expect(all).toContain('a proxy removed them')
  })

  test.each([
    [7_500, [], 'timestamp_too_old', 'is 2 hours old, but only 5 minutes are allowed'],
    [420, [], 'timestamp_too_old', 'is 7 minutes'],
    [-900, [], 'timestamp_too_new', 'ahead of this clock'],
    [420, ['--tolerance', '6m'], 'timestamp_too_old', 'but only 6 minutes are allowed'],
  ])('%i s old with %j', async (ageS, argv, code, message) => {
    const result = await judged(captured({ ageS }), ...argv)
    // The signature itself is right, which is said too.
    expect(result).toMatchObject({ code: 1, codes: [code], matched_secret: 0 })
    expect(result.all).toContain(message)
  })

  test.each([
    [7_500, '3h'],
    [900_000, 'any'],
  ])('%i s old is right with %s', async (ageS, tolerance) => {
    expect(await judged(captured({ ageS }), '--tolerance', tolerance)).toMatchObject({ code: 0 })
  })

  test.each([
    ['timestamp_malformed', { 'webhook-timestamp': '2026-11-20T10:00:00Z' }, 'must be whole Unix seconds'],
    ['timestamp_too_new', { 'webhook-timestamp': String(Date.now() * 1000).slice(0, 12) }, 'milliseconds instead'],
    ['signature_malformed', { 'webhook-signature': 'v1a,AAAA' }, 'v1a is an asymmetric signature'],
    [
      'signature_malformed',
      { 'webhook-signature': Buffer.alloc(32).toString('base64') },
      'prefix \\"v1,\\" is missing',
    ],
    ['no_match', { 'Webhook-Id': 'evt_another' }, 'may belong to another request'],
  ])('%s: %j', async (code, headers, hint) => {
    const { codes, all } = await judged(captured({ headers }))
    expect(codes).toContain(code)
    expect(all).toContain(hint)
  })

  test.each([
    ['written anew', JSON.stringify(JSON.parse(BODY), null, 2), 'the body was parsed and serialised again'],
    ['with a line break', `${BODY}\n`, 'the body has extra whitespace at its end'],
    ['with a byte order mark', `\uFEFF${BODY}`, 'byte order mark'],
    ['read as Latin-1', Buffer.from(Buffer.from(BODY).toString('latin1')), 'Latin-1'],
  ])('the body was %s', async (_what, body, hint) => {
    const { codes, faults, all } = await judged(captured({ body }))
    expect(codes).toEqual(['no_match'])
    expect(faults[0]?.message).toBe('the body is not the one that was signed')
    expect(all).toContain(hint)
  })

  test.each([
    ['', 'the body is empty'],
    [BODY.slice(0, 40), 'it was cut'],
    [BODY.replace('é', '\uFFFD'), 'wrong charset'],
    [JSON.stringify({ ...JSON.parse(BODY), more: 1 }, null, 1), 'more was changed'],
  ])('the body is %j', async (body, hint) => {
    expect((await judged(captured({ body }))).all).toContain(hint)
  })

  test('the secret is another one', async () => {
    const { codes, all } = await judged(captured({ secret: OTHER }))
    expect(codes).toEqual(['no_match'])
    expect(all).toContain('the secret may be wrong')
  })

  test('in words', async () => {
    const { stdout, code } = await verify(['--secret', SECRET], captured({ body: `${BODY}\n`, ageS: 600 }))
    expect(code).toBe(1)
    expect(stdout).toMatch(
      /^NOT valid: evt_\w+\n {2}webhook-timestamp is 10 minutes.* old, .*\n(.*\n)* {2}the body is not the one that was signed\n {4}· the body has extra whitespace/,
    )
  })
})

describe('used wrongly is 2', () => {
  test.each([
    [[], 'no secret'],
    [['--secret', 'hunter2'], 'a webhook secret is "whsec_"'],
    [['--secret', SECRET, '--request', 'x', '--body', 'y'], 'either --request, or'],
    [['--secret', SECRET, '--headers', '-'], 'can be stdin'],
    [['--secret', SECRET, '--header', 'nonsense'], 'not a header: "nonsense"'],
    [['--secret', SECRET, '--request', 'missing.http'], 'missing.http'],
    [['--secret', SECRET, '--tolerance', 'long'], 'such as 30s'],
    [['--secret', SECRET], 'no empty line'],
  ])('%j', async (argv, message) => {
    const { code, stderr, stdout } = await verify(argv, 'not http')
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(message)
    expect(stderr).not.toContain('hunter2')
  })

  test('a body that is cut, and one without an end', async () => {
    const cut = captured({ headers: { 'content-length': '9999' } })
    expect((await verify(['--secret', SECRET], cut)).stderr).toContain('content-length says 9999 bytes')
    const huge = await verify(['--secret', SECRET, '--header', 'a: b'], Buffer.alloc(5 * 1024 * 1024))
    expect(huge).toMatchObject({ code: 2, stderr: expect.stringContaining('4 MiB') })
  })
})

test('the real command reads a file and says its exit code', async () => {
  const cwd = temporaryFolder()
  writeFileSync(join(cwd, 'request.http'), captured())
  const env = { TALKBRIDGE_WEBHOOK_SECRET: SECRET }
  expect(await start(['verify', '--request', 'request.http'], { cwd, env }).ended).toMatchObject({
    code: 0,
    stderr: '',
  })
  const wrong = await start(['verify', '--request', 'request.http', '--secret', OTHER], { cwd }).ended
  expect(wrong).toMatchObject({ code: 1, stdout: expect.stringContaining('NOT valid'), stderr: '' })
  // Nothing is piped in: that is no request, not a wait.
  expect(await start(['verify'], { cwd, env }).ended).toMatchObject({ code: 2 })
})
