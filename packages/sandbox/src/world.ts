import type { Job, Blobs, Links, Rates, State } from './state.ts'
import type { Decisions } from './undecided.ts'
import { iso, type Clock, type Hint, type NewId } from './clock.ts'
import type { Faults, Ledger } from './faults.ts'

/** The magic inputs: outcomes on demand, written into a text or a URL. Listed by `GET /sandbox/scenarios`. */
export const SCENARIOS = {
  fail: 'The job is accepted and charged, and then fails. Not retryable.',
  'fail-retryable': 'The job is accepted and charged, and then fails. Retryable.',
  slow: 'The job takes ten times as long.',
  stuck: 'The job is accepted and never ends; it keeps its slot.',
  'no-credits': 'The create is refused with 402, whatever the credit balance.',
  'slots-full': 'The create is refused with 429 concurrent_job_limit_reached, however many jobs run (primary).',
  'quota-exceeded': 'The create is refused with 429 for a monthly quota: not retryable (primary).',
  'asset-error': 'The create is refused with 502: the asset could not be created (primary).',
  unavailable: 'The create is refused with 503.',
  'invalid-image': 'The create is refused with 400 invalid_image (primary; in the script or the image URL).',
  'audio-check-unavailable':
    'An audio create is refused with 400 hosted_audio_upload_unavailable (primary; in the audio or the image URL).',
  'status-502': 'The first two status reads of the job answer 502 (primary).',
  'status-504': 'The first two status reads of the job answer 504 (primary).',
  'never-callback': 'The alternate interface never calls the webhook_url of this video.',
  'callback-twice': 'The alternate interface calls the webhook_url of this video twice.',
  'foreign-twin':
    "Somebody else's identical video appears on the account, even if a fault hides the create itself (alternate).",
} as const satisfies Record<string, string>

export type Scenario = keyof typeof SCENARIOS

const isScenario = (name: string): name is Scenario => Object.hasOwn(SCENARIOS, name)

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The magic inputs found in `texts`, also where a URL percent-encodes the brackets. Unknown names are plain text. */
export const scenariosIn = (...texts: string[]): ReadonlySet<Scenario> =>
  new Set(
    texts
      .flatMap((text) => [text, decoded(text)])
      .flatMap((text) => [...text.matchAll(/\[\[([a-z0-9-]+)\]\]/g)].map((match) => match[1] ?? ''))
      .filter(isScenario),
  )

/** What a job is at one moment. `queued` exists only in the primary's vocabulary; the alternate says processing. */
export type Phase =
  | { readonly status: 'queued' }
  | { readonly status: 'processing'; readonly progress: number }
  | { readonly status: 'completed'; readonly endedAtMs: number }
  | { readonly status: 'failed'; readonly endedAtMs: number; readonly retryable: boolean }

/** The job's phase at `nowMs`: a pure function of its times, so that a restart or a jumping clock loses nothing. */
const phaseOf = (job: Job, nowMs: number, stuckProgress: number): Phase => {
  if (job.endsAtMs !== null && nowMs >= job.endsAtMs) {
    return job.outcome === 'completed'
      ? { status: 'completed', endedAtMs: job.endsAtMs }
      : { status: 'failed', endedAtMs: job.endsAtMs, retryable: job.outcome === 'failed_retryable' }
  }
  if (nowMs < job.startsAtMs) return { status: 'queued' }
  const share =
    job.endsAtMs === null ? stuckProgress : (nowMs - job.startsAtMs) / Math.max(1, job.endsAtMs - job.startsAtMs)
  return { status: 'processing', progress: Math.min(0.99, Math.floor(share * 100) / 100) }
}

export const isOver = (job: Job, nowMs: number): boolean => job.endsAtMs !== null && nowMs >= job.endsAtMs

/** One draw of the standard normal distribution (Box–Muller), from two uniform ones. */
const normal = (random: () => number): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())

