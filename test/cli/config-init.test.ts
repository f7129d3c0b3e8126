import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parseConfig } from '../../src/config.ts'
import type { Ended } from './harness.ts'
import { temporaryFolder } from './harness.ts'
import { runHere } from './here.ts'

const KEYS = {
  PRIMARY_API_KEY: 'p',
  ALTERNATE_API_KEY: 'a',
  APP_KEY: 'k'.repeat(20),
  ADMIN_KEY: 'o'.repeat(20),
  CLIENT_ADMIN_KEY: 'k'.repeat(20),
  SHOP_1_KEY: 'k'.repeat(20),
  CLIENT_TALKBRIDGE_KEY: 'k'.repeat(20),
  CLIENT_9_KEY: 'k'.repeat(20),
  CLIENT_PRIMARY_API_KEY: 'k'.repeat(20),
}

const init = (cwd: string, args: readonly string[], typed: readonly string[] | null = null): Promise<Ended> =>
  runHere(['config', 'init', ...args], {
    cwd,
    isTty: typed !== null,
    stdin: async function* () {
      for (const line of typed ?? []) yield Buffer.from(`${line}\n`)
    },
  })

const FLAGS = ['--interface', 'primary', '--base-url', 'https://api.example.com']

test.each<[title: string, args: string[], lines: string[]]>([
  ['flags', FLAGS, ['interface: primary', 'base_url: "https://api.example.com"', 'key: ${APP_KEY}']],
  ['only what has no default', ['--base-url', 'http://127.0.0.1:9000/x', '--yes'], ['interface: primary']],
  [
    'all flags',
    [
      '--interface',
      'alternate',
      '--base-url',
      'https://a.example',
      '--client',
      'shop-1',
      '--public-url',
      'https://g.example',
    ],
    ['interface: alternate', 'api_key: ${ALTERNATE_API_KEY}', 'public_url: "https://g.example"', 'key: ${SHOP_1_KEY}'],
  ],
  [
    'a client whose variable would be a setting',
    [...FLAGS, '--client', 'talkbridge'],
    ['key: ${CLIENT_TALKBRIDGE_KEY}'],
  ],
  [
    'a client whose variable would be the backend’s',
    [...FLAGS, '--client', 'primary-api'],
    ['key: ${PRIMARY_API_KEY}', 'key: ${CLIENT_PRIMARY_API_KEY}'],
  ],
  [
    'a client whose variable would be the operator’s',
    [...FLAGS, '--client', 'admin'],
    ['key: ${CLIENT_ADMIN_KEY}', 'admin_key: ${ADMIN_KEY}'],
  ],
  ['a client that starts with a digit', [...FLAGS, '--client', '9'], ['id: "9"', 'key: ${CLIENT_9_KEY}']],
])('%s: a file that passes the check', async (_, args, lines) => {
  const cwd = temporaryFolder()
  const { code, stdout, stderr } = await init(cwd, args)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const text = readFileSync(join(cwd, 'gateway.yaml'), 'utf8')
  for (const line of lines) expect(text).toContain(line)
  for (const [, name = ''] of text.matchAll(/key: \$\{(\w+)\}/g)) expect(stdout).toContain(`export ${name}=`)
  expect(stdout).toContain('talkbridge doctor --config gateway.yaml')
  // Somebody on this machine may have the port of the file.
  const env = { ...KEYS, TALKBRIDGE_SERVER__PORT: '0' }
  const check = await runHere(['config', 'check', 'gateway.yaml', '--json'], { cwd, env })
  expect(JSON.parse(check.stdout)).toMatchObject({ ok: true, faults: [] })
})

test('the app gets the rights of an app, and the operator a key of their own', async () => {
  const cwd = temporaryFolder()
  await init(cwd, FLAGS)
  const text = readFileSync(join(cwd, 'gateway.yaml'), 'utf8')
  const parsed = parseConfig({ text, env: KEYS, readFile: () => '' })
  const rights = parsed.ok ? parsed.config.clients.map(({ id, key, scopes }) => ({ id, key, scopes })) : parsed.faults
  expect(rights).toEqual([
    {
      id: 'app',
      key: KEYS.APP_KEY,
      scopes: [
        'voices:read',
        'videos:read',
        'videos:create',
        'tts:create',
        'uploads:create',
        'webhooks:read',
        'webhooks:write',
      ],
    },
    { id: 'console', key: KEYS.ADMIN_KEY, scopes: ['*'] },
  ])
})

test('on a terminal it asks, and asks again where the answer will not do', async () => {
  const cwd = temporaryFolder()
  const { code, stdout } = await init(cwd, ['own.yaml'], ['primry', 'primary', '', 'https://api.example.com', '', ''])
  expect(code).toBe(0)
  expect(stdout).toContain(
    'Which interface does your backend speak (primary or alternate)? [primary]   expected one of',
  )
  expect(stdout).toContain('https URL')
  expect(readFileSync(join(cwd, 'own.yaml'), 'utf8')).toContain('id: "app"')
  // What a flag says is not asked.
  const again = await init(
    cwd,
    ['more.yaml', '--interface', 'primary', '--client', 'shop'],
    ['https://api.example.com', ''],
  )
  expect(again.stdout).not.toContain('Which interface')
  const ended = await init(cwd, ['none.yaml'], ['primary'])
  expect(ended).toMatchObject({ code: 2 })
  expect(ended.stderr).toContain('no answer: give --base-url')
  expect(existsSync(join(cwd, 'none.yaml'))).toBe(false)
})

test.each<[args: string[], said: RegExp]>([
  [[], /^without a terminal, or with --yes, there are no questions: give --base-url\n\nUsage: talkbridge config init/],
  [['--yes'], /give --base-url\n\nUsage/],
  [['--interface', 'primry', '--base-url', 'nowhere'], /^--interface: expected one of .*\n--base-url: expected an abs/],
  [['--base-url', 'https://u:p@api.example.com'], /^--base-url: must not contain a user name or password$/m],
  [['--base-url', 'https://api.example.com/api/v1/'], /^--base-url: must not end with \/api\/v1 or \/v1/],
  [[...FLAGS, '--client', 'A B'], /^--client: expected a name/],
  [[...FLAGS, '--client', 'console'], /^--client: the operator’s key belongs to the client console/],
  [['gateway.json', ...FLAGS], /^gateway\.json: the name must end with \.yaml/],
])('%j is a misuse: 2, and nothing is written', async (args, said) => {
  const cwd = temporaryFolder()
  const { code, stdout, stderr } = await init(cwd, args)
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toMatch(said)
  expect(existsSync(join(cwd, 'gateway.yaml'))).toBe(false)
})

test('what exists stays, unless --force', async () => {
  const cwd = temporaryFolder()
  const path = join(cwd, 'gateway.yaml')
  writeFileSync(path, 'mine')
  const { code, stderr } = await init(cwd, FLAGS)
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: 'gateway.yaml exists: give another file name, or --force to overwrite it\n',
  })
  expect(readFileSync(path, 'utf8')).toBe('mine')
  expect((await init(cwd, [...FLAGS, '--force'])).code).toBe(0)
  expect(readFileSync(path, 'utf8')).toContain('interface: primary')
  expect((await init(cwd, [...FLAGS, 'no/such/folder.yaml'])).code).toBe(1)
})
