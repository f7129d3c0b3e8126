import type { VariantName } from '@talkbridge/sandbox'
import type { Comparison } from './asking.ts'
import type { Divergence } from './compare.ts'
import type { Exchange } from './exchange.ts'
import type { Met, Tally, Unexplained } from './tally.ts'

interface Run {
  readonly seed: number
  readonly variant: VariantName
}

const MAX_SHOWN_CHARS = 3_000
const MAX_SORTS = 200
const MAX_PLACES = 12

const cut = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most)}… (${text.length} characters)`

const shown = (value: unknown): string => (value === undefined ? '(absent)' : cut(JSON.stringify(value), 200))

const indented = (text: string): string => text.replaceAll(/^/gm, '    ')

/** Both halves of an exchange as they went over the wire. */
const exchangeText = ({ ask, answer }: Exchange): string => {
  const { headers = [], body = '' } = ask
  const request = [
    `${ask.method} ${ask.path}`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
    ...(ask.authorization === undefined ? [] : [`Authorization: ${ask.authorization ?? '(none)'}`]),
    '',
    cut(Buffer.from(body).toString(), MAX_SHOWN_CHARS),
  ]
  const reply = [
    `${answer.status || 'no answer'}`,
    ...answer.headers.map(([name, value]) => `${name}: ${value}`),
    '',
    cut(answer.body.toString(), MAX_SHOWN_CHARS),
  ]
  return indented(`${request.join('\n').trimEnd()}\n\n${reply.join('\n')}`)
}

export const divergenceLine = ({ place, kind, direct, gateway }: Divergence): string =>
  `${place} (${kind}): the service ${shown(direct)}, the gateway ${shown(gateway)}`

const comparisonText = ({ direct, gateway, client, lane }: Comparison): string =>
  [`  the service, to ${client}:`, exchangeText(direct), `  the gateway, lane ${lane}:`, exchangeText(gateway)].join(
    '\n',
  )

/** A run that plays this case alone. */
const command = ({ seed, variant }: Run, { surface, name }: Pick<Met, 'surface' | 'name'>): string =>
  `npm run parity -- --variant ${variant} --seed ${seed} --surface ${surface} --case ${name}`

const metText = ({ lane, id, surface, count, example, divergence, name }: Met, run: Run): string => {
  const { direct, gateway, operation } = example
  const statuses = `${operation}: ${direct.answer.status} there, ${gateway.answer.status} here`
  const lines = [`${statuses}; ${divergenceLine(divergence)}`, command(run, { surface, name })]
  return [`  ${surface} ${lane} ${id}: ${count} answers`, ...lines.map((line) => `      ${line}`)].join('\n')
}

const firstText = (one: Unexplained, run: Run): string =>
  [
    `FIRST UNEXPLAINED: ${one.surface} ${one.about}`,
    ...one.divergences.map((divergence) => `  ${divergenceLine(divergence)}`),
    comparisonText(one.example),
    `  again: ${command(run, one)}`,
  ].join('\n')

/** Of one sort of request: what differs, and how often. */
const sortText = (about: string, found: readonly Unexplained[], run: Run): string => {
  const lines = found
    .toSorted((a, b) => b.count - a.count)
    .slice(0, MAX_PLACES)
    .map(({ count, divergence }) => `      ${count} × ${divergenceLine(divergence)}`)
  const [first] = found
  return [`  ${about}`, ...lines, ...(first ? [`      ${command(run, first)}`] : [])].join('\n')
}

export interface Findings extends Run {
  readonly tally: Tally
  readonly unmet: readonly string[]
  readonly sameKinds: readonly string[]
}

/** What a run found, for somebody who reads it in a terminal. */
export const reportText = ({ seed, variant, tally, unmet, sameKinds }: Findings): string => {
  const run = { seed, variant }
  const unexplained = [...tally.unexplained.values()]
  const [first] = unexplained
  const sorts = [...Map.groupBy(unexplained, ({ surface, about }) => `${surface} ${about}`)].slice(0, MAX_SORTS)
  return [
    `${tally.comparisons} comparisons, variant ${variant}, seed ${seed}`,
    '',
    `Allowed differences that were met (${sameKinds.length} kinds with the same interface behind):`,
    ...[...tally.met.values()].map((met) => metText(met, run)),
    ...(unmet.length > 0 ? ['', `ALLOWED, BUT NEVER MET: ${unmet.join(', ')}`] : []),
    ...(first ? ['', firstText(first, run), '', `UNEXPLAINED, ${unexplained.length} kinds:`] : []),
    ...sorts.map(([about, found]) => sortText(about, found, run)),
  ].join('\n')
}
