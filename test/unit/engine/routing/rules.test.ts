import { describe, expect, test } from 'vitest'
import { placeOf, ruled, rulesOf, splitsOf, type Facts, type RuleConfig } from '../../../../src/engine/routing/rules.ts'

const ANY: RuleConfig['when'] = { client: null, surface: null, source: null, metadata: {} }
const facts = (given: Partial<Facts> = {}): Facts => ({
  client: 'acme',
  surface: 'unified',
  source: 'text',
  metadata: {},
  ...given,
})
const rule = (given: Partial<RuleConfig>): RuleConfig => ({
  when: ANY,
  to: null,
  split: null,
  by: 'client',
  stop_if: null,
  ...given,
})
const to = (backend: string, when: Partial<RuleConfig['when']> = {}): RuleConfig =>
  rule({ to: backend, when: { ...ANY, ...when } })
const split = (weight: number, given: Partial<RuleConfig> = {}): RuleConfig =>
  rule({ split: { main: 100 - weight, alt: weight }, ...given })

/** Where a request goes first, by the weights of the file. */
const firstOf = (rules: readonly RuleConfig[], given: Partial<Facts> = {}, weight?: number): string | null =>
  ruled(
    rulesOf(rules),
    facts(given),
    (one) => weight ?? one.weight,
    () => true,
  )?.backends[0] ?? null

describe('a rule', () => {
  test('decides where it is the first that matches', () => {
    const rules = [to('alt', { client: 'other' }), to('second', { source: 'text' }), to('third')]
    expect(firstOf(rules)).toBe('second')
    expect(firstOf(rules, { client: 'other' })).toBe('alt')
    expect(firstOf(rules, { source: 'audio' })).toBe('third')
  })

  test('matches by all that it names', () => {
    const rules = [to('alt', { client: 'acme', surface: 'primary', source: 'audio', metadata: { tier: 'beta' } })]
    const all: Partial<Facts> = { surface: 'primary', source: 'audio', metadata: { tier: 'beta', other: 'x' } }
    expect(firstOf(rules, all)).toBe('alt')
    for (const less of [
      { client: 'else' },
      { surface: 'unified' },
      { source: 'text' },
      { metadata: { tier: 'ga' } },
      { metadata: {} },
    ] as const) {
      expect(firstOf(rules, { ...all, ...less })).toBeNull()
    }
  })

  test('is passed by where it leads to nothing that the client may use', () => {
    const rules = rulesOf([to('hidden'), split(100), to('third')])
    const seen = (...visible: string[]) =>
      ruled(
        rules,
        facts(),
        () => 100,
        (name) => visible.includes(name),
      )?.backends
    expect(seen('main', 'third')).toEqual(['main'])
    expect(seen('third')).toEqual(['third'])
    expect(seen('other')).toBeUndefined()
  })

  test('finds nothing of what every object has', () => {
    expect(firstOf([to('alt', { metadata: { constructor: 'Object' } })], {})).toBeNull()
  })
})

describe('a split', () => {
  const clients = Array.from({ length: 2_000 }, (_, n) => `client-${n}`)
  const onNew = (weight: number, rules = [split(10)]): Set<string> =>
    new Set(clients.filter((client) => firstOf(rules, { client }, weight) === 'alt'))

  test('gives nobody, or everybody, to the new side', () => {
    expect(onNew(0).size).toBe(0)
    expect(onNew(100).size).toBe(clients.length)
  })

  test.each([1, 5, 10, 25, 50])('gives about %d per cent to it', (weight) => {
    const share = onNew(weight).size / clients.length
    expect(Math.abs(share - weight / 100)).toBeLessThan(0.03)
  })

  test('is monotone: more weight only adds, less gives back the very same', () => {
    const weights = [1, 5, 10, 25, 50, 100]
    for (const [i, weight] of weights.entries()) {
      const before = onNew(weights[i - 1] ?? 0)
      const now = onNew(weight)
      expect([...before].filter((client) => !now.has(client))).toEqual([])
    }
    expect(onNew(5)).toEqual(onNew(5))
  })

  test('keeps the values of a metadata key on their side, whoever sends them', () => {
    const rules = [split(50, { by: 'metadata.team' })]
    const sideOf = (client: string, team: string) => firstOf(rules, { client, metadata: { team } })
    for (const team of clients.slice(0, 50)) expect(sideOf('a', team)).toBe(sideOf('b', team))
    expect(new Set(clients.slice(0, 50).map((team) => sideOf('a', team)))).toEqual(new Set(['main', 'alt']))
  })

  test('without its metadata key a video stays on the old side', () => {
    expect(firstOf([split(100, { by: 'metadata.team' })])).toBe('main')
  })

  test('leaves the other side as a choice', () => {
    const backends = (weight: number) =>
      ruled(
        rulesOf([split(weight)]),
        facts(),
        () => weight,
        () => true,
      )?.backends
    expect(backends(10)).toEqual(['main', 'alt'])
    expect(backends(100)).toEqual(['alt', 'main'])
  })

  test('does not lead to a new side that gets nothing, whatever the client may use', () => {
    const seen = (...visible: string[]) =>
      ruled(
        rulesOf([split(50), to('third')]),
        facts(),
        () => 0,
        (name) => visible.includes(name),
      )?.backends
    expect(seen('main', 'alt', 'third')).toEqual(['main'])
    expect(seen('alt', 'third')).toEqual(['third'])
    expect(seen('alt')).toBeUndefined()
  })

  test('has a key that survives other weights and places, and no other change', () => {
    const keyOf = (given: RuleConfig, before: readonly RuleConfig[] = []) => rulesOf([...before, given]).at(-1)?.key
    const key = keyOf(split(10))
    expect(key).toMatch(/^rule_[0-9a-f]{12}$/)
    expect(keyOf(split(75), [to('alt', { client: 'x' })])).toBe(key)
    expect(keyOf(split(10, { stop_if: { failure_rate: 0.1, of: 5, window: 60_000 } }))).toBe(key)
    for (const other of [
      split(10, { by: 'metadata.team' }),
      split(10, { when: { ...ANY, client: 'acme' } }),
      rule({ split: { alt: 90, main: 10 } }),
    ]) {
      expect(keyOf(other)).not.toBe(key)
    }
    const metadata = (pairs: Record<string, string>) => keyOf(split(1, { when: { ...ANY, metadata: pairs } }))
    expect(metadata({ a: '1', b: '2' })).toBe(metadata({ b: '2', a: '1' }))
  })

  test('is read from the file as it stands there', () => {
    const stop = { failure_rate: 0.2, of: 20, window: 3_600_000 }
    expect(splitsOf(rulesOf([to('x'), split(10, { by: 'metadata.team', stop_if: stop })]))).toMatchObject([
      { old: 'main', new: 'alt', weight: 10, by: 'team', stopIf: { failureRate: 0.2, of: 20, windowMs: 3_600_000 } },
    ])
  })
})

test('the place of a value is the same on every machine', () => {
  expect(placeOf(null, 'acme')).toBeCloseTo(32.26137701421976, 6)
})
