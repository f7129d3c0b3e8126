/** What decides, and the quickest tests that hold it. */
export const FOLDERS: Readonly<Record<string, { mutate: readonly string[]; tests: readonly string[]; words?: true }>> =
  {
    limits: {
      mutate: ['src/core/limits/**/*.ts'],
      tests: ['test/unit/core/limits/*.test.ts', 'test/unit/engine/upstream/*.test.ts'],
    },
    schedule: { mutate: ['src/webhooks/schedule.ts'], tests: ['test/webhooks/{schedule,decisions}.test.ts'] },
    adapters: {
      mutate: ['src/adapters/{primary,alternate}/*.ts', 'src/adapters/shared/{outcome,problems,dialect}.ts'],
      tests: ['test/adapters/*.test.ts'],
      words: true,
    },
    life: {
      mutate: ['src/engine/life/*.ts'],
      tests: [
        'test/unit/engine/life/*.test.ts',
        'test/engine/{create,slow-store,store-faults,timeline,link-owed}.test.ts',
      ],
    },
    doubt: {
      mutate: ['src/engine/doubt/*.ts'],
      tests: [
        'test/unit/engine/{doubt,jobs}/*.test.ts',
        'test/engine/{doubt-*,duplicate-jobs,operator,job-ids}.test.ts',
      ],
    },
    routing: {
      mutate: ['src/engine/routing/*.ts', 'src/core/adapter.ts', 'src/engine/create/plan.ts'],
      tests: [
        'test/unit/engine/routing/*.test.ts',
        'test/unit/engine/create/*.test.ts',
        'test/engine/{splits,failover}.test.ts',
      ],
    },
    sql: {
      mutate: ['src/stores/sql/*-verbs.ts', 'src/stores/sql/{outbox,upkeep,access,resources,routing}.ts'],
      tests: ['test/stores/{sqlite-contract,sqlite-windows}.test.ts'],
    },
  }
