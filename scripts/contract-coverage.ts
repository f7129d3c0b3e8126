import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** Runs the walk through both contracts and, when every row passed, writes docs/contract-coverage.md. */
const root = fileURLToPath(new URL('..', import.meta.url))
const vitest = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url))
const { status } = spawnSync(
  process.execPath,
  [vitest, 'run', 'packages/sandbox/test/contract.test.ts', '--reporter=dot'],
  {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, WRITE_CONTRACT_COVERAGE: '1' },
  },
)
process.exitCode = status ?? 1
