import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    pool: 'forks',
    testTimeout: 15_000,
    retry: 0,
    unstubEnvs: true,
  },
})
