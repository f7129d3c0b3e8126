import { describe, expect, test } from 'vitest'
import { parseConfig } from '../../src/config.ts'

const KEY = 'k'.repeat(20)
const WHSEC = `whsec_${Buffer.alloc(32, 7).toString('base64')}`

const BACKEND = 'interface: primary, base_url: "https://p.example", api_key: secret'
const ONE_BACKEND = `backends: { main: { ${BACKEND} } }`
const MINIMAL = `${ONE_BACKEND}\nclients: [{ id: acme, key: ${KEY} }]`

const lines = (text: string): string[] => {
  const parsed = parseConfig({ text, env: {}, readFile: () => '' })
  return parsed.ok ? [] : parsed.faults.map(({ path, message }) => `${path}: ${message}`)
}

describe('one fault', () => {
  const backend = (extra: string) => `backends: { main: { ${BACKEND}, ${extra} } }\nclients: [{ id: a, key: ${KEY} }]`
  const client = (extra: string) => `backends: { main: { ${BACKEND} } }\nclients: [{ ${extra} }]`
  const also = (extra: string) => `${MINIMAL}\n${extra}`
  test.each([
    [
      'wrong kind',
      backend('slots: two'),
      'backends.main.slots: expected a whole number from 1 to 10000, received text',
    ],
    ['fraction', backend('slots: 1.5'), 'backends.main.slots: 1.5 is not a whole number from 1 to 10000'],
    ['out of range', also('server: { port: 70000 }'), 'server.port: 70000 is not a port (0 to 65535)'],
    [
      'low videos that fail first',
      also('engine: { max_age: 30m }'),
      'engine.low_after: must not be longer than engine.max_age (30m): a low video would fail before it counts as normal',
    ],
    ['mistyped key', backend('slot: 1'), 'backends.main.slot: unknown key; did you mean `slots`?'],
    [
      'other case',
      backend('requestsPerMinute: 1'),
      'backends.main.requestsPerMinute: unknown key; did you mean `requests_per_minute`?',
    ],
    ['wrong level', also('port: 1'), 'port: unknown key; did you mean `server.port`?'],
    ['unlike any key', also('zebra: 1'), 'zebra: unknown key'],
    ['a key with a line break', also('"a\\nb": 1'), '"a?b": unknown key'],
    [
      'two ways to Redis',
      also('redis: { url: "redis://r", cluster: [{ host: r, port: 6379 }], prefix: "{t}" }'),
      'redis: expected one of url, sentinels and cluster',
    ],
    [
      'sentinels without a master',
      also('redis: { sentinels: [{ host: r, port: 26379 }] }'),
      'redis.master: is required with sentinels, and only then',
    ],
    [
      'a master without sentinels',
      also('redis: { master: m }'),
      'redis.master: is required with sentinels, and only then',
    ],
    [
      'a cluster without braces',
      also('redis: { cluster: [{ host: r, port: 6379 }] }'),
      'redis.prefix: needs braces with a cluster, such as "{talkbridge}": all keys must be on one node',
    ],
    [
      'two passwords',
      also('redis: { url: "redis://:pw@r", password_file: /pw }'),
      'redis.password_file: the URL has a password, too',
    ],
    [
      'a user beside a URL with a password',
      also('redis: { url: "redis://:pw@r", username: gateway }'),
      'redis.username: the URL has a user or a password, too',
    ],
    [
      'two users',
      also('redis: { url: "redis://other@r", username: gateway, password_file: /pw }'),
      'redis.username: the URL has a user or a password, too',
    ],
    [
      'a certificate without its key',
      also('redis: { url: "redis://r", tls: { cert_file: /cert } }'),
      'redis.tls: expected both cert_file and key_file, or neither',
    ],
    [
      'a key without its certificate',
      also('redis: { url: "redis://r", tls: { key_file: /key } }'),
      'redis.tls: expected both cert_file and key_file, or neither',
    ],
    ...['postgres://user:pw@db/t', 'postgres://user@db/t?password=pw'].map((url): [string, string, string] => [
      `two passwords of the store: ${url}`,
      also(`store: { driver: postgres, url: "${url}", password_file: /pw }`),
      'store.password_file: the URL has a password, too',
    ]),
    [
      'braces that hold nothing',
      also('redis: { url: "redis://r", prefix: "a{}" }'),
      'redis.prefix: expected a name of 1 to 40 characters a-z, 0-9, _ and -, of which a part may be in braces, received other text',
    ],
    ...['gateway', '1/x', '?db=two'].map((path): [string, string, string] => [
      `a database of Redis that is no number: ${path}`,
      also(`redis: { url: "redis://:hunter2@r/${path}" }`),
      'redis.url: names no database: the path is the number of a database, such as /0',
    ]),
    [
      'a URL of Redis that is none',
      also('redis: { url: "redis://:hunter2%zz@r/0" }'),
      'redis.url: is no URL: percent-encode special characters of the password, such as / as %2F',
    ],
    [
      'a URL of something else than Redis',
      also('redis: { url: "http://r/x" }'),
      'redis.url: expected null or a URL such as redis://:password@host:6379/0, received other text',
    ],
    [
      'mistyped and therefore missing',
      MINIMAL.replace('base_url', 'baseurl'),
      'backends.main.baseurl: unknown key; did you mean `base_url`?',
    ],
    [
      'missing',
      MINIMAL.replace(', api_key: secret', ''),
      'backends.main.api_key: required: expected 1 to 512 visible ASCII characters without spaces',
    ],
    [
      'mistyped option',
      also('log: { level: wran }'),
      'log.level: expected one of trace, debug, info, warn, error, fatal, silent, received other text; did you mean `warn`?',
    ],
    ['no backend', `backends: {}\nclients: [{ id: a, key: ${KEY} }]`, 'backends: at least one backend is required'],
    [
      'no client',
      `${ONE_BACKEND}\nclients: []`,
      'clients: expected a list of at least one client, received an empty list',
    ],
    [
      'bad backend name',
      MINIMAL.replace('main:', 'Main:'),
      'backends.Main: expected a name of 1 to 63 characters a-z, 0-9, _ and -, starting with a letter or digit',
    ],
    [
      'short key',
      client(`id: a, key: hunter2`),
      'clients.0.key: expected 20 to 512 visible ASCII characters without spaces, received 7 characters',
    ],
    [
      'key of digits',
      client(`id: a, key: 12345678901234567890`),
      'clients.0.key: expected 20 to 512 visible ASCII characters without spaces, received a number (put it in quotes)',
    ],
    ...[
      ['key', 'CHANGE-ME'],
      ['key', 'change_me_20_characters_or_more'],
      ['webhook_secret', 'whsec_changeme'],
    ].map(([key, value]): [string, string, string] => [
      `a placeholder: ${value}`,
      client(`id: a, keys: [${KEY}], ${key}: ${value}`),
      `clients.0.${key}: is still a placeholder: put your own value there`,
    ]),
    [
      'unknown scope',
      client(`id: a, key: ${KEY}, scopes: [video:read]`),
      expect.stringMatching(/^clients\.0\.scopes\.0: .*did you mean `videos:read`\?$/),
    ],
    [
      'short webhook secret',
      client(`id: a, key: ${KEY}, webhook_secret: whsec_aGVsbG8=`),
      'clients.0.webhook_secret: expected whsec_ and the base64 of 24 to 64 bytes',
    ],
    [
      'webhook secret without prefix',
      client(`id: a, key: ${KEY}, webhook_secret: ${WHSEC.slice(6)}`),
      'clients.0.webhook_secret: expected whsec_ and the base64 of 24 to 64 bytes, received other text',
    ],
    [
      'unknown backend of a client',
      client(`id: a, key: ${KEY}, backends: [mian]`),
      'clients.0.backends.0: there is no backend with this name; did you mean `main`?',
    ],
    ['unknown default', also('routing: { default: other }'), 'routing.default: there is no backend with this name'],
    [
      'default not named',
      MINIMAL.replace('main:', `two: { ${BACKEND} }, main:`),
      'routing.default: required: with several backends, name the default one',
    ],
    [
      'same id',
      `${ONE_BACKEND}\nclients: [{ id: a, key: ${KEY} }, { id: a, key: x${KEY} }]`,
      'clients.1.id: the same id as clients.0',
    ],
    [
      'same key',
      `${ONE_BACKEND}\nclients: [{ id: a, key: ${KEY} }, { id: b, key: ${KEY} }]`,
      'clients.1.key: the same key as clients.0',
    ],
    [
      'same key among several',
      `${ONE_BACKEND}\nclients: [{ id: a, keys: [x${KEY}, ${KEY}] }, { id: b, keys: [${KEY}] }]`,
      'clients.1.keys.0: the same key as clients.0',
    ],
    [
      'a key twice in one client',
      `${ONE_BACKEND}\nclients: [{ id: a, key: ${KEY}, keys: [${KEY}] }]`,
      'clients.0.keys.0: the same key as clients.0',
    ],
    [
      'no key',
      `${ONE_BACKEND}\nclients: [{ id: a, keys: [] }]`,
      'clients.0.key: required: set it, or at least one of `keys`',
    ],
    ['short grace', backend('timeout: 2m'), 'server.shutdown_grace: must be longer than backends.main.timeout (2m)'],
    [
      'grace equal to the webhooks',
      also('server: { shutdown_grace: 40s }\nwebhooks: { timeout: 40s }'),
      'server.shutdown_grace: must be longer than webhooks.timeout (40s)',
    ],
    [
      'bad range',
      also('webhooks: { allow: [{ cidr: 10.0.0.0/33 }] }'),
      'webhooks.allow.0.cidr: expected an address range such as 127.0.0.0/8 or ::1/128',
    ],
    ...['https://p.example/api/v1', 'https://p.example/proxy/v1/', 'http://127.0.0.1:1/V1'].map(
      (url): [string, string, string] => [
        `a base_url with the version of its paths: ${url}`,
        MINIMAL.replace('https://p.example', url),
        'backends.main.base_url: must not end with /api/v1 or /v1: the gateway adds that to each path',
      ],
    ),
    ['text for a section', also('server: yes'), 'server: expected a mapping, received text'],
    ['a key of the prototype', also('server: { __proto__: { port: 1 } }'), 'server.__proto__: unknown key'],
  ])('%s', (_, text, line) => {
    expect(lines(text)).toEqual([line])
  })
})

test('a secret may have the words of a placeholder in longer ones', () => {
  expect(lines(`${ONE_BACKEND}\nclients: [{ id: a, key: rate-change-metrics-exchange-me }]`)).toEqual([])
})

test('every fault at once: a wrong type hides neither its neighbours nor the rules over several keys', () => {
  const text = `
server: { port: "8080", shutdown_grace: 10s }
backends:
  main: { interface: primary, base_url: "https://p.example", api_key: secret, slots: many }
  B: { interface: alternate, base_url: "http://a.example", api_key: "" }
clients: [{ id: a, key: ${KEY}, backends: [man] }, { id: a, key: 5 }]
routing: { default: nope }
retention: 7
`
  expect(lines(text).map((line) => line.split(': ', 1)[0])).toEqual([
    'backends.B',
    'backends.B.api_key',
    'backends.B.base_url',
    'backends.main.slots',
    'clients.0.backends.0',
    'clients.1.id',
    'clients.1.key',
    'retention',
    'routing.default',
    'server.port',
    'server.shutdown_grace',
  ])
})
