import { parseArgs } from 'node:util'
import { isVariant, VARIANTS, type VariantName } from '@talkbridge/sandbox'
import { MAX_SAME_KINDS, RULES } from '../test/parity/allowed.ts'
import { reportText } from '../test/parity/report.ts'
import { run } from '../test/parity/run.ts'
import { startStage } from '../test/parity/stage.ts'
import { createTally, sameKindsOf, unmetOf } from '../test/parity/tally.ts'
import { SURFACES, type Surface } from '../test/parity/vocabulary.ts'

/**
 * `npm run parity`: asks the services and the gateway the same, and fails on a difference that no rule allows, and on a
 * rule that nothing met. Then a twentieth of it with each variant of the sandbox, or with `--variant` that one alone.
 * `--case requests:N` or `--case sequences:N` plays one case alone.
 */
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    requests: { type: 'string', default: '10000' },
    sequences: { type: 'string', default: '500' },
    surface: { type: 'string' },
    variant: { type: 'string' },
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

const named = values.variant
if (named !== undefined && !isVariant(named))
  throw new RangeError(`--variant: ${named} is none of ${Object.keys(VARIANTS).join(', ')}`)
const variants = named === undefined ? Object.keys(VARIANTS).filter(isVariant) : [named]
const A_PART = 20

const [kind, number = ''] = values.case?.split(':') ?? []
const casesOf = (of: 'requests' | 'sequences'): number[] => {
  if (kind === undefined) return upTo(count(values[of], of))
  return kind === of ? [count(number, 'case')] : []
}

const seed = count(values.seed, 'seed')
const [requests, sequences] = [casesOf('requests'), casesOf('sequences')]
/** All of the standard, and of what is named. */
const partOf = (cases: number[], variant: VariantName): number[] =>
  variant === 'standard' || named !== undefined ? cases : cases.slice(0, Math.ceil(cases.length / A_PART))
const lengthOf = (variant: VariantName): number => partOf(requests, variant).length + partOf(sequences, variant).length
const total = surfaces.length * variants.reduce((sum, variant) => sum + lengthOf(variant), 0)
let done = 0
let unexplained = 0
let shownAtMs = 0
const progress = (more: number): void => {
  done += more
  if (!process.stderr.isTTY || (performance.now() - shownAtMs < 200 && done < total)) return
  shownAtMs = performance.now()
  process.stderr.write(`\r${done} of ${total} cases, ${unexplained} kinds unexplained `)
}

/** Whether a run with this variant found nothing but what is declared. */
const isFine = async (variant: VariantName): Promise<boolean> => {
  const tally = createTally(RULES)
  const cases = { requests: partOf(requests, variant), sequences: partOf(sequences, variant) }
  for (const surface of surfaces) await run({ surface, variant, seed, ...cases, tally, start: startStage, progress })
  unexplained += tally.unexplained.size
  // One case alone cannot meet every rule, nor can a variant without the lane that has the other interface behind.
  const meetsAll = kind === undefined && variant === 'standard'
  const unmet = meetsAll ? surfaces.flatMap((surface) => unmetOf(RULES, surface, tally)) : []
  const sameKinds = sameKindsOf(tally)
  process.stdout.write(`\n${reportText({ seed, variant, tally, unmet, sameKinds })}\n`)
  const areFew = sameKinds.length <= MAX_SAME_KINDS
  if (!areFew) process.stdout.write(`At most ${MAX_SAME_KINDS} kinds are allowed with the same interface behind\n`)
  return tally.unexplained.size === 0 && unmet.length === 0 && areFew
}

for (const variant of variants) if (!(await isFine(variant))) process.exitCode = 1
