import { DEFAULT_ACCOUNT } from './keys.ts'
import type { State } from './state.ts'

/** A finished job of the primary's first key, made by nobody's request: something to import. */
const SAMPLE_JOB_ID = 'api_video_sample'

const AGE_MS = 24 * 3_600_000

export const seedSampleJob = (state: State, nowMs: number): void => {
  if (state.jobs.get(SAMPLE_JOB_ID)) return
  const madeAtMs = nowMs - AGE_MS
  state.jobs.put(SAMPLE_JOB_ID, {
    id: SAMPLE_JOB_ID,
    interface: 'primary',
    keyId: 'key_primary',
    account: DEFAULT_ACCOUNT,
    createdAtMs: madeAtMs,
    startsAtMs: madeAtMs,
    endsAtMs: madeAtMs,
    outcome: 'completed',
    resolution: '720p',
    speechSeconds: 3,
    voiceId: 'sandbox-en-us-ava',
    imageUrl: 'https://example.com/anna.png',
    puppetId: null,
    origin: '',
    script: 'I was made before the gateway was there.',
    audioId: null,
    failingReads: null,
    creditsRemaining: null,
    callback: null,
  })
}
