import { join } from 'node:path'
import { backlog } from './backlog/index.ts'
import { migrateReport } from './migrate-report/index.ts'
import { outages } from './outages/index.ts'
import { passthrough } from './passthrough/index.ts'
import { pollPolicy } from './poll-policy/index.ts'
import { read } from './read/index.ts'
import { replicas } from './replicas/index.ts'
import { report, type Result } from './report.ts'
import { routing } from './routing/index.ts'
import { webhooks } from './webhooks/index.ts'

/** `npm run bench` runs all benchmarks, `npm run bench -- NAME …` those named; it fails when a goal is missed. */
const BENCHMARKS: Readonly<Record<string, () => Result | Promise<Result>>> = {
  'poll-policy': () => pollPolicy(),
  webhooks: () => webhooks(),
  read: () => read(),
  passthrough: () => passthrough(),
  routing: () => routing(),
  backlog: () => backlog(),
  'migrate-report': () => migrateReport(),
  replicas: () => replicas(),
  outages: () => outages(),
}

const FOLDER = join(import.meta.dirname, '..', 'bench-output')

const named = process.argv.slice(2)
const unknown = named.filter((name) => !(name in BENCHMARKS))
if (unknown.length > 0) {
  process.stderr.write(`no benchmark ${unknown.join(', ')}; there are: ${Object.keys(BENCHMARKS).join(', ')}\n`)
  process.exitCode = 2
} else {
  for (const [name, run] of Object.entries(BENCHMARKS)) {
    if (named.length > 0 && !named.includes(name)) continue
    if (report(await run(), FOLDER) > 0) process.exitCode = 1
  }
}
