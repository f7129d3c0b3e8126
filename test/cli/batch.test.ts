import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { MAX_CELL_CHARS, MAX_FILE_BYTES, MAX_ROWS } from '../../src/cli/batch/rows.ts'
import { stage, type StageOptions } from '../e2e/harness.ts'
import { KEYS } from '../fakes/gateway.ts'
import { until } from '../fakes/until.ts'
import { start, temporaryFolder } from './harness.ts'
import { runHere } from './here.ts'

const TEMPLATE = { image_url: '{{photo}}', text: 'Hello {{name}}.' }
const CSV = 'name,photo\nAda,https://example.com/1.png\nBob,https://example.com/2.png\n'

/** A folder with the file and the template, and the command in it. */
const folder = (
  file: string | Buffer = CSV,
  { template = TEMPLATE, name = 'june.csv', url = '' }: { template?: unknown; name?: string; url?: string } = {},
) => {
  const cwd = temporaryFolder()
  writeFileSync(join(cwd, name), file)
  writeFileSync(join(cwd, 't.json'), typeof template === 'string' ? template : JSON.stringify(template))
  const call = (...args: string[]) =>
    runHere(['batch', ...args, '--url', url || 'http://127.0.0.1:1'], { cwd, env: { TALKBRIDGE_KEY: KEYS.anna } })
  const run = (...args: string[]) => call('run', name, '--template', 't.json', ...args)
  const files = (out = 'june') => readdirSync(join(cwd, out)).toSorted()
  const results = (out = 'june') => readFileSync(join(cwd, out, 'results.csv'), 'utf8')
  const rewrite = (text: string) => writeFileSync(join(cwd, name), text)
  const spawned = () =>
    start(['batch', 'run', name, '--template', 't.json', '--url', url], { cwd, env: { TALKBRIDGE_KEY: KEYS.anna } })
  return { cwd, call, run, spawned, files, results, rewrite }
}

const unlimited = { unlimitedRate: true, unlimitedCredits: true, unlimitedSlots: true }
const fast: StageOptions = {
  sandbox: unlimited,
  config: { backends: { main: { slots: 50, requests_per_minute: 9_999 } } },
}
const staged = async (options: StageOptions = fast, file: string | Buffer = CSV, template: unknown = TEMPLATE) => {
  const s = await stage(options)
  return { s, ...folder(file, { template, url: s.gateway().gateway.url }) }
}

test.each<[string, string | Buffer, unknown, string[]]>([
  [
    'a column that is not there',
    CSV,
    { text: '{{nam}}', metadata: { a: ['{{team}}'] } },
    [
      't.json: text: june.csv has no column "nam"; did you mean `name`?',
      't.json: metadata.a.0: june.csv has no column "team"; it has: name, photo',
    ],
  ],
  ['half a placeholder', CSV, { text: 'Hello {{name' }, ['t.json: text: write a column as {{name}}']],
  [
    'a template that is no JSON',
    CSV,
    '{',
    ["t.json: is not JSON: Expected property name or '}' in JSON at position 1 (line 1 column 2)"],
  ],
  ['a template that is a list', CSV, [], ['t.json: must be an object: the body of POST /videos']],
  [
    'metadata of the batch itself',
    CSV,
    { metadata: { row: '1' } },
    ['t.json: metadata.row: the batch sets it: leave it out'],
  ],
  [
    'a header twice, and one without a name',
    'a,,a\n1,2,3\n',
    TEMPLATE,
    ['june.csv: header: column 2 has no name', 'june.csv: header: column "a" is there twice'],
  ],
  [
    'a ragged row',
    'name,photo\nAda\n\nBob,x,y\n',
    TEMPLATE,
    ['june.csv: row 1: 1 cell, but the header has 2 columns', 'june.csv: row 3: 3 cells, but the header has 2 columns'],
  ],
  [
    'a quote that is not closed',
    'name,photo\n"Ada,x\n',
    TEMPLATE,
    ['june.csv: is no CSV: Quote Not Closed: the parsing is finished with an opening quote at line 2'],
  ],
  [
    'another encoding',
    Buffer.from('name,photo\nJosé,x\n', 'latin1'),
    TEMPLATE,
    ['june.csv: is not valid UTF-8: save it as CSV UTF-8'],
  ],
  ['no rows', 'name,photo\n,\n', TEMPLATE, ['june.csv: it has no rows']],
  [
    'too many rows',
    `name,photo\n${'a,b\n'.repeat(MAX_ROWS + 5)}`,
    TEMPLATE,
    ['june.csv: more than 10000 rows: split the file, and give each part its own --name'],
  ],
  [
    'a cell that is too long',
    `name,photo\n${'a'.repeat(MAX_CELL_CHARS + 1)},b\n`,
    TEMPLATE,
    ['june.csv: row 1, column "name": 65537 characters: the limit is 65536'],
  ],
  ['a file that is too large', Buffer.alloc(MAX_FILE_BYTES + 1, 97), TEMPLATE, ['june.csv: larger than 32 MiB']],
])('%s is refused before the gateway is asked', async (_, file, template, faults) => {
  expect(await folder(file, { template }).run()).toEqual({
    code: 2,
    stdout: '',
    stderr: faults.map((fault) => `talkbridge batch: ${fault}\n`).join(''),
  })
})

