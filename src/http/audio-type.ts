import { AUDIO_TYPES } from '../core/api/videos.ts'

/** What storage says of a file of which it was told nothing. */
const NOTHING_SAID = new Set(['', 'application/octet-stream', 'binary/octet-stream'])

/** Names that servers give to what backends take under another: RFC 2361 and the WHATWG's for WAV, old ones for MP3. */
const SYNONYMS: ReadonlyMap<string, string> = new Map([
  ['audio/vnd.wave', 'audio/wav'],
  ['audio/wave', 'audio/wav'],
  ['audio/x-mp3', 'audio/mpeg'],
  ['audio/x-mpeg', 'audio/mpeg'],
])

/** By its first bytes; null: none of those that backends take. */
const sniff = (head: Buffer): string | null => {
  const ascii = (from: number, to: number): string => head.toString('latin1', from, to)
  if (ascii(0, 4) === 'RIFF' && ascii(8, 12) === 'WAVE') return 'audio/wav'
  if (ascii(4, 8) === 'ftyp') return 'audio/mp4'
  // An ID3 tag, or the sync word of an MPEG audio frame of layer III.
  const isFrame = head[0] === 0xff && ((head[1] ?? 0) & 0xe6) === 0xe2
  return ascii(0, 3) === 'ID3' || isFrame ? 'audio/mpeg' : null
}

/** How many first bytes are enough. */
export const SNIFFED_BYTES = 12

/** Parameters aside, in lower case, under the name that backends know. */
const saidBy = (contentType: string | undefined): string => {
  const said = (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
  return SYNONYMS.get(said) ?? said
}

/**
 * The media type to hand on: as the answer's `Content-Type` says; where it says nothing of use, as the bytes do. Null:
 * not audio that a backend takes.
 */
export const audioTypeOf = (contentType: string | undefined, head: Buffer): string | null => {
  const said = saidBy(contentType)
  return NOTHING_SAID.has(said) ? sniff(head) : (AUDIO_TYPES.find((known) => known === said) ?? null)
}

/** Whether the header alone rules it out, before a byte is read. */
export const isOtherType = (contentType: string | undefined): boolean =>
  !NOTHING_SAID.has(saidBy(contentType)) && audioTypeOf(contentType, Buffer.alloc(0)) === null
