import type { VerdictCounts, ComparedView } from '../core/api/migration.ts'
import type { LossKind, VerdictWord, RefusalCount } from '../core/store/accounts.ts'
import type { VideoRecord } from '../core/video.ts'
import type { Entry } from '../engine/create/route.ts'
import { HIDDEN } from './aliases.ts'
import type { Named, Loss, Verdict } from './verdict.ts'
import { isProblemCode, type ProblemCode } from '../core/errors.ts'
import { faultyField } from '../engine/upstream/ask.ts'

/** Counts of whatever comes: at most `limit` different things, and all others together. */
export const createTop = <T extends object>(limit: number) => {
  const known = new Map<string, { thing: T; videos: number }>()
  let others = 0
  return {
    /** Answers what is counted under this key; null: it is one of the others. */
    add(key: string, thing: () => T): T | null {
      const one = known.get(key) ?? (known.size < limit ? { thing: thing(), videos: 0 } : null)
      if (one === null) {
        others += 1
        return null
      }
      one.videos += 1
      known.set(key, one)
      return one.thing
    },
    /** The most frequent first; of equals, the first that came. */
    list: () =>
      [...known.values()]
        .toSorted((a, b) => b.videos - a.videos)
        .map(({ thing, videos }): T & { videos: number } => ({ ...thing, videos })),
    others: () => others,
  }
}

export const keyOfKind = ({ code, field }: { code: string; field: string | null }): string => `${code}:${field ?? ''}`

/** A part of a whole, from 0 to 1; 0 of nothing. */
export const shareOf = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole)

/** Kinds of loss are few; clients are those of the configuration, and those of before. */
const KINDS_AT_MOST = 200
const CLIENTS_AT_MOST = 500
/** Of voices, and of portraits, each with an id or a URL of up to 2 kB. */
const NAMED_AT_MOST = 2_000

export const noVerdicts = (): VerdictCounts => ({ untouched: 0, warnings: 0, not_at_all: 0, unverified: 0 })

export interface SeenLoss extends LossKind {
  verdict: VerdictWord
  example: string
}

/** What is missing, by the name of the old backend. */
export interface SeenNamed {
  kind: Named['kind']
  id: string
}

/** A query often signs the image for an hour. The report is handed around, and counts the same image as one. */
export const withoutQuery = (url: string): string => url.replace(/\?.*$/s, HIDDEN)

const seenOf = (kind: Named['kind'], entry: Entry): SeenNamed =>
  typeof entry === 'string' ? { kind, id: entry } : { kind: 'image', id: withoutQuery(entry.image_url) }

/** Everything that is counted on the walk through what was recorded: as much memory for a million videos as for a thousand. */
export const createTallies = () => {
  const verdicts = noVerdicts()
  const losses = createTop<SeenLoss>(KINDS_AT_MOST)
  const unverified = createTop<{ field: string }>(KINDS_AT_MOST)
  const clients = createTop<{ client: string; verdicts: VerdictCounts }>(CLIENTS_AT_MOST)
  const lacking = { voices: createTop<SeenNamed>(NAMED_AT_MOST), portraits: createTop<SeenNamed>(NAMED_AT_MOST) }
  const pinned = { request: 0, id: 0 }
  let defaultVoices = 0

  const countLoss = ({ code, field, message }: Loss, verdict: VerdictWord) =>
    losses.add(keyOfKind({ code, field }), () => ({
      code,
      field,
      verdict: verdict === 'not_at_all' ? verdict : 'warnings',
      example: message,
    }))

  return {
    count({ client, input, routing }: VideoRecord, { verdict, losses: lost, unverified: fields }: Verdict): void {
      verdicts[verdict] += 1
      const counted = clients.add(client, () => ({ client, verdicts: noVerdicts() }))
      if (counted) counted.verdicts[verdict] += 1
      for (const loss of lost) countLoss(loss, verdict)
      for (const field of fields) unverified.add(field, () => ({ field }))
      if (routing.chosen_by === 'request' || routing.chosen_by === 'id') pinned[routing.chosen_by] += 1
      if (input.voice_id === null && input.text !== null) defaultVoices += 1
    },
    countLacking(kind: Named['kind'], entry: Entry): void {
      const seen = seenOf(kind, entry)
      lacking[kind === 'voice' ? 'voices' : 'portraits'].add(`${seen.kind}\0${seen.id}`, () => seen)
    },
    verdicts,
    losses,
    unverified,
    clients,
    lacking,
    pinned,
    defaultVoices: () => defaultVoices,
  }
}
export type Tallies = ReturnType<typeof createTallies>

