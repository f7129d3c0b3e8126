import type { MigrationReportView, VerdictCounts, LackingView } from '../core/api/migration.ts'
import { VERDICTS, type VerdictWord } from '../core/store/accounts.ts'
import { createHash } from 'node:crypto'
import { numberText, plain } from './context.ts'

/** How the report's facts are said to people, on the terminal and on the page. */

export const VERDICT_WORDS: Readonly<Record<VerdictWord, string>> = {
  untouched: 'Carries over untouched',
  warnings: 'Carries over, with options left out',
  not_at_all: 'Does not carry over',
  unverified: 'Cannot be verified now',
}

interface Part {
  verdict: VerdictWord
  videos: number
  share: number
}

export const partsOf = (counts: VerdictCounts, videos: number): Part[] =>
  VERDICTS.map((verdict) => ({ verdict, videos: counts[verdict], share: videos === 0 ? 0 : counts[verdict] / videos }))

const FIELDS: Readonly<Record<string, string>> = {
  voice_id: 'voice',
  puppet_id: 'puppet',
  image_url: 'image URL',
  audio_url: 'audio',
  upload_id: 'uploaded audio',
}
const fieldWord = (field: string | null): string => (field === null ? 'request' : (FIELDS[field] ?? field))

export const titleOf = ({ code, field }: { code: string; field: string | null }): string => {
  const what = fieldWord(field)
  switch (code) {
    case 'option_ignored':
      return `${what}: left out`
    case 'voice_not_found':
    case 'puppet_not_found':
      return `${what}: not there`
    case 'capability_not_supported':
      return `${what}: not supported`
    default:
      return `${what}: refused`
  }
}

/** One decimal; what is there at all is not shown as nothing. */
export const shareText = (share: number): string =>
  share > 0 && share < 0.001 ? '< 0.1 %' : `${(share * 100).toFixed(1)} %`
/** What became of what is lost. */
export const fateText = (verdict: VerdictWord): string =>
  verdict === 'not_at_all' ? 'does not carry over' : 'option left out'
export const factsOf = ({ name, language, gender }: LackingView): string[] =>
  [name, language, gender].filter((fact) => fact !== null)
export const recordedText = (count: number): string =>
  `${numberText(count)} recorded ${count === 1 ? 'video' : 'videos'}`
export const videosText = (count: number): string => `${numberText(count)} ${count === 1 ? 'video' : 'videos'}`
/** Requests that the new backend really got. */
export const askedOf = ({ observed }: MigrationReportView): number => observed.videos + observed.refused
/** Whether there is anything to compare with what was predicted. */
export const isCompared = (report: MigrationReportView): boolean =>
  report.compared.length > 0 && askedOf(report) + report.shadow.videos > 0
export const dayText = (iso: string): string => iso.slice(0, 10)

/** Facts that a reader must know to read the numbers. */
export const notesOf = (report: MigrationReportView): string[] => {
  const { from, to, imported, pinned, default_voices: defaults, catalogues, unverified, shadow } = report
  const note = (is: boolean, text: string): string[] => (is ? [text] : [])
  return [
    ...catalogues.flatMap(({ backend, problem }) =>
      problem === null
        ? []
        : [`The catalogue of ${backend} could not be read (${problem}): the report cannot tell what depends on it.`],
    ),
    ...unverified.map(
      ({ field, videos: count }) => `${videosText(count)}: ${fieldWord(field)} cannot be verified now.`,
    ),
    ...note(pinned.request > 0, `Pinned to ${from} by its name: ${videosText(pinned.request)}, which no rule moves.`),
    ...note(
      pinned.id > 0,
      `Pinned to ${from} by an id (${from}:…) or an upload there: ${videosText(pinned.id)}, which no rule moves.`,
    ),
    ...note(defaults > 0, `${videosText(defaults)} without a voice: ${to} uses its own default voice.`),
    ...note(imported > 0, `Imported: ${videosText(imported)}, without a request to check.`),
    ...note(shadow.dropped > 0, `${videosText(shadow.dropped)} got no shadow verdict, because too many came at once.`),
  ]
}

