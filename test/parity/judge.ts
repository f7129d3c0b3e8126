import type { Comparison } from './asking.ts'
import type { Divergence } from './compare.ts'
import type { Surface } from './vocabulary.ts'

/** What a declared difference looks like: what the service answers, and what the gateway answers in its place. */
export interface Rule {
  /** Of the table of differences. */
  readonly id: string
  readonly surface: Surface
  readonly lane: 'same' | 'other' | 'any'
  /** The operations at which it is met. */
  readonly at: RegExp
  /** The places of an answer that it explains. */
  readonly places: RegExp
  /** What the service must have answered. */
  readonly there: (comparison: Comparison, divergence: Divergence) => boolean
  /** What the gateway must have answered. */
  readonly here: (comparison: Comparison, divergence: Divergence) => boolean
}

export interface Verdict {
  /** Ids of the differences that were met, each with what it explained first. */
  readonly met: ReadonlyMap<string, Divergence>
  readonly unexplained: readonly Divergence[]
}

const isAbout = (rule: Rule, surface: Surface, { lane, operation }: Comparison, { place }: Divergence): boolean =>
  rule.surface === surface &&
  (rule.lane === 'any' || rule.lane === lane) &&
  rule.at.test(operation) &&
  rule.places.test(place)

/** Each divergence needs a rule both of whose sides hold. */
export const judge = (rules: readonly Rule[], surface: Surface, comparison: Comparison): Verdict => {
  const met = new Map<string, Divergence>()
  const unexplained = comparison.divergences.filter((divergence) => {
    const rule = rules.find(
      (one) =>
        isAbout(one, surface, comparison, divergence) &&
        one.there(comparison, divergence) &&
        one.here(comparison, divergence),
    )
    if (rule && !met.has(rule.id)) met.set(rule.id, divergence)
    return !rule
  })
  return { met, unexplained }
}
