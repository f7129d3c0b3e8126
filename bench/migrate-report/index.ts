import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseConfig } from '../../src/config.ts'
import { createSystemClock } from '../../src/core/time/clock.ts'
import { buildDeps, type Deps } from '../../src/deps.ts'
import type { Backend } from '../../src/engine/index.ts'
import { createLog } from '../../src/log.ts'
import { walk } from '../../src/migration/report.ts'
import { backendOrPool } from '../../src/migration/verdict.ts'
import { startSandbox } from '@talkbridge/sandbox'
import { dbOf, openFile, migrate, PRAGMAS } from '../../src/stores/sqlite/db.ts'
import { putVideo } from '../../src/stores/sql/outbox.ts'
import { must } from '../../test/fakes/must.ts'
import { seededRandom } from '../../test/fakes/random.ts'
import { readCreateVideo } from '../../src/routes/unified/input.ts'
import { ALIASES, generator } from '../../test/migration/requests.ts'
import { completed } from '../../test/migration/sample.ts'
import { shownRow, type Result } from '../report.ts'

/** How long a report takes over what a busy gateway recorded in a month, what it holds in memory, and whom it keeps waiting. */

const VIDEOS = 100_000
const GOAL_S = 30
const GOAL_SLICE_MS = 10
const GOAL_MB = 64
const MONTH_MS = 30 * 86_400_000
const ROUNDS = 3

const SEED_CACHE_KIB = 1_000_000
/** Those that enforce no constraint. */
const INDEXES = `SELECT name, sql FROM sqlite_schema
  WHERE type = 'index' AND tbl_name = 'videos' AND sql IS NOT NULL AND sql NOT LIKE 'CREATE UNIQUE%'`

const configOf = (folder: string, urls: { main: string; alt: string }, keys: { main: string; alt: string }) => {
  const backend = (kind: string, name: 'main' | 'alt') => ({
    interface: kind,
    base_url: urls[name],
    api_key: keys[name],
  })
  const text = JSON.stringify({
    store: { path: join(folder, 'talkbridge.db') },
    backends: { main: backend('primary', 'main'), alt: backend('alternate', 'alt') },
    clients: [{ id: 'anna', key: 'tb_bench_0123456789abcdef', scopes: ['*'] }],
    routing: { default: 'main' },
    aliases: ALIASES,
  })
  const parsed = parseConfig({ text, format: 'json', env: {}, readFile: () => '' })
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults))
  return parsed.config
}

/** Requests of every kind, of fifty clients, some with a portrait or voice of their own that nothing else names. */
const seed = async (path: string, { backends }: Deps, main: Backend, nowMs: number): Promise<void> => {
  const requests = generator(5)
  const random = seededRandom(6)
  const db = openFile(path, { readOnly: false })
  db.exec(PRAGMAS)
  migrate(db.raw)
  // Rows go in twice as fast into memory, and without most indexes, which are made when all are in.
  db.exec(`PRAGMA cache_size = -${SEED_CACHE_KIB}`)
  const indexes = db.all(INDEXES)
  for (const { name } of indexes) db.exec(`DROP INDEX ${String(name)}`)
  db.exec('BEGIN')
  for (let n = 0; n < VIDEOS; n += 1) {
    const body = requests.primary([{ audio_url: 'https://cdn.example/speech.wav' }])
    if (random() < 0.1 && body['image_url']) body['image_url'] = `https://cdn.example/faces/${n}.png`
    const { input } = readCreateVideo(body, backends)
    const createdAtMs = nowMs - MONTH_MS + 60_000 + Math.floor((n / VIDEOS) * (MONTH_MS - 120_000))
    const id = `vid_${String(n).padStart(26, '0')}`
    const client = `client-${n % 50}`
    const wire = { method: 'POST', path: '/api/v1/videos/text', headers: {}, body: JSON.stringify(input) } as const
    const verbatim = { credits: 1, operation_id: id, status_url: `/api/v1/videos/${id}`, content_location: null }
    await putVideo(
      dbOf(db),
      completed(id, main, input, { createdAtMs, client, wire, verbatim, thumbnailUrl: 'https://cdn.example/t' }),
      null,
      [],
    )
  }
  for (const { sql } of indexes) db.exec(String(sql))
  db.exec('COMMIT')
  db.close()
}

interface Measured {
  seconds: number
  p99Ms: number
  maxMs: number
  /** From the least to the most that the heap held, what waits to be collected included. */
  grownMb: number
}

const MB = 2 ** 20

