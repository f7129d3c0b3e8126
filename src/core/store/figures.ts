import type { AccountId } from '../vocabulary.ts'
import type { Phase } from '../video.ts'

/** What operators watch of the whole store. */
export interface Figures {
  /** Videos that have not ended. */
  open: { backend: string; phase: Exclude<Phase, 'ended'>; videos: number }[]
  /** When the oldest of an account's waiting videos was created. */
  waiting: { account: AccountId; oldestAtMs: number }[]
  deliveries: {
    /** At most `MOST_COUNTED`. */
    pending: number
    /** When the first of them is, or was, due; null: none is pending. */
    firstDueAtMs: number | null
  }
  /** Of the store's volume; null: unknown. */
  freeBytes: number | null
}

/** Pending deliveries that are counted at most. */
export const MOST_COUNTED = 10_000

/** The part of `Store` about how much there is. */
export interface FigureStore {
  /** Its cost does not depend on how much there is. */
  figures(): Promise<Figures>
}
