import type { Clock } from '../../core/time/clock.ts'
import type { AccountUsage, Adapter, BackendProblem, JobReport, ReadOutcome } from '../../core/adapter.ts'
import { Problem, type ProblemExtras } from '../../core/errors.ts'
import type { VideoInput } from '../../core/video.ts'
import type { Account, Backend, Backends } from './accounts.ts'
import type { Asked, Upstream } from './tickets.ts'
import type { Log } from '../../core/log.ts'
import type { Replica } from '../../core/ports.ts'
import type { WorkStore } from '../../core/store/webhooks.ts'

/** The most pages of one list that are read, in case a list never ends. */
export const PAGES_AT_MOST = 20
/** A walk that has not moved for this long begins again. */
const RESUMABLE_MS = 10 * 60_000

/** The part of a list that was read so far. */
interface Walk<Page> {
  beganAtMs: number
  /** When its last page was read. */
  atMs: number
  pages: Page[]
  /** Another page comes after these. */
  goesOn: boolean
}

/** One page, and whether it is the last. */
interface PageRead<Page> {
  page: Page
  isLast: boolean
}

const isPage = <Page>(read: unknown): read is PageRead<Page> =>
  typeof read === 'object' && read !== null && 'page' in read

/**
 * Walks through backends' lists, one walk for each key. If a page cannot be had now, the pages before it are kept, and
 * the next call continues behind them. So a long list is read over several windows.
 */
export const createWalks = <Page>(clock: Pick<Clock, 'now'>) => {
  const begun = new Map<string, Walk<Page>>()

  const walkOf = (key: string): Walk<Page> => {
    const nowMs = clock.now()
    for (const [other, { atMs }] of begun) if (nowMs - atMs >= RESUMABLE_MS) begun.delete(other)
    const walk = begun.get(key) ?? { beganAtMs: nowMs, atMs: nowMs, pages: [], goesOn: true }
    begun.set(key, walk)
    return walk
  }

  return {
    /**
     * `read` gets the pages so far and answers the next one. Anything else that it answers, or a rejection, ends the
     * call.
     */
    async walk<Instead>(
      key: string,
      read: (before: readonly Page[]) => Promise<PageRead<Page> | Instead>,
    ): Promise<Walk<Page> | Instead> {
      const walk = walkOf(key)
      while (walk.goesOn && walk.pages.length < PAGES_AT_MOST) {
        const next = await read(walk.pages)
        if (!isPage<Page>(next)) return next
        walk.pages.push(next.page)
        walk.atMs = clock.now()
        walk.goesOn = !next.isLast
      }
      begun.delete(key)
      return walk
    },
    forget: (key: string): void => void begun.delete(key),
  }
}

/** How long a read waits for a ticket before it fails: somebody waits for the answer. */
export const PATIENCE_MS = 2_000

/** Turns a backend's problem into what the client is answered. */
export const problemOf = (
  { code, message, retryable, retryAtMs, details, backendError, verbatim }: BackendProblem,
  { name }: Pick<Backend, 'name'>,
  instead: ProblemExtras & { message?: string } = {},
): Problem => {
  const { message: words = message, ...extras } = instead
  return new Problem(code, words, { retryable, retryAtMs, details, backendError, verbatim, backend: name, ...extras })
}

/** Other names that backends use for the fields of a video. */
const CALLED: Readonly<Record<string, readonly string[]>> = { text: ['script'], upload_id: ['audio_url'] }

const wordsOf = (message: string): Set<string> =>
  new Set((message.match(/[A-Za-z_]+/g) ?? []).map((word) => word.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toLowerCase()))

/**
 * The one given field that the backend's message names; null if it names none, or several. Only the backend knows some
 * limits, such as those of `expressiveness`.
 */
const namedField = (message: string, input: VideoInput): string | null => {
  const words = wordsOf(message)
  const given = Object.entries(input).flatMap(([field, value]) => (value === null ? [] : [field]))
  const named = given.filter((field) => [field, ...(CALLED[field] ?? [])].some((name) => words.has(name)))
  return named.length === 1 ? (named[0] ?? null) : null
}

/** Which of a video's fields a backend's refusal is about, as far as it says. */
export const faultyField = (
  { code, backendError }: Pick<BackendProblem, 'code' | 'backendError'>,
  input: VideoInput,
): string | null => {
  switch (code) {
    case 'invalid_request':
      return namedField(backendError.message ?? '', input)
    case 'voice_not_found':
      return input.voice_id === null ? null : 'voice_id'
    case 'puppet_not_found':
    case 'invalid_image':
      return input.puppet_id === null ? 'image_url' : 'puppet_id'
    case 'upload_not_found':
    case 'upload_not_finished':
      return input.upload_id === null ? 'audio_url' : 'upload_id'
    default:
      return null
  }
}

