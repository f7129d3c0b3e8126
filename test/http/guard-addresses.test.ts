import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Service, checkAddress, compilePolicy, isCidr } from '../../src/http/guard.ts'

const HTTPS: Service = { secure: true, port: 443 }
const PUBLIC = compilePolicy({ ports: [443, 8443], allow: [] })

/** One line a range: last address before it, first and last of it, first after it; `-` where a neighbour is special too. */
const RANGES = `
0.0.0.0/8           -                0.0.0.0          0.255.255.255    1.0.0.0
10.0.0.0/8          9.255.255.255    10.0.0.0         10.255.255.255   11.0.0.0
100.64.0.0/10       100.63.255.255   100.64.0.0       100.127.255.255  100.128.0.0
127.0.0.0/8         126.255.255.255  127.0.0.0        127.255.255.255  128.0.0.0
168.63.129.16/32    168.63.129.15    168.63.129.16    168.63.129.16    168.63.129.17
169.254.0.0/16      169.253.255.255  169.254.0.0      169.254.255.255  169.255.0.0
172.16.0.0/12       172.15.255.255   172.16.0.0       172.31.255.255   172.32.0.0
192.0.0.0/24        191.255.255.255  192.0.0.0        192.0.0.255      192.0.1.0
192.0.2.0/24        192.0.1.255      192.0.2.0        192.0.2.255      192.0.3.0
192.31.196.0/24     192.31.195.255   192.31.196.0     192.31.196.255   192.31.197.0
192.52.193.0/24     192.52.192.255   192.52.193.0     192.52.193.255   192.52.194.0
192.88.99.0/24      192.88.98.255    192.88.99.0      192.88.99.255    192.88.100.0
192.168.0.0/16      192.167.255.255  192.168.0.0      192.168.255.255  192.169.0.0
192.175.48.0/24     192.175.47.255   192.175.48.0     192.175.48.255   192.175.49.0
198.18.0.0/15       198.17.255.255   198.18.0.0       198.19.255.255   198.20.0.0
198.51.100.0/24     198.51.99.255    198.51.100.0     198.51.100.255   198.51.101.0
203.0.113.0/24      203.0.112.255    203.0.113.0      203.0.113.255    203.0.114.0
224.0.0.0/4         223.255.255.255  224.0.0.0        239.255.255.255  -
240.0.0.0/4         -                240.0.0.0        255.255.255.255  -
below-2000::/3      -                ::               1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff  2000::
above-2000::/3      3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff  4000::  ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff  -
2001::/23           2000:ffff:ffff:ffff:ffff:ffff:ffff:ffff  2001::  2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff   2001:200::
2001:db8::/32       2001:db7:ffff:ffff:ffff:ffff:ffff:ffff   2001:db8::  2001:db8:ffff:ffff:ffff:ffff:ffff:ffff  2001:db9::
2002::/16           2001:ffff:ffff:ffff:ffff:ffff:ffff:ffff  2002::  2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff  2003::
2620:4f:8000::/48   2620:4f:7fff:ffff:ffff:ffff:ffff:ffff    2620:4f:8000::  2620:4f:8000:ffff:ffff:ffff:ffff:ffff  2620:4f:8001::
3fff::/20           3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff  3fff::  3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff   3fff:1000::
`
  .trim()
  .split('\n')
  .map((line) => line.split(/\s+/))

const boundaries = RANGES.flatMap(([range = '', before = '', first = '', last = '', after = '']) => [
  { range, address: before, allowed: true },
  { range, address: first, allowed: false },
  { range, address: last, allowed: false },
  { range, address: after, allowed: true },
]).filter(({ address }) => address !== '-')

const REFUSED = [
  // IPv4 inside IPv6: mapped (public ones too), compatible, NAT64, local NAT64, IPv4-translated, 6to4, Teredo.
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '::ffff:10.0.0.1',
  '::ffff:169.254.169.254',
  '::ffff:93.184.215.14',
  '0:0:0:0:0:ffff:7f00:1',
  '::127.0.0.1',
  '::7f00:1',
  '::a00:1',
  '::93.184.215.14',
  '64:ff9b::7f00:1',
  '64:ff9b::169.254.169.254',
  '64:ff9b::93.184.215.14',
  '64:ff9b:1::a00:1',
  '::ffff:0:127.0.0.1',
  '2002:7f00:1::',
  '2002:a00:1::1',
  '2002:5db8:d70e::1',
  '2001:0:7f00:1::1',
  '2001:0:4136:e378:8000:63bf:80ff:fffe',
  // ISATAP: the identifiers 0000:5efe and 0200:5efe, under any prefix.
  'fe80::5efe:127.0.0.1',
  'fe80::200:5efe:10.0.0.1',
  '2a00:1450:4001:81b:0:5efe:7f00:1',
  '2a00:1450:4001:81b:200:5efe:a00:1',
  // Kinds of 2000::/3's complement, and well-known metadata addresses.
  '::',
  '::1',
  '100::1',
  '100:0:0:1::1',
  '5f00::1',
  'fc00::1',
  'fd00:ec2::254',
  'fd12:3456:789a::1',
  'fe80::1',
  'fe80::a9fe:a9fe',
  'fec0::1',
  'ff02::1',
  'ff0e::1',
  '4000::1',
  '2001:2::1',
  '2001:3::1',
  '2001:4:112::1',
  '2001:10::1',
  '2001:20::1',
  '2001:30::1',
  '169.254.169.254',
  '100.100.100.200',
  '192.0.0.192',
  '168.63.129.16',
  '255.255.255.255',
  // Not an address in canonical spelling: refused, whatever a laxer reader would make of it.
  'fe80::1%eth0',
  '2606:4700:4700::1111%1',
  '1.1.1.1%1',
  '0177.0.0.1',
  '0x7f.0.0.1',
  '0x7f000001',
  '2130706433',
  '127.1',
  '1.1.1',
  '1.1.1.1.',
  ' 1.1.1.1',
  '1.1.1.1/32',
  '[2606:4700:4700::1111]',
  '1.1.1.256',
  '1.1.1.01',
  'localhost',
  'example.com',
  '',
]

