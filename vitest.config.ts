import { defineConfig } from 'vitest/config'

/** Where `.ci/run` wants the runner's counts, as JSON. */
const report = process.env['VITEST_REPORT_FILE']

const ALL = 'test/**/*.test.ts'
/** What measures time against time: beside another file it would measure that. */
const ALONE = ['test/webhooks/load.test.ts', 'test/faults/load.test.ts', 'test/e2e/restart.test.ts']

export default defineConfig({
  test: {
    pool: 'forks',
    testTimeout: 15_000,
    retry: 0,
    unstubEnvs: true,
    // As many files at once as there are cores, which is one more than by default: most of them wait.
    maxWorkers: '100%',
    reporters: report ? ['default', ['json', { outputFile: report }]] : ['default'],
    projects: [
      {
        extends: true,
        test: { name: 'together', include: [ALL], exclude: ALONE, sequence: { groupOrder: 0 } },
      },
      {
        extends: true,
        test: { name: 'alone', include: ALONE, fileParallelism: false, sequence: { groupOrder: 1 } },
      },
    ],
  },
})
