import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type UrlVerdict, checkUrl, compilePolicy } from '../../src/http/guard.ts'
import { anyCodePoint } from '../fakes/any-text.ts'

const PUBLIC = compilePolicy({ ports: [443, 8443], allow: [] })
const word = (verdict: UrlVerdict): string => (verdict.ok ? 'ok' : verdict.code)

const OK = [
  'https://example.com',
  'https://example.com/hook',
  'https://example.com:443/',
  'https://example.com:8443/hook?a=b&c=d#part',
  'HTTPS://EXAMPLE.COM/',
  'https://a.b.c.example.co.uk/x',
  'https://example.com./hook',
  'https://münchen.example/',
  'https://例え.テスト/',
  'https://xn--mnchen-3ya.example/',
  'https://a_b.example.com/',
  'https://1.example.com/',
  'https://example.com/@user',
  'https://example.com/?next=//user:pass@host',
  'https://example.com/%0d%0aX:%20y',
  'https://1.1.1.1/',
  'https://[2606:4700:4700::1111]:8443/',
  `https://example.com/${'文'.repeat(676)}`,
]

const INVALID = [
  '',
  'x',
  'example.com/hook',
  '//example.com/hook',
  '/hook',
  'https://',
  'https://?',
  'https:example.com',
  'https:/example.com',
  'https:///example.com',
  'https:\\\\example.com',
  'https://example.com\\@127.0.0.1/',
  ' https://example.com',
  'https://example.com ',
  'https://exa mple.com',
  'https://exa\tmple.com',
  'https://exam\nple.com',
  'https://example.com/a b',
  'https://example.com/\r\nHost: x',
  'https://example.com\u0000.evil.com',
  'https://exa%00mple.com',
  'https://evil.com\uFF0F.example.com',
  'https://example.com:99999',
  'https://example.com:-1',
  'https://example.com:https',
  'https://[::1',
  'https://[fe80::1%25eth0]/',
  'https://256.256.256.256/',
  'https://1.2.3.4.5/',
  'https://0x100000000/',
  'https://4294967296/',
  'https://foo.0x1/',
  'https://127.0.0.09/',
  `https://example.com/${'a'.repeat(2048)}`,
]

const NOT_ALLOWED = [
  // Scheme, port, userinfo.
  'http://example.com/',
  'HTTP://example.com/',
  'http://1.1.1.1/',
  'ftp://example.com/',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'data:text/plain,x',
  'gopher://example.com/',
  'ws://example.com/',
  'wss://example.com/',
  'https://example.com:80/',
  'https://example.com:22/',
  'https://example.com:0/',
  'https://example.com:444/',
  'https://user@example.com/',
  'https://user:pass@example.com/',
  'https://:pass@example.com/',
  'https://@example.com/',
  'https://:@example.com/',
  'https://example.com@127.0.0.1/',
  'https://example.com:443@1.1.1.1/',
  'https://1.1.1.1%2f@example.com/',
  // Names that are not fully qualified, or not names.
  'https://localhost/',
  'https://LOCALHOST/',
  'https://localhost./',
  'https://ⓛocalhost/',
  'https://intranet/',
  'https://intranet./',
  'https://example.com../',
  'https://.example.com/',
  'https://a..b.com/',
  'https://./',
  'https://-a.example.com/',
  'https://a-.example.com/',
  'https://ex*mple.com/',
  "https://ex'ample.com/",
  `https://${'a'.repeat(64)}.example.com/`,
  `https://${'abcdefg.'.repeat(32)}com/`,
  // One loopback in many spellings: decimal, octal, hex, short, mixed, full-width, percent, with the root's dot.
  'https://127.0.0.1/',
  'https://127.0.0.1:8443/',
  'https://127.0.0.1./',
  'https://127.1/',
  'https://127.0.1/',
  'https://127.255.255.254/',
  'https://2130706433/',
  'https://017700000001/',
  'https://0177.0.0.1/',
  'https://0177.0.0.01/',
  'https://0x7f000001/',
  'https://0x7f.0.0.1/',
  'https://0x7F.1/',
  'https://0x7f.0x0.0x0.0x1/',
  'https://0177.0.0x1/',
  'https://127.0.0.0x1/',
  'https://00000177.0.0.1/',
  'https://１２７.０.０.１/',
  'https://127。0。0。1/',
  'https://127｡0｡0｡1/',
  'https://①②⑦.⓪.⓪.①/',
  'https://%31%32%37.0.0.1/',
  'https://0/',
  'https://0.0.0.0/',
  'https://0x0/',
  'https://00/',
  // Private and special, in more spellings.
  'https://10.0.0.1/',
  'https://10.1/',
  'https://167772161/',
  'https://012.0.0.1/',
  'https://0xa000001/',
  'https://172.16.0.1/',
  'https://2886729729/',
  'https://192.168.1/',
  'https://0xc0a80101/',
  'https://0300.0250.0.1/',
  'https://169.254.169.254/latest/meta-data/',
  'https://2852039166/',
  'https://0xA9FEA9FE/',
  'https://0251.0376.0251.0376/',
  'https://169.16689662/',
  'https://168.63.129.16/',
  'https://100.64.0.1/',
  'https://224.0.0.1/',
  'https://255.255.255.255/',
  'https://4294967295/',
  // IPv6, plain and embedding an IPv4 address.
  'https://[::]/',
  'https://[::1]/',
  'https://[0:0:0:0:0:0:0:1]/',
  'https://[0000:0000:0000:0000:0000:0000:0000:0001]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[::ffff:7f00:1]/',
  'https://[::FFFF:0A00:0001]/',
  'https://[::ffff:1.1.1.1]/',
  'https://[::127.0.0.1]/',
  'https://[::7f00:1]/',
  'https://[64:ff9b::127.0.0.1]/',
  'https://[64:ff9b::a9fe:a9fe]/',
  'https://[64:ff9b:1::1]/',
  'https://[2002:7f00:1::]/',
  'https://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/',
  'https://[fe80::1]/',
  'https://[fe80::5efe:7f00:1]/',
  'https://[2a00:1450:4001:81b:0:5efe:127.0.0.1]/',
  'https://[fc00::1]/',
  'https://[fd00:ec2::254]/',
  'https://[fec0::1]/',
  'https://[ff02::1]/',
  'https://[4000::1]/',
  'https://[100::1]/',
  'https://[2001:db8::1]/',
  'https://[3fff::1]/',
]

