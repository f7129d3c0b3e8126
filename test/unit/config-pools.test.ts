import { expect, test } from 'vitest'
import { parseConfig } from '../../src/config.ts'

const BACKENDS = `backends:
  main-a: { interface: primary, base_url: 'https://p.example', api_key: one }
  main-b: { interface: primary, base_url: 'https://p.example', api_key: two }
  same: { interface: primary, base_url: 'https://p.example', api_key: one }
  other: { interface: primary, base_url: 'https://P.example/', api_key: one }
  alt: { interface: alternate, base_url: 'https://a.example', api_key: three }
`
const parse = (pools: string, rest = '', client = '') =>
  parseConfig({
    text: `${BACKENDS}clients: [{ id: acme, key: tb_0123456789abcdef0123 ${client} }]
routing: { pools: ${pools}, default: main-a ${rest} }`,
    env: {},
    readFile: () => '',
  })

test('the name of a pool is valid wherever that of a backend is', () => {
  const parsed = parse(
    '{ main: [main-a, main-b] }',
    `, default: main, rules: [{ to: main }, { split: { main: 90, alt: 10 } }], failover: { alt: [main], main: [alt] },
      dropin: { primary: main }, shadow: { from: main, to: alt, share: 0.1 }`.replace(', default: main,', ','),
    ', backends: [main]',
  )
  expect(parsed).toMatchObject({ ok: true, config: { routing: { pools: { main: ['main-a', 'main-b'] } } } })
})

test.each([
  [
    '{ main: [main-a, alt] }',
    'main.1: speaks another interface than main-a: all members of a pool must speak the same',
  ],
  ['{ main: [main-a, main-a] }', 'main.1: is in this pool already'],
  ['{ alt: [main-a, main-b] }', 'alt: is the name of a backend, too: give the pool another one'],
  ['{ main: [main-a, main-c] }', 'main.1: there is no backend with this name; did you mean `main-a`?'],
  ['{ one: [main-a, main-b], two: [main-b, same] }', 'two.0: is in routing.pools.one already'],
  ['{ main: [main-a] }', 'main: expected at least two members: one backend needs no pool'],
  ['{ main: [] }', 'main: expected at least two members: one backend needs no pool'],
  ['{ main: [main-a, same] }', 'main.1: is the same account as main-a: a pool needs a key of its own for each member'],
  [
    '{ one: [main-a, main-b], two: [other, main-c] }',
    'two.0: is the same account as main-a: a pool needs a key of its own for each member',
  ],
  [
    '{ Main: [main-a, main-b] }',
    'Main: expected a name of 1 to 63 characters a-z, 0-9, _ and -, starting with a letter or digit',
  ],
  ['{ one: [main-a, main-b], two: [one, same] }', 'two.0: is a pool: expected the name of one backend'],
])('%s', (pools, fault) => {
  const parsed = parse(pools)
  expect(parsed.ok ? [] : parsed.faults.map(({ path, message }) => `${path}: ${message}`)).toContain(
    `routing.pools.${fault}`,
  )
})

test.each([
  ['failover: { main: [alt, main-b] }', 'failover.main.1'],
  ['failover: { main-b: [main] }', 'failover.main-b.0'],
  ['rules: [{ split: { main: 90, main-a: 10 } }]', 'rules.0.split'],
  ['rules: [{ split: { main-a: 90, main: 10 } }]', 'rules.0.split'],
  ['shadow: { from: main, to: main-b, share: 0.1 }', 'shadow.to'],
])('a pool beside its own member: %s', (rest, path) => {
  const parsed = parse('{ main: [main-a, main-b] }', `, ${rest}`)
  expect(parsed.ok ? [] : parsed.faults.map((fault) => `${fault.path}: ${fault.message}`)).toEqual([
    `routing.${path}: expected another backend or pool: this names a pool and a member of it`,
  ])
})
