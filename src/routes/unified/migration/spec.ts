import { BODY_PROBLEMS, json, operations } from '../../openapi/operation.ts'
import { MIGRATION, RAMP_SPLIT, STOPPED_SPLIT } from './examples.ts'
import { MigrationQuery } from './input.ts'

const ONE = { rule: { summary: 'One of several splits', value: { rule: RAMP_SPLIT.rule } } }
const PROBLEMS = [...BODY_PROBLEMS, 'rule_not_found'] as const

export const MIGRATION_OPERATIONS = operations('Administration', {
  getMigration: {
    at: ['get', '/unified/v1/migration'],
    summary: 'See how backends compare, and how each ramp stands',
    description:
      'How videos ended on each backend, under each rule and on both sides of each split, and every split with its weight in force, its gates and what was done to it. ' +
      'The latest 100,000 videos count; `counted` says whether there were more.',
    scope: 'admin',
    query: MigrationQuery,
    answers: { 200: json('As of now.', 'Migration', MIGRATION) },
    problems: [],
  },
  stepSplit: {
    at: ['post', '/unified/v1/admin/migration/step'],
    summary: 'Give the new side of a split more',
    description:
      'The next of 1, 5, 10, 25, 50 and 100 %, in force on every process within two seconds. Refused with 409 `ramp_refused` while a gate does not hold (`details.gates`), unless `force` says so; and while the split is stopped, whatever `force` says.',
    scope: 'admin',
    body: {
      name: 'StepSplit',
      optional: true,
      examples: { ...ONE, force: { summary: 'Although gates do not hold', value: { force: true } } },
    },
    answers: { 200: json('As it now stands.', 'Split', RAMP_SPLIT) },
    problems: [...PROBLEMS, 'ramp_refused'],
  },
  rollbackSplit: {
    at: ['post', '/unified/v1/admin/migration/rollback'],
    summary: 'Give the new side of a split nothing more',
    description: 'At once, whatever holds. Videos that were sent there run to their end there.',
    scope: 'admin',
    body: { name: 'ChangeSplit', optional: true, examples: ONE },
    answers: { 200: json('As it now stands.', 'Split', { ...RAMP_SPLIT, ramp_weight: 0, weight: 0, next_weight: 1 }) },
    problems: PROBLEMS,
  },
  resumeSplit: {
    at: ['post', '/unified/v1/admin/migration/resume'],
    summary: 'Let a split go on that stopped itself',
    description:
      'On at the weight that it had. Its canary and its gates count outcomes from now on. 409 `ramp_refused` if it is not stopped.',
    scope: 'admin',
    body: { name: 'ChangeSplit', optional: true, examples: ONE },
    answers: {
      200: json('As it now stands.', 'Split', { ...STOPPED_SPLIT, weight: STOPPED_SPLIT.ramp_weight, stopped: null }),
    },
    problems: [...PROBLEMS, 'ramp_refused'],
  },
})
