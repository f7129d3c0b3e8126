import type { VideoRecord } from '../video.ts'

/** What would become of a video on another backend. `unverified`: only that backend's catalogue, or itself, can tell. */
export const VERDICTS = ['untouched', 'warnings', 'not_at_all', 'unverified'] as const
export type VerdictWord = (typeof VERDICTS)[number]

/** One kind of loss: a code and the field that it is about; null: none. */
export interface LossKind {
  code: string
  field: string | null
}

/** What a create of one backend would have been on another. */
export interface ShadowRecord {
  videoId: string
  atMs: number
  from: string
  to: string
  verdict: VerdictWord
  kinds: LossKind[]
}

/** Creates of one day (`2026-11-20`, UTC) that were refused and left no video. */
export interface RefusalCount extends LossKind {
  day: string
  backend: string
  count: number
}

/** The last item that was read; null: from the beginning. */
export type Place = { atMs: number; id: string } | null

/** The part of `Store` that a move from one backend to another is judged by. */
export interface RecordedStore {
  /** Keeps them, but for those of videos that are gone, or were kept before. Not durable at once. */
  putShadows(shadows: readonly ShadowRecord[]): Promise<void>
  /** Adds to what is counted. Not durable at once. */
  countRefusals(counts: readonly RefusalCount[]): Promise<void>
  /** Removes up to `limit` counts of the days before that of `beforeMs`. Shadows go with their videos. */
  purgeRefusals(beforeMs: number, limit: number): Promise<number>

  // Reads, each indexed.
  /** Videos of a backend that were created at `sinceMs` or later, behind `after`, oldest first. */
  recorded(backend: string, sinceMs: number, after: Place, limit: number): Promise<VideoRecord[]>
  /** Shadows from one backend to another of `sinceMs` or later, behind `after`, oldest first. */
  shadows(from: string, to: string, sinceMs: number, after: Place, limit: number): Promise<ShadowRecord[]>
  /** The counts of a backend from the day of `sinceMs` on. */
  refusals(backend: string, sinceMs: number): Promise<RefusalCount[]>
}
