import { globSync } from 'node:fs'

interface Folder {
  mutate: readonly string[]
  /** The quickest that hold it, in the order in which they run: the first that fails ends the run of a mutant. */
  tests: readonly string[]
  /** It decides by tables of words. */
  words?: true
}

/** What decides about money, doubts, limits and whose turn it is: not what carries, translates, counts or is a type. */
export const FOLDERS: Readonly<Record<string, Folder>> = {
  schedule: { mutate: ['src/webhooks/schedule.ts'], tests: ['test/webhooks/{schedule,decisions}.test.ts'] },
  limits: {
    mutate: ['src/core/limits/*.ts'],
    tests: [
      'test/unit/core/limits/{breaker,rates,shares,budget,budget-classes,budget-decisions}.test.ts',
      'test/unit/core/limits/budget-property.test.ts',
      'test/unit/engine/upstream/{tickets,ticket-blocks}.test.ts',
    ],
  },
  routing: {
    mutate: ['src/engine/routing/{rules,ramp,splits}.ts', 'src/core/adapter.ts', 'src/engine/create/plan.ts'],
    tests: [
      'test/unit/core/adapter.test.ts',
      'test/unit/engine/routing/{rules,ramp,canary,standing,outcomes,side-by-side}.test.ts',
      'test/unit/engine/create/*.test.ts',
      'test/engine/splits.test.ts',
    ],
  },
  life: {
    mutate: ['src/engine/life/{create,job}-steps.ts', 'src/engine/life/apply.ts'],
    tests: [
      'test/unit/engine/life/*.test.ts',
      'test/unit/engine/doubt/evidence.test.ts',
      'test/engine/{timeline,slow-store,store-faults,create,link-owed}.test.ts',
    ],
  },
  doubt: {
    mutate: ['src/engine/doubt/{list,search,operator}.ts'],
    tests: [
      'test/unit/engine/{doubt,jobs}/*.test.ts',
      'test/engine/{job-ids,operator,duplicate-jobs}.test.ts',
      'test/engine/doubt-{list,ends,stamps,callbacks,attempts,resend,evidence}.test.ts',
    ],
  },
  adapters: {
    mutate: ['src/adapters/{primary,alternate}/*.ts', 'src/adapters/shared/{outcome,dialect}.ts'],
    tests: [
      'test/adapters/{outcome,errors,dialect,usage,translate,handed-through,unheard-of,alternate,hints,operations}.test.ts',
      'test/adapters/{primary,drift,resources,call-json,contract,read}.test.ts',
    ],
    words: true,
  },
  verbs: {
    mutate: ['src/stores/sql/{video,work}-verbs.ts'],
    tests: ['test/stores/{sqlite-windows,sqlite-contract}.test.ts'],
  },
  deliveries: {
    mutate: ['src/stores/sql/webhook-verbs.ts', 'src/stores/sql/outbox.ts'],
    tests: ['test/stores/{sqlite-windows,sqlite-contract}.test.ts'],
  },
}

/** Each of `{a,b}` for itself: a file that is gone would hide behind another. */
const spelledOut = (pattern: string): string[] => {
  const [braces, names = ''] = /\{([^}]*)\}/.exec(pattern) ?? []
  if (braces === undefined) return [pattern]
  return names.split(',').flatMap((name) => spelledOut(pattern.replace(braces, name)))
}

/** Those that the patterns find under `root`, in their order; throws a RangeError where one finds none. */
export const filesOf = (patterns: readonly string[], root: string): string[] =>
  patterns.flatMap(spelledOut).flatMap((pattern) => {
    const files = globSync(pattern, { cwd: root }).toSorted()
    if (files.length === 0) throw new RangeError(`${pattern} finds no file`)
    return files
  })
