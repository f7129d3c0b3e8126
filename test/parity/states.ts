import type { Divergence } from './compare.ts'

/** The statuses of both contracts and of the variants, in the order in which a video goes through them. */
const STAGES: Readonly<Record<string, number>> = { queued: 0, processing: 1, completed: 2, failed: 2, error: 2 }

const isInOrder = (states: readonly string[]): boolean =>
  states.every((state, at) => {
    const [stage, before] = [STAGES[state], at === 0 ? -1 : STAGES[states[at - 1] ?? '']]
    return stage !== undefined && before !== undefined && stage > before
  })

/**
 * The distinct states in the order in which a client saw them. A client that polls may miss one; it never sees one that
 * was over, and the last one is the same.
 */
export const compareStates = (direct: readonly string[], gateway: readonly string[]): Divergence[] =>
  direct.at(-1) === gateway.at(-1) && isInOrder(gateway)
    ? []
    : [{ place: 'states', kind: 'order', direct: direct.join(' → '), gateway: gateway.join(' → ') }]
