import { describe, expect, test } from 'vitest'
import {
  type Lookup,
  type UrlVerdict,
  boundedLookup,
  compilePolicy,
  createLookup,
  vetTarget,
} from '../../src/http/guard.ts'
import { fakeClock } from '../fakes/clock.ts'

const PUBLIC = compilePolicy({ ports: [443, 8443], allow: [] })
const SANDBOX = compilePolicy({
  ports: [443, 8443],
  allow: [
    { cidr: '127.0.0.0/8', http: true },
    { cidr: '::1/128', http: true },
  ],
})

const word = (verdict: UrlVerdict): string => (verdict.ok ? 'ok' : verdict.code)

const names: Record<string, string[]> = {
  'public.example': ['93.184.215.14', '2606:2800:21f:cb07:6820:80da:af6b:8b2c'],
  'private.example': ['10.0.0.1'],
  'mixed.example': ['93.184.215.14', '127.0.0.1'],
  'mixed6.example': ['93.184.215.14', '::1'],
  'mapped.example': ['::ffff:93.184.215.14'],
  'loopback.example': ['127.0.0.1'],
  'zone.example': ['fe80::1%eth0'],
  'garbage.example': ['not an address'],
  'silent.example': [],
  localhost: ['::1', '127.0.0.1'],
  intranet: ['10.0.0.1'],
  split: ['10.0.0.1', '127.0.0.1'],
}
const lookup: Lookup = async (hostname) => {
  const found = names[hostname]
  if (!found) throw new Error(`getaddrinfo ENOTFOUND ${hostname}`)
  return found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
}

describe('a URL and the addresses of its name', () => {
  test.each([
    ['https://public.example/', 'ok', 'ok'],
    ['https://public.example./', 'ok', 'ok'],
    ['https://private.example/', 'not_allowed', 'not_allowed'],
    ['https://mixed.example/', 'not_allowed', 'ok'],
    ['https://mixed6.example/', 'not_allowed', 'ok'],
    ['https://mapped.example/', 'not_allowed', 'not_allowed'],
    ['https://zone.example/', 'not_allowed', 'not_allowed'],
    ['https://garbage.example/', 'not_allowed', 'not_allowed'],
    ['https://unknown.example/', 'ok', 'ok'],
    ['https://silent.example/', 'ok', 'ok'],
    ['https://loopback.example/', 'not_allowed', 'ok'],
    ['https://loopback.example:9000/', 'not_allowed', 'ok'],
    ['http://loopback.example/', 'not_allowed', 'ok'],
    ['http://loopback.example:9000/', 'not_allowed', 'ok'],
    ['http://public.example/', 'not_allowed', 'not_allowed'],
    ['https://public.example:9000/', 'not_allowed', 'not_allowed'],
    ['http://mixed.example/', 'not_allowed', 'not_allowed'],
    ['http://localhost:3000/hook', 'not_allowed', 'ok'],
    ['https://localhost/', 'not_allowed', 'ok'],
    ['http://localhost.:3000/hook', 'not_allowed', 'ok'],
    ['http://intranet/', 'not_allowed', 'not_allowed'],
    ['https://intranet/', 'not_allowed', 'not_allowed'],
    ['http://127.0.0.1:3000/hook', 'not_allowed', 'ok'],
    ['http://2130706433:3000/', 'not_allowed', 'ok'],
    ['http://[::1]:3000/hook', 'not_allowed', 'ok'],
    ['http://[::ffff:127.0.0.1]:3000/', 'not_allowed', 'not_allowed'],
    ['http://10.0.0.1/', 'not_allowed', 'not_allowed'],
    ['http://user@127.0.0.1:3000/', 'not_allowed', 'not_allowed'],
    ['ftp://127.0.0.1/', 'not_allowed', 'not_allowed'],
    ['http:127.0.0.1', 'invalid', 'invalid'],
  ])('%s → %s; in the sandbox %s', async (url, strict, sandbox) => {
    expect(word(await vetTarget(url, PUBLIC, lookup))).toBe(strict)
    expect(word(await vetTarget(url, SANDBOX, lookup))).toBe(sandbox)
  })

  test('of a single-label name only excepted addresses count, and one is enough', async () => {
    const onlyV4 = compilePolicy({ ports: [443], allow: [{ cidr: '127.0.0.0/8', ports: [3000], http: true }] })
    expect(word(await vetTarget('http://localhost:3000/', onlyV4, lookup))).toBe('ok')
    expect(word(await vetTarget('http://split:3000/', onlyV4, lookup))).toBe('ok')
    expect(word(await vetTarget('http://localhost:3001/', onlyV4, lookup))).toBe('not_allowed')
  })

  test('tells no address', async () => {
    const verdict = await vetTarget('https://private.example/', PUBLIC, lookup)
    expect(JSON.stringify(verdict)).not.toContain('10.0.0.1')
    // But which setting lets the name in.
    expect(verdict).toMatchObject({ message: expect.stringContaining('webhooks.allow') })
  })

  test('asks no resolver about a literal or a refused URL', async () => {
    const never: Lookup = () => Promise.reject(new Error('asked'))
    expect(word(await vetTarget('https://1.1.1.1/', PUBLIC, never))).toBe('ok')
    expect(word(await vetTarget('https://127.0.0.1/', PUBLIC, never))).toBe('not_allowed')
  })

  test('a resolver that does not answer in time counts as a name that does not resolve', async () => {
    const clock = fakeClock()
    const slow = boundedLookup(() => new Promise(() => undefined), clock, 3_000)
    const verdict = vetTarget('https://slow.example/', PUBLIC, slow)
    await clock.advance(3_000)
    expect(word(await verdict)).toBe('ok')
    expect(clock.pending()).toBe(0)
  })
})

test('one question at a time for one name; the next one asks again', async () => {
  const asked: string[] = []
  const shared = createLookup(async (hostname) => {
    asked.push(hostname)
    return lookup(hostname)
  })
  await Promise.all([shared('public.example'), shared('public.example'), shared('localhost')])
  expect(asked).toEqual(['public.example', 'localhost'])
  await expect(Promise.all([shared('nobody.example'), shared('nobody.example')])).rejects.toThrow('ENOTFOUND')
  await shared('public.example')
  expect(asked).toEqual(['public.example', 'localhost', 'nobody.example', 'public.example'])
})
