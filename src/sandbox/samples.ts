import { DEFAULT_ACCOUNT } from './keys.ts'
import type { State } from './state.ts'

/** Finished jobs of the primary's first key, made by nobody's request: one to import, and that of an example. */
const SAMPLES = [
  { id: 'api_video_sample', script: 'I was made before the gateway was there.' },
  { id: 'api_video_7Hq2', script: 'Hello from Talkbridge.' },
]

const AGE_MS = 24 * 3_600_000

const seedJob = (state: State, nowMs: number, { id, script }: (typeof SAMPLES)[number]): void => {
  if (state.jobs.get(id)) return
  const madeAtMs = nowMs - AGE_MS
  state.jobs.put(id, {
    id,
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
    script,
    audioId: null,
    failingReads: null,
    creditsRemaining: null,
    callback: null,
  })
}

export const seedSampleJobs = (state: State, nowMs: number): void => {
  for (const sample of SAMPLES) seedJob(state, nowMs, sample)
}
