import { createHash } from 'node:crypto'
import type { LackingView, MigrationReportView } from '../../core/api/migration.ts'
import type { VerdictWord } from '../../core/store/accounts.ts'
import { PAGE_STYLE } from './page-style.ts'
import { dayText, notesOf, numberText, partsOf, plain, shareText, titleOf, VERDICT_WORDS, type Part } from './words.ts'

/** Text of strangers in HTML, inside an element or a quoted attribute. */
const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
export const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => ESCAPES[character] ?? '')
const shown = (text: string): string => escaped(plain(text))

/** Where a colour is not seen, the weave tells the parts apart. */
const LOOKS: Readonly<Record<VerdictWord, string>> = {
  untouched: 'ok',
  warnings: 'warn',
  not_at_all: 'bad',
  unverified: 'unknown',
}

const PATTERNS = `<svg class="patterns" width="0" height="0" aria-hidden="true" focusable="false"><defs>
<pattern id="ok" width="8" height="8" patternUnits="userSpaceOnUse"><rect class="ok" width="8" height="8"/></pattern>
<pattern id="warn" width="8" height="8" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect class="warn" width="8" height="8"/><path class="weave" d="M0 0V8" stroke-width="3"/></pattern>
<pattern id="bad" width="8" height="8" patternUnits="userSpaceOnUse"><rect class="bad" width="8" height="8"/><path class="weave" d="M0 0L8 8M8 0L0 8" stroke-width="1.2"/></pattern>
<pattern id="unknown" width="8" height="8" patternUnits="userSpaceOnUse"><rect class="track" width="8" height="8"/><circle class="unknown" cx="4" cy="4" r="2"/></pattern>
</defs></svg>`

const percent = (share: number): string => `${(share * 100).toFixed(2)}%`

/** All parts beside each other; a part that is there is seen. */
const stack = (parts: readonly Part[]): string => {
  let at = 0
  const label = parts.map(({ verdict, share }) => `${VERDICT_WORDS[verdict]}: ${shareText(share)}`).join('; ')
  const rects = parts.map(({ verdict, share }) => {
    const x = at
    at += share
    return share === 0
      ? ''
      : `<rect fill="url(#${LOOKS[verdict]})" x="${percent(x)}" width="${percent(share)}" height="100%"/>`
  })
  const gaps = parts.slice(1).map((_, i) => parts.slice(0, i + 1).reduce((sum, { share }) => sum + share, 0))
  const lines = gaps
    .filter((x) => x > 0 && x < 1)
    .map((x) => `<rect class="gap" x="${percent(x)}" width="2" height="100%"/>`)
  return `<svg role="img" aria-label="${shown(label)}"><rect class="track" width="100%" height="100%"/>${rects.join('')}${lines.join('')}</svg>`
}

/** One share of one. The number stands beside it. */
const meter = (share: number, look: 'warn' | 'bad' | 'unknown' | 'accent'): string =>
  `<svg aria-hidden="true" focusable="false"><rect class="track" width="100%" height="100%"/><rect ${look === 'warn' || look === 'bad' ? `fill="url(#${look})"` : `class="${look}"`} width="${percent(share)}" height="100%"/></svg>`

const key = (verdict: VerdictWord): string =>
  `<span class="key"><svg aria-hidden="true" focusable="false"><rect fill="url(#${LOOKS[verdict]})" width="14" height="14"/></svg>${VERDICT_WORDS[verdict]}</span>`

/** A table that stays one for readers by ear where the narrow page lays its cells out as blocks. */
const table = (caption: string, heads: readonly (readonly [string, string])[], rows: readonly string[]): string => {
  const cells = heads.map(
    ([head, style]) => `<th role="columnheader" scope="col"${style === '' ? '' : ` class="${style}"`}>${head}</th>`,
  )
  return `<table role="table" aria-label="${escaped(caption)}"><thead role="rowgroup"><tr role="row">${cells.join('')}</tr></thead><tbody role="rowgroup">${rows.join('\n')}</tbody></table>`
}
const row = (head: string, cells: readonly string[]): string =>
  `<tr role="row"><th role="rowheader" scope="row">${head}</th>${cells.join('')}</tr>`
