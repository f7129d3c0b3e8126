import type { SplitState } from '../../../../src/core/store/accounts.ts'
import type { Split } from '../../../../src/engine/routing/rules.ts'

/** From `main` to `alt`, at 10 % by the file. */
export const split = (given: Partial<Split> = {}): Split => ({
  key: 'rule_a',
  old: 'main',
  new: 'alt',
  weight: 10,
  by: null,
  stopIf: null,
  ...given,
})

/** As it is before anybody changed it. */
export const untouched = (given: Partial<SplitState> = {}): SplitState => ({
  key: 'rule_a',
  version: 0,
  weight: null,
  steppedAtMs: null,
  steppedBy: null,
  resumedAtMs: null,
  stopped: null,
  ...given,
})
