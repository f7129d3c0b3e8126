import { BODY_PROBLEMS, json, operations } from '../../openapi/operation.ts'
import { MIGRATION, RAMP_SPLIT, STOPPED_SPLIT } from './examples.ts'
import { MigrationQuery } from './input.ts'

const ONE = { rule: { summary: 'One of several splits', value: { rule: RAMP_SPLIT.rule } } }
/** As it was started. */
const NO_SPLIT = { status: 404, why: 'its configuration has no split' }
const PROBLEMS = [...BODY_PROBLEMS, 'rule_not_found'] as const

export const MIGRATION_OPERATIONS = operations('Administration', {
  getMigration: {
    at: ['get', '/unified/v1/migration'],
    summary: 'Compare backends, and show each ramp',
    description:
      'Shows how videos ended on each backend, under each rule and on both sides of each split. Each split has its share in force, its gates and its history. The latest 100,000 videos count; `counted` says whether there were more.',
    scope: 'admin',
    query: MigrationQuery,
    answers: { 200: json('The state now.', 'Migration', MIGRATION) },
    problems: [],
  },
  stepSplit: {
    at: ['post', '/unified/v1/admin/migration/step'],
    summary: 'Raise the share of the new side of a split',
    description:
      'Sets the next of 1, 5, 10, 25, 50 and 100 %. The share is in force on every process within two seconds. You get 409 `ramp_refused` while a gate does not hold (`details.gates`), unless you set `force`. While the split is stopped, you get it even with `force`.',
    scope: 'admin',
    body: {
      name: 'StepSplit',
      optional: true,
      examples: { ...ONE, force: { summary: 'Step even if gates do not hold', value: { force: true } } },
    },
    onSandbox: NO_SPLIT,
    answers: { 200: json('The split after the change.', 'Split', RAMP_SPLIT) },
    problems: [...PROBLEMS, 'ramp_refused'],
  },
  rollbackSplit: {
    at: ['post', '/unified/v1/admin/migration/rollback'],
    summary: 'Set the share of the new side of a split to 0 %',
    description:
      'Takes effect immediately, whatever the gates say. Videos that the new side already has run to their end there.',
    scope: 'admin',
    body: { name: 'ChangeSplit', optional: true, examples: ONE },
    onSandbox: NO_SPLIT,
    answers: {
      200: json('The split after the change.', 'Split', { ...RAMP_SPLIT, ramp_weight: 0, weight: 0, next_weight: 1 }),
    },
    problems: PROBLEMS,
  },
  resumeSplit: {
    at: ['post', '/unified/v1/admin/migration/resume'],
    summary: 'Resume a split that stopped itself',
    description:
      'The split continues at the share that it had. Its canary and its gates count outcomes from now on. If the split is not stopped, you get 409 `ramp_refused`.',
    scope: 'admin',
    body: { name: 'ChangeSplit', optional: true, examples: ONE },
    onSandbox: NO_SPLIT,
    answers: {
      200: json('The split after the change.', 'Split', {
        ...STOPPED_SPLIT,
        weight: STOPPED_SPLIT.ramp_weight,
        stopped: null,
      }),
    },
    problems: [...PROBLEMS, 'ramp_refused'],
  },
})
