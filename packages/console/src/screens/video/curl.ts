import type { Schema } from '../../api.ts'
import { createCommand } from '../../curl.ts'

/**
 * The create of a video as a command. Pure; null for a job that was made elsewhere, and for a video whose request is gone.
 */
export const curlOf = (video: Schema<'Video'>, origin: string): string | null => {
  if (video.source === 'import') return null
  const asked = Object.entries(video.input).filter(([, value]) => value !== null)
  if (asked.length === 0) return null
  const body = {
    ...Object.fromEntries(asked),
    ...(video.routing.chosen_by === 'request' && { backend: video.backend }),
    ...(video.warnings.length > 0 && { unsupported: 'warn' }),
    ...(video.webhook_url !== null && { webhook_url: video.webhook_url }),
    ...(Object.keys(video.metadata).length > 0 && { metadata: video.metadata }),
  }
  return createCommand(body, origin)
}
