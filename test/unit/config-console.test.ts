import { describe, expect, test } from 'vitest'
import { parseConfig } from '../../src/config.ts'

const KEY = 'tb_console_0123456789abcdef'
const read = (console: object, clients: object[] = [{ id: 'acme', key: 'tb_acme_0123456789abcdef' }], env = {}) =>
  parseConfig({
    text: JSON.stringify({
      backends: { main: { interface: 'primary', base_url: 'https://p.example', api_key: 'secret' } },
      clients,
      console,
    }),
    format: 'json',
    env,
    readFile: () => '',
  })
const good = (...given: Parameters<typeof read>) => {
  const parsed = read(...given)
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults))
  return parsed.config
}
const pathsOf = (...given: Parameters<typeof read>): string[] => {
  const parsed = read(...given)
  return parsed.ok ? [] : parsed.faults.map(({ path, message }) => `${path}: ${message}`)
}

describe('console.admin_key', () => {
  test('is the key of a client like any other, with every right; without it there is none', () => {
    const { clients, ...config } = good({ admin_key: KEY })
    expect(clients.map(({ id }) => id)).toEqual(['acme', 'console'])
    expect(clients[1]).toMatchObject({ key: KEY, keys: [], scopes: ['*'], backends: null, webhook_secret: null })
    expect(clients[1]?.limits).toEqual(clients[0]?.limits)
    expect(config.console).toEqual({ enabled: true, admin_key: KEY, session_idle: 28_800_000 })
    expect(good({}).clients.map(({ id }) => id)).toEqual(['acme'])
    expect(good({ enabled: false, admin_key: KEY }).clients.map(({ id }) => id)).toEqual(['acme'])
  })

  test('may come from a variable that is not set', () => {
    const from = { admin_key: '${CONSOLE_KEY:-null}' }
    expect(good(from).console.admin_key).toBeNull()
    expect(good(from, undefined, { CONSOLE_KEY: KEY }).console.admin_key).toBe(KEY)
    expect(good({ admin_key: '${CONSOLE_KEY:-}' }).clients.map(({ id }) => id)).toEqual(['acme'])
    expect(pathsOf({ admin_key: 'too-short' })).toHaveLength(1)
  })

  test('is nobody else’s key, and its client nobody else', () => {
    const taken = [{ id: 'console', key: 'tb_other_0123456789abcdef' }]
    const message = 'clients.0.id: is reserved for console.admin_key: choose another id'
    expect(pathsOf({ admin_key: KEY }, taken)).toEqual([message])
    expect(pathsOf({}, taken)).toEqual([])
    for (const client of [
      { id: 'acme', key: KEY },
      { id: 'acme', keys: ['tb_other_0123456789abcdef', KEY] },
    ])
      expect(pathsOf({ admin_key: KEY }, [client])).toEqual(['console.admin_key: the same key as clients.0'])
  })

  test('has 20 characters', () => {
    expect(pathsOf({ admin_key: 'short' })).toHaveLength(1)
  })
})

test.each(['4m', '8d', '0s', 'never'])('console.session_idle is no %s', (session_idle) => {
  expect(pathsOf({ session_idle })).toHaveLength(1)
})
