import type { Job } from '../state.ts'
import type { World } from '../world.ts'
import type { Sound } from './requests.ts'

/** By the MIME type that an upload was reserved for. */
const CONTAINERS: Readonly<Record<string, Sound['container']>> = {
  'audio/wav': 'wav',
  'audio/x-wav': 'wav',
  'audio/mpeg': 'mp3',
  'audio/mp3': 'mp3',
  'audio/mp4': 'mp4',
  'audio/m4a': 'mp4',
  'audio/x-m4a': 'mp4',
}

export const MIME_TYPES: readonly string[] = Object.keys(CONTAINERS)

/** The hosted audio that is heard in a job's video; `null` for a text, and for audio that is kept no longer. */
export const soundOf = ({ state, blobs }: World, { audioId }: Job): Sound | null => {
  const audio = audioId === null ? undefined : state.audio.get(audioId)
  const container = audio && CONTAINERS[audio.mimeType]
  return audio && container ? { path: blobs.path(audio.id), container } : null
}