test.each<[string, string[]]>([
  ['{"name":"Ada"}\n{"name":"Bob","photo":"x"}', ['row 1: has no "photo", which the template needs for image_url']],
  [
    '{"name":["Ada"],"photo":"x"}\nnope\n',
    [
      'row 1, column "name": must be a string, a number or a boolean',
      'row 2: must be an object in JSON, such as {"name": "Ada"}',
    ],
  ],
])('JSON lines that are none: %j', async (file, faults) => {
  const { code, stderr } = await folder(file, { name: 'june.jsonl' }).run()
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: faults.map((fault) => `talkbridge batch: june.jsonl: ${fault}\n`).join(''),
  })
})

test('a name that could be a path, a file of another kind, a file that is not there', async () => {
  expect((await folder().run('--name', '../x')).stderr).toMatch(/^talkbridge batch: --name \.\.\/x: must be 1 to 100/)
  expect((await folder(CSV, { name: 'june.xlsx' }).run()).stderr).toMatch(/june\.xlsx: must end with \.csv or \.jsonl/)
  const { code, stderr } = await folder().call('run', 'nobody.csv', '--template', 't.json')
  expect({ code, stderr }).toEqual({ code: 2, stderr: 'talkbridge batch: nobody.csv: cannot be read: no such file\n' })
})

test('a file whose name makes no batch name', async () => {
  const { code, stderr } = await folder(CSV, { name: '日本.csv' }).run()
  const fault = "日本.csv: the file's name makes no batch name: give --name"
  expect({ code, stderr }).toEqual({ code: 2, stderr: `talkbridge batch: ${fault}\n` })
})

test('the results never replace the file, the template or what is not of a batch', async () => {
  const input = folder(CSV, { name: 'results.csv' })
  expect(await input.run('--out', '.')).toMatchObject({
    code: 2,
    stderr: 'talkbridge batch: results.csv: the results would replace it: give another --out\n',
  })
  expect(input.results('.')).toBe(CSV)
  const { s, cwd, run, results } = await staged()
  mkdirSync(join(cwd, 'june'))
  writeFileSync(join(cwd, 'june/results.csv'), 'place,runner\n1,Ada\n')
  const { code, stderr } = await run()
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: expect.stringMatching(/results\.csv: is not of a batch/) as string,
  })
  expect([results(), s.sandbox.ledger().jobs]).toEqual(['place,runner\n1,Ada\n', []])
})

test('a named pipe is refused, and not waited for', async () => {
  const { cwd, run, call } = folder()
  execFileSync('mkfifo', [join(cwd, 'pipe.csv')])
  expect((await call('run', 'pipe.csv', '--template', 't.json')).stderr).toMatch(/pipe\.csv: is no regular file/)
  rmSync(join(cwd, 't.json'))
  execFileSync('mkfifo', [join(cwd, 't.json')])
  expect((await run()).stderr).toMatch(/t\.json: is no regular file/)
})

