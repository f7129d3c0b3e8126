import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import manifest from '../../package.json' with { type: 'json' }
import { start, type Ended } from './harness.ts'
import { runHere } from './here.ts'

const folder = mkdtempSync(join(tmpdir(), 'talkbridge-config-'))
afterAll(() => rmSync(folder, { recursive: true }))

const file = (name: string, content: string | Uint8Array): string => {
  writeFileSync(join(folder, name), content)
  return name
}

/** In the test's folder, with no variable but `env`. */
const talkbridge = (args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> =>
  runHere(args, { cwd: folder, env })

/** The same in a process of its own. */
const reallyTalkbridge = (args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> =>
  start(args, { cwd: folder, env }).ended

const CANARY = 'canary-9f3c1d'
const GOOD = `
backends: { main: { interface: primary, base_url: "https://p.example", api_key: "\${API_KEY}" } }
clients: [{ id: acme, key: "\${file:acme.key}" }]
`
const BARE = { API_KEY: `${CANARY}-api` }
/** Somebody on this machine may have the port that is the default. */
const ENV = { ...BARE, TALKBRIDGE_SERVER__PORT: '0' }
file('acme.key', `${CANARY}-0123456789-0123456789\n`)
file('good.yaml', GOOD)

describe('config check', () => {
  test('a good file', async () => {
    expect(await reallyTalkbridge(['config', 'check', 'good.yaml'], ENV)).toEqual({
      code: 0,
      stdout: 'good.yaml: ok\n',
      stderr: '',
    })
  })

  test('many processes need one secret key: without it, a fault, as the start says', async () => {
    file(
      'shared-store.yaml',
      `${GOOD}\nstore: { driver: postgres, url: "postgres://db.example/talkbridge?sslmode=verify-full" }\n`,
    )
    const { code, stderr } = await talkbridge(['config', 'check', 'shared-store.yaml'], ENV)
    expect(code).toBe(2)
    expect(stderr).toMatch(/^TALKBRIDGE_SECRET_KEY: key_missing: it is not set\. Set TALKBRIDGE_SECRET_KEY.*\n$/)
    const key = { TALKBRIDGE_SECRET_KEY: Buffer.alloc(32, 1).toString('base64') }
    expect((await talkbridge(['config', 'check', 'shared-store.yaml'], { ...ENV, ...key })).stderr).toBe('')
    const malformed = { TALKBRIDGE_SECRET_KEY: 'CHANGE-ME' }
    const refused = await talkbridge(['config', 'check', 'shared-store.yaml'], { ...ENV, ...malformed })
    expect(refused.code).toBe(2)
    // The file does not have it: there is no line to show.
    expect(refused.stderr).toMatch(/^TALKBRIDGE_SECRET_KEY: key_malformed: (?!.*\(line ).*32 bytes in base64.*\n$/)
  })

  test.each([
    ['postgres://u:pw@db.example/x', 'rediss://r.example', {}, ['store.url']],
    ['postgres://u:pw@10.1.2.3/x?sslmode=require', 'redis://:pw@r.example:6379/0', {}, ['store.url', 'redis.url']],
    ['postgres://u:pw@db.example/x?sslmode=verify-full', 'rediss://r.example', {}, []],
    ['postgres://u:pw@db.example/x', 'rediss://r.example', { PGSSLMODE: 'verify-full' }, []],
    ['postgres://u:pw@db.example/x?sslmode=disable', 'rediss://r.example', { PGSSLMODE: 'verify-full' }, ['store.url']],
    ['postgres://u:pw@127.0.0.1/x', 'redis://[::1]:6379', {}, []],
    ['postgres://localhost/x?host=/var/run/postgresql', 'redis://localhost', {}, []],
    ['postgres:///x?host=db.example', 'redis://127.0.0.2', {}, ['store.url']],
    ['postgres:///x', '{ url: "redis://r.example", tls: {} }', {}, []],
    ['postgres:///x', '{ cluster: [{ host: r.example, port: 1 }], prefix: "{t}" }', {}, ['redis.tls']],
    ['postgres:///x', '{ cluster: [{ host: r.example, port: 1 }], prefix: "{t}", tls: {} }', {}, []],
    ['postgres:///x', '{ sentinels: [{ host: 127.0.0.1, port: 1 }], master: m }', {}, []],
  ])('servers of other machines without TLS that verifies them: %s and %s with %j', async (url, redis, env, warned) => {
    const way = redis.startsWith('{') ? redis : `{ url: "${redis}" }`
    file('servers.yaml', `${GOOD}\nstore: { driver: postgres, url: "${url}" }\nredis: ${way}\n`)
    const key = { TALKBRIDGE_SECRET_KEY: Buffer.alloc(32, 1).toString('base64') }
    const args = ['config', 'check', 'servers.yaml', '--json']
    const { code, stdout } = await talkbridge(args, { ...ENV, ...key, ...env })
    expect(code).toBe(0)
    const { warnings } = z.object({ warnings: z.array(z.object({ path: z.string() })) }).parse(JSON.parse(stdout))
    expect(warnings.map(({ path }) => path)).toEqual(warned)
    expect(stdout).not.toContain('pw')
  })

  test('what a lost answer would cost is a warning, and no fault', async () => {
    const alternate = (more = '', server = '') => `
${server}
backends: { alt: { interface: alternate, base_url: "https://a.example", api_key: "\${API_KEY}"${more} } }
clients: [{ id: acme, key: "\${file:acme.key}" }]
`
    file('shared.yaml', alternate())
    const { code, stdout, stderr } = await talkbridge(['config', 'check', 'shared.yaml'], ENV)
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'shared.yaml: ok\n' })
    expect(stderr).toMatch(/^warning: backends\.alt\.exclusive: .*create_outcome_unknown.*server\.public_url.*\n$/)
    const json = await talkbridge(['config', 'check', 'shared.yaml', '--json'], ENV)
    expect(JSON.parse(json.stdout)).toMatchObject({ ok: true, warnings: [{ path: 'backends.alt.exclusive' }] })
    file('own.yaml', alternate(', exclusive: true'))
    file('called.yaml', alternate('', 'server: { public_url: "https://gateway.example" }'))
    for (const name of ['own.yaml', 'called.yaml'])
      expect((await talkbridge(['config', 'check', name], ENV)).stderr).toBe('')
  })

  test('what is set in vain is named, with where it stands', async () => {
    file(
      'vain.yaml',
      `
server: { public_url: "https://gateway.example" }
backends:
  alt:
    interface: alternate
    base_url: https://a.example
    api_key: \${API_KEY}
    resend_when_absent: true
clients: [{ id: acme, key: "\${file:acme.key}" }]
`,
    )
    expect((await talkbridge(['config', 'check', 'vain.yaml'], ENV)).stderr).toBe(
      'warning: backends.alt.resend_when_absent: has no effect without exclusive: true (line 8, column 5)\n',
    )
  })

  test('three mistakes are three lines, without any value', async () => {
    file(
      'bad.yaml',
      `
server: { port: ${CANARY} }
backends: { main: { interface: primary, base_ur: "https://${CANARY}.example", api_key: "\${API_KEY}" } }
clients: [{ id: acme, key: "${CANARY}" }]
`,
    )
    const { code, stdout, stderr } = await reallyTalkbridge(['config', 'check', 'bad.yaml'], BARE)
    expect(stderr.split('\n')).toEqual([
      'backends.main.base_ur: unknown key; did you mean `base_url`? (line 3, column 41)',
      `clients.0.key: expected 20 to 512 visible ASCII characters without spaces, received ${CANARY.length} characters (line 4, column 23)`,
      'server.port: expected a port (0 to 65535), received text (line 2, column 11)',
      '',
    ])
    expect(stderr).not.toContain(CANARY)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  })

  test('--json', async () => {
    expect(await talkbridge(['config', 'check', 'good.yaml', '--json'], ENV)).toEqual({
      code: 0,
      stdout: '{"file":"good.yaml","ok":true,"faults":[],"warnings":[],"notes":[]}\n',
      stderr: '',
    })
    const { code, stdout, stderr } = await talkbridge(['config', 'check', 'good.yaml', '--json'])
    expect(JSON.parse(stdout)).toEqual({
      file: 'good.yaml',
      ok: false,
      faults: [
        {
          path: 'backends.main.api_key',
          message: 'the environment variable API_KEY is not set',
          line: 2,
          column: 72,
        },
      ],
      warnings: [],
      notes: [],
    })
    expect({ code, stderr }).toEqual({ code: 2, stderr: '' })
  })

  test('what replaces a value of the file, or a default of an image, is named without any value', async () => {
    file('image.yaml', 'server: { host: 0.0.0.0, port: 8080, shutdown_delay: 5s }\nlog: { level: debug }\n')
    file('own.yaml', `${GOOD}\nserver: { port: 0, shutdown_delay: 5s, public_url: "https://${CANARY}.example" }\n`)
    const env = { ...BARE, TALKBRIDGE_SERVER__PUBLIC_URL: `https://${CANARY}.test`, TALKBRIDGE_LOG__LEVEL: 'info' }
    const image = ['--defaults', 'image.yaml', '--config', 'own.yaml']
    const { code, stdout, stderr } = await talkbridge([...image, 'config', 'check'], env)
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'own.yaml: ok\n' })
    expect(stderr.split('\n')).toEqual([
      'note: server.public_url: TALKBRIDGE_SERVER__PUBLIC_URL is used, not the value in own.yaml (line 5, column 40)',
      'note: server.port: the value in own.yaml is used, not the default in image.yaml (line 5, column 11)',
      '',
    ])
    const json = await talkbridge([...image, 'config', 'check', '--json'], env)
    expect(JSON.parse(json.stdout)).toMatchObject({ notes: [{ path: 'server.public_url' }, { path: 'server.port' }] })
    expect(json.stdout).not.toContain(CANARY)
    // The command and the variable rank above what the image names.
    expect((await talkbridge([...image, 'config', 'check', 'good.yaml'], ENV)).stdout).toBe('good.yaml: ok\n')
    const named = await talkbridge([...image, 'config', 'check'], { ...ENV, TALKBRIDGE_CONFIG: 'good.yaml' })
    expect(named.stdout).toBe('good.yaml: ok\n')
    const lost = await talkbridge(['--defaults', 'none.yaml', 'config', 'check', 'good.yaml'], ENV)
    expect(lost).toMatchObject({ code: 2, stderr: '--defaults none.yaml: cannot be read: no such file\n' })
  })

  test('the file may come from --config or TALKBRIDGE_CONFIG, the argument first', async () => {
    const byOption = await talkbridge(['config', 'check', '--config', 'good.yaml'], {
      ...ENV,
      TALKBRIDGE_CONFIG: 'nope',
    })
    expect(byOption.stdout).toBe('good.yaml: ok\n')
    const byVariable = await talkbridge(['config', 'check'], { ...ENV, TALKBRIDGE_CONFIG: 'good.yaml' })
    expect(byVariable.stdout).toBe('good.yaml: ok\n')
    const byArgument = await talkbridge(['config', 'check', 'good.yaml', '-c', 'nope'], ENV)
    expect(byArgument.stdout).toBe('good.yaml: ok\n')
  })

  test.each([
    ['nope.yaml', 'nope.yaml: cannot be read: no such file\n'],
    ['.', '.: cannot be read: it is a folder\n'],
    [file('latin1.yaml', Uint8Array.of(0x61, 0x3a, 0x20, 0xe9)), 'latin1.yaml: is not valid UTF-8\n'],
    [
      file('syntax.yaml', `a: [${CANARY}\nb: 1`),
      'syntax.yaml: line 2, column 1: wrong indentation, or a bracket that is not closed\n',
    ],
    [file('bad.json', `{"a": ${CANARY}}`), 'bad.json: not valid JSON\n'],
    [file('large.yaml', `#${'x'.repeat(1024 * 1024)}`), 'large.yaml: larger than 1 MiB\n'],
  ])('%s', async (name, stderr) => {
    expect(await talkbridge(['config', 'check', name])).toEqual({ code: 2, stdout: '', stderr })
  })

  test('no file at all', async () => {
    const { code, stderr } = await talkbridge(['config', 'check'])
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: 'no configuration file: give FILE or --config FILE, or set TALKBRIDGE_CONFIG\n',
    })
  })
})

test('config schema prints JSON', async () => {
  const { code, stdout } = await talkbridge(['config', 'schema'])
  expect(JSON.parse(stdout)).toMatchObject({ type: 'object', required: ['backends', 'clients'] })
  expect(code).toBe(0)
})

describe('the command line', () => {
  test('--version', async () => {
    expect(await reallyTalkbridge(['--version'])).toEqual({ code: 0, stdout: `${manifest.version}\n`, stderr: '' })
  })

  test.each([[['--help']], [['config', '--help']], [['config', 'check', '--help']]])('%j ends with 0', async (args) => {
    const { code, stdout, stderr } = await talkbridge(args)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^Usage: talkbridge/)
  })

  test.each([[[]], [['confg']], [['config']], [['config', 'check', 'a', 'b']], [['config', 'check', '--nope']]])(
    '%j is a misuse: 2',
    async (args) => {
      const { code, stdout, stderr } = await talkbridge(args)
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
      expect(stderr).not.toMatch(/^ +at /m)
    },
  )
})