const cell = (content: string, style = '', label = ''): string =>
  `<td role="cell"${style === '' ? '' : ` class="${style}"`}${label === '' ? '' : ` data-label="${escaped(label)}"`}>${content}</td>`

const section = (title: string, what: string, body: string): string =>
  body === '' ? '' : `<section><h2>${title}</h2><p class="what">${what}</p>${body}</section>`

const overview = ({ videos, verdicts }: MigrationReportView): string => {
  const parts = partsOf(verdicts, videos)
  const cards = parts.map(
    ({ verdict, videos: count, share }) =>
      `<li class="is-${LOOKS[verdict]}"><b>${escaped(shareText(share))}</b>${key(verdict)}<span class="count">${numberText(count)} videos</span></li>`,
  )
  return `<section aria-label="Overview"><div class="whole">${stack(parts)}</div><ul class="cards">${cards.join('')}</ul></section>`
}

const losses = (report: MigrationReportView): string => {
  const rows = report.losses.map(({ verdict, videos, share, example, code, field }) => {
    const look = verdict === 'not_at_all' ? 'bad' : 'warn'
    const tag = `<span class="tag is-${look}">${verdict === 'not_at_all' ? 'does not carry over' : 'option left out'}</span>`
    return row(
      `${shown(titleOf({ code, field }))}<br><code class="soft">${shown(code)}${field === null ? '' : ` · ${shown(field)}`}</code>`,
      [
        cell(tag),
        cell(numberText(videos), 'number', 'Videos'),
        cell(escaped(shareText(share)), 'number', 'Share'),
        cell(meter(share, look), 'bars meter'),
        cell(shown(example), 'soft'),
      ],
    )
  })
  const heads = [
    ['What', ''],
    ['What happens to it', ''],
    ['Videos', 'number'],
    ['Share', 'number'],
    ['', 'bars'],
    ['Why', ''],
  ] as const
  return section(
    'What is lost',
    'One video may lose several things, so the shares can add up to more than 100 %.',
    rows.length === 0
      ? '<p>Nothing.</p>'
      : table(
          'What is lost',
          heads.map(([head, style]) => [head === '' ? '<span aria-hidden="true"></span>' : head, style]),
          rows,
        ),
  )
}

const clients = ({ clients: all, other_clients: others }: MigrationReportView): string => {
  const rows = all.map(({ client, videos, verdicts }) => {
    const parts = partsOf(verdicts, videos)
    const shares = parts.map(({ verdict, share }) => cell(escaped(shareText(share)), 'number', VERDICT_WORDS[verdict]))
    return row(shown(client), [
      cell(numberText(videos), 'number', 'Videos'),
      cell(stack(parts), 'bars stack'),
      ...shares,
    ])
  })
  const heads = [
    ['Client', ''],
    ['Videos', 'number'],
    ['All together', 'bars'],
    ['Untouched', 'number'],
    ['Options left out', 'number'],
    ['Not at all', 'number'],
    ['Unknown', 'number'],
  ] as const
  const more = others === 0 ? '' : `<p class="soft">and ${numberText(others)} videos of other clients</p>`
  return section(
    'By client',
    'Which clients can move first, and which need aliases or other requests.',
    rows.length === 0 ? '' : table('By client', heads, rows) + more,
  )
}

const lackingRow = ({ kind, id, name, language, gender, videos, candidates, alias }: LackingView): string => {
  const facts = [name, language, gender].filter((fact) => fact !== null).map(shown)
  const found = candidates.map(
    ({ id: other, name: called, score, why }) =>
      `<li><code>${shown(other)}</code>${called === null ? '' : ` ${shown(called)}`} <span class="soft">${score.toFixed(2)}: ${shown(why)}</span></li>`,
  )
  const tag =
    alias === null
      ? '<span class="tag is-warn">to be decided</span>'
      : `<span class="tag is-ok">alias ${shown(alias)}</span>`
  return row(`<code>${shown(id)}</code><br><span class="soft">${[kind, ...facts].join(', ')}</span>`, [
    cell(numberText(videos), 'number', 'Videos'),
    cell(found.length === 0 ? '<span class="soft">nothing similar</span>' : `<ol>${found.join('')}</ol>`),
    cell(tag),
  ])
}

