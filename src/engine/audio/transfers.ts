import type { BackendProblem, HostedUpload } from '../../core/adapter.ts'
import type { AudioCarrier, SpooledAudio } from '../../core/media.ts'
import { sleepUntil } from '../../core/time/clock.ts'
import type { VideoError, VideoRecord } from '../../core/video.ts'
import type { Ports } from '../../core/ports.ts'
import type { Account } from '../upstream/accounts.ts'
import {
  backoffMs,
  end,
  failure,
  failureOf,
  needsTransfer,
  putOff,
  toldOfTransfer,
  transferred,
} from '../life/job-steps.ts'
import type { Upstream } from '../upstream/tickets.ts'
import { isProblemCode, Problem } from '../../core/errors.ts'
import type { Lease } from '../../core/store/webhooks.ts'
import type { Apply, Decided } from '../life/apply.ts'
import { logFailure } from '../../core/log.ts'

interface CarryDeps extends Pick<Ports, 'clock' | 'random'> {
  upstream: Upstream
  carrier: AudioCarrier
}

type Carried =
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
const createCarry = ({ clock, random, upstream, carrier }: CarryDeps) => {
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

interface TransfersDeps extends CarryDeps, Pick<Ports, 'store' | 'wake' | 'clock' | 'log'> {
  apply: Apply
}

/** Under way at the same time in one process: each holds a file of up to 50 MB. */
const AT_ONCE = 8
/** Slow audio of one client leaves room for the others'. */
const AT_ONCE_PER_CLIENT = 4
const SEEN_AT_ONCE = 1_000
const LEASE_MS = 45_000
/** When to look again at a transfer that another process carries: that one may have died. */
const ELSEWHERE_MS = 1_000
/** How long a listening client waits to learn that its audio cannot be had. */
const PATIENCE_MS = 10_000

interface Task {
  client: string
  /** A request waits for the outcome, and may be answered with it. */
  listening: boolean
  /** From here on the outcome is being written as it was decided. */
  decided: boolean
  /** The error that the listener is answered with; null: it gets the video. Never rejects. */
  done: Promise<VideoError | null>
}

/**
 * Brings audio from elsewhere to the backends that want it hosted: a few at the same time, each under a lease of its
 * own. The video waits meanwhile and holds no slot. A transfer that was stopped begins again (docs/engine.md, "Videos
 * from audio").
 */
export const createTransfers = (deps: TransfersDeps) => {
  const { store, wake, clock, log, random, apply, upstream } = deps
  const carry = createCarry(deps)
  const running = new Map<string, Task>()
  const pauses = new Map<string, () => void>()
  /** Their clients wait for the answer to the create: the account loop leaves them to `firstTry`. */
  const listened = new Set<string>()
  const stopping = new AbortController()

  const pause = (account: Account, id: string, atMs: number): void => {
    if (stopping.signal.aborted) return
    const cancel = clock.at(atMs, () => {
      pauses.delete(id)
      wake.hint('account', account.id, clock.now())
    })
    pauses.set(id, cancel)
  }

  const keepLease = async (lease: Lease, ended: AbortSignal, lost: () => void): Promise<void> => {
    for (;;) {
      await sleepUntil(clock, clock.now() + LEASE_MS / 3, ended)
      if (ended.aborted) return
      if (!(await store.extend('transfer', lease, LEASE_MS).catch(() => false))) return lost()
    }
  }

  const settle = async (account: Account, task: Task, id: string, carried: Carried): Promise<VideoError | null> => {
    const answers = carried.kind === 'failed' && task.listening
    task.decided = true
    const after = await apply(id, (video, nowMs): Decided => {
      if (!needsTransfer(video)) return 'keep'
      switch (carried.kind) {
        case 'hosted':
          return transferred(video, carried.audioUrl, carried.what, nowMs)
        case 'failed':
          return answers && !video.told ? 'discard' : end(video, { status: 'failed', error: carried.error }, nowMs)
        case 'later':
          return putOff(video, carried.error, nowMs)
      }
    })
    if (carried.kind === 'later') pause(account, id, carried.atMs)
    return answers && after === null ? carried.error : null
  }

  /** Does one transfer under its lease. Answers the error for the listener; null: it gets the video. */
  const work = async (account: Account, task: Task, id: string, lease: Lease): Promise<VideoError | null> => {
    const over = new AbortController()
    const lost = new AbortController()
    const signal = AbortSignal.any([stopping.signal, lost.signal])
    void keepLease(lease, over.signal, () => lost.abort())
    try {
      const video = await store.video(id)
      if (!video || !needsTransfer(video)) return null
      if (!task.listening) await apply(id, toldOfTransfer)
      const carried = await carry(account, video, signal).catch((error: unknown): Carried => {
        signal.throwIfAborted()
        logFailure(log, { video_id: id, err: error }, 'the gateway failed to carry audio, and will try again')
        const fault = failure('internal_error', 'the gateway could not carry the audio')
        return { kind: 'later', error: fault, atMs: clock.now() + backoffMs(1, random()) }
      })
      return await settle(account, task, id, carried)
    } finally {
      over.abort()
      await store.release('transfer', lease)
    }
  }

  const run = async (account: Account, task: Task, id: string): Promise<VideoError | null> => {
    try {
      const lease = await store.claim('transfer', id, LEASE_MS)
      if (lease) return await work(account, task, id, lease)
      // Another process carries it.
      pause(account, id, clock.now() + ELSEWHERE_MS)
      return null
    } catch (error) {
      if (!stopping.signal.aborted) {
        logFailure(log, { video_id: id, err: error }, 'a transfer of audio stopped, and begins anew')
        pause(account, id, clock.now() + backoffMs(1, random()))
      }
      return null
    } finally {
      running.delete(id)
      wake.hint('account', account.id, clock.now())
    }
  }

  const hasRoom = (client: string): boolean =>
    running.size < AT_ONCE && [...running.values()].filter((task) => task.client === client).length < AT_ONCE_PER_CLIENT

  /** Null: not now. The account loop returns to it. */
  const begin = (account: Account, id: string, client: string, listening: boolean): Task | null => {
    if (stopping.signal.aborted || running.has(id) || pauses.has(id) || !hasRoom(client)) return null
    if (!listening && listened.has(id)) return null
    const task: Task = { client, listening, decided: false, done: Promise.resolve(null) }
    running.set(id, task)
    task.done = run(account, task, id)
    return task
  }

  return {
    /** Starts transfers that are due, as far as there is room. */
    async startDue(account: Account): Promise<void> {
      if (running.size >= AT_ONCE || upstream.shutUntilMs(account.id) > clock.now()) return
      for (const { id, client } of await store.transfersOf(account.id, SEEN_AT_ONCE)) begin(account, id, client, false)
    },

    /** While a client waits for the answer to the create of this video. */
    async listen<T>(id: string, work: () => Promise<T>): Promise<T> {
      listened.add(id)
      try {
        return await work()
      } finally {
        listened.delete(id)
      }
    },

    /**
     * Starts a transfer immediately, for a client that listens. If the audio turns out to be unusable within
     * `PATIENCE_MS`, it throws the `Problem` and leaves no video behind. Otherwise the video continues without the
     * listener.
     */
    async firstTry(account: Account, video: VideoRecord): Promise<VideoRecord> {
      const { id } = video
      const task = begin(account, id, video.client, true)
      if (task) {
        const over = new AbortController()
        await Promise.race([task.done, sleepUntil(clock, clock.now() + PATIENCE_MS, over.signal)])
        over.abort()
        if (!task.decided) task.listening = false
        const error = task.decided ? await task.done : null
        if (error) throw problemOf(error, video)
      }
      const after = await apply(id, toldOfTransfer).catch((error: unknown) => {
        logFailure(log, { video_id: id, err: error }, 'a video that waits for its audio could not be told of yet')
        return null
      })
      return after ?? video
    },

    halt(): void {
      stopping.abort()
      for (const cancel of pauses.values()) cancel()
      pauses.clear()
    },
    async stop(): Promise<void> {
      while (running.size > 0) await Promise.all([...running.values()].map(({ done }) => done))
    },
  }
}
export type Transfers = ReturnType<typeof createTransfers>

const problemOf = (
  { code, message, retryable, backend_error: said }: VideoError,
  { backend }: VideoRecord,
): Problem => {
  // A transfer never fails with a code that only videos have.
  const known = isProblemCode(code) ? code : 'backend_error'
  return new Problem(known, message, {
    retryable,
    ...(said ? { backend, backendError: said } : { param: 'audio_url', errors: [{ path: 'audio_url', message }] }),
  })
}
