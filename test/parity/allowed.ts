import type { Rule } from './judge.ts'

/** What each declared difference looks like on both sides. Its reason stands in src/routes/dropin/differences.ts. */
export const RULES: readonly Rule[] = []

/** With the same interface behind, so few kinds of difference are needed. */
export const MAX_SAME_KINDS = 10
