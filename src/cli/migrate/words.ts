import type { MigrationReportView, VerdictCounts } from '../../core/api/migration.ts'
import { VERDICTS, type VerdictWord } from '../../core/store/accounts.ts'

/** How the report's facts are said to people, on the terminal and on the page. */

export const VERDICT_WORDS: Readonly<Record<VerdictWord, string>> = {
  untouched: 'Carries over untouched',
  warnings: 'Carries over, with options left out',
  not_at_all: 'Does not carry over',
  unverified: 'Cannot be verified now',
}

export interface Part {
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

const NUMBER = new Intl.NumberFormat('en-US')
export const numberText = (count: number): string => NUMBER.format(count)
/** One decimal; what is there at all is not shown as nothing. */
export const shareText = (share: number): string =>
  share > 0 && share < 0.001 ? '< 0.1 %' : `${(share * 100).toFixed(1)} %`
export const dayText = (iso: string): string => iso.slice(0, 10)

/** Facts that a reader must know to read the numbers. */
export const notesOf = (report: MigrationReportView): string[] => {
  const { from, to, imported, pinned, default_voices: defaults, catalogues, unverified, shadow } = report
  const note = (is: boolean, text: string): string[] => (is ? [text] : [])
  const videos = (count: number): string => `${numberText(count)} ${count === 1 ? 'video' : 'videos'}`
  return [
    ...catalogues.flatMap(({ backend, problem }) =>
      problem === null
        ? []
        : [`The catalogue of ${backend} could not be read (${problem}): the report cannot tell what depends on it.`],
    ),
    ...unverified.map(({ field, videos: count }) => `${videos(count)}: ${fieldWord(field)} cannot be verified now.`),
    ...note(pinned.request > 0, `${videos(pinned.request)} name the backend ${from} itself: no rule moves them.`),
    ...note(
      pinned.id > 0,
      `${videos(pinned.id)} name an id of ${from} (${from}:…) or an upload there: no rule moves them.`,
    ),
    ...note(defaults > 0, `${videos(defaults)} without a voice: ${to} uses its own default voice.`),
    ...note(imported > 0, `${videos(imported)} were imported: there is no request to check.`),
    ...note(shadow.dropped > 0, `${videos(shadow.dropped)} got no shadow verdict, because too many came at once.`),
  ]
}

/** Text of strangers (ids, names) without what would move a terminal's cursor. */
export const plain = (text: string): string => text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '\ufffd')
