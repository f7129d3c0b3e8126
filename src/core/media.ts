export type MediaKind = 'video' | 'audio' | 'image'

export interface MediaWish {
  /** Where its backend says that it is. */
  url: string
  /** Of the backend: it needs no vetting. */
  ownOrigin: string
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
