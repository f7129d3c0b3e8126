import { expect, test } from 'vitest'
import { parseConfig } from '../../src/config.ts'
import { must } from '../fakes/must.ts'

const GOOD = `
backends:
  main:
    interface: primary
    base_url: https://p.example
    api_key: \${API_KEY}
clients:
  - id: acme
    key: ${'k'.repeat(20)}
`
const parse = (text: string, env: Record<string, string> = {}, format: 'yaml' | 'json' = 'yaml') =>
  parseConfig({ text, format, env: { API_KEY: 'canary-api-key', ...env }, readFile: () => '' })

const faults = (...given: Parameters<typeof parse>): string[] => {
  const parsed = parse(...given)
  return parsed.ok
    ? []
    : parsed.faults.map(({ path, message, line, column }) => `${line ?? '-'}:${column ?? '-'} ${path}: ${message}`)
}

test.each<[title: string, text: string, fault: string]>([
  [
    'a value: where its key stands',
    `${GOOD}server:\n  port: 80800\n`,
    '11:3 server.port: 80800 is not a port (0 to 65535)',
  ],
  [
    'a duration',
    `${GOOD}webhooks: { timeout: 6m }\n`,
    '10:13 webhooks.timeout: 6m is not a duration from 100ms to 5m, such as 500ms, 30s, 5m or 24h',
  ],
  ['an unknown key', `${GOOD}stroe: {}\n`, '10:1 stroe: unknown key; did you mean `store`?'],
  [
    'a key with a dot',
    `${GOOD}aliases: { voices: { 'a.b:c': { main: v } } }\n`,
    expect.stringMatching(/^10:22 aliases\.voices\."a\.b:c": /) as string,
  ],
  [
    'an element of a list',
    `${GOOD}webhooks:\n  ports: [443, 0]\n`,
    '11:16 webhooks.ports.1: 0 is not a port (1 to 65535)',
  ],
  [
    'what is not there: what should hold it',
    GOOD.replace('    interface: primary\n', ''),
    '3:3 backends.main.interface: required: expected one of primary, alternate',
  ],
  [
    'a rule over several keys',
    `${GOOD}server: { shutdown_grace: 2s }\n`,
    '10:11 server.shutdown_grace: must be longer than backends.main.timeout (30s)',
  ],
  [
    'an anchor',
    `${GOOD}server: &s { port: 70000 }\n`.replace('&s', '&s'),
    '10:14 server.port: 70000 is not a port (0 to 65535)',
  ],
  ['a duplicate key', `${GOOD}log: {}\nlog: {}\n`, '11:1 : line 11, column 1: duplicate key'],
])('%s', (_, text, fault) => expect(faults(text)).toEqual([fault]))

test('JSON has lines, too', () => {
  const text = `{\n  "server": { "port": 80800 },\n  "backends": {}\n}`
  expect(faults(text, {}, 'json')).toEqual([
    expect.stringMatching(/^3:3 backends: /),
    expect.stringMatching(/^1:1 clients: required/),
    '2:15 server.port: 80800 is not a port (0 to 65535)',
  ])
})

test('what a reference gives stands in the file; what a variable sets does not', () => {
  expect(faults(GOOD.replace('${API_KEY}', '${NONE}'))).toEqual([
    '6:5 backends.main.api_key: the environment variable NONE is not set',
  ])
  expect(faults(`${GOOD}server: { port: "\${PORT}" }\n`, { PORT: '80800' })).toEqual([
    '10:11 server.port: 80800 is not a port (0 to 65535) (from ${PORT})',
  ])
  expect(faults(GOOD, { TALKBRIDGE_SERVER__PORT: '80800', TALKBRIDGE_STROE: '1' })).toEqual([
    '-:- server.port: 80800 is not a port (0 to 65535) (from TALKBRIDGE_SERVER__PORT)',
    '-:- stroe: unknown key, set by TALKBRIDGE_STROE; did you mean `store`?',
  ])
})

test.each<[text: string, fault: string]>([
  [GOOD.replace('${API_KEY}', '$API_KEY'), '6:5 backends.main.api_key: $API_KEY is not replaced'],
  [GOOD.replace('https://p.example', '$PRIMARY_URL'), '5:5 backends.main.base_url: $PRIMARY_URL is not replaced'],
  [GOOD.replace('https://p.example', 'https://$HOST/x'), '5:5 backends.main.base_url: $HOST is not replaced'],
  [
    `${GOOD}store: { driver: postgres, url: 'postgres://u:$DB_PASSWORD@db.example/x' }\n`,
    '10:28 store.url: $DB_PASSWORD is not replaced',
  ],
])('a name without braces is named: %#', (text, fault) => {
  const [, name = ''] = /\$(\w+)/.exec(fault) ?? []
  expect(faults(text)).toEqual([`${fault} without braces; did you mean \${${name}}?`])
})

test('a secret that looks like a name may come from a variable, and other texts may hold a dollar', () => {
  expect(faults(GOOD, { API_KEY: '$ECRET' })).toEqual([])
  expect(faults(GOOD.replace('${API_KEY}', '$ecret-of-mine'))).toEqual([])
})

test('no secret is shown, whatever it looks like', () => {
  const digits = GOOD.replace('k'.repeat(20), '1234567890')
  expect(faults(digits)).toEqual([
    expect.stringMatching(/^9:5 clients\.0\.key: expected 20 to 512 .*received a number/),
  ])
  expect(faults(GOOD.replace('id: acme', 'id: 123456'))).toEqual([expect.not.stringContaining('123456')])
})

test('a good file locates what it is warned of', () => {
  const parsed = parse(GOOD)
  const locate = must(parsed.ok ? parsed.locate : null)
  expect(locate('backends.main.api_key')).toEqual({ line: 6, column: 5 })
  // Not in the file: what would hold it.
  expect(locate('backends.main.exclusive')).toEqual({ line: 3, column: 3 })
})