test('no escape sequence of a file, a name or a folder reaches the terminal', async () => {
  const bad = 'n\u001b]0;pwned\u0007'
  const { cwd, call, run, rewrite } = folder(`${bad},${bad}\n1,2\n`)
  const said = [await run()]
  rewrite(`${bad},b\n1,2\n`)
  said.push(
    await run(),
    await call('run', `${bad}.csv`, '--template', 't.json'),
    await run('--template', `${bad}.json`),
  )
  mkdirSync(join(cwd, bad))
  writeFileSync(join(cwd, bad, 'results.csv'), 'place\n')
  writeFileSync(join(cwd, 't.json'), '{"text":"{{b}}"}')
  const { s, ...real } = await staged()
  writeFileSync(join(real.cwd, bad), '')
  said.push(await real.run('--out', bad), await real.run('--out', `${bad}/x`))
  said.push(await real.run('--out', 'a\u001b[2J'))
  for (const { stdout, stderr } of said) {
    expect(stdout + stderr).toMatch(/\uFFFD/)
    expect(stdout + stderr).not.toMatch(/(?!\n)\p{Cc}/u)
  }
  expect(s.sandbox.ledger().jobs).toHaveLength(2)
})

test('a folder is made level by level; where none can be made, the command ends', async () => {
  const { run, files } = await staged()
  expect((await run('--out', 'a/b/c')).code).toBe(0)
  expect(files('a/b/c')).toHaveLength(3)
  expect(await run('--out', '/proc/talkbridge/x')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^talkbridge batch: cannot write in \/proc\/talkbridge\/x: E/) as string,
  })
})

test('a row that left the file keeps what the results say of it', async () => {
  const { run, rewrite, results } = await staged()
  expect((await run()).code).toBe(0)
  const listed = results()
  rewrite('name,photo\nAda,https://example.com/1.png\n')
  const { code, stderr } = await run()
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: 'talkbridge batch: 1 video of the batch without a row in june.csv\n',
  })
  expect(results()).toBe(listed)
})

test('a gateway that is not there, and a key that it does not know', async () => {
  expect(await folder().run()).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/no answer came .*\(connection_failed\)\n$/) as string,
  })
  const s = await stage()
  const { call } = folder(CSV, { url: s.gateway().gateway.url })
  expect(await call('status', 'june', '--key', 'tb_nobody')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('(unauthenticated)') as string,
  })
})

test('a key without the scope, and a folder that cannot be written, before anything is made', async () => {
  const clients = [{ id: 'anna', key: KEYS.anna, scopes: ['videos:read'] }]
  const { s, cwd, run, results } = await staged({ ...fast, config: { ...fast.config, clients } })
  const refused = await run()
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('videos:create') as string })
  expect(results()).toBe('row,id,status,error,file\n1,,not_made,,\n2,,not_made,,\n')
  writeFileSync(join(cwd, 'taken'), '')
  expect(await run('--out', 'taken')).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^talkbridge batch: .*taken: is a file: give a folder with --out\n$/) as string,
  })
  expect((await run('--out', 'taken/x')).stderr).toMatch(/^talkbridge batch: cannot write in .*taken\/x: ENOTDIR\n$/)
  expect(s.sandbox.ledger().jobs).toEqual([])
})

