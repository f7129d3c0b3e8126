export type Resolution = '720p' | '1080p'

export const SIZE_PX: Readonly<Record<Resolution, { readonly widthPx: number; readonly heightPx: number }>> = {
  '720p': { widthPx: 1_280, heightPx: 720 },
  '1080p': { widthPx: 1_920, heightPx: 1_080 },
}

/** Who is seen: one of the sandbox's own people, or the bytes of a PNG, JPEG or WebP with somebody to stand in. */
export type Sitter =
  | { readonly kind: 'drawn'; readonly portraitId: string }
  | { readonly kind: 'picture'; readonly bytes: Uint8Array; readonly elsePortraitId: string }

/** A file to be heard: hosted audio. */
export interface Sound {
  readonly path: string
  /** What it is said to be; nothing else is tried. */
  readonly container: 'wav' | 'mp3' | 'mp4'
}

export interface SpeechRequest {
  readonly kind: 'speech'
  readonly text: string
  readonly voice: string
  /** Of the file. */
  readonly seconds: number
}

export interface VideoRequest {
  readonly kind: 'video'
  readonly text: string
  readonly voice: string
  readonly seconds: number
  readonly resolution: Resolution
  readonly sitter: Sitter
  /** Heard in the place of the text, for as long as it is; where it cannot be read, the text is spoken. */
  readonly sound: Sound | null
}

export type MediaRequest = SpeechRequest | VideoRequest
