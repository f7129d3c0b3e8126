import type { HostedUpload } from './adapter.ts'
import type { ProblemCode } from './errors.ts'
import type { AccountId } from './vocabulary.ts'

export type MediaKind = 'video' | 'audio' | 'image'

export interface MediaWish {
  /** Where its backend says that it is. */
  url: string
  /**
   * The base URL of its backend, whose origin needs no vetting; null: somebody else gave the URL, and all of it is
   * vetted.
   */
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

/** Fetched audio, in a file of the gateway's. Anyone who holds it must remove it. */
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

/** Audio that a client reserved a place for on a backend. Times are milliseconds since the epoch. */
export interface UploadRecord {
  /** `upl_…` */
  id: string
  client: string
  account: AccountId
  backend: string
  contentType: string
  sizeBytes: number
  /** Where the backend reads it, with the latest signature. */
  audioUrl: string
  createdAtMs: number
}

/** Whose upload an `audio_url` is, whatever its signature. `foreign`: another client's. */
type AudioKnown = { kind: 'own'; upload: UploadRecord } | { kind: 'foreign' } | { kind: 'unknown' }

/** How a create finds the upload that it names. */
export interface UploadLookup {
  /** Null for an unknown one and for another client's alike. */
  byId(client: string, id: string): Promise<UploadRecord | null>
  byUrl(client: string, audioUrl: string): Promise<AudioKnown>
}

/** Letters, digits and `-._~` mean the same percent-encoded (RFC 3986, 6.2.2.2). */
const UNRESERVED = /%(2[DdEe]|3\d|[46][1-9A-Fa-f]|[57][\dAa]|5[Ff]|7[Ee])/g

/**
 * Identifies a hosted file by its URL without query and fragment: another signature is the same file. All spellings of
 * one URL become one, so that nobody reaches a file by another spelling.
 */
export const unsignedUrl = (url: string): string => {
  const { protocol, host, hostname, pathname } = new URL(url)
  const path = pathname.replaceAll(UNRESERVED, (encoded) => decodeURIComponent(encoded))
  return `${protocol}//${host.replace(hostname, hostname.replace(/\.$/, ''))}${path}`
}
