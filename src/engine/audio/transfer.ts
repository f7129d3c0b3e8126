import type { BackendProblem, HostedUpload } from '../../core/adapter.ts'
import type { AudioCarrier, SpooledAudio } from '../../core/audio.ts'
import { sleepUntil } from '../../core/time/clock.ts'
import type { VideoError, VideoRecord } from '../../core/video.ts'
import type { Ports } from '../../core/ports.ts'
import type { Account } from '../upstream/accounts.ts'
import { backoffMs } from '../life/backoff.ts'
import { failure, failureOf } from '../life/job-steps.ts'
import type { Upstream } from '../upstream/tickets.ts'

export interface CarryDeps extends Pick<Ports, 'clock' | 'random'> {
  upstream: Upstream
  carrier: AudioCarrier
}

export type Carried =
  | { kind: 'hosted'; audioUrl: string; what: string }
  | { kind: 'failed'; error: VideoError }
  /** A fault that may pass: it may be tried again from `atMs` on. */
  | { kind: 'later'; error: VideoError; atMs: number }

type Reserved = { kind: 'done'; value: HostedUpload } | { kind: 'taken' } | Exclude<Carried, { kind: 'hosted' }>

/** How long fetched audio waits for a ticket: a little longer than a window. */
const TICKET_PATIENCE_MS = 70_000
/**
 * How many of the account's monthly uploads one video may take. It takes a second one if the first cannot be used any
 * more: the audio changed between two tries, or its file is there already.
 */
const RESERVATIONS = 2

const NO_ROOM = failure('backend_unavailable', 'the backend had no room for a request to host the audio')

/** Brings one video's audio to its backend: fetched once, reserved under keys of the video's own, and put there. */
export const createCarry = ({ clock, random, upstream, carrier }: CarryDeps) => {
  const later = (video: VideoRecord, error: VideoError, atMs: number | null = null): Carried & { kind: 'later' } => {
    const pauseMs = backoffMs((video.transfer?.tries ?? 0) + 1, random())
    return { kind: 'later', error: { ...error, retryable: true }, atMs: Math.max(atMs ?? 0, clock.now() + pauseMs) }
  }

  const refused = (video: VideoRecord, problem: BackendProblem): Carried & { kind: 'failed' | 'later' } => {
    const error = failureOf(problem)
    return problem.retryable ? later(video, error, problem.retryAtMs) : { kind: 'failed', error }
  }

  const reserve = async (
    account: Account,
    video: VideoRecord,
    { contentType, sizeBytes }: SpooledAudio,
    key: string,
    signal: AbortSignal,
  ): Promise<Reserved> => {
    const untilMs = clock.now() + TICKET_PATIENCE_MS
    for (;;) {
      const asked = await upstream.ask(account, 'create', 0, () =>
        account.adapter.createUpload({ contentType, sizeBytes, requireVideoReadiness: null }, key),
      )
      signal.throwIfAborted()
      if (asked.kind === 'asked') {
        const { outcome } = asked
        if (outcome.kind === 'done') return outcome
        if (outcome.problem.code === 'idempotency_key_conflict') return { kind: 'taken' }
        // A doubt is tried again like a refusal that passes: the same key reserves nothing twice.
        return outcome.kind === 'doubt' ? later(video, failureOf(outcome.problem)) : refused(video, outcome.problem)
      }
      if (asked.retryAtMs > untilMs) return later(video, NO_ROOM, asked.retryAtMs)
      await sleepUntil(clock, asked.retryAtMs, signal)
      signal.throwIfAborted()
    }
  }

  const host = async (
    account: Account,
    video: VideoRecord,
    audio: SpooledAudio,
    signal: AbortSignal,
  ): Promise<Carried> => {
    let why = 'the backend has another audio under the keys of this video'
    for (let n = 1; n <= RESERVATIONS; n += 1) {
      const reserved = await reserve(account, video, audio, `${video.id}.audio.${n}`, signal)
      if (reserved.kind === 'taken') continue
      if (reserved.kind !== 'done') return reserved
      const put = await audio.put(reserved.value, account.origin, signal)
      const what = `${audio.contentType}, ${audio.sizeBytes} bytes`
      if (put.kind === 'stored') return { kind: 'hosted', audioUrl: reserved.value.audioUrl, what }
      if (put.kind === 'failed') return later(video, failure('backend_unavailable', put.message))
      why = put.message
    }
    return { kind: 'failed', error: failure('backend_error', why) }
  }

  /** Rejects when `signal` aborts, or for a fault of ours; leaves no file behind. */
  return async (account: Account, video: VideoRecord, signal: AbortSignal): Promise<Carried> => {
    const fetched = await carrier.fetch(video.input.audio_url ?? '', signal)
    if (!fetched.ok) {
      const { code, message, retryable } = fetched
      return { kind: 'failed', error: { ...failure(code, message), retryable } }
    }
    try {
      return await host(account, video, fetched.audio, signal)
    } finally {
      await fetched.audio.remove()
    }
  }
}
