import type { HostedUpload } from './adapter.ts'
import type { ProblemCode } from './errors.ts'

export type MediaKind = 'video' | 'audio' | 'image'

export interface MediaWish {
  /** Where its backend says that it is. */
  url: string
  /** The base URL of its backend, whose origin needs no vetting; null: somebody else gave the URL, and all of it is vetted. */
  own: URL | null
  kind: MediaKind
  /** Which part of it is wanted. */
  headers: Readonly<Record<string, string>>
}

export interface Media {
  status: number
  headers: Readonly<Record<string, string>>
  /** Null: there is none. Throws where it breaks off. */
  body: AsyncIterable<Buffer> | null
}

/** Begins to read a medium; throws `backend_error`. `gone`: nobody wants it any more. */
export type MediaCarrier = (wish: MediaWish, gone: AbortSignal) => Promise<Media>

/** Fetched audio, in a file of the gateway's. Whoever holds it must remove it. */
export interface SpooledAudio {
  contentType: string
  sizeBytes: number
  /** Sends the file where a backend reserved room for it. `ownOrigin`: the backend's, which needs no vetting. */
  put(upload: HostedUpload, ownOrigin: string, signal: AbortSignal): Promise<PutOutcome>
  remove(): Promise<void>
}

/** `refused`: this place cannot be used any more. `failed`: it may work another time. */
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
   * Fetches it once, through the address guard, bounded in size and time. Whatever the other side does is an outcome.
   * Rejects only for a fault of ours (mostly the disk), or when `signal` aborts.
   */
  fetch(url: string, signal: AbortSignal): Promise<FetchOutcome>
}
