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