const lacking = (report: MigrationReportView): string => {
  const { lacking: all, other_lacking: others, to } = report
  const rest = others.voices + others.portraits
  const more = rest === 0 ? '' : `<p class="soft">and ${numberText(rest)} videos with others</p>`
  const heads = [
    ['Voice or portrait', ''],
    ['Videos', 'number'],
    [`Like it on ${shown(to)}`, ''],
    ['In the block below', ''],
  ] as const
  return section(
    'Without an alias',
    `${shown(to)} does not have these, and no alias names a replacement. Candidates match by language, then gender, then name.`,
    all.length === 0 ? '' : table('Without an alias', heads, all.map(lackingRow)) + more,
  )
}

const aliases = (report: MigrationReportView): string =>
  section(
    'Aliases to paste',
    'Replace <code>aliases:</code> in your configuration with this. Good candidates are active. Decide about the comments yourself.',
    report.lacking.length === 0 ? '' : `<pre tabindex="0" aria-label="aliases, YAML">${escaped(report.aliases)}</pre>`,
  )

const observedAs = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .flatMap(([word, count]) => (count === 0 ? [] : [`${numberText(count)} ${word}`]))
    .join(', ') || '–'

const compared = ({ compared: kinds, shadow, observed, to }: MigrationReportView): string => {
  const asked = observed.videos + observed.refused
  const told = (share: number | null): string => (share === null ? '–' : escaped(shareText(share)))
  const rows = kinds.map(({ code, field, predicted, shadowed, observed: seen, warned, refused, failed }) =>
    row(`${shown(titleOf({ code, field }))}<br><code class="soft">${shown(code)}</code>`, [
      cell(told(predicted), 'number', 'Predicted'),
      cell(meter(predicted, 'unknown'), 'bars meter'),
      cell(told(shadowed), 'number', 'Shadowed'),
      cell(told(seen), 'number', 'Observed'),
      cell(meter(seen ?? 0, 'accent'), 'bars meter'),
      cell(observedAs({ warned, refused, failed }), 'soft'),
    ]),
  )
  const heads = [
    ['What', ''],
    ['Predicted', 'number'],
    ['', 'bars'],
    ['Shadowed', 'number'],
    ['Observed', 'number'],
    ['', 'bars'],
    ['Observed as', ''],
  ] as const
  const what = `Predicted: of the recorded requests. Shadowed: of ${numberText(shadow.videos)} new videos, checked as they came. Observed: of ${numberText(asked)} requests that ${shown(to)} really got in the same time.`
  return section(
    'Predicted, and observed',
    what,
    rows.length === 0 || (asked === 0 && shadow.videos === 0)
      ? ''
      : table(
          'Predicted, and observed',
          heads.map(([head, style]) => [head === '' ? '<span aria-hidden="true"></span>' : head, style]),
          rows,
        ),
  )
}

const notes = (report: MigrationReportView): string => {
  const items = notesOf(report).map((note) => `<li>${shown(note)}</li>`)
  return section(
    'Notes',
    'What the numbers do not show.',
    items.length === 0 ? '' : `<ul class="notes">${items.join('')}</ul>`,
  )
}

/** The report as one page that needs nothing else, runs nothing and shows text as text. */
export const pageOf = (report: MigrationReportView): string => {
  const { from, to, since, until, videos } = report
  const hash = createHash('sha256').update(PAGE_STYLE).digest('base64')
  const title = `Moving from ${shown(from)} to ${shown(to)}`
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
<title>${title}</title><style>${PAGE_STYLE}</style></head>
<body>${PATTERNS}<main>
<h1>Moving from ${shown(from)} <span class="arrow" aria-hidden="true">→</span> to ${shown(to)}</h1>
<p class="lead">${numberText(videos)} recorded ${videos === 1 ? 'video' : 'videos'}, ${dayText(since)} to ${dayText(until)}, judged for ${shown(to)} as they were asked for. Nothing was sent.</p>
${[overview, losses, clients, lacking, aliases, compared, notes].map((part) => part(report)).join('\n')}
<footer>Made by talkbridge migrate report, ${escaped(until)}.</footer>
</main></body></html>
`
}