/** Nothing was sent. */
export const notNow = ({ name }: Pick<Backend, 'name'>, retryAtMs: number): Problem =>
  new Problem('backend_unavailable', `the rate limit of backend ${name} is used up: retry later`, {
    backend: name,
    retryAtMs,
  })

/**
 * Reads within the budget, and within the share of `reader` if a client asks. Throws the backend's problem, or
 * `backend_unavailable` with a time.
 */
export const readThrough = async <T>(
  upstream: Pick<Upstream, 'ask'>,
  backend: Backend,
  request: () => Promise<ReadOutcome<T>>,
  reader: string | null = null,
): Promise<T> => {
  const asked = await upstream.ask(backend.account, 'read', PATIENCE_MS, request, reader)
  if (asked.kind === 'not_now') throw notNow(backend, asked.retryAtMs)
  if (asked.outcome.ok) return asked.outcome.value
  throw problemOf(asked.outcome.problem, backend)
}

/** What is known of a job by its status only, as a list or a download reports it. */
export const bareReport = (jobId: string, status: JobReport['status'], link: JobReport['link'] = null): JobReport => ({
  jobId,
  status,
  backendStatus: null,
  progress: null,
  link,
  failure: null,
  thumbnailUrl: null,
  durationSeconds: null,
  durationEstimateSeconds: null,
  nextPollAtMs: null,
  made: { puppetId: null, voiceId: null, resolution: null, createdAtMs: null },
  verbatim: null,
})

/** Whether a report calls its job completed, and only a download reports the link. */
export const lacksLink = (outcome: ReadOutcome<JobReport>): outcome is Extract<ReadOutcome<JobReport>, { ok: true }> =>
  outcome.ok && outcome.value.status === 'completed' && outcome.value.link === null

/** Asks for the link of a job that is over, and for nothing else. `reader`: the client that it is read for. */
export const createAskLink =
  (upstream: Pick<Upstream, 'ask'>) =>
  async (account: Account, jobId: string, reader: string | null = null): Promise<Asked<ReadOutcome<JobReport>>> => {
    const asked = await upstream.ask(account, 'poll', 0, () => account.adapter.download(jobId), reader)
    if (asked.kind === 'not_now') return asked
    const { outcome } = asked
    if (outcome.ok)
      return { kind: 'asked', outcome: { ...outcome, value: bareReport(jobId, 'completed', outcome.value) } }
    // Any other refusal says nothing about the link: the poll failed.
    if (!saysThereIsNone(outcome.problem)) return { kind: 'asked', outcome: { ...outcome, lost: false } }
    return { kind: 'asked', outcome: { ok: true, value: bareReport(jobId, 'completed'), rate: outcome.rate } }
  }

/** Refusals of the key, or for now. They say nothing about the video, so they do not fail it. */
const NOT_OF_THE_VIDEO: ReadonlySet<number> = new Set([401, 402, 403, 407, 408, 425, 429])

const saysThereIsNone = ({ code, backendError: { status } }: BackendProblem): boolean =>
  status === null ? code === 'video_not_completed' : status >= 400 && status < 500 && !NOT_OF_THE_VIDEO.has(status)

/** Of the processes that start together, one asks. */
const ONCE_IN_MS = 60_000

/** The cheapest read that reports most of an account, by what its interface can do. It costs no credit. */
export const cheapRead = async (
  adapter: Adapter,
): Promise<{ what: string; outcome: ReadOutcome<AccountUsage | null> }> => {
  const { usage, native_list: hasList } = adapter.capabilities
  if (usage) return { what: 'usage', outcome: await adapter.usage() }
  const outcome = hasList ? await adapter.list(1) : await adapter.voices()
  const what = hasList ? 'the list of videos' : 'voices'
  return { what, outcome: outcome.ok ? { ...outcome, value: null } : outcome }
}

interface ProbeDeps {
  backends: Backends
  upstream: Pick<Upstream, 'ask' | 'heed' | 'isKnown'>
  store: Pick<WorkStore, 'claim'>
  replica: Replica
  log: Log
}

/**
 * Asks each account once, so that a refused key is reported at the start and not at the first video. Takes a ticket
 * that is free immediately, or none; asks nothing of an account that any process has received from. Never rejects.
 */
export const createProbe =
  ({ backends, upstream, store, replica, log }: ProbeDeps) =>
  async (): Promise<void> => {
    const accounts = new Set([...backends.values()].map(({ account }) => account))
    await upstream.heed()
    await Promise.all(
      [...accounts].map(async (account) => {
        try {
          const isFirst = replica.isAlone || (await store.claim('maintain', `probe/${account.id}`, ONCE_IN_MS)) !== null
          if (!isFirst || upstream.isKnown(account.id)) return
          await upstream.ask(account, 'read', 0, async () => (await cheapRead(account.adapter)).outcome)
        } catch (err) {
          log.warn(
            { backends: account.backends, err },
            'a backend could not be checked at the start: its first request will show its state',
          )
        }
      }),
    )
  }