export const speechSecondsOf = (textLength: number, timing: Decisions['timing']): number =>
  Math.max(1, Math.ceil(textLength / timing.charsPerSpeechSecond))

/** When a new job starts and ends, and how. Times are milliseconds, already divided by `speed`. */
export const planJob = (
  input: { nowMs: number; speechSeconds: number; scenarios: ReadonlySet<Scenario>; speed: number },
  timing: Decisions['timing'],
  random: () => number,
): Pick<Job, 'startsAtMs' | 'endsAtMs' | 'outcome'> => {
  const { nowMs, speechSeconds, scenarios, speed } = input
  const medianMs = timing.fixedMs + timing.perSpeechSecondMs * speechSeconds
  const spread = Math.exp(timing.sigma * Math.max(-3, Math.min(3, normal(random))))
  const totalMs = (medianMs * spread * (scenarios.has('slow') ? timing.slowFactor : 1)) / speed
  return {
    startsAtMs: Math.round(nowMs + totalMs * timing.queuedShare),
    endsAtMs: scenarios.has('stuck') ? null : Math.round(nowMs + totalMs),
    outcome: scenarios.has('fail') ? 'failed' : scenarios.has('fail-retryable') ? 'failed_retryable' : 'completed',
  }
}

/** A small seeded generator (mulberry32): the same seed gives the same durations in every run. */
export const seeded = (seed: number): (() => number) => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** What every part of the sandbox works with; put together once, in index.ts. */
export interface World {
  readonly clock: Clock
  readonly decisions: Decisions
  /** Divides job durations, rate windows, hints and expiries. */
  readonly speed: number
  /** `credits` lifts all that a month sells: credits, voice characters, uploads, and the storage. */
  readonly unlimited: { readonly credits: boolean; readonly slots: boolean }
  /** Name of the decisions, for those who ask. */
  readonly variant: string
  readonly state: State
  readonly newId: NewId
  /** Seeded: the durations of a run can be repeated. */
  readonly random: () => number
  readonly rates: Rates
  readonly ledger: Ledger
  readonly faults: Faults
  readonly links: Links
  readonly blobs: Blobs
  /** Aborts when the sandbox is closed: whatever waits, stops. */
  readonly closing: AbortSignal
}

/** The moment `ms` of service time from now. */
export const after = (world: Pick<World, 'clock' | 'speed'>, ms: number): number => world.clock.now() + ms / world.speed

/** A wait of `ms` of service time as a hint: whole seconds, at least 1, and the moment they end. */
export const hint = (world: Pick<World, 'clock' | 'speed'>, ms: number): Hint => {
  const seconds = Math.max(1, Math.ceil(ms / world.speed / 1000))
  return { seconds, atMs: world.clock.now() + seconds * 1000 }
}

/** The world at this moment, for all that one answer says: a job may end while the answer is written. */
export const atOnce = (world: World): World => {
  const nowMs = world.clock.now()
  return { ...world, clock: { now: () => nowMs, at: (atMs, run) => world.clock.at(atMs, run) } }
}

/** The job's phase by the sandbox's clock. */
export const phaseNow = ({ clock, decisions }: World, job: Job): Phase =>
  phaseOf(job, clock.now(), decisions.timing.stuckProgress)

/** How tests prove what was asked and paid: `GET /sandbox/ledger` and `Sandbox.ledger()`. */
export const ledgerView = (world: World) => ({
  ...world.ledger.view(),
  jobs: world.state.jobs.values().map((job) => ({
    id: job.id,
    interface: job.interface,
    key_id: job.keyId,
    account: job.account,
    status: phaseNow(world, job).status,
    created_at: iso(job.createdAtMs),
    ends_at: job.endsAtMs === null ? null : iso(job.endsAtMs),
  })),
  charges: world.state.charges.values().map((charge) => ({
    job_id: charge.jobId,
    key_id: charge.keyId,
    account: charge.account,
    credits: charge.credits,
    at: iso(charge.atMs),
  })),
})
export type LedgerView = ReturnType<typeof ledgerView>
