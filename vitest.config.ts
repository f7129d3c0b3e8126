import { defineConfig } from 'vitest/config'

/** Where `.ci/run` wants the runner's counts, as JSON. */
const report = process.env['VITEST_REPORT_FILE']

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    pool: 'forks',
    testTimeout: 15_000,
    retry: 0,
    unstubEnvs: true,
    reporters: report ? ['default', ['json', { outputFile: report }]] : ['default'],
  },
})