/** Light and dark, wide and narrow, on screen and on paper. No colour is the only sign of anything. */
const PAGE_STYLE = `
:root {
  color-scheme: light dark;
  --paper: light-dark(#f6f5f1, #131519); --card: light-dark(#fff, #1b1e24); --ink: light-dark(#1c1e22, #ebeae6);
  --soft: light-dark(#575c66, #a7adb8); --line: light-dark(#dcdad3, #30343d); --track: light-dark(#e9e7e0, #2a2e36);
  --ok: light-dark(#2c7a4b, #5fc48a); --warn: light-dark(#a86400, #e6ab45); --bad: light-dark(#b0302a, #f2877d);
  --unknown: light-dark(#6a7080, #9ba3b2); --accent: light-dark(#2456a6, #8db6f5);
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
main { max-width: 1120px; margin: 0 auto; padding: clamp(16px, 4vw, 40px); }
h1 { font-size: 32px; line-height: 1.15; margin: 0 0 6px; } h2 { font-size: 20px; margin: 0 0 4px; } p { margin: 0 0 12px; }
section { background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: 22px 24px; margin-top: 20px; overflow-x: auto; }
code, pre { font-family: ui-monospace, monospace; font-size: 13px; }
svg { display: block; width: 100%; border-radius: 3px; print-color-adjust: exact; }
.whole svg { height: 34px; } .stack svg { height: 14px; } .meter svg { height: 10px; }
.ok { fill: var(--ok); } .warn { fill: var(--warn); } .bad { fill: var(--bad); } .unknown { fill: var(--unknown); }
.track { fill: var(--track); } .accent { fill: var(--accent); } .gap { fill: var(--card); } .weave { stroke: var(--card); }
.cards { list-style: none; display: grid; grid-template-columns: repeat(auto-fit, minmax(190px, 1fr)); gap: 14px; margin: 18px 0 0; padding: 0; }
.cards b { display: block; font-size: 28px; line-height: 1.2; } .cards .key, .cards .soft { display: block; }
.key svg { display: inline-block; width: 14px; height: 14px; margin-right: 6px; vertical-align: -2px; }
table { width: 100%; min-width: 640px; border-collapse: collapse; margin-top: 12px; font-size: 14.5px; }
th, td { text-align: left; padding: 9px 12px 9px 0; vertical-align: top; border-top: 1px solid var(--line); }
thead > * > * { border-top: 0; color: var(--soft); font-size: 13px; }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.bars { width: 200px; padding-top: 14px; } .soft { color: var(--soft); font-weight: 400; font-size: 14px; }
.tag { border: 1px solid currentColor; border-radius: 99px; padding: 0 9px; font-size: 12.5px; white-space: nowrap; }
.tag.is-bad { color: var(--bad); } .tag.is-warn { color: var(--warn); } .tag.is-ok { color: var(--ok); }
ol, ul { margin: 0; padding-left: 18px; }
pre { background: var(--paper); border: 1px solid var(--line); border-radius: 8px; padding: 14px 16px; white-space: pre-wrap; }
@media print { :root { color-scheme: light; } body { font-size: 12px; } tr, .cards li { break-inside: avoid; } h2 { break-after: avoid; } }
`

