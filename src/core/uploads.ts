import type { AccountId } from './vocabulary.ts'

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
export type AudioKnown = { kind: 'own'; upload: UploadRecord } | { kind: 'foreign' } | { kind: 'unknown' }

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
