import type { OpenVideo } from '../../src/core/store/videos.ts'
import { T0 } from './records.ts'

/** What the store tells of a video that runs: plain, and with one thing changed by each test. */
export const openVideo = (given: Partial<OpenVideo> = {}): OpenVideo => ({
  id: 'vid_1',
  client: 'acme',
  phase: 'accepted',
  dueAtMs: T0,
  leaseUntilMs: null,
  version: 1,
  backend: 'main',
  acceptedAtMs: T0,
  lastHintAtMs: null,
  hasWebhook: false,
  linkOwed: false,
  source: 'text',
  ...given,
})
