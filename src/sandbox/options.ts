import type { Clock } from '../core/time/clock.ts'
import type { Decisions } from './undecided.ts'
import type { MediaOptions } from './media/index.ts'
import type { VariantName } from './variants.ts'

export interface SandboxOptions {
  /** One with `advance` (virtualClock, a test's own) makes `POST /sandbox/clock` move it. */
  readonly clock: Clock
  /** 0, the default: the system chooses. */
  readonly primaryPort?: number
  readonly alternatePort?: number
  /** Default 127.0.0.1. */
  readonly host?: string
  /** Divides job durations, rate windows, hints and expiries. Default 10. */
  readonly speed?: number
  /** Of the durations. Default 1. */
  readonly seed?: number
  readonly unlimitedRate?: boolean
  /** Lifts all that a month sells: credits, voice characters, uploads, and the storage. */
  readonly unlimitedCredits?: boolean
  readonly unlimitedSlots?: boolean
  /** A folder that keeps keys, jobs, credits and idempotency keys over a restart. Default `null`: nothing is kept. */
  readonly dataDir?: string | null
  /** In [0, 1); of the ids. Default: the platform's secure source, so that a restarted sandbox repeats none. */
  readonly random?: () => number
  /** What the contracts do not show. Default: those of the variant. */
  readonly decisions?: Decisions
  /** Which other answers to "not shown" (variants.ts). Default `standard`. */
  readonly variant?: VariantName
  /** With two finished jobs: `api_video_sample` to import, and that of the API's examples. Default false. */
  readonly sampleJobs?: boolean
  /** How videos are rendered, beyond the defaults: media/index.ts. */
  readonly media?: Partial<MediaOptions>
}