test('from a file with a byte order mark, semicolons, quotes and line breaks to films, and again for nothing', async () => {
  const csv =
    '\uFEFFname;photo;voice\r\n"Ada ""A"" Lovelace\r\nCountess";https://example.com/1.png;\r\n;;\r\n{{photo}};https://example.com/2.png;\r\n'
  const template = {
    ...TEMPLATE,
    voice_id: '{{voice}}',
    unsupported: 'warn',
    expressiveness: 0.5,
    metadata: { who: '{{ name }}', v: '{{voice}}' },
  }
  const { s, run, call, files, results } = await staged(fast, csv, template)
  const first = await run()
  expect({ code: first.code, stderr: first.stderr }).toEqual({ code: 0, stderr: '' })
  expect(first.stdout).toMatch(/✓ batch june: 2 completed, 2 credits; june\/results\.csv has each row\n$/)
  expect(first.stdout.match(/^row [13] {2}completed {2}0000[13]-vid_\w+\.mp4$/gm)).toHaveLength(2)
  const { data } = (await (await s.call('/videos?metadata[batch]=june')).json()) as {
    data: { input: object; metadata: object }[]
  }
  const hash = expect.stringMatching(/^[\da-f]{64}$/) as string
  const [third, one] = data.toSorted((a, b) => Object(b.metadata).row - Object(a.metadata).row)
  expect(one).toMatchObject({
    input: { text: 'Hello Ada "A" Lovelace\r\nCountess.', voice_id: null, expressiveness: 0.5 },
  })
  // What a cell holds is no template.
  expect(third).toMatchObject({ input: { text: 'Hello {{photo}}.' } })
  expect(third?.metadata).toEqual({ who: '{{photo}}', v: '', batch: 'june', row: '3', row_hash: hash })
  const listed = results()
  expect(listed).toMatch(
    /^row,id,status,error,file\n1,(vid_\w+),completed,,00001-\1\.mp4\n3,(vid_\w+),completed,,00003-\2\.mp4\n$/,
  )

  expect(await run()).toMatchObject({
    code: 0,
    stdout: '✓ batch june: 2 completed, 2 credits; june/results.csv has each row\n',
  })
  expect([results(), files().length, s.sandbox.ledger().charges.length]).toEqual([listed, 3, 2])
  expect((await call('status', 'june')).stdout).toBe('batch june: 2 videos: 2 completed, 2 credits\n')
})

test('a row that changed since is named, and nothing is made; one more row is', async () => {
  const { s, run, rewrite } = await staged()
  expect((await run()).code).toBe(0)
  rewrite(CSV.replace('Bob', 'Eve'))
  const { code, stderr } = await run()
  expect(code).toBe(2)
  expect(stderr).toMatch(
    /^talkbridge batch: row 2: its request changed since the batch june made vid_\w+: change it back, or give another --name \(was a row removed, or the file sorted\? .*\)\n$/,
  )
  expect((await run('--dry-run')).code).toBe(2)
  rewrite(`${CSV}Eve,https://example.com/3.png\n`)
  expect((await run()).code).toBe(0)
  expect(s.sandbox.ledger().charges).toHaveLength(3)
})

test('results of another batch, or of videos that the gateway has deleted, are not written over and not paid again', async () => {
  const { s, run, results } = await staged()
  expect((await run()).code).toBe(0)
  const listed = results()
  const { code, stderr } = await run('--name', 'july', '--out', 'june')
  expect(code).toBe(2)
  expect(stderr).toMatch(
    /^talkbridge batch: row 1: results\.csv has vid_\w+, which is of another batch or deleted: give another/,
  )
  expect([results(), s.sandbox.ledger().charges.length]).toEqual([listed, 2])
})

test('rows that fail and rows that are refused: 1, and a refused one is mended under the same name', async () => {
  const { s, run, rewrite, results, call } = await staged(
    fast,
    `${CSV}[[fail]],https://example.com/3.png\nEve,http://no.example/4.png\n`,
  )
  const { code, stdout } = await run()
  expect(code).toBe(1)
  expect(stdout).toMatch(/row 4 {2}refused {2}invalid_request: image_url: must be an https URL\n/)
  expect(stdout).toMatch(/✗ batch june: 2 completed, 1 failed, 1 refused/)
  expect(results()).toMatch(/\n3,vid_\w+,failed,backend_failed: .*,\n4,,refused,invalid_request: .*,\n$/)
  rewrite(`${CSV}[[fail]],https://example.com/3.png\nEve,https://no.example/4.png\n`)
  expect((await run()).stdout).toMatch(/^row 4 {2}completed .*\n✗ batch june: 3 completed, 1 failed/)
  expect(s.sandbox.ledger().jobs).toHaveLength(4)
  const told = JSON.parse((await call('status', 'june', '--json')).stdout) as object
  expect(told).toMatchObject({
    batch: 'june',
    videos: 4,
    counts: { completed: 3, failed: 1 },
    failed: [{ row: 3, error: 'backend_failed' }],
  })
})

