import { describe, expect, test } from 'vitest'
import { parseConfig, type Config, type ConfigInput } from '../../src/config.ts'
import { restartFaults } from '../../src/cli/serve.ts'

const KEY = 'k'.repeat(20)

const BACKEND = 'interface: primary, base_url: "https://p.example", api_key: secret'
const MINIMAL = `
backends: { main: { ${BACKEND} } }
clients: [{ id: acme, key: ${KEY} }]
`

const parse = (text: string, input: Partial<ConfigInput> = {}) =>
  parseConfig({ text, env: {}, readFile: () => '', ...input })

const good = (text: string, input?: Partial<ConfigInput>): Config => {
  const parsed = parse(text, input)
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults, null, 2))
  return parsed.config
}

const APP = [
  'voices:read',
  'videos:read',
  'videos:create',
  'tts:create',
  'uploads:create',
  'webhooks:read',
  'webhooks:write',
]

const LIMITS = {
  requests_per_minute: 600,
  videos_per_month: null,
  credits_per_month: null,
  queued_videos: 100,
  streams: 20,
}

const lines = (text: string): string[] => {
  const parsed = parse(text)
  return parsed.ok ? [] : parsed.faults.map(({ path, message }) => `${path}: ${message}`)
}

describe('a small configuration', () => {
  test('has a default for everything else', () => {
    expect(good(MINIMAL)).toEqual({
      server: {
        host: '127.0.0.1',
        port: 8080,
        public_url: null,
        trust_proxy: false,
        shutdown_delay: 0,
        shutdown_grace: 35_000,
        max_connections: 4_096,
        streams: 1_000,
        cors: { origins: [] },
      },
      store: {
        driver: 'sqlite',
        path: './data/talkbridge.db',
        url: null,
        password_file: null,
        pool: 10,
        schema: 'talkbridge',
      },
      console: { enabled: true, admin_key: null, session_idle: 28_800_000 },
      redis: {
        url: null,
        sentinels: null,
        master: null,
        cluster: null,
        prefix: 'talkbridge',
        username: null,
        password_file: null,
        tls: null,
      },
      backends: {
        main: {
          interface: 'primary',
          base_url: 'https://p.example',
          api_key: 'secret',
          slots: 2,
          requests_per_minute: 10,
          timeout: 30_000,
          exclusive: false,
          resend_when_absent: false,
          absent_after: 300_000,
          drain: false,
          on_down: null,
          proxy: null,
        },
      },
      clients: [
        {
          id: 'acme',
          key: KEY,
          keys: [],
          priority: 'normal',
          reuse: null,
          scopes: APP,
          backends: null,
          webhook_secret: null,
          limits: LIMITS,
          retention_days: null,
        },
      ],
      routing: {
        pools: {},
        default: 'main',
        rules: [],
        failover: {},
        failover_on: ['down'],
        on_down: 'refuse',
        gates: { least_videos: 20, failure_rate: 0.02, p95: 1.5, credits: 1.5, warnings: 0.1, not_moved: 0.5 },
        shadow: null,
        dropin: { primary: null, alternate: null },
      },
      dropin: { adopt_existing: false, history: {}, unsupported: 'warn' },
      aliases: { voices: {}, puppets: {} },
      engine: {
        low_after: 3_600_000,
        max_age: 86_400_000,
        queue_limit: 10_000,
        resend_window: 3_600_000,
        transfer_audio: true,
        poll: { min_interval: 1000, polls_per_job: null },
      },
      webhooks: { allow: [], ports: [443, 8443], timeout: 15_000, concurrency: 256 },
      retention_days: 30,
      metrics: { enabled: true, token: null },
      log: { level: 'info', format: 'auto' },
      tracing: { otlp_endpoint: null },
    })
  })

  test('is frozen to the bottom', () => {
    const config = good(MINIMAL)
    const frozen = (value: unknown): boolean =>
      typeof value !== 'object' || value === null || (Object.isFrozen(value) && Object.values(value).every(frozen))
    expect(frozen(config)).toBe(true)
  })

  test('finds no backend under the names of the prototype', () => {
    expect(good(MINIMAL).backends['constructor']).toBeUndefined()
    expect(good(MINIMAL.replace('main:', 'constructor:')).routing.default).toBe('constructor')
  })

  test('an alternate backend has no limit of slots unless told', () => {
    const alternate = MINIMAL.replace('primary', 'alternate')
    expect(good(alternate).backends['main']?.slots).toBeNull()
    expect(good(alternate.replace('api_key', 'slots: 3, api_key')).backends['main']?.slots).toBe(3)
    expect(good(MINIMAL.replace('api_key', 'slots: null, api_key')).backends['main']?.slots).toBeNull()
  })

  test('may be JSON', () => {
    const text = JSON.stringify({
      backends: { b: { interface: 'primary', base_url: 'https://p.example', api_key: '${A}' } },
      clients: [{ id: 'c', key: KEY }],
    })
    for (const format of ['json', 'yaml'] as const)
      expect(good(text, { format, env: { A: 'x' } }).backends['b']?.api_key).toBe('x')
  })
})

