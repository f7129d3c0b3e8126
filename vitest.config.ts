import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { DISK, makeRunFolder } from './test/fakes/folder.ts'
import { HANG_MS } from './test/fakes/until.ts'

/** Where `.ci/run` wants the runner's counts, as JSON. */
const report = process.env['VITEST_REPORT_FILE']

const ALL = 'test/**/*.test.ts'
/** What measures time against time: beside another file it would measure that. */
const ALONE = ['test/faults/load.test.ts', 'test/e2e/restart.test.ts']

const folder = makeRunFolder()
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))

export default defineConfig({
  test: {
    pool: 'forks',
    testTimeout: HANG_MS,
    hookTimeout: HANG_MS,
    teardownTimeout: HANG_MS,
    expect: { poll: { timeout: HANG_MS } },
    retry: 0,
    unstubEnvs: true,
    env: {
      TMPDIR: folder,
      [DISK]: tmpdir(),
      // Writer threads and processes start twice as fast when the compiled code of the one before is at hand.
      NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/compiled'),
    },
    // As many files at once as there are cores, which is one more than by default: most of them wait.
    maxWorkers: '100%',
    reporters: report ? ['default', ['json', { outputFile: report }]] : ['default'],
    setupFiles: ['test/fakes/leftovers.ts'],
    projects: [
      {
        extends: true,
        test: {
          name: 'together',
          include: [ALL],
          exclude: ALONE,
          // Loading everything anew for each file takes longer than most files; `leftovers.ts` sees that none is left another's.
          isolate: false,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: { name: 'alone', include: ALONE, fileParallelism: false, sequence: { groupOrder: 1 } },
      },
    ],
  },
})