test('a dry run makes nothing, and says the faults by row and column, the cost and the time', async () => {
  const rows = `${CSV}Eve,ftp://example.com/3.png\n`
  const { s, run, cwd, rewrite } = await staged(fast, rows)
  const { code, stdout } = await run('--dry-run')
  expect(code).toBe(1)
  expect(stdout).toMatch(
    /^row 3, column "photo": image_url: must be an https URL\nmain: 2 videos, credits unknown: .*, at least \d+ s\nnothing was made: 2 rows can be, 1 cannot\n$/,
  )
  expect([s.sandbox.ledger().jobs, readdirSync(cwd).includes('june')]).toEqual([[], false])
  await run()
  const told = JSON.parse((await run('--dry-run', '--json', '--name', 'july')).stdout) as object
  expect(told).toMatchObject({
    batch: 'july',
    made: 0,
    rows: 3,
    faults: [{ row: 3, columns: ['photo'], field: 'image_url' }],
    backends: [{ backend: 'main', rows: 2, credits: 2, is_complete: true }],
  })
  rewrite('name,photo\nAda,https://example.com/1.png\n')
  expect((await run('--dry-run', '--name', 'july')).stdout).toContain('main: 1 video, about 1 credit, ')
  expect(s.sandbox.ledger().jobs).toHaveLength(2)
})

test('a quota ends the creates, and what was made is seen to its end', async () => {
  const limits = { requests_per_minute: 1_000_000, videos_per_month: 2 }
  const clients = [{ id: 'anna', key: KEYS.anna, limits }]
  const many = `${CSV}C,https://example.com/3.png\nD,https://example.com/4.png\n`
  const { s, run, files } = await staged({ ...fast, config: { ...fast.config, clients } }, many)
  expect(await run('--dry-run')).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('you may make 2 more videos this month\n') as string,
  })
  const { code, stdout, stderr } = await run()
  expect([code, files().length, s.sandbox.ledger().charges.length]).toEqual([1, 3, 2])
  expect(stdout).toMatch(/✗ batch june: 2 completed, 2 not_made/)
  expect(stderr).toMatch(
    /^talkbridge batch: no more rows were made: quota_exceeded: you have had your 2 videos of this month\n$/,
  )
})

test('rows that the backend refuses for want of credits are made again when it has some, and paid once', async () => {
  const { s, run, rewrite, results, call } = await staged()
  const post = (path: string, body: object) =>
    s.call(path, { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } })
  expect((await run()).code).toBe(0)
  rewrite(`${CSV}C,https://example.com/3.png\nD,https://example.com/4.png\n`)
  /** The gateway takes both rows, and the backend refuses them when their turn comes. */
  const runWithoutCredits = async (videos: number) => {
    await post('/admin/backends/main/pause', { creates: true, polls: false, until: null, reason: 'no credits' })
    const running = run()
    await until(async () => ((await (await s.call('/videos')).json()) as { data: object[] }).data.length === videos)
    const refusal = { status: 402, code: 'insufficient_credits', message: 'No credits left.', times: 2 }
    await s.fault('primary', { kind: 'status', operation: 'createVideoFromText', ...refusal })
    await post('/admin/backends/main/resume', {})
    return running
  }
  for (const videos of [4, 6]) {
    const { code, stdout, stderr } = await runWithoutCredits(videos)
    expect(code).toBe(1)
    expect(stdout).toBe('✗ batch june: 2 completed, 2 not_made, 2 credits; june/results.csv has each row\n')
    expect(stderr).toMatch(/^talkbridge batch: no more rows were made: insufficient_credits: .*\n$/)
    expect(results()).toMatch(/\n3,,not_made,"?insufficient_credits: .*,\n4,,not_made,"?insufficient_credits: .*,\n$/)
    expect((await run('--dry-run')).stdout).toContain('made already by the batch june: 2 rows\n')
  }
  expect(await run()).toMatchObject({ code: 0, stdout: expect.stringContaining('✓ batch june: 4 completed') as string })
  expect(await run()).toMatchObject({ code: 0, stdout: expect.stringContaining('✓ batch june: 4 completed') as string })
  expect((await call('status', 'june')).stdout).toBe('batch june: 4 videos: 4 completed, 4 credits\n')
  expect(s.sandbox.ledger().charges).toHaveLength(4)
})

