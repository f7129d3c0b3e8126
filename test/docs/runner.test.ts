import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { matches, readPage } from './blocks.ts'
import { runPage, skippedWithoutCurl } from './runner.ts'

const fenced = (script: string, claim?: string): string =>
  `# A page\n\n\`\`\`sh\n${script}\n\`\`\`\n${claim === undefined ? '' : `\n\`\`\`text\n${claim}\n\`\`\`\n`}`

test('a page is its blocks, with what is claimed right below them', () => {
  const page = `${fenced('one', '→ 202\n{"id":…')}\nWords.\n\n${fenced('two', 'three')}\n${fenced('four', '→ 204')}\n${fenced('five')}\nWords.\n\n\`\`\`text\nno claim\n\`\`\`\n\n\`\`\`sh no-run: it installs\nsix\n\`\`\`\n\n\`\`\`sh no-run\nseven\n\`\`\`\n`
  const { blocks, reasons, strays } = readPage(page)
  expect(blocks.map(({ script, status, printed }) => [script, status, printed])).toEqual([
    ['one', 202, '{"id":…'],
    ['two', null, 'three'],
    ['four', 204, null],
    ['five', null, null],
  ])
  expect(reasons).toEqual(['it installs', ''])
  expect(blocks[0]?.line).toBe(3)
  expect(strays).toEqual([page.slice(0, page.indexOf('no claim')).split('\n').length - 1])
})

test.each([
  ['{"a":…,"b":2}', '{"a":[1,{}],"b":2}', true],
  ['{"a":…', '{"a":1}', true],
  ['{"a":…', '{"b":1,"a":1}', false],
  ['{…"b":3,…', '{"a":1,"b":2}', false],
  ['one\n…\nthree', 'one\ntwo\n\nthree', true],
  ['one', 'one\ntwo', false],
  ['a.c', 'abc', false],
])('%s of %s: %s', (claimed, printed, expected) => {
  expect(matches(claimed, printed)).toBe(expected)
})

describe.skipIf(skippedWithoutCurl())('a page that is wrong', () => {
  const server = createServer((req, res) => {
    res.statusCode = Number(req.url?.slice(1))
    res.end(`{"status":${res.statusCode}}`)
  })
  let url = ''
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterAll(() => void server.close())
  const faults = (page: string): Promise<string[]> => runPage(page, { 'http://127.0.0.1:8080': url })
  const api = 'http://127.0.0.1:8080'

  test('and one that is right', async () => {
    const page = [
      fenced(`API=${api}\ncurl -s $API/200 > kept.txt`),
      fenced('cat kept.txt', '{"status":200}'),
      fenced('curl -s $API/422 | grep -o 4..', '→ 422\n422'),
      fenced('A=$(curl -s $API/201)\necho "$A"', '→ 201\n…201…'),
    ].join('\n')
    expect(await faults(page)).toEqual([])
  })

  test.each([
    [
      'another status',
      fenced(`curl -s ${api}/409`, '→ 404'),
      'line 3: announced is 404, answered was 409: {"status":409}',
    ],
    ['a status without a request', fenced('true', '→ 200'), 'line 3: announced is 200, answered was nothing'],
    ['an error that nobody announced', fenced(`curl -s ${api}/401`), 'line 3: nobody announced 401: {"status":401}'],
    [
      'an error before the one announced',
      fenced(`curl -s ${api}/401\ncurl -s ${api}/404`, '→ 404'),
      'line 3: nobody announced 401: {"status":401}',
    ],
    [
      'other output',
      fenced(`curl -s ${api}/200`, '→ 200\n{"status":"ok"…'),
      'line 3: announced is\n{"status":"ok"…\nprinted was\n{"status":200}',
    ],
    ['a command that fails', fenced('false'), 'line 3: bash ended with 1: '],
    ['a pipe that fails', fenced('false | cat\necho never', 'never'), 'line 3: announced is\nnever\nprinted was\n'],
  ])('%s', async (_, page, first) => {
    expect((await faults(page))[0]).toBe(first)
  })

  test('a server that does not answer', async () => {
    expect((await runPage(fenced('curl -s http://127.0.0.1:1/'), {}))[0]).toMatch(/^line 3: bash ended with 7: curl: /)
  })
})
