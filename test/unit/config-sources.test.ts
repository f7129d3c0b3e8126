import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseConfig, type ConfigInput } from '../../src/config.ts'

const KEY = 'k'.repeat(20)
const config = (extra = '', apiKey = 'secret') => `
backends: { main: { interface: primary, base_url: "https://p.example", api_key: "${apiKey}" } }
clients: [{ id: acme, key: ${KEY} }]
${extra}`

const FILES: Readonly<Record<string, string>> = { '/run/secrets/x': 'from-file\n', 'two-lines': 'a\r\nb\r\n' }
const parse = (text: string, env: ConfigInput['env'] = {}, format?: 'yaml' | 'json') =>
  parseConfig({
    text,
    env,
    ...(format && { format }),
    readFile: (path) => {
      const content = FILES[path]
      if (content === undefined) throw Object.assign(new Error('hunter2'), { code: 'ENOENT' })
      return content
    },
  })

const good = (text: string, env?: ConfigInput['env']) => {
  const parsed = parse(text, env)
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults, null, 2))
  return parsed.config
}

const lines = (text: string, env?: ConfigInput['env'], format?: 'yaml' | 'json'): string[] => {
  const parsed = parse(text, env, format)
  return parsed.ok ? [] : parsed.faults.map(({ path, message }) => `${path}: ${message}`)
}

describe('references', () => {
  test.each([
    ['${A}', { A: 'x' }, 'x'],
    ['a-${A}-${B:-b}', { A: 'x' }, 'a-x-b'],
    ['${A:-b}', { A: '' }, 'b'],
    ['${A:-b}', { A: 'x' }, 'x'],
    ['${A:-a:-b}', {}, 'a:-b'],
    ['${file:/run/secrets/x}', {}, 'from-file'],
    ['$${A}', { A: 'x' }, '${A}'],
    ['$a', { A: 'x' }, '$a'],
    // What a variable holds is never looked at again, and never becomes structure.
    ['${A}', { A: '${B}', B: 'y' }, '${B}'],
    ['${A}', { A: '{slots:9}' }, '{slots:9}'],
    // Text stays text where text is wanted.
    ['${A}', { A: '12345' }, '12345'],
    ['${A}', { A: 'null' }, 'null'],
  ])('%s with %j is %s', (reference, env, value) => {
    expect(good(config('', reference), env).backends['main']?.api_key).toBe(value)
  })

  test('a value that is one whole reference becomes what the schema wants', () => {
    const text = config(`
server: { port: "\${PORT}", public_url: "\${URL:-}", trust_proxy: "\${PROXY}" }
webhooks: { allow: [{ cidr: 127.0.0.0/8, http: "\${HTTP}", ports: ["\${HOOK_PORT}"] }] }
log: { level: "\${LEVEL:-debug}" }`)
    expect(good(text, { PORT: '9000', PROXY: 'true', HTTP: 'true', HOOK_PORT: '3000' })).toMatchObject({
      server: { port: 9000, public_url: null, trust_proxy: true },
      webhooks: { allow: [{ http: true, ports: [3000] }] },
      log: { level: 'debug' },
    })
  })

  test.each([
    [
      'part of a value stays text',
      'server: { port: "8${A}" }',
      { A: '0' },
      'server.port: expected a port (0 to 65535), received text (from ${A})',
    ],
    [
      'lists are not read from references',
      'webhooks: { ports: "${A}" }',
      { A: '[443]' },
      'webhooks.ports: expected a list of ports, received text (from ${A})',
    ],
    ['not set', 'log: { level: "${A}" }', {}, 'log.level: the environment variable A is not set'],
    [
      'no inherited name',
      'log: { level: "${constructor}" }',
      {},
      'log.level: the environment variable constructor is not set',
    ],
    ['no such file', 'log: { level: "${file:/nope}" }', {}, 'log.level: the file /nope cannot be read (ENOENT)'],
    [
      'two lines',
      'log: { level: "${file:two-lines}" }',
      {},
      expect.stringMatching(/^log\.level: expected one of .* \(from \$\{file:two-lines\}\)$/),
    ],
    ['not closed', 'log: { level: "${A" }', {}, expect.stringMatching(/^log\.level: malformed reference/)],
    ['no name', 'log: { level: "${1}" }', {}, expect.stringMatching(/^log\.level: malformed reference/)],
    [
      'the default is not shown',
      'server: { port: "${A:-hunter2}" }',
      {},
      'server.port: expected a port (0 to 65535), received text (from ${A})',
    ],
  ])('%s', (_, extra, env, line) => {
    expect(lines(config(extra), env)).toEqual([line])
  })
})

