import type { BackendProblem, ReadOutcome } from '../../core/adapter.ts'
import { Problem, type ProblemExtras } from '../../core/errors.ts'
import type { VideoInput } from '../../core/video.ts'
import type { Backend } from './accounts.ts'
import type { Upstream } from './tickets.ts'

/** How long a read waits for a ticket before it fails: somebody waits for the answer. */
export const PATIENCE_MS = 2_000

/** Turns a backend's problem into what the client is told. */
export const problemOf = (
  { code, message, retryable, retryAtMs, details, backendError }: BackendProblem,
  { name }: Pick<Backend, 'name'>,
  instead: ProblemExtras & { message?: string } = {},
): Problem => {
  const { message: words = message, ...extras } = instead
  return new Problem(code, words, { retryable, retryAtMs, details, backendError, backend: name, ...extras })
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

/** Which of a video's fields a backend's refusal is about, as far as it tells. */
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
