import { describe, expect, test } from 'vitest'
import { parseConfig } from '../../src/config.ts'

const KEY = 'tb_0123456789abcdef0123'
const BACKENDS = `backends:
  main: { interface: primary, base_url: 'https://p.example', api_key: one }
  alt: { interface: alternate, base_url: 'https://a.example', api_key: two }
  third: { interface: alternate, base_url: 'https://b.example', api_key: three }
clients: [{ id: acme, key: ${KEY} }]
`
const parse = (routing: string) =>
  parseConfig({ text: `${BACKENDS}routing: { default: main, ${routing} }`, env: {}, readFile: () => '' })
const lines = (routing: string): string[] => {
  const parsed = parse(routing)
  return parsed.ok ? [] : parsed.faults.map(({ path, message }) => `${path}: ${message}`)
}

describe('routing', () => {
  test('takes rules, splits and all that goes with them', () => {
    const parsed = parse(`
      rules: [
        { when: { client: acme, surface: unified, source: text, metadata: { tier: beta } }, to: alt },
        { split: { main: 90, alt: 10 }, by: metadata.team, stop_if: { failure_rate: 0.2, of: 20, window: 1h } },
      ],
      failover: { main: [alt, third] }, failover_on: [down, no_credits], on_down: queue,
      shadow: { from: main, to: alt, share: 0.1 }`)
    expect(parsed).toMatchObject({
      ok: true,
      config: {
        routing: {
          rules: [
            { to: 'alt', split: null },
            {
              when: { client: null, metadata: {} },
              split: { main: 90, alt: 10 },
              stop_if: { failure_rate: 0.2, of: 20, window: 3_600_000 },
            },
          ],
          failover: { main: ['alt', 'third'] },
          on_down: 'queue',
        },
      },
    })
  })

  test('a split of a backend whose name is a number is refused: its sides would change places', () => {
    const text = `${BACKENDS.replace('third:', '2:')}routing: { default: main, rules: [{ split: { main: 90, 2: 10 } }] }`
    const parsed = parseConfig({ text, env: {}, readFile: () => '' })
    expect(parsed).toMatchObject({ ok: false, faults: [{ path: 'routing.rules.0.split' }] })
  })

  test.each([
    ['neither to nor split', 'rules: [{}]', 'routing.rules.0: expected either to or split'],
    ['both', 'rules: [{ to: alt, split: { main: 50, alt: 50 } }]', 'routing.rules.0: expected either to or split'],
    [
      'an unknown target',
      'rules: [{ to: atl }]',
      'routing.rules.0.to: there is no backend with this name; did you mean `alt`?',
    ],
    [
      'an unknown client',
      'rules: [{ when: { client: acne }, to: alt }]',
      'routing.rules.0.when.client: there is no client with this name; did you mean `acme`?',
    ],
    [
      'one side',
      'rules: [{ split: { alt: 100 } }]',
      'routing.rules.0.split: expected two backends: the old side first, then the new one',
    ],
    [
      'weights that are not 100',
      'rules: [{ split: { main: 90, alt: 20 } }]',
      'routing.rules.0.split: the weights must add up to 100; they add up to 110',
    ],
    [
      'an unknown side',
      'rules: [{ split: { main: 90, atl: 10 } }]',
      'routing.rules.0.split.atl: there is no backend with this name; did you mean `alt`?',
    ],
    [
      'stop_if without split',
      'rules: [{ to: alt, stop_if: { failure_rate: 1, of: 1, window: 1h } }]',
      'routing.rules.0.stop_if: has no effect without split',
    ],
    ['by what is no key', 'rules: [{ split: { main: 90, alt: 10 }, by: team }]', expect.stringContaining('rules.0.by')],
    [
      'a backend that stands in for itself',
      'failover: { main: [main] }',
      'routing.failover.main: a backend cannot stand in for itself',
    ],
    [
      'an unknown stand-in',
      'failover: { main: [atl] }',
      expect.stringContaining('routing.failover.main.0: there is no backend'),
    ],
    [
      'an unknown backend that fails',
      'failover: { mian: [alt] }',
      expect.stringContaining('routing.failover.mian: there is no'),
    ],
    [
      'a shadow of itself',
      'shadow: { from: alt, to: alt, share: 1 }',
      'routing.shadow.to: must not be the same backend as from',
    ],
    ['a share above 1', 'shadow: { from: main, to: alt, share: 2 }', expect.stringContaining('routing.shadow.share')],
  ])('refuses %s', (_, routing, line) => {
    expect(lines(routing)).toEqual([line])
  })
})
