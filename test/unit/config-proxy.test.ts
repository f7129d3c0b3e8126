import { describe, expect, test } from 'vitest'
import { parseConfig } from '../../src/config.ts'
import { isExempt } from '../../src/config/sources.ts'

const PASSWORD = 'canary-0123456789'
const PROXY = `http://me:${PASSWORD}@proxy.example:3128`

const parse = (backends: Record<string, object>, env: Record<string, string> = {}) => {
  const given = Object.entries(backends).map(([name, one]) => [
    name,
    { interface: 'primary', base_url: 'https://p.example', api_key: `key-of-${name}`, ...one },
  ])
  const text = JSON.stringify({
    backends: Object.fromEntries(given),
    clients: [{ id: 'acme', key: 'tb_test_0123456789abcdef' }],
    routing: { default: Object.keys(backends)[0] },
  })
  const readFile = (): string => {
    throw new Error('no files')
  }
  return parseConfig({ text, format: 'json', env, readFile })
}
const proxyOf = (backend: object, env: Record<string, string>): string | null | undefined => {
  const parsed = parse({ main: backend }, env)
  return parsed.ok ? parsed.config.backends['main']?.proxy : undefined
}
const faultsOf = (...given: Parameters<typeof parse>): string[] => {
  const parsed = parse(...given)
  return parsed.ok ? [] : parsed.faults.map(({ path, message }) => `${path}: ${message}`)
}

test.each<[string, object, Record<string, string>, string | null]>([
  ['without any', {}, {}, null],
  ['of the environment', {}, { HTTPS_PROXY: PROXY }, PROXY],
  ['of the lower-case name, which is first', {}, { https_proxy: PROXY, HTTPS_PROXY: 'http://other.example' }, PROXY],
  ['without a scheme, as some write it', {}, { HTTPS_PROXY: 'proxy.example:3128' }, 'http://proxy.example:3128'],
  ['empty', {}, { HTTPS_PROXY: '' }, null],
  ['for http alone', {}, { HTTP_PROXY: PROXY }, null],
  ['with the host in NO_PROXY', {}, { HTTPS_PROXY: PROXY, NO_PROXY: 'x.example, p.example' }, null],
  ['with another host in no_proxy', {}, { HTTPS_PROXY: PROXY, no_proxy: 'x.example', NO_PROXY: '*' }, PROXY],
  ['and a backend on this machine', { base_url: 'http://127.0.0.1:4010' }, { HTTPS_PROXY: PROXY }, null],
  ['and the same by https', { base_url: 'https://localhost:4010' }, { HTTPS_PROXY: PROXY }, null],
  ['and one of its own', { proxy: 'http://own.example' }, { HTTPS_PROXY: PROXY }, 'http://own.example'],
  ['and one of its own, which NO_PROXY is not about', { proxy: PROXY }, { NO_PROXY: '*' }, PROXY],
  ['by an override', {}, { TALKBRIDGE_BACKENDS__MAIN__PROXY: PROXY, HTTPS_PROXY: 'http://other.example' }, PROXY],
])('the proxy %s', (_what, backend, env, expected) => {
  expect(proxyOf(backend, env)).toBe(expected)
})

test.each<[string, string, boolean]>([
  ['p.example', 'https://p.example', true],
  ['P.Example', 'https://p.example/v1', true],
  ['p.example', 'https://api.p.example', true],
  ['.p.example', 'https://p.example', true],
  ['.p.example', 'https://api.p.example', true],
  ['*.p.example', 'https://api.p.example', true],
  ['*.p.example', 'https://p.example', false],
  ['p.example', 'https://notp.example', false],
  ['p.example:443', 'https://p.example', true],
  ['p.example:8443', 'https://p.example', false],
  ['p.example:8443', 'https://p.example:8443', true],
  ['a.example b.example', 'https://b.example', true],
  ['*', 'https://p.example', true],
  ['', 'https://p.example', false],
  [',, ,', 'https://p.example', false],
  ['10.0.0.1', 'https://10.0.0.1', true],
  ['2001:db8::1', 'https://[2001:db8::1]', true],
  ['[2001:db8::1]:443', 'https://[2001:db8::1]', true],
  ['[2001:db8::1]:8443', 'https://[2001:db8::1]', false],
])('NO_PROXY=%j and %s: %s', (noProxy, url, expected) => {
  expect(isExempt(noProxy, new URL(url))).toBe(expected)
})

describe('what is refused', () => {
  const TITLE = 'null or a URL such as http://user:password@proxy.example:3128'
  test.each([
    'socks5://proxy.example',
    'proxy.example:3128',
    'http://',
    'http://a.example/path',
    'http://u:%zz@a.example',
  ])('%s is no proxy', (proxy) => {
    expect(faultsOf({ main: { proxy } })).toEqual([expect.stringMatching(`^backends.main.proxy: expected ${TITLE}`)])
  })
  test('a bad one of the environment names its variable, and not what it holds', () => {
    const faults = faultsOf({ main: {} }, { HTTPS_PROXY: `socks5://me:${PASSWORD}@proxy.example` })
    expect(faults).toEqual([expect.stringMatching(/^backends\.main\.proxy: .+ \(from HTTPS_PROXY\)$/)])
    expect(faults.join()).not.toContain(PASSWORD)
  })
  test('two ways out to one origin', () => {
    expect(faultsOf({ one: { proxy: PROXY }, two: { base_url: 'https://p.example/v2' } })).toEqual([
      'backends.two.proxy: must be that of backends.one: both have the same origin',
    ])
    expect(faultsOf({ one: { proxy: PROXY }, two: { proxy: PROXY } })).toEqual([])
  })
})
