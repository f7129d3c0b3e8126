import type { ComparedView } from '../core/api/migration.ts'
import { isProblemCode, type ProblemCode } from '../core/errors.ts'
import type { RefusalCount } from '../core/store/accounts.ts'
import type { VideoRecord } from '../core/video.ts'
import { faultyField } from '../engine/upstream/ask.ts'
import { keyOfKind, shareOf } from './counts.ts'

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
  count: number
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
    list.find((one) => keyOfKind(one) === key)?.count ?? 0
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
