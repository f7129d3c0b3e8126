import type { AudioCarrier } from '../../core/audio.ts'
import { Problem } from '../../core/errors.ts'
import { unsignedUrl, type UploadLookup, type UploadRecord } from '../../core/uploads.ts'
import type { VideoInput } from '../../core/video.ts'

/** What a video is spoken from, as far as it can be told before a backend is chosen. */
export type Source =
  | { kind: 'text'; text: string }
  /** The client's own upload, named by its id or its URL: it lies on one account, and what it has last been signed as goes there. */
  | { kind: 'upload'; param: AudioParam; upload: UploadRecord }
  /** Hosted by the backend for somebody, or not at all: only the backend can tell. */
  | { kind: 'external'; param: 'audio_url'; audioUrl: string }

export type AudioParam = 'audio_url' | 'upload_id'

const refusal = (code: 'upload_not_found' | 'invalid_request', param: AudioParam, message: string): Problem =>
  new Problem(code, message, { param, errors: [{ path: param, message }] })

/** Another client's upload is as good as none: the account may be shared, so that its backend would not tell them apart. */
const noUpload = (param: AudioParam): Problem => refusal('upload_not_found', param, 'there is no such upload')

/** What an `audio_url` is, looked up once: it decides both the idempotency and the source. Null: there is none. */
export const lookUpAudio = (uploads: UploadLookup, client: string, { audio_url: url }: VideoInput) =>
  url === null ? null : uploads.byUrl(client, url)
export type Known = Awaited<ReturnType<typeof lookUpAudio>>

/** The input as an idempotency key knows it: rotated signatures of one hosted upload are one input (design 3). */
export const comparable = (input: VideoInput, known: Known): VideoInput =>
  known?.kind === 'own' && input.audio_url !== null ? { ...input, audio_url: unsignedUrl(input.audio_url) } : input

/** Throws `upload_not_found` for an upload that is not the client's, and 400 for plain http that no exception covers. */
export const sourceOf = async (
  { uploads, carrier }: { uploads: UploadLookup; carrier: Pick<AudioCarrier, 'fault'> },
  client: string,
  { text, audio_url: url, upload_id: uploadId }: VideoInput,
  known: Known,
): Promise<Source> => {
  if (text !== null) return { kind: 'text', text }
  if (uploadId !== null) {
    const upload = await uploads.byId(client, uploadId)
    if (!upload) throw noUpload('upload_id')
    return { kind: 'upload', param: 'upload_id', upload }
  }
  if (url === null) throw new Error('a video has a source: the request was checked')
  if (known?.kind === 'foreign') throw noUpload('audio_url')
  if (known?.kind === 'own') return { kind: 'upload', param: 'audio_url', upload: known.upload }
  if (new URL(url).protocol !== 'https:' && carrier.fault(url) !== null) {
    throw refusal('invalid_request', 'audio_url', 'must be an https URL')
  }
  return { kind: 'external', param: 'audio_url', audioUrl: url }
}

/** What goes to the backend. */
export const audioUrlOf = (source: Source): string | null => {
  switch (source.kind) {
    case 'text':
      return null
    case 'upload':
      // Its signature may be over: the backend signs it anew (primary contract, "Audio rules").
      return source.upload.audioUrl
    case 'external':
      return source.audioUrl
  }
}

/** What routing needs to know of it. */
export const audioOf = (source: Source) =>
  source.kind === 'text' ? null : { param: source.param, upload: source.kind === 'upload' ? source.upload : null }