test('a dry run without enough credits ends with 1', async () => {
  const { s, run, rewrite } = await staged({ ...fast, sandbox: { ...unlimited, unlimitedCredits: false } })
  expect((await run()).code).toBe(0)
  const more = (rows: number) => `${CSV}${'C,https://example.com/3.png\n'.repeat(rows)}`
  rewrite(more(8))
  expect((await run('--dry-run')).code).toBe(0)
  rewrite(more(9))
  const { code, stdout } = await run('--dry-run')
  expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringContaining('8 left: NOT ENOUGH') as string })
  expect(s.sandbox.ledger().jobs).toHaveLength(2)
})

test('cancel: what waits in the gateway, and no file is needed for it', async () => {
  const { s, call } = await staged({
    sandbox: unlimited,
    config: { backends: { main: { slots: 1, requests_per_minute: 100 } } },
  })
  const body = { image_url: 'https://example.com/1.png', text: '[[slots-full]]' }
  for (const row of ['1', '2', '3']) await s.create({ ...body, metadata: { batch: 'june', row } })
  expect(await call('cancel', 'june')).toEqual({
    code: 0,
    stdout: 'batch june: 3 waiting videos canceled\n',
    stderr: '',
  })
  expect((await call('status', 'june')).stdout).toBe('batch june: 3 videos: 3 canceled\n')
  expect(await call('cancel', 'july')).toMatchObject({
    code: 1,
    stderr: 'talkbridge batch: no video of yours has the batch july in its metadata\n',
  })
})

/** A gateway with one video, whose answers a test decides. */
const scripted = async (answers: {
  /** `make`: makes the video, whatever is answered. */
  create?: ((res: ServerResponse, make: () => void) => void)[]
  film?: ((res: ServerResponse) => void)[]
  id?: string
}) => {
  const seen: { path: string; authorization: string | undefined; key: unknown }[] = []
  let made: object | null = null
  const json = (res: ServerResponse, status: number, body: object): void =>
    void res
      .writeHead(status, { 'content-type': status < 400 ? 'application/json' : 'application/problem+json' })
      .end(JSON.stringify(body))
  const server = createServer((req, res) => {
    const path = (req.url ?? '').split('?')[0] ?? ''
    const { authorization, 'idempotency-key': key } = req.headers
    seen.push({ path: `${req.method} ${path}`, authorization, key })
    if (path === '/film') return (answers.film?.shift() ?? ((it: ServerResponse) => it.end('a whole film')))(res)
    if (req.method === 'GET')
      return json(res, 200, { object: 'list', data: made ? [made] : [], has_more: false, next_cursor: null })
    void text(req).then((sent) => {
      const { metadata } = JSON.parse(sent) as { metadata: object }
      const link = `http://localhost:${(server.address() as AddressInfo).port}/film`
      const video = {
        id: answers.id ?? 'vid_1',
        status: 'completed',
        created_at: '2026-11-20T12:00:00.000Z',
        content_url: link,
        metadata,
        error: null,
        credits: null,
      }
      const make = (): void => void (made = video)
      const refuse = answers.create?.shift()
      if (refuse) return refuse(res, make)
      make()
      json(res, 202, video)
    })
  }).listen(0, '127.0.0.1')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const problem = (status: number, code: string) => (res: ServerResponse) =>
    json(res, status, { code, detail: `it is ${code}`, retryable: true, retry_after_seconds: null, errors: [] })
  return { seen, problem, ...folder('name,photo\nAda,x\n', { url }) }
}

test('what passes is waited for, and said once for each reason', async () => {
  const create: ((res: ServerResponse) => void)[] = []
  const s = await scripted({ create })
  create.push(
    s.problem(503, 'queue_full'),
    s.problem(503, 'queue_full'),
    s.problem(429, 'concurrency_limit_reached'),
    (res) => res.destroy(),
  )
  const { code, stderr } = await s.run()
  expect(code).toBe(0)
  expect(stderr.split('\n')).toEqual([
    'talkbridge batch: waits: it is queue_full (queue_full); next try in 1 s',
    'talkbridge batch: waits: it is concurrency_limit_reached (concurrency_limit_reached); next try in 2 s',
    expect.stringMatching(/^talkbridge batch: waits: no answer came from .* \(connection_failed\); next try in 4 s$/),
    '',
  ])
})

