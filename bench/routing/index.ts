import { ruled, rulesOf, type Facts, type RuleConfig } from '../../src/engine/routing/rules.ts'
import type { Result, Row } from '../report.ts'

export interface Size {
  rules: number
  creates: number
  rounds: number
}
export const FULL: Size = { rules: 100, creates: 50_000, rounds: 9 }

/** Of what it costs to parse the body of a create: 20 µs where that takes 0.6. A time alone would judge the machine. */
const GOAL = 33

/** None but the last matches, and that one is a split: as much as there is to do. */
const configured = (rules: number): RuleConfig[] =>
  Array.from({ length: rules }, (_, n) => ({
    when: { client: null, surface: null, source: 'text', metadata: n === rules - 1 ? {} : { tier: `tier-${n}` } },
    to: n === rules - 1 ? null : 'alt',
    split: n === rules - 1 ? { main: 50, alt: 50 } : null,
    by: 'client',
    stop_if: null,
  }))

const factsOf = (n: number): Facts => ({
  client: `client-${n}`,
  surface: 'unified',
  source: 'text',
  metadata: { tier: 'none', team: `team-${n}` },
})

/**
 * Microseconds of CPU of one call of each side, as the first quartile of the rounds: what else the machine does only
 * adds. The sides take turns, so that a slow minute is one of both.
 */
const costsUs = <Side extends string>(
  { creates, rounds }: Size,
  sides: Readonly<Record<Side, (n: number) => unknown>>,
): Record<Side, number> => {
  const once = (run: (n: number) => unknown): number => {
    const before = process.cpuUsage()
    for (let n = 0; n < creates; n += 1) run(n)
    const { user, system } = process.cpuUsage(before)
    return (user + system) / creates
  }
  const names = Object.keys(sides) as Side[]
  for (const name of names) once(sides[name])
  const measured = Array.from({ length: rounds }, () => names.map((name) => [name, once(sides[name])] as const)).flat()
  const quartile = (side: Side): number =>
    measured.flatMap(([name, us]) => (name === side ? [us] : [])).toSorted((a, b) => a - b)[rounds >> 2] ?? 0
  return Object.fromEntries(names.map((name) => [name, quartile(name)])) as Record<Side, number>
}

/** A create's body as it comes. */
const BODY = JSON.stringify({
  puppet_id: 'anna',
  voice_id: 'narrator',
  text: 'x'.repeat(400),
  metadata: { tier: 'none', team: 'team-1' },
})

/** What it costs to decide where a create goes, beside reading its body. */
export const routing = (size: Size = FULL): Result => {
  const rules = rulesOf(configured(size.rules))
  const decide = (n: number) =>
    ruled(
      rules,
      factsOf(n),
      ({ weight }) => weight,
      () => true,
    )
  const sides = new Set(Array.from({ length: 100 }, (_, n) => decide(n)?.backends[0]))
  if (sides.size !== 2) throw new Error('the last rule, a split, did not decide')
  const { body, decision } = costsUs(size, { body: () => JSON.parse(BODY), decision: decide })
  const row = (what: string, us: number, goal: number | null): Row => ({
    what,
    goal: goal === null ? null : `≤ ${goal}×`,
    measured: `${us.toFixed(2)} µs (${(us / body).toFixed(1)}×)`,
    optimum: null,
    met: goal === null || us <= goal * body,
  })
  return {
    name: 'routing',
    notes: [
      `${size.rules} rules, of which only the last matches: a split; first quartiles of ${size.rounds} rounds of ${size.creates}`,
    ],
    rows: [row('JSON.parse of a create of 400 characters', body, null), row('where it goes', decision, GOAL)],
  }
}
