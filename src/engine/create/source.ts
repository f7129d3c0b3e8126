import type { AudioCarrier } from '../../core/audio.ts'
import { fieldProblem, type Problem } from '../../core/errors.ts'
import { unsignedUrl, type UploadLookup, type UploadRecord } from '../../core/uploads.ts'
import type { VideoInput } from '../../core/video.ts'

/** What a video is spoken from, as far as it can be told before a backend is chosen. */
export type Source =
  | { kind: 'text'; text: string }
  /** The client's own upload, named by id or URL. Its backend is sent the latest signed URL of it. */
  | { kind: 'upload'; param: AudioParam; upload: UploadRecord }
  /** Hosted by the backend for somebody, or not at all: only the backend can tell. */
  | { kind: 'external'; param: 'audio_url'; audioUrl: string }

export type AudioParam = 'audio_url' | 'upload_id'

/** Another client's upload is answered like none: on a shared account the backend would not tell them apart. */
const noUpload = (param: AudioParam): Problem =>
  fieldProblem('upload_not_found', param, 'you have no upload with this id')

/** What an `audio_url` is. Looked up once, for the idempotency key and for the source. Null: there is none. */
export const lookUpAudio = (uploads: UploadLookup, client: string, { audio_url: url }: VideoInput) =>
  url === null ? null : uploads.byUrl(client, url)
export type Known = Awaited<ReturnType<typeof lookUpAudio>>

/** The input as an idempotency key compares it: one hosted upload is one input, whatever signature its URL carries. */
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
    throw fieldProblem('invalid_request', 'audio_url', 'audio_url must be an https URL')
  }
  return { kind: 'external', param: 'audio_url', audioUrl: url }
}

/** What goes to the backend. */
export const audioUrlOf = (source: Source): string | null => {
  switch (source.kind) {
    case 'text':
      return null
    case 'upload':
      // Its signature may have expired: the backend signs it again (primary contract, "Audio rules").
      return source.upload.audioUrl
    case 'external':
      return source.audioUrl
  }
}

/** What routing needs to know of it. */
export const audioOf = (source: Source) =>
  source.kind === 'text' ? null : { param: source.param, upload: source.kind === 'upload' ? source.upload : null }
