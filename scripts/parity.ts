import { parseArgs } from 'node:util'
import { MAX_SAME_KINDS, RULES } from '../test/parity/allowed.ts'
import { reportText } from '../test/parity/report.ts'
import { run } from '../test/parity/run.ts'
import { startStage } from '../test/parity/stage.ts'
import { createTally, sameKindsOf, unmetOf } from '../test/parity/tally.ts'
import { SURFACES, type Surface } from '../test/parity/vocabulary.ts'

/**
 * `npm run parity`: asks the services and the gateway the same, and fails on a difference that no rule allows, and on a
 * rule that nothing met. `--case requests:N` or `--case sequences:N` plays one case alone.
 */
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    requests: { type: 'string', default: '10000' },
    sequences: { type: 'string', default: '500' },
    surface: { type: 'string' },
    case: { type: 'string' },
  },
})

const count = (text: string, name: string): number => {
  const value = Number(text)
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`--${name}: ${text} is no whole number`)
  return value
}
const upTo = (many: number): number[] => Array.from({ length: many }, (_, number) => number)

const surfaces: readonly Surface[] = SURFACES.filter((name) => values.surface === undefined || name === values.surface)
if (surfaces.length === 0) throw new RangeError(`--surface: ${values.surface} is none of ${SURFACES.join(', ')}`)

const [kind, number = ''] = values.case?.split(':') ?? []
const casesOf = (of: 'requests' | 'sequences'): number[] => {
  if (kind === undefined) return upTo(count(values[of], of))
  return kind === of ? [count(number, 'case')] : []
}

const seed = count(values.seed, 'seed')
const [requests, sequences] = [casesOf('requests'), casesOf('sequences')]
const tally = createTally(RULES)
const total = surfaces.length * (requests.length + sequences.length)
let done = 0
let shownAtMs = 0
const progress = (more: number): void => {
  done += more
  if (!process.stderr.isTTY || (performance.now() - shownAtMs < 200 && done < total)) return
  shownAtMs = performance.now()
  process.stderr.write(`\r${done} of ${total} cases, ${tally.unexplained.size} kinds unexplained `)
}

for (const surface of surfaces) {
  await run({ surface, seed, requests, sequences, tally, start: startStage, progress })
}

// One case alone cannot meet every rule.
const unmet = kind === undefined ? surfaces.flatMap((surface) => unmetOf(RULES, surface, tally)) : []
const sameKinds = sameKindsOf(tally)
process.stdout.write(`\n${reportText({ seed, tally, unmet, sameKinds })}\n`)
if (sameKinds.length > MAX_SAME_KINDS) {
  process.stdout.write(
    `${sameKinds.length} kinds with the same interface behind: at most ${MAX_SAME_KINDS} are allowed\n`,
  )
}
const isFine = tally.unexplained.size === 0 && unmet.length === 0 && sameKinds.length <= MAX_SAME_KINDS
process.exitCode = isFine ? 0 : 1
