import { readdirSync, readFileSync } from 'node:fs'
import { parse as parseYaml } from 'yaml'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { configJsonSchema, parseConfig } from '../../src/config.ts'
import { isMapping, dottedKeys } from '../../src/config/faults.ts'
import { ConfigSchema } from '../../src/config/schema.ts'

const FOLDER = new URL('../../config/', import.meta.url)
const read = (name: string): string => readFileSync(new URL(name, FOLDER), 'utf8')

const KEY = (n: number): string => `${n}`.repeat(24)
const ENV = {
  PRIMARY_API_KEY: 'p',
  ALTERNATE_API_KEY: 'a',
  ACME_KEY: KEY(1),
  STUDIO_KEY: KEY(2),
  SUPPORT_BOT_KEY: KEY(3),
  SHOP_KEY: KEY(4),
  NEWSROOM_KEY: KEY(5),
  ADMIN_KEY: KEY(6),
  DATABASE_URL: 'postgres://talkbridge:hush@db.example:5432/talkbridge',
  REDIS_URL: 'redis://redis.example:6379/0',
}
const parse = (text: string) => parseConfig({ text, env: ENV, readFile: (path) => `a-secret-of-${path}\n` })

const EXAMPLES = readdirSync(new URL('examples/', FOLDER)).map((name) => `examples/${name}`)

describe.each(['default.yaml', ...EXAMPLES])('config/%s', (name) => {
  test('parses', () => {
    const parsed = parse(read(name))
    expect(parsed.ok ? [] : parsed.faults).toEqual([])
  })

  test('only the console’s own client has the rights of an operator', () => {
    const parsed = parse(read(name))
    const clients = parsed.ok ? parsed.config.clients : []
    expect(clients.length).toBeGreaterThan(0)
    const operators = clients.filter(({ scopes }) => scopes.some((scope) => scope === 'admin' || scope === '*'))
    expect(operators.map(({ id }) => id)).toEqual(name === 'default.yaml' ? [] : ['console'])
  })

  test('satisfies the JSON Schema as it is written, references included', () => {
    expect(z.fromJSONSchema(configJsonSchema()).safeParse(parseYaml(read(name))).error).toBeUndefined()
  })
})

test('config/schema.json is what `talkbridge config schema` prints (else: npm run talkbridge -- config schema > config/schema.json)', () => {
  expect(JSON.parse(read('schema.json'))).toEqual(configJsonSchema(read('default.yaml')))
})

test('config/schema.json describes every key', () => {
  const how =
    'put a comment right above the key in config/default.yaml, or `.describe()` where that file cannot show it'
  const without = keysOf(JSON.parse(read('schema.json'))).filter((key) => !key.isDescribed)
  expect(without.map(({ path }) => `${path.join('.')}: ${how}`)).toEqual([])
})

/** Every key of the schema: its path (`*` for a name or index), whether it has a default, and which. */
interface Key {
  readonly path: readonly string[]
  readonly preset: unknown
  readonly leaf: boolean
  readonly isDescribed: boolean
}
const keysOf = (node: unknown, path: readonly string[] = []): Key[] => {
  if (!isMapping(node)) return []
  const { properties, additionalProperties, items } = node
  const inner = isMapping(additionalProperties) ? additionalProperties : items
  const named = isMapping(properties) ? Object.entries(properties) : []
  const branches = Array.isArray(node['anyOf']) ? node['anyOf'] : []
  return [
    ...named.flatMap(([key, child]) => {
      const below = keysOf(child, [...path, key])
      const own = {
        path: [...path, key],
        preset: isMapping(child) ? child['default'] : undefined,
        leaf: below.length === 0,
        isDescribed: isMapping(child) && typeof child['description'] === 'string' && child['description'] !== '',
      }
      return [own, ...below]
    }),
    ...(isMapping(inner) ? keysOf(inner, [...path, '*']) : []),
    ...branches.flatMap((branch) => keysOf(branch, path)),
  ]
}

/** What the file holds at `path`, one value for each name or index that `*` meets. */
const valuesAt = (node: unknown, [key, ...rest]: readonly string[]): unknown[] => {
  if (key === undefined) return [node]
  if (key === '*')
    return isMapping(node) || Array.isArray(node) ? Object.values(node).flatMap((child) => valuesAt(child, rest)) : []
  return isMapping(node) && Object.hasOwn(node, key) ? valuesAt(node[key], rest) : []
}

describe('config/default.yaml', () => {
  const text = read('default.yaml')
  const tree: unknown = parseYaml(text)
  const keys = keysOf(configJsonSchema())

  test('no key of the schema is overlooked', () => {
    const known = dottedKeys(ConfigSchema).map((key) => key.replaceAll(/<\w+>/g, '*'))
    expect(keys.map(({ path }) => path.join('.'))).toEqual(known)
  })

  // The default list or mapping is empty: its keys stand in the comment above it.
  const inComment = (path: readonly string[]) =>
    /^((webhooks\.allow|aliases\.puppets|routing\.rules|redis\.(sentinels|cluster))\.\*|routing\.shadow|redis\.tls)\./.test(
      path.join('.'),
    )
  test.each(keys.map((key) => [key.path.join('.'), key] as const))('shows %s', (_, { path, preset, leaf }) => {
    if (inComment(path)) return expect(text).toMatch(new RegExp(`# .*\\b${path.at(-1)}: `))
    const shown = valuesAt(tree, path)
    expect(shown).not.toEqual([])
    if (leaf && preset !== undefined && path.join('.') !== 'routing.default')
      expect(shown).toEqual(shown.map(() => preset))
  })

  test('the comment example of webhooks.allow is one', () => {
    const [, example] = /# +- (\{ cidr: .*\})/.exec(text) ?? []
    expect(parse(text.replace('allow: []', `allow: [${example}]`))).toMatchObject({
      ok: true,
      config: { webhooks: { allow: [{ cidr: '127.0.0.0/8', ports: [3000], http: true }] } },
    })
  })

  test('shows the slots that each interface has by default', () => {
    const bare = parse(text.replaceAll(/^ +slots: .*$/gm, ''))
    const full = parse(text)
    expect(bare.ok && bare.config).toEqual(full.ok && full.config)
    expect(full).toMatchObject({ ok: true, config: { backends: { main: { slots: 2 }, alt: { slots: null } } } })
  })
})

describe('config/schema.json', () => {
  const schema = z.fromJSONSchema(configJsonSchema())
  const minimal = () => ({
    backends: { b: { interface: 'primary', base_url: 'https://p.example', api_key: 'x' } },
    clients: [{ id: 'a', key: '${K}' }],
  })
  test.each([
    ['the minimum', {}, true],
    ['a reference for a number', { server: { port: '${PORT:-1}' } }, true],
    ['a reference for a boolean or null', { server: { trust_proxy: '${P}', public_url: '${U}' } }, true],
    ['a number', { server: { port: 1 } }, true],
    ['text for a number', { server: { port: '1' } }, false],
    ['an unknown key', { server: { prot: 1 } }, false],
    ['a short key', { clients: [{ id: 'a', key: 'short' }] }, false],
    ['a bad name', { backends: { B: minimal().backends.b } }, false],
    ['no backends', { backends: {} }, false],
  ])('%s', (_, extra, valid) => {
    expect(schema.safeParse({ ...minimal(), ...extra }).success).toBe(valid)
  })
})
