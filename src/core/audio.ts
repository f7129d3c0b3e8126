import type { HostedUpload } from './adapter.ts'
import type { ProblemCode } from './errors.ts'

/** Audio that was fetched, in a file of the gateway's own. Whoever has it removes it. */
export interface SpooledAudio {
  contentType: string
  sizeBytes: number
  /** Sends the file where a backend reserved room for it. `ownOrigin`: the backend's, which needs no vetting. */
  put(upload: HostedUpload, ownOrigin: string, signal: AbortSignal): Promise<PutOutcome>
  remove(): Promise<void>
}

/** `refused`: this place takes it no more, or never did. `failed`: it may take it another time. */
export type PutOutcome = { kind: 'stored' } | { kind: 'refused' | 'failed'; message: string }

export type FetchOutcome =
  | { ok: true; audio: SpooledAudio }
  | {
      ok: false
      code: Extract<
        ProblemCode,
        'audio_url_not_allowed' | 'audio_unreachable' | 'file_too_large' | 'unsupported_media_type'
      >
      /** Public: names no address and no URL. */
      message: string
      retryable: boolean
    }

/** Carries audio from a URL that somebody gave us to a place that a backend reserved. */
export interface AudioCarrier {
  /** What a URL says by itself: null, or why it may not be fetched. */
  fault(url: string): string | null
  /**
   * Fetches it once, through the address guard, bounded in size and time. Whatever the other side does is an outcome;
   * rejects for a fault of ours alone (the disk, mostly), or when `signal` aborts.
   */
  fetch(url: string, signal: AbortSignal): Promise<FetchOutcome>
}