describe('a URL by itself, without exceptions', () => {
  test.each(OK)('ok: %s', (url) => expect(word(checkUrl(url, PUBLIC))).toBe('ok'))
  test.each(INVALID)('invalid: %j', (url) => expect(word(checkUrl(url, PUBLIC))).toBe('invalid'))
  test.each(NOT_ALLOWED)('not allowed: %s', (url) => expect(word(checkUrl(url, PUBLIC))).toBe('not_allowed'))

  test('is measured in characters: it may be of audio, which no index holds', () =>
    expect(word(checkUrl(`https://example.com/${'文'.repeat(700)}`, PUBLIC))).toBe('ok'))

  test('is handed back without fragment and without the root dot', () => {
    const verdict = checkUrl('https://EXAMPLE.com.:8443/a?b#c', PUBLIC)
    expect(verdict.ok && verdict.url.href).toBe('https://example.com:8443/a?b')
  })

  test('a private address is refused in every spelling of its number', () => {
    const part = fc.integer({ min: 0, max: 255 })
    const spell = [
      (a: number, b: number) => `127.${a}.${b}.1`,
      (a: number, b: number) => `0177.0${a.toString(8)}.0${b.toString(8)}.01`,
      (a: number, b: number) => `0x7f.0x${a.toString(16)}.${b * 256 + 1}`,
      (a: number, b: number) => String(127 * 2 ** 24 + a * 2 ** 16 + b * 2 ** 8 + 1),
      (a: number, b: number) => `0x${(127 * 2 ** 24 + a * 2 ** 16 + b * 2 ** 8 + 1).toString(16)}`,
      (a: number, b: number) => `[::ffff:127.${a}.${b}.1]`,
    ]
    fc.assert(
      fc.property(part, part, fc.constantFrom(...spell), (a, b, form) => {
        expect(word(checkUrl(`https://${form(a, b)}/`, PUBLIC))).toBe('not_allowed')
      }),
      { seed: 7, numRuns: 500 },
    )
  })

  test('never throws, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCodePoint }), (text) => {
        expect(['ok', 'invalid', 'not_allowed']).toContain(word(checkUrl(`https://${text}`, PUBLIC)))
      }),
      { seed: 11, numRuns: 2_000 },
    )
  })
})