describe('overrides', () => {
  test.each([
    [{ TALKBRIDGE_SERVER__PORT: '9000' }, { server: { port: 9000, host: '127.0.0.1' } }],
    [{ TALKBRIDGE_SERVER__PUBLIC_URL: '' }, { server: { public_url: null } }],
    [{ TALKBRIDGE_RETENTION_DAYS: '7' }, { retention_days: 7 }],
    [{ TALKBRIDGE_BACKENDS__MAIN__API_KEY: '123456' }, { backends: { main: { api_key: '123456' } } }],
    [{ TALKBRIDGE_BACKENDS__MAIN__API_KEY: '${HOME}' }, { backends: { main: { api_key: '${HOME}' } } }],
    [{ TALKBRIDGE_CLIENTS__0__ID: 'other' }, { clients: [{ id: 'other', key: KEY }] }],
    [
      { TALKBRIDGE_CLIENTS__1__ID: 'two', TALKBRIDGE_CLIENTS__1__KEY: `2${KEY}` },
      { clients: [{ id: 'acme' }, { id: 'two', key: `2${KEY}` }] },
    ],
    [{ TALKBRIDGE_WEBHOOKS__PORTS: '[443, 9443]' }, { webhooks: { ports: [443, 9443] } }],
    [{ TALKBRIDGE_CLIENTS__0__BACKENDS: 'null' }, { clients: [{ backends: null }] }],
    [
      { TALKBRIDGE_LOG__LEVEL: 'warn', TALKBRIDGE_LOG: '{"level":"debug","format":"json"}' },
      { log: { level: 'warn', format: 'json' } },
    ],
    // Reserved, for tests, or put there by Kubernetes beside a Service.
    [
      {
        TALKBRIDGE_CONFIG: 'x',
        TALKBRIDGE_SECRET_KEY: 'x',
        TALKBRIDGE_ADMIN_KEY: 'x',
        TALKBRIDGE_KEY: 'x',
        TALKBRIDGE_WEBHOOK_SECRET: 'x',
        TALKBRIDGE_DEBUG: '1',
        TALKBRIDGE_TEST_POSTGRES: 'postgres://127.0.0.1/test',
        TALKBRIDGE_TEST_REDIS: 'redis://127.0.0.1',
        TALKBRIDGE_PORT: 'tcp://10.0.0.1:80',
        TALKBRIDGE_SERVICE_HOST: '10.0.0.1',
        TALKBRIDGE_SERVICE_PORT_HTTP: '80',
        TALKBRIDGE_PORT_80_TCP_ADDR: '10.0.0.1',
        TALKBRIDGE_REDIS_PORT_6379_TCP: 'tcp://10.0.0.1:6379',
        OTHER_SERVER__PORT: '1',
      },
      { server: { port: 8080 } },
    ],
  ])('%j', (env, expected) => {
    expect(good(config(), env)).toMatchObject(expected)
  })

  test.each([
    [
      'unknown',
      { TALKBRIDGE_SERVER__PROT: '1' },
      'server.prot: unknown key, set by TALKBRIDGE_SERVER__PROT; did you mean `port`?',
    ],
    [
      'unknown at the top',
      { TALKBRIDGE_PORT: '1' },
      'port: unknown key, set by TALKBRIDGE_PORT; did you mean `server.port`?',
    ],
    [
      'below a scalar',
      { TALKBRIDGE_SERVER__PORT__X: '1' },
      'server.port.x: unknown key, set by TALKBRIDGE_SERVER__PORT__X',
    ],
    ['empty segment', { TALKBRIDGE_SERVER____PORT: '1' }, 'server."": unknown key, set by TALKBRIDGE_SERVER____PORT'],
    ['prefix alone', { TALKBRIDGE_: '1' }, '"": unknown key, set by TALKBRIDGE_'],
    [
      'wrong kind',
      { TALKBRIDGE_SERVER__PORT: 'hunter2' },
      'server.port: expected a port (0 to 65535), received text (from TALKBRIDGE_SERVER__PORT)',
    ],
    [
      'a list that is no JSON',
      { TALKBRIDGE_WEBHOOKS__PORTS: '443,8443' },
      'webhooks.ports: expected a list as JSON in TALKBRIDGE_WEBHOOKS__PORTS, received text',
    ],
    [
      'inside the JSON',
      { TALKBRIDGE_WEBHOOKS__PORTS: '[443,"x"]' },
      'webhooks.ports.1: expected a port (1 to 65535), received text (from TALKBRIDGE_WEBHOOKS__PORTS)',
    ],
    [
      'a gap in a list',
      { TALKBRIDGE_CLIENTS__2__ID: 'x' },
      'clients.2.id: TALKBRIDGE_CLIENTS__2__ID has no place there: the list is too short, or the value above is not a mapping',
    ],
    [
      'no index',
      { TALKBRIDGE_CLIENTS__X__ID: 'x' },
      'clients.x.id: TALKBRIDGE_CLIENTS__X__ID has no place there: the list is too short, or the value above is not a mapping',
    ],
    [
      'a hidden prototype',
      { TALKBRIDGE_LOG: '{"__proto__":{"level":"warn"}}' },
      'log.__proto__: unknown key (from TALKBRIDGE_LOG)',
    ],
  ])('%s', (_, env, line) => {
    expect(lines(config(), env)).toEqual([line])
  })

  test('may be the whole configuration', () => {
    const env = {
      TALKBRIDGE_BACKENDS__MAIN: '{"interface":"primary","base_url":"https://p.example","api_key":"x"}',
      TALKBRIDGE_CLIENTS__0__ID: 'acme',
      TALKBRIDGE_CLIENTS__0__KEY: KEY,
    }
    expect(good('', env)).toMatchObject({ routing: { default: 'main' }, clients: [{ id: 'acme' }] })
  })
})

