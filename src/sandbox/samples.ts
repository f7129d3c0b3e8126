import { DEFAULT_ACCOUNT } from './keys.ts'
import type { State } from './state.ts'

/** A finished job of the primary's first key, made by nobody's request: something to import. */
export const SAMPLE_JOB_ID = 'api_video_sample'

const SCRIPT = 'I was made before the gateway was there.'
const SECONDS = 3

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
    speechSeconds: SECONDS,
    voiceId: 'sandbox-en-us-ava',
    imageUrl: 'https://example.com/anna.png',
    puppetId: null,
    origin: '',
    script: SCRIPT,
    audioId: null,
    failingReads: null,
    creditsRemaining: null,
    callback: null,
  })
}
