import { rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { besidesReport } from './test/fakes/besides-report.ts'
import { lentWriter } from './test/fakes/bundle.ts'
import { DISK, makeRunFolder } from './test/fakes/folder.ts'
import { HANG_MS } from './test/fakes/until.ts'

/** Where `.ci/run` wants the runner's counts, as JSON. */
const report = process.env['VITEST_REPORT_FILE']

const ALL = '{test,packages/*/test}/**/*.test.ts'
/** What measures time against time: beside another file it would measure that. */
const ALONE = ['test/faults/load.test.ts', 'test/e2e/restart.test.ts']

/** Minutes of many processes that are killed: run by `npm run replicas`, not by `npm test`. */
const REPLICAS = [
  'killing',
  'dying',
  'stalled',
  'partition',
  'silence',
  'rolling',
  'smoke',
  'clock',
  'pool',
  'batch',
].map((name) => `test/replicas/${name}.test.ts`)

/** Small in `npm test`; with `TALKBRIDGE_TEST_VIDEOS` as large as one likes. */
const UPGRADE = 'test/replicas/upgrade.test.ts'

/**
 * Tests of the whole system, case by case: with PostgreSQL, Redis and a browser, as npm installs it, as the guide says it, and
 * killed again and again. Run by `npm run test:system`. Of all but the packages, `npm test` has a few.
 */
const SYSTEM = [
  'packages/console/test/!(frame|scale|sign-in).test.ts',
  'packages/{client,sandbox}/test/package.test.ts',
  'test/{build,used-checkout}.test.ts',
  'test/docs/{client,guide}.test.ts',
  'test/faults/crash*.test.ts',
  'test/metrics/prometheus.test.ts',
  'test/openapi/{guide,page}.test.ts',
  'test/scripts/release.test.ts',
  'test/stores/{postgres,redis}-!(time|watched).test.ts',
  'test/tracing/peers.test.ts',
]

/**
 * They are long: begun last, they would be waited for by all. Without times of an earlier run, as on a fresh
 * clone, Vitest begins with the largest files, and the longest of these are but a few lines.
 */
const LONG = [
  'test/dropin/contract-other.test.ts',
  'test/dropin/contract-same.test.ts',
  'test/stores/sqlite-contract.test.ts',
  'test/faults/headers.test.ts',
  'test/faults/clocks.test.ts',
  'test/replicas/restart.test.ts',
  'test/cli/serve-restored.test.ts',
  'test/attacks/mangled.test.ts',
  'test/cli/serve.test.ts',
  'test/migration/proof.test.ts',
]
const LONG_SYSTEM = [
  'test/stores/postgres-contract.test.ts',
  'test/stores/postgres-silent.test.ts',
  'test/faults/crash.test.ts',
  'test/faults/crash-sender.test.ts',
  'test/docs/guide.test.ts',
  'packages/console/test/axe.test.ts',
  'packages/console/test/videos.test.ts',
]
// Loading everything anew for each file takes longer than most files; `leftovers.ts` sees that none is left another's.
const together = { isolate: false, sequence: { groupOrder: 0 } }

const folder = makeRunFolder()
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))

export default defineConfig({
  plugins: [lentWriter],
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
    // Four more files at once than there are cores: many wait for real sockets and timers.
    maxWorkers: availableParallelism() + 4,
    reporters: report ? ['default', ['json', { outputFile: report }], besidesReport(report)] : ['default'],
    globalSetup: ['test/fakes/bundle.ts', 'test/fakes/browser.ts'],
    setupFiles: ['test/fakes/leftovers.ts'],
    projects: [
      // Of one group, the first by name is first.
      { extends: true, test: { name: 'first', include: LONG, ...together } },
      {
        extends: true,
        test: { name: 'together', include: [ALL], exclude: [...LONG, ...SYSTEM, ...ALONE, ...REPLICAS], ...together },
      },
      {
        extends: true,
        test: { name: 'system-first', include: LONG_SYSTEM, ...together },
      },
      {
        extends: true,
        test: { name: 'system-rest', include: SYSTEM, exclude: LONG_SYSTEM, ...together },
      },
      {
        extends: true,
        test: { name: 'alone', include: ALONE, fileParallelism: false, sequence: { groupOrder: 1 } },
      },
      {
        extends: true,
        test: { name: 'replicas', include: [...REPLICAS, UPGRADE], sequence: { groupOrder: 2 } },
      },
    ],
  },
})
