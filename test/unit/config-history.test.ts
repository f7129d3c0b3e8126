import { expect, test } from 'vitest'
import { parseConfig } from '../../src/config.ts'

const parse = (history: string) =>
  parseConfig({
    text: `backends:
  main: { interface: primary, base_url: 'https://p.example', api_key: one }
  alt: { interface: alternate, base_url: 'https://a.example', api_key: two }
  again: { interface: alternate, base_url: 'https://a.example', api_key: two }
clients: [{ id: shop, key: tb_0123456789abcdef0123 }, { id: desk, key: tb_0123456789abcdef0124, backends: [main] }]
routing: { default: main }
dropin: { history: ${history} }`,
    env: {},
    readFile: () => '',
  })

test('an account’s older videos are one client’s', () => {
  expect(parse('{ alt: shop }')).toMatchObject({ ok: true, config: { dropin: { history: { alt: 'shop' } } } })
})

test.each([
  ['{ atl: shop }', 'dropin.history.atl: there is no backend with this name; did you mean `alt`?'],
  ['{ alt: shpo }', 'dropin.history.alt: there is no client with this name; did you mean `shop`?'],
  ['{ alt: desk }', 'dropin.history.alt: this client may not use the backend: see `backends` of the client'],
  ['{ main: shop }', 'dropin.history.main: the interface of this backend has no list of videos'],
  ['{ alt: shop, again: shop }', 'dropin.history.again: the same account as dropin.history.alt'],
  ['{ alt: 5 }', expect.stringMatching(/^dropin\.history\.alt: /)],
])('refuses %s', (history, line) => {
  const parsed = parse(history)
  expect(parsed.ok ? [] : parsed.faults.map(({ path, message }) => `${path}: ${message}`)).toEqual([line])
})