describe('text that is no configuration', () => {
  const bomb = `a0: &a0 [x, x]\n${Array.from({ length: 30 }, (_, i) => `a${i + 1}: &a${i + 1} [*a${i}, *a${i}]`).join('\n')}`
  test.each([
    ['a bracket left open', 'a: [1, 2\nb: 3', ': line 2, column 1: wrong indentation, or a bracket that is not closed'],
    [
      'a reference unquoted in a flow mapping',
      'a: {b: ${X}}',
      ': line 1, column 9: unexpected text or bracket (inside { } or [ ], quote "${…}")',
    ],
    ['a tab', 'a:\n\tb: 1', expect.stringMatching(/^: line 2, column \d+: /)],
    ['two documents', 'a: 1\n---\nb: 1', ': line 2, column 1: more than one document in the file'],
    ['a tag', 'a: !!js/function hunter2', ': line 1, column 4: tags (!) are not supported'],
    ['a key that is a list', '? [a]\n: 1', ': line 1, column 3: a key must be text'],
    ['an alias bomb', bomb, ': aliases (*) that are unknown, or that repeat more than 100 anchors (&)'],
    ['an alias of itself', 'a: &a [*a, *a]', ': nested more than 32 levels deep'],
    ['an unknown alias', 'a: *hunter2', ': aliases (*) that are unknown, or that repeat more than 100 anchors (&)'],
    ['deep nesting', '['.repeat(5000), expect.stringMatching(/^: line 1, column \d+: nested too deeply$/)],
    ['too large', '#'.repeat(1024 * 1024 + 1), ': larger than 1 MiB'],
    ['a list', '[1]', ': expected a mapping, received a list'],
    ['a word', 'hunter2', ': expected a mapping, received text'],
  ])('%s', (_, text, line) => {
    expect(lines(text)).toEqual([line])
  })

  test('duplicate keys are named by line and column, beside the other faults', () => {
    expect(lines(config('log: { level: info, level: warn }\nserver: { port: x }\nserver: {}'))).toEqual([
      ': line 4, column 21: duplicate key',
      ': line 6, column 1: duplicate key',
    ])
    expect(lines('{\n  "log": {},\n  "log": { "level": 1 }\n}', {}, 'json').slice(0, 1)).toEqual([
      ': line 3, column 3: duplicate key',
    ])
  })

  test.each([
    ['{"a": hunter2}', ': not valid JSON'],
    ['{"a": "\\x"}', ': line 1, column 9: not valid JSON'],
    ['a: 1', expect.stringMatching(/^: .*not valid JSON$/)],
    ['null', ': expected a mapping'],
    ['', ': not valid JSON'],
  ])('JSON is held to JSON: %s', (text, line) => {
    expect(lines(text, {}, 'json')).toEqual([line])
  })
})

test('never throws, and says why when it refuses', () => {
  const env = fc.dictionary(fc.stringMatching(/^TALKBRIDGE_[A-Z0-9_]{0,20}$/), fc.string())
  const text = fc.oneof(
    fc.string(),
    fc.json(),
    fc.json().map((json) => config(`log: ${json}`)),
    fc.string().map((s) => config('', s)),
  )
  fc.assert(
    fc.property(text, env, fc.constantFrom('yaml', 'json'), (source, variables, format) => {
      const parsed = parse(source, variables, format)
      return parsed.ok || parsed.faults.length > 0
    }),
    { numRuns: 500 },
  )
})
