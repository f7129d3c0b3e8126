import type { CreateContext } from '../../core/adapter.ts'
import type { Order, WireRequest } from '../../core/video.ts'
import { stated } from '../shared/read.ts'

/** POST /v1/videos. The same order and context give the same bytes. */
export const createRequest = (order: Order, { callbackUrl }: CreateContext): WireRequest => ({
  method: 'POST',
  path: '/v1/videos',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(
    stated({
      script: order.text,
      puppet_id: order.puppetId,
      voice_id: order.voiceId,
      resolution: order.resolution,
      webhook_url: callbackUrl,
    }),
  ),
})
