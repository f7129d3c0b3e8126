import { join } from 'node:path'
import { backlog } from './backlog/index.ts'
import { consolePages } from './console/index.ts'
import { firstMinute } from './first-minute/index.ts'
import { installation } from './install/index.ts'
import { create } from './create/index.ts'
import { metrics } from './metrics/index.ts'
import { memory } from './memory/index.ts'
import { migrateReport } from './migrate-report/index.ts'
import { outages } from './outages/index.ts'
import { overview } from './overview/index.ts'
import { passthrough } from './passthrough/index.ts'
import { polls } from './polls/index.ts'
import { pollPolicy } from './poll-policy/index.ts'
import { read } from './read/index.ts'
import { replicas } from './replicas/index.ts'
import { report, type Result, writePage } from './report.ts'
import { restart } from './restart/index.ts'
import { routing } from './routing/index.ts'
import { tests } from './tests/index.ts'
import { webhooks } from './webhooks/index.ts'

/** What a run of `.ci/run` took, if somebody measured one. */
const GATE_SECONDS = process.env['CI_RUN_SECONDS'] ? Number(process.env['CI_RUN_SECONDS']) : null

/**
 * `npm run bench` runs all benchmarks, `npm run bench -- NAME …` those named; it fails when a goal is missed. With `--write`
 * the figures go into `docs/benchmarks.md`.
 */
const BENCHMARKS: Readonly<Record<string, () => Result | Promise<Result>>> = {
  'poll-policy': () => pollPolicy(),
  polls: () => polls(),
  webhooks: () => webhooks(),
  read: () => read(),
  metrics: () => metrics(),
  passthrough: () => passthrough(),
  create: () => create(),
  routing: () => routing(),
  backlog: () => backlog(),
  memory: () => memory(),
  restart: () => restart(),
  'migrate-report': () => migrateReport(),
  replicas: () => replicas(),
  outages: () => outages(),
  overview: () => overview(),
  console: () => consolePages(),
  install: () => installation(),
  tests: () => tests(GATE_SECONDS),
  'first-minute': () => firstMinute(),
}

const FOLDER = join(import.meta.dirname, '..', 'bench-output')

const PAGE = join(import.meta.dirname, '..', 'docs', 'benchmarks.md')

const isWritten = process.argv.includes('--write')
const named = process.argv.slice(2).filter((argument) => argument !== '--write')
const unknown = named.filter((name) => !(name in BENCHMARKS))
if (unknown.length > 0) {
  process.stderr.write(`no benchmark ${unknown.join(', ')}; there are: ${Object.keys(BENCHMARKS).join(', ')}\n`)
  process.exitCode = 2
} else {
  for (const [name, run] of Object.entries(BENCHMARKS)) {
    if (named.length > 0 && !named.includes(name)) continue
    const result = await run()
    if (report(result, FOLDER) > 0) process.exitCode = 1
    if (isWritten) writePage(result, PAGE)
  }
}