const threadMs = (): number => {
  // Of a thread alone Linux tells the CPU as of its last tick, unless the process's is asked for first.
  process.cpuUsage()
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

/** CPU that this thread spent between two of its timers of a millisecond: nobody else was answered meanwhile. */
const watch = () => {
  const heldMs: number[] = []
  let sinceMs = threadMs()
  const timer = setInterval(() => {
    const nowMs = threadMs()
    heldMs.push(nowMs - sinceMs)
    sinceMs = nowMs
  }, 1)
  return {
    end(): { p99Ms: number; maxMs: number } {
      clearInterval(timer)
      const sorted = heldMs.toSorted((a, b) => a - b)
      return { p99Ms: sorted[Math.floor(sorted.length * 0.99)] ?? 0, maxMs: sorted.at(-1) ?? 0 }
    },
  }
}

const measured = async (run: () => Promise<unknown>): Promise<Measured> => {
  const held = (): number => process.memoryUsage().heapUsed + process.memoryUsage().external
  let [least, peak] = [held(), held()]
  const sampling = setInterval(() => {
    const now = held()
    least = Math.min(least, now)
    peak = Math.max(peak, now)
  }, 5)
  const watching = watch()
  const startedMs = performance.now()
  await run()
  const seconds = (performance.now() - startedMs) / 1_000
  clearInterval(sampling)
  return { seconds, ...watching.end(), grownMb: (peak - least) / MB }
}

const textOf = ({ seconds, p99Ms, maxMs, grownMb }: Measured): string =>
  `${seconds.toFixed(1)} s, thread held p99 ${p99Ms.toFixed(1)} ms and at most ${maxMs.toFixed(0)} ms, +${grownMb.toFixed(0)} MB`

const median = (all: readonly Measured[]): Measured =>
  must(all.toSorted((a, b) => a.seconds - b.seconds)[Math.floor(all.length / 2)])

export const migrateReport = async (): Promise<Result> => {
  const folder = mkdtempSync(join(tmpdir(), 'talkbridge-bench-'))
  const clock = createSystemClock()
  const sandbox = await startSandbox({ clock, unlimitedRate: true })
  const keys = { main: sandbox.primaryKey, alt: sandbox.alternateKey }
  const config = configOf(folder, { main: sandbox.primaryUrl, alt: sandbox.alternateUrl }, keys)
  const log = createLog({ level: 'silent', format: 'json' }, { write: () => undefined }, false)
  const deps = await buildDeps({ config, clock, log, secretKey: null, random: seededRandom(1) })
  try {
    const main = must(deps.backends.get('main'))
    const nowMs = clock.now()
    await seed(config.store.path, deps, main, nowMs)
    // However long the seeding took, none of it is older.
    const sinceMs = nowMs - MONTH_MS
    const signal = new AbortController().signal
    let read = 0
    const reading = () =>
      walk(
        {
          page: (after, limit) => deps.store.recorded('main', sinceMs, after, limit),
          placeOf: ({ createdAtMs, id }) => ({ atMs: createdAtMs, id }),
          untilMs: clock.now(),
        },
        signal,
        () => void (read += 1),
      )
    const [from, to] = [must(backendOrPool('main', deps.backends)), must(backendOrPool('alt', deps.backends))]
    const report = () => deps.migration.report({ from, to, sinceMs, signal, onProgress: () => undefined })
    // Unmeasured: code is compiled, and caches are filled.
    const judged = (await report()).videos
    const bare: Measured[] = []
    const whole: Measured[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      bare.push(await measured(reading))
      whole.push(await measured(report))
    }
    const [b, w] = [median(bare), median(whole)]
    const ratio = (w.seconds / b.seconds).toFixed(1)
    // A collector that is kept waiting by others only adds to what waits to be collected.
    const grownMb = Math.min(...whole.map((one) => one.grownMb))
    const row = (what: string, goal: string, told: string, met: boolean) => ({
      what,
      goal,
      measured: told,
      optimum: null,
      met,
    })
    return {
      name: 'migrate-report',
      notes: [
        `${judged} recorded videos of a month, in a store on ${folder.startsWith('/dev/shm') ? 'memory' : 'disk'}; median of ${ROUNDS} rounds`,
        `the row "the reads only" reads and parses the same records (${read / ROUNDS} a round); the report takes ${ratio} times as long`,
      ],
      rows: [
        shownRow('the reads only', textOf(b)),
        shownRow('the report', textOf(w)),
        row('the report: time', `≤ ${GOAL_S} s`, `${w.seconds.toFixed(1)} s`, judged === VIDEOS && w.seconds <= GOAL_S),
        row(
          'the report: the thread held, p99',
          `≤ ${GOAL_SLICE_MS} ms`,
          `${w.p99Ms.toFixed(1)} ms`,
          w.p99Ms <= GOAL_SLICE_MS,
        ),
        row('the report: memory', `≤ ${GOAL_MB} MB more`, `${grownMb.toFixed(0)} MB`, grownMb <= GOAL_MB),
      ],
    }
  } finally {
    await deps.videos.stop()
    await deps.lifecycle.close()
    await sandbox.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