/** Refusals that say something of the request. The others are about the moment, the credits or the gateway. */
const ABOUT_THE_REQUEST: ReadonlySet<string> = new Set<ProblemCode>([
  'invalid_request',
  'invalid_image',
  'upload_not_found',
  'upload_not_finished',
  'voice_not_found',
  'puppet_not_found',
  'not_found',
  'payload_too_large',
  'file_too_large',
  'capability_not_supported',
  'audio_url_not_allowed',
  'audio_unreachable',
])

type Observed = Pick<ComparedView, 'code' | 'field' | 'warned' | 'refused' | 'failed'>

const NO_ERROR = { status: null, code: null, block_code: null, message: null }

/** What became of the requests that the new backend really got. */
export const createObserved = () => {
  const kinds = new Map<string, Observed>()
  const totals = { videos: 0, refused: 0, failed: 0 }
  const of = (code: string, field: string | null): Observed => {
    const key = keyOfKind({ code, field })
    const known = kinds.get(key) ?? { code, field, warned: 0, refused: 0, failed: 0 }
    kinds.set(key, known)
    return known
  }
  return {
    totals,
    kinds,
    video({ input, warnings, error, status }: Pick<VideoRecord, 'input' | 'warnings' | 'error' | 'status'>): void {
      totals.videos += 1
      for (const { code, param } of warnings) of(code, param).warned += 1
      if (status !== 'failed' || error === null) return
      totals.failed += 1
      const { code, backend_error: backendError } = error
      const field = isProblemCode(code) ? faultyField({ code, backendError: backendError ?? NO_ERROR }, input) : null
      of(code, field).failed += 1
    },
    refusals(counts: readonly RefusalCount[]): void {
      for (const { code, field, count } of counts) {
        if (!ABOUT_THE_REQUEST.has(code)) continue
        totals.refused += count
        of(code, field).refused += count
      }
    },
  }
}

interface Predicted {
  code: string
  field: string | null
  videos: number
}

/** Kinds of loss side by side: foretold of the records and by shadows, and met. The most foretold first. */
export const compare = (
  predicted: { kinds: readonly Predicted[]; videos: number },
  shadowed: { kinds: readonly Predicted[]; videos: number },
  observed: Pick<ReturnType<typeof createObserved>, 'kinds' | 'totals'>,
): ComparedView[] => {
  const { totals, kinds } = observed
  const asked = totals.videos + totals.refused
  const all = new Map<string, { code: string; field: string | null }>()
  for (const one of [...predicted.kinds, ...shadowed.kinds, ...kinds.values()]) all.set(keyOfKind(one), one)
  const countIn = (list: readonly Predicted[], key: string): number =>
    list.find((one) => keyOfKind(one) === key)?.videos ?? 0
  return [...all]
    .map(([key, { code, field }]): ComparedView => {
      const { warned, refused, failed } = kinds.get(key) ?? { warned: 0, refused: 0, failed: 0 }
      return {
        code,
        field,
        predicted: shareOf(countIn(predicted.kinds, key), predicted.videos),
        shadowed: shadowed.videos === 0 ? null : shareOf(countIn(shadowed.kinds, key), shadowed.videos),
        observed: asked === 0 ? null : shareOf(warned + refused + failed, asked),
        warned,
        refused,
        failed,
      }
    })
    .toSorted((a, b) => b.predicted - a.predicted || (b.observed ?? 0) - (a.observed ?? 0))
}
