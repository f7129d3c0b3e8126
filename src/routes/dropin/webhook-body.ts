import type { OwnBody } from '../../engine/index.ts'
import { webhookBody } from './alternate/webhook.ts'

/** What a video's own `webhook_url` is sent in place of the event: the words of the contract that it was made by. */
export const ownWebhookBody: OwnBody = (video, event) =>
  video.surface === 'alternate' ? webhookBody(video, event) : null
