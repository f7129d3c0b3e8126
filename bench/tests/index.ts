import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Result, Row } from '../report.ts'

const ROOT = join(import.meta.dirname, '../..')

export interface Took {
  what: string
  seconds: number
  /** Null: nobody set a goal. */
  mostSeconds: number | null
  /** Whether it ended with 0. */
  passed: boolean
}

const COMMANDS = [
  { what: 'npm run test:quick', args: ['run', 'test:quick'], mostSeconds: 30 },
  { what: 'npm test', args: ['test'], mostSeconds: 360 },
  { what: 'npm run test:system', args: ['run', 'test:system'], mostSeconds: null },
]
const GATE_MOST_SECONDS = 1_800

/** What they print goes to the standard error output: a run that fails says why. */
const timed = async ({ what, args, mostSeconds }: (typeof COMMANDS)[number]): Promise<Took> => {
  const began = performance.now()
  const [code] = await once(spawn('npm', args, { cwd: ROOT, stdio: ['ignore', 2, 2] }), 'exit')
  return { what, seconds: (performance.now() - began) / 1_000, mostSeconds, passed: code === 0 }
}

/** Pure: a run that failed says nothing about its time. */
export const rowsOf = (runs: readonly Took[]): Row[] =>
  runs.map(({ what, seconds, mostSeconds, passed }) => ({
    what,
    goal: mostSeconds === null ? 'it passes' : `≤ ${mostSeconds} s`,
    measured: `${seconds.toFixed(0)} s${passed ? '' : ', and it failed'}`,
    optimum: null,
    met: passed && seconds <= (mostSeconds ?? Infinity),
  }))

/** How long the tests take. `gateSeconds`: what a run of `.ci/run` took that passed; null: nobody says. */
export const tests = async (gateSeconds: number | null): Promise<Result> => {
  const runs: Took[] = []
  for (const command of COMMANDS) runs.push(await timed(command))
  if (gateSeconds !== null)
    runs.push({ what: '.ci/run', seconds: gateSeconds, mostSeconds: GATE_MOST_SECONDS, passed: true })
  return { name: 'tests', notes: ['each once'], rows: rowsOf(runs) }
}
