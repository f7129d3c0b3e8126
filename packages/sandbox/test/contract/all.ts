import { alternateRules } from './alternate.ts'
import { rowsOf, type Contract, type Row } from './parse.ts'
import { primaryBodies } from './primary-bodies.ts'
import { primaryErrors } from './primary-errors.ts'
import { primaryHeaders } from './primary-headers.ts'
import { primaryLimits } from './primary-limits.ts'
import { primaryResources } from './primary-resources.ts'
import { primaryStatuses } from './primary-statuses.ts'
import type { Rule } from './rules.ts'

export const RULES: readonly Rule[] = [
  ...primaryStatuses,
  ...primaryResources,
  ...primaryHeaders,
  ...primaryBodies,
  ...primaryErrors,
  ...primaryLimits,
  ...alternateRules,
]

export const CONTRACTS = ['primary', 'alternate'] as const satisfies readonly Contract[]
export const ROWS = CONTRACTS.flatMap(rowsOf)

/** The rule that walks a row. */
export const ruleOf = (row: Row): Rule | undefined =>
  RULES.find((rule) => rule.contract === row.contract && rule.covers(row))
