import type { Comparison } from './asking.ts'
import type { Divergence } from './compare.ts'
import { judge, type Rule } from './judge.ts'
import type { GatewayLane, Surface } from './vocabulary.ts'

/** A case of a run, by which it can be run again. */
export type CaseName = `requests:${number}` | `sequences:${number}`

/** What a rule explained: how often, and once in full. */
export interface Met {
  readonly surface: Surface
  readonly lane: GatewayLane
  readonly id: string
  count: number
  readonly example: Comparison
  readonly divergence: Divergence
  readonly name: CaseName
}

/** What no rule explained, of one kind. */
export interface Unexplained {
  readonly surface: Surface
  /** Of which requests: lane, operation, both statuses. */
  readonly about: string
  readonly divergence: Divergence
  count: number
  readonly example: Comparison
  /** All of the example's. */
  readonly divergences: readonly Divergence[]
  readonly name: CaseName
}

/** What a run found. */
export interface Tally {
  readonly met: ReadonlyMap<string, Met>
  readonly unexplained: ReadonlyMap<string, Unexplained>
  readonly comparisons: number
  add(surface: Surface, name: CaseName, comparison: Comparison): void
}

const aboutOf = ({ lane, operation, direct, gateway }: Comparison): string =>
  `${lane} ${operation} ${direct.answer.status}/${gateway.answer.status}`

export const createTally = (rules: readonly Rule[]): Tally => {
  const met = new Map<string, Met>()
  const unexplained = new Map<string, Unexplained>()
  let comparisons = 0
  return {
    met,
    unexplained,
    get comparisons() {
      return comparisons
    },
    add(surface, name, comparison) {
      comparisons += 1
      const verdict = judge(rules, surface, comparison)
      const { lane } = comparison
      for (const [id, divergence] of verdict.met) {
        const place = `${surface} ${lane} ${id}`
        const known = met.get(place)
        if (known) known.count += 1
        else met.set(place, { surface, lane, id, count: 1, example: comparison, divergence, name })
      }
      const { unexplained: divergences } = verdict
      for (const divergence of divergences) {
        const about = aboutOf(comparison)
        const place = `${surface} ${about} ${divergence.place} ${divergence.kind}`
        const known = unexplained.get(place)
        if (known) known.count += 1
        else unexplained.set(place, { surface, about, divergence, count: 1, example: comparison, divergences, name })
      }
    },
  }
}

/** The rules of this surface that nothing met: what they declare is no longer so. */
export const unmetOf = (rules: readonly Rule[], surface: Surface, tally: Tally): string[] => {
  const met = [...tally.met.values()].filter((one) => one.surface === surface).map(({ id }) => id)
  const wanted = rules.filter((rule) => rule.surface === surface).map(({ id }) => id)
  return [...new Set(wanted)].filter((id) => !met.includes(id)).map((id) => `${surface} ${id}`)
}

/** The kinds of difference that the lane with the same interface behind needs: one on both surfaces is one kind. */
export const sameKindsOf = (tally: Tally): string[] => {
  const same = [...tally.met.values()].filter(({ lane }) => lane === 'same')
  return [...new Set(same.map(({ id }) => id))].toSorted()
}