/** Text of strangers in HTML, inside an element or a quoted attribute. */
const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const shown = (text: string): string => plain(text).replaceAll(/[&<>"']/g, (character) => ESCAPES[character] ?? '')

/** Where a colour is not seen, the weave distinguishes the parts. */
const LOOKS: Readonly<Record<VerdictWord, string>> = {
  untouched: 'ok',
  warnings: 'warn',
  not_at_all: 'bad',
  unverified: 'unknown',
}

const PATTERNS = `<svg width="0" height="0" aria-hidden="true"><defs>
<pattern id="ok" width="8" height="8" patternUnits="userSpaceOnUse"><rect class="ok" width="8" height="8"/></pattern>
<pattern id="warn" width="8" height="8" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect class="warn" width="8" height="8"/><path class="weave" d="M0 0V8" stroke-width="3"/></pattern>
<pattern id="bad" width="8" height="8" patternUnits="userSpaceOnUse"><rect class="bad" width="8" height="8"/><path class="weave" d="M0 0L8 8M8 0L0 8" stroke-width="1.2"/></pattern>
<pattern id="unknown" width="8" height="8" patternUnits="userSpaceOnUse"><rect class="track" width="8" height="8"/><circle class="unknown" cx="4" cy="4" r="2"/></pattern>
</defs></svg>`

const percent = (share: number): string => `${(share * 100).toFixed(2)}%`
const TRACK = '<rect class="track" width="100%" height="100%"/>'

/** All parts beside each other; a part that is there is seen. */
const stack = (parts: readonly Part[]): string => {
  let at = 0
  const label = parts.map(({ verdict, share }) => `${VERDICT_WORDS[verdict]}: ${shareText(share)}`).join('; ')
  const rects = parts.map(({ verdict, share }) => {
    const x = at
    at += share
    const gap = x > 0 && x < 1 ? `<rect class="gap" x="${percent(x)}" width="2" height="100%"/>` : ''
    return `<rect fill="url(#${LOOKS[verdict]})" x="${percent(x)}" width="${percent(share)}" height="100%"/>${gap}`
  })
  return `<svg role="img" aria-label="${shown(label)}">${TRACK}${rects.join('')}</svg>`
}

/** One share of one. The number is beside it. */
const meter = (share: number, fill: string): string =>
  td(`<svg aria-hidden="true">${TRACK}<rect ${fill} width="${percent(share)}" height="100%"/></svg>`, 'bars meter')

const key = (verdict: VerdictWord): string =>
  `<span class="key"><svg aria-hidden="true"><rect fill="url(#${LOOKS[verdict]})" width="14" height="14"/></svg>${VERDICT_WORDS[verdict]}</span>`

const td = (content: string, style: 'number' | 'bars meter' | 'bars stack' | 'soft' | '' = ''): string =>
  `<td${style && ` class="${style}"`}>${content}</td>`
const number = (text: string): string => td(shown(text), 'number')
const row = (head: string, ...cells: readonly string[]): string =>
  `<tr><th scope="row">${head}</th>${cells.join('')}</tr>`

/** No rows: nothing. `#`: a column of numbers. */
const table = (caption: string, heads: readonly string[], rows: readonly string[]): string => {
  if (rows.length === 0) return ''
  const headed = heads.map((head) => {
    if (head === '') return td('')
    return head.startsWith('#')
      ? `<th scope="col" class="number">${head.slice(1)}</th>`
      : `<th scope="col">${head}</th>`
  })
  return `<table role="table" aria-label="${caption}"><thead><tr>${headed.join('')}</tr></thead><tbody>${rows.join('\n')}</tbody></table>`
}

const section = (title: string, what: string, body: string): string =>
  body === '' ? '' : `<section><h2>${title}</h2><p class="soft">${what}</p>${body}</section>`

const overview = ({ videos, verdicts }: MigrationReportView): string => {
  const parts = partsOf(verdicts, videos)
  const cards = parts.map(
    ({ verdict, videos: count, share }) =>
      `<li><b>${shown(shareText(share))}</b>${key(verdict)}<span class="soft">${numberText(count)} videos</span></li>`,
  )
  return `<section aria-label="Overview"><div class="whole">${stack(parts)}</div><ul class="cards">${cards.join('')}</ul></section>`
}

/** What else there is, that is not listed. */
const rest = (videos: number, of: string): string =>
  videos === 0 ? '' : `<p class="soft">and ${numberText(videos)} videos ${of}</p>`

/** What is lost, by its name, and by that of the API. */
const lossTitle = (kind: { code: string; field: string | null }, said: string): string =>
  `${shown(titleOf(kind))}<br><code class="soft">${shown(said)}</code>`

const losses = ({ losses: all }: MigrationReportView): string => {
  const rows = all.map(({ verdict, videos, share, example, ...kind }) => {
    const look = verdict === 'not_at_all' ? 'bad' : 'warn'
    return row(
      lossTitle(kind, kind.field === null ? kind.code : `${kind.code} · ${kind.field}`),
      td(`<span class="tag is-${look}">${fateText(verdict)}</span>`),
      number(numberText(videos)),
      number(shareText(share)),
      meter(share, `fill="url(#${look})"`),
      td(shown(example), 'soft'),
    )
  })
  return section(
    'What is lost',
    'One video may lose several things, so the shares can add up to more than 100 %.',
    table('What is lost', ['What', 'What happens to it', '#Videos', '#Share', '', 'Why'], rows) || '<p>Nothing.</p>',
  )
}

const clients = ({ clients: all, other_clients: others }: MigrationReportView): string => {
  const rows = all.map(({ client, videos, verdicts }) => {
    const parts = partsOf(verdicts, videos)
    const shares = parts.map(({ share }) => number(shareText(share)))
    return row(shown(client), number(numberText(videos)), td(stack(parts), 'bars stack'), ...shares)
  })
  const heads = ['Client', '#Videos', 'All together', '#Untouched', '#Options left out', '#Not at all', '#Unknown']
  const listed = table('By client', heads, rows)
  return section(
    'By client',
    'Which clients can move first, and which need aliases or other requests.',
    listed && listed + rest(others, 'of other clients'),
  )
}

const lackingRow = (lacking: LackingView): string => {
  const { kind, id, videos, candidates, alias } = lacking
  const found = candidates.map(
    ({ id: other, name: called, score, why }) =>
      `<li><code>${shown(other)}</code>${called === null ? '' : ` ${shown(called)}`} <span class="soft">${score.toFixed(2)}: ${shown(why)}</span></li>`,
  )
  const [look, tag] = alias === null ? ['warn', 'to be decided'] : ['ok', `alias ${shown(alias)}`]
  return row(
    `<code>${shown(id)}</code><br><span class="soft">${[kind, ...factsOf(lacking).map(shown)].join(', ')}</span>`,
    number(numberText(videos)),
    td(found.length === 0 ? '<span class="soft">nothing similar</span>' : `<ol>${found.join('')}</ol>`),
    td(`<span class="tag is-${look}">${tag}</span>`),
  )
}

const lacking = ({ lacking: all, other_lacking: others, to }: MigrationReportView): string => {
  const heads = ['Voice or portrait', '#Videos', `Like it on ${shown(to)}`, 'In the block below']
  const listed = table('Without an alias', heads, all.map(lackingRow))
  return section(
    'Without an alias',
    `${shown(to)} does not have these, and no alias names a replacement. Candidates match by language, then gender, then name.`,
    listed && listed + rest(others.voices + others.portraits, 'with others'),
  )
}

const compared = (report: MigrationReportView): string => {
  if (!isCompared(report)) return ''
  const told = (share: number | null): string => number(share === null ? '–' : shareText(share))
  const rows = report.compared.map(({ code, field, predicted, shadowed, observed, ...counts }) => {
    const as = Object.entries(counts).flatMap(([word, count]) => (count === 0 ? [] : [`${numberText(count)} ${word}`]))
    return row(
      lossTitle({ code, field }, code),
      told(predicted),
      meter(predicted, 'class="unknown"'),
      told(shadowed),
      told(observed),
      meter(observed ?? 0, 'class="accent"'),
      td(as.join(', ') || '–', 'soft'),
    )
  })
  const heads = ['What', '#Predicted', '', '#Shadowed', '#Observed', '', 'Observed as']
  return section(
    'Predicted, and observed',
    `Predicted: of the recorded requests. Shadowed: of ${numberText(report.shadow.videos)} new videos, checked as they came. Observed: of ${numberText(askedOf(report))} requests that ${shown(report.to)} really got in the same time.`,
    table('Predicted, and observed', heads, rows),
  )
}

/** The report as one page that needs nothing else, runs nothing and shows text as text. */
export const pageOf = (report: MigrationReportView): string => {
  const { from, to, since, until, videos } = report
  const hash = createHash('sha256').update(PAGE_STYLE).digest('base64')
  const notes = notesOf(report).map((note) => `<li>${shown(note)}</li>`)
  // Of several lines: nothing of it may be replaced but what HTML would read.
  const aliases = report.aliases.replaceAll(/[&<>]/g, (character) => ESCAPES[character] ?? '')
  const parts = [
    overview(report),
    losses(report),
    clients(report),
    lacking(report),
    section(
      'Aliases to paste',
      'Replace <code>aliases:</code> in your configuration with this. Good candidates are active. Decide about the comments yourself.',
      report.lacking.length === 0 ? '' : `<pre tabindex="0" aria-label="aliases, YAML">${aliases}</pre>`,
    ),
    compared(report),
    section('Notes', 'What the numbers do not show.', notes.length === 0 ? '' : `<ul>${notes.join('')}</ul>`),
  ]
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Moving from ${shown(from)} to ${shown(to)}</title><style>${PAGE_STYLE}</style></head>
<body>${PATTERNS}<main>
<h1>Moving from ${shown(from)} <span aria-hidden="true">→</span> to ${shown(to)}</h1>
<p class="soft">${recordedText(videos)}, ${dayText(since)} to ${dayText(until)}, judged for ${shown(to)} as they were asked for. Nothing was sent.</p>
${parts.join('\n')}
<footer class="soft">Made by talkbridge migrate report, ${shown(until)}.</footer>
</main></body></html>
`
}
