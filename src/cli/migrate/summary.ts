import type { MigrationReportView } from '../../core/api/migration.ts'
import { dayText, notesOf, numberText, partsOf, plain, shareText, titleOf, VERDICT_WORDS } from './words.ts'

const BAR = 24
const LISTED = 12

export const bar = (share: number, width = BAR): string => {
  const full = Math.round(Math.min(Math.max(share, 0), 1) * width)
  return '█'.repeat(full) + '░'.repeat(width - full)
}

type Align = 'left' | 'right'

/** Columns as wide as their widest cell. */
const table = (rows: readonly (readonly string[])[], aligns: readonly Align[]): string[] => {
  const widths = aligns.map((_, i) => Math.max(0, ...rows.map((row) => row[i]?.length ?? 0)))
  return rows.map((row) => {
    const cells = row.map((cell, i) => {
      const width = widths[i] ?? 0
      return aligns[i] === 'right' ? cell.padStart(width) : cell.padEnd(width)
    })
    return `  ${cells.join('  ')}`.trimEnd()
  })
}

const section = (title: string, lines: readonly string[]): string[] => (lines.length === 0 ? [] : ['', title, ...lines])
const more = (count: number, what: string): string[] => (count > 0 ? [`  … and ${numberText(count)} more ${what}`] : [])

const lossLines = ({ losses }: MigrationReportView): string[] =>
  table(
    losses.map(({ verdict, videos, share, example, ...kind }) => [
      titleOf(kind),
      numberText(videos),
      shareText(share),
      bar(share, 12),
      verdict === 'not_at_all' ? 'does not carry over' : 'option left out',
      plain(example),
    ]),
    ['left', 'right', 'right', 'left', 'left', 'left'],
  )

const clientLines = ({ clients, other_clients: others }: MigrationReportView): string[] => [
  ...table(
    [
      ['client', 'videos', 'untouched', 'warnings', 'not at all', 'unknown'],
      ...clients
        .slice(0, LISTED)
        .map(({ client, videos, verdicts }) => [
          plain(client),
          numberText(videos),
          ...partsOf(verdicts, videos).map(({ share }) => shareText(share)),
        ]),
    ],
    ['left', 'right', 'right', 'right', 'right', 'right'],
  ),
  ...more(Math.max(0, clients.length - LISTED), 'clients'),
  ...more(others, 'videos of clients that are not listed'),
]

const lackingLines = ({ lacking, other_lacking: others }: MigrationReportView): string[] => [
  ...lacking.slice(0, LISTED).flatMap(({ kind, id, name, language, gender, videos, candidates, alias }) => {
    const facts = [name, language, gender].filter((fact) => fact !== null).map(plain)
    const head = `  ${kind} ${plain(id)}${facts.length > 0 ? ` (${facts.join(', ')})` : ''}: ${numberText(videos)} videos`
    const found = candidates.map(
      ({ id: other, score, why }) => `      ${score.toFixed(2)}  ${plain(other)}  ${plain(why)}`,
    )
    const end = [
      `      ${alias === null ? 'to be decided: a comment below' : `in the aliases below as ${plain(alias)}`}`,
    ]
    return [head, ...(found.length > 0 ? found : ['      nothing similar']), ...end]
  }),
  ...more(Math.max(0, lacking.length - LISTED), 'voices and portraits: see --json or --html'),
  ...more(others.voices + others.portraits, 'videos with others'),
]

const comparedLines = ({ compared, observed, shadow }: MigrationReportView): string[] => {
  const asked = observed.videos + observed.refused
  if (compared.length === 0 || (asked === 0 && shadow.videos === 0)) return []
  const told = (share: number | null): string => (share === null ? '–' : shareText(share))
  return [
    ...table(
      [
        ['', 'predicted', `shadowed (${numberText(shadow.videos)})`, `observed (${numberText(asked)})`],
        ...compared.map(({ predicted, shadowed, observed: seen, ...kind }) => [
          titleOf(kind),
          shareText(predicted),
          told(shadowed),
          told(seen),
        ]),
      ],
      ['left', 'right', 'right', 'right'],
    ),
  ]
}

/** The report for a terminal. */
export const summaryOf = (report: MigrationReportView): string => {
  const { from, to, videos, verdicts, since, until, aliases, lacking } = report
  const head = `${from} → ${to}: ${numberText(videos)} recorded ${videos === 1 ? 'video' : 'videos'}, ${dayText(since)} to ${dayText(until)}`
  const parts = partsOf(verdicts, videos).map(({ verdict, videos: count, share }) => [
    VERDICT_WORDS[verdict],
    bar(share),
    numberText(count),
    shareText(share),
  ])
  return `${[
    head,
    '',
    ...table(parts, ['left', 'left', 'right', 'right']),
    ...section('What is lost', lossLines(report)),
    ...section('By client', clientLines(report)),
    ...section('Without an alias', lackingLines(report)),
    ...section('Predicted, and observed since', comparedLines(report)),
    ...section(
      'Notes',
      notesOf(report).map((note) => `  ${plain(note)}`),
    ),
    ...(lacking.length === 0
      ? []
      : section('Aliases: replace those in your configuration with these', ['', aliases.trimEnd()])),
  ].join('\n')}\n`
}