test('a create whose answer was lost is not repeated: its video is found', async () => {
  const lost = (res: ServerResponse, make: () => void): void => {
    make()
    res.destroy()
  }
  const s = await scripted({ create: [lost] })
  expect((await s.run()).code).toBe(0)
  expect(s.seen.filter(({ path }) => path === 'POST /unified/v1/videos')).toHaveLength(1)
})

test('a film that breaks off is loaded again, its half is no file, and its host gets no key', async () => {
  const half = (res: ServerResponse): void =>
    void res.writeHead(200, { 'content-length': '1000' }).write('half a film', () => res.destroy())
  const s = await scripted({ film: [half, (res) => res.end()] })
  writeFileSync(join(s.cwd, 'mine.part'), 'not of a batch')
  expect((await s.run('--out', '.')).code).toBe(0)
  expect(readFileSync(join(s.cwd, '00001-vid_1.mp4'), 'utf8')).toBe('a whole film')
  expect(s.files('.')).toEqual(['00001-vid_1.mp4', 'june.csv', 'mine.part', 'results.csv', 't.json'])
  const films = s.seen.filter(({ path }) => path === 'GET /film')
  expect(films).toHaveLength(3)
  expect(films.every(({ authorization }) => authorization === undefined)).toBe(true)
})

test('results that cannot be written leave no half behind', async () => {
  const film: ((res: ServerResponse) => void)[] = []
  const s = await scripted({ film })
  film.push((res) => {
    rmSync(join(s.cwd, 'june/results.csv'), { force: true })
    mkdirSync(join(s.cwd, 'june/results.csv'))
    res.end('a whole film')
  })
  expect(await s.run()).toMatchObject({ code: 1, stderr: expect.stringContaining('cannot write in') as string })
  expect(s.files().filter((name) => name.endsWith('.part'))).toEqual([])
})

test('killed in the middle of a file: the half is no file, and the next run loads it whole', async () => {
  const half = (res: ServerResponse): void => void res.writeHead(200, { 'content-length': '1000' }).write('half a film')
  const s = await scripted({ film: [half] })
  const running = s.spawned()
  const halves = () => s.files().filter((name) => statSync(join(s.cwd, 'june', name)).size === 'half a film'.length)
  await until(() => s.seen.some(({ path }) => path === 'GET /film') && halves().length === 1)
  running.kill('SIGKILL')
  await running.ended
  expect(s.files().filter((name) => name.endsWith('.mp4'))).toEqual([])
  expect((await s.run()).code).toBe(0)
  expect(s.files()).toEqual(['00001-vid_1.mp4', 'results.csv'])
  expect(readFileSync(join(s.cwd, 'june/00001-vid_1.mp4'), 'utf8')).toBe('a whole film')
})

test('killed while a create is under way: the next run sends it under the same key', async () => {
  const s = await scripted({ create: [() => undefined] })
  const creates = () => s.seen.filter(({ path }) => path === 'POST /unified/v1/videos').map(({ key }) => key)
  const running = s.spawned()
  await until(() => creates().length === 1)
  running.kill('SIGKILL')
  await running.ended
  expect((await s.run()).code).toBe(0)
  expect(creates()).toEqual(Array(2).fill(expect.stringMatching(/^june-1-[\da-f]{64}$/)))
  expect(new Set(creates()).size).toBe(1)
})

test('a film that is gone leaves the row without a file: 1, and the next run loads it', async () => {
  const gone = (res: ServerResponse): void => void res.writeHead(410).end()
  const s = await scripted({ film: [gone] })
  const { code, stdout } = await s.run()
  expect(code).toBe(1)
  expect(stdout).toMatch(/^row 1 {2}completed {2}download: /)
  expect(s.results()).toMatch(/\n1,vid_1,completed,"?download: .*,\n$/)
  writeFileSync(join(s.cwd, 'june/.talkbridge-01234567-89ab-cdef-0123-456789abcdef.part'), 'half')
  expect((await s.run()).code).toBe(0)
  expect(s.files()).toEqual(['00001-vid_1.mp4', 'results.csv'])
})

test('an id that would be a path is refused', async () => {
  const s = await scripted({ id: '../../etc/x' })
  expect(await s.run()).toMatchObject({ code: 1, stderr: 'talkbridge batch: the gateway sent an id that is none\n' })
  expect(s.files()).toEqual(['results.csv'])
})