describe('durations come out as milliseconds', () => {
  test.each([
    ['500ms', 500],
    ['1s', 1000],
    ['5m', 300_000],
    ['100ms', 100],
  ])('%s', (text, ms) => {
    expect(good(`${MINIMAL}\nserver: { shutdown_grace: 10m }\nwebhooks: { timeout: ${text} }`).webhooks.timeout).toBe(
      ms,
    )
  })

  test.each(['30', '"30"', '1.5s', '5 m', '5M', '-1s', '1h30m', '99ms', '6m', '""', 'null', '9999999999s'])(
    '%s is refused',
    (text) => {
      expect(lines(`${MINIMAL}\nwebhooks: { timeout: ${text} }`)).toEqual([
        expect.stringMatching(/^webhooks\.timeout: (expected|\S+( m)? is not) a duration from 100ms to 5m/),
      ])
    },
  )
})

describe('URLs', () => {
  test.each([
    ['https://p.example', 'https://p.example'],
    ['https://P.example:443/', 'https://p.example'],
    ['https://p.example/a/b//', 'https://p.example/a/b'],
    ['http://127.0.0.1:9000/api', 'http://127.0.0.1:9000/api'],
    ['http://127.9.9.9', 'http://127.9.9.9'],
    ['http://localhost:1', 'http://localhost:1'],
    ['http://sub.localhost', 'http://sub.localhost'],
    ['http://[::1]:8080/', 'http://[::1]:8080'],
  ])('%s is kept as %s', (given, kept) => {
    const config = good(`${MINIMAL.replace('https://p.example', given)}\nserver: { public_url: "${given}" }`)
    expect(config.backends['main']?.base_url).toBe(kept)
    expect(config.server.public_url).toBe(kept)
  })

  test.each([
    ['p.example', 'expected an absolute https URL'],
    ['/api', 'expected an absolute https URL'],
    ['ftp://p.example', 'expected an absolute https URL'],
    ['https://', 'expected an absolute https URL'],
    ['https://p example', 'expected an absolute https URL'],
    ['http://p.example', 'must be https'],
    ['http://127.0.0.1.nip.example', 'must be https'],
    ['http://10.0.0.1', 'must be https'],
    ['https://u:hunter2@p.example', 'must not contain a user name'],
    ['https://hunter2@p.example', 'must not contain a user name'],
    ['https://p.example/?k=hunter2', 'must not contain a query'],
    ['https://p.example/?', 'must not contain a query'],
    ['https://p.example/#a', 'must not contain a fragment'],
  ])('%s is refused', (given, message) => {
    const found = lines(`${MINIMAL.replace('https://p.example', given)}\nserver: { public_url: "${given}" }`)
    expect(found).toEqual([
      expect.stringContaining(`backends.main.base_url: ${message}`),
      expect.stringContaining(`server.public_url: ${message}`),
    ])
    expect(found.join()).not.toContain('hunter2')
  })
})

describe('the address of a collector', () => {
  const given = (endpoint: string): string => `${MINIMAL}\ntracing: { otlp_endpoint: "${endpoint}" }`

  test.each([
    ['http://collector.internal:4318/', 'http://collector.internal:4318'],
    ['https://otlp.example/team/a', 'https://otlp.example/team/a'],
  ])('%s is kept as %s, and takes a restart to change', (endpoint, kept) => {
    const config = good(given(endpoint))
    expect(config.tracing.otlp_endpoint).toBe(kept)
    expect(restartFaults(good(MINIMAL), config)).toEqual([
      { path: 'tracing', message: 'cannot change while the gateway runs: restart it' },
    ])
  })

  test.each([
    ['collector:4318', 'expected an absolute http or https URL'],
    ['grpc://collector:4317', 'expected an absolute http or https URL'],
    ['http://u:hunter2@collector:4318', 'must not contain a user name'],
    ['http://collector:4318/?key=hunter2', 'must not contain a query'],
  ])('%s is refused', (endpoint, message) => {
    const found = lines(given(endpoint))
    expect(found).toEqual([expect.stringContaining(`tracing.otlp_endpoint: ${message}`)])
    expect(found.join()).not.toContain('hunter2')
  })
})
