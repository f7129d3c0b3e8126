import type { CliContext } from '../context.ts'
import { paints } from '../demo/screen.ts'
import type { Section } from './checks.ts'
import { LEVELS, type Finding, type Level } from './findings.ts'

export interface Diagnosis {
  readonly file: string
  readonly sections: readonly Section[]
  /** Requests that each account's backend counts. */
  readonly requests: Readonly<Record<string, number>>
}

export const findingsOf = ({ sections }: Pick<Diagnosis, 'sections'>): readonly Finding[] =>
  sections.flatMap((section) => section.findings)

const countOf = (diagnosis: Diagnosis, level: Level): number =>
  findingsOf(diagnosis).filter((finding) => finding.level === level).length

export const hasFault = (diagnosis: Diagnosis): boolean => countOf(diagnosis, 'fault') > 0

/** Whether a person looks, who wants colours. */
export const isColoured = ({ env, isTty }: Pick<CliContext, 'env' | 'isTty'>): boolean => isTty && !env['NO_COLOR']

/** Each finding with the check that made it. */
export const flat = ({ sections }: Diagnosis): (Finding & { check: string })[] =>
  sections.flatMap(({ name, findings }) => findings.map((finding) => ({ check: name, ...finding })))

/** For machines: one object, one line. */
export const asJson = (diagnosis: Diagnosis): string => {
  const counts = Object.fromEntries(LEVELS.map((level) => [level, countOf(diagnosis, level)]))
  const { file, requests } = diagnosis
  return `${JSON.stringify({ file, ok: !hasFault(diagnosis), counts, requests, findings: flat(diagnosis) })}\n`
}

const WIDTH = Math.max(...LEVELS.map((level) => level.length))

const plural = (n: number, word: string): string => `${n} ${word}${n === 1 ? '' : 's'}`

const summary = (diagnosis: Diagnosis): string => {
  const counted = LEVELS.toReversed().flatMap((level) => {
    const n = countOf(diagnosis, level)
    return n === 0 || level === 'ok' ? [] : [plural(n, level)]
  })
  const spent = Object.entries(diagnosis.requests).map(([name, n]) => `${n} of ${name}`)
  const requests = spent.length === 0 ? '' : ` Requests spent: ${spent.join('; ')}.`
  return `${counted.length === 0 ? 'All is well' : counted.join(', ')}.${requests}`
}

/** For people. Pure. */
export const asText = (diagnosis: Diagnosis, coloured: boolean): string => {
  const paint = paints(coloured)
  const colours = { ok: paint.green, hint: paint.cyan, warning: paint.yellow, fault: paint.red }
  const lines = ({ level, about, found, advice }: Finding): string[] => [
    `  ${colours[level](level.padEnd(WIDTH))}  ${about}: ${found}`,
    ...(advice === null || level === 'ok' ? [] : [`  ${' '.repeat(WIDTH)}  ${paint.dim(`→ ${advice}`)}`]),
  ]
  const sections = diagnosis.sections.map(({ name, findings }) =>
    [paint.bold(name), ...findings.flatMap(lines), ''].join('\n'),
  )
  return `${sections.join('\n')}\n${summary(diagnosis)}\n`
}