const ALLOWED = [
  '1.1.1.1',
  '8.8.8.8',
  '93.184.215.14',
  '100.63.0.1',
  '172.15.0.1',
  '172.32.0.1',
  '192.0.1.1',
  '192.169.0.1',
  '223.255.255.254',
  '2000::1',
  '2001:200::1',
  '2001:4860:4860::8888',
  '2001:4860:4860:0:0:0:0:8888',
  '2606:4700:4700::1111',
  '2606:4700:4700::1.1.1.1',
  '2A00:1450:4001:81B::200E',
  '2620:fe::fe',
  '2a00:1450:4001:81b:100:5efe:7f00:1',
  '2a00:1450:4001:81b:0:5eff:7f00:1',
  '3ffe::1',
]

describe('addresses without exceptions', () => {
  test.each(boundaries)('edge of $range: $address → $allowed', ({ address, allowed }) => {
    expect(checkAddress(address, HTTPS, PUBLIC)).toBe(allowed)
  })
  test.each(REFUSED)('refused: %s', (address) => {
    expect(checkAddress(address, HTTPS, PUBLIC)).toBe(false)
  })
  test.each(ALLOWED)('allowed: %s', (address) => {
    expect(checkAddress(address, HTTPS, PUBLIC)).toBe(true)
  })
  test.each([
    [443, true, true],
    [8443, true, true],
    [80, true, false],
    [22, true, false],
    [443, false, false],
    [80, false, false],
  ])('port %i, https %s → %s', (port, secure, allowed) => {
    expect(checkAddress('1.1.1.1', { secure, port }, PUBLIC)).toBe(allowed)
  })
})

describe('exceptions', () => {
  const policy = compilePolicy({
    ports: [443],
    allow: [
      { cidr: '127.0.0.0/8', http: true },
      { cidr: '10.1.0.0/16', ports: [9000] },
      { cidr: 'fd00::/8', ports: [443, 80], http: true },
      { cidr: '1.1.1.1/32', ports: [9000] },
    ],
  })
  test.each([
    ['127.0.0.1', true, 443, true],
    ['127.255.255.255', false, 80, true],
    ['127.0.0.1', false, 61234, true],
    ['126.255.255.255', false, 80, false],
    ['128.0.0.0', false, 80, false],
    ['::ffff:127.0.0.1', true, 443, false],
    ['::1', true, 443, false],
    ['10.1.0.0', true, 9000, true],
    ['10.1.255.255', true, 9000, true],
    ['10.0.255.255', true, 9000, false],
    ['10.2.0.0', true, 9000, false],
    ['10.1.2.3', true, 443, false],
    ['10.1.2.3', false, 9000, false],
    ['fd00::1', false, 80, true],
    ['fd00::1', false, 81, false],
    ['fdff:ffff::1', true, 443, true],
    ['fe00::1', true, 443, false],
    ['1.1.1.1', true, 443, true],
    ['1.1.1.1', true, 9000, true],
    ['1.1.1.2', true, 9000, false],
  ])('%s, https %s, port %i → %s', (address, secure, port, allowed) => {
    expect(checkAddress(address, { secure, port }, policy)).toBe(allowed)
  })

  test.each(['10.0.0.0', '10.0.0.0/33', '::/129', '10.0.0/8', '010.0.0.0/8', '/8', '', 'localhost/8', '10.0.0.0/8/8'])(
    'a range that is none is named: %s',
    (cidr) => {
      expect(isCidr(cidr)).toBe(false)
      expect(() => compilePolicy({ ports: [], allow: [{ cidr }] })).toThrow(JSON.stringify(cidr))
    },
  )
  test.each(['0.0.0.0/0', '::/0', '127.0.0.1/32', '::1/128'])('a range: %s', (cidr) => expect(isCidr(cidr)).toBe(true))
})

test('no IPv6 address outside 2000::/3 is ever allowed, and none that embeds a v4 address by a known scheme', () => {
  const word = fc.integer({ min: 0, max: 0xffff })
  const address = (parts: number[]): string => parts.map((part) => part.toString(16)).join(':')
  fc.assert(
    fc.property(fc.array(word, { minLength: 8, maxLength: 8 }), (parts) => {
      const [first = 0, second = 0] = parts
      const special = first >> 13 !== 1 || first === 0x2002 || (first === 0x2001 && second < 0x200)
      if (special) expect(checkAddress(address(parts), HTTPS, PUBLIC)).toBe(false)
    }),
    { seed: 5, numRuns: 2_000 },
  )
})
