import type { BackendProblem, ReadOutcome } from '../core/adapter.ts'
import { Problem, type ProblemCode, type ProblemExtras } from '../core/errors.ts'
import type { VideoInput } from '../core/video.ts'
import type { Backend } from './backends.ts'
import type { Upstream } from './upstream.ts'

/** Somebody waits for the answer: rather this long for a ticket than an error. */
export const PATIENCE_MS = 2_000

/** What a backend said, as what a client is told. */
export const problemOf = (
  { code, message, retryable, retryAtMs, details, backendError }: BackendProblem,
  { name }: Pick<Backend, 'name'>,
  instead: ProblemExtras & { message?: string } = {},
): Problem => {
  const { message: words = message, ...extras } = instead
  return new Problem(code, words, { retryable, retryAtMs, details, backendError, backend: name, ...extras })
}

/** Which of a video's fields a backend's refusal is about, as far as its code tells. */
export const faultyField = (code: ProblemCode, input: VideoInput): string | null => {
  switch (code) {
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
  new Problem('backend_unavailable', `backend ${name} takes no more requests at the moment`, {
    backend: name,
    retryAtMs,
  })

/** Reads through the budget; throws the backend's problem, or `backend_unavailable` with a time. */
export const readThrough = async <T>(
  upstream: Pick<Upstream, 'ask'>,
  backend: Backend,
  request: () => Promise<ReadOutcome<T>>,
): Promise<T> => {
  const asked = await upstream.ask(backend.account, 'read', PATIENCE_MS, request)
  if (asked.kind === 'not_now') throw notNow(backend, asked.retryAtMs)
  if (asked.outcome.ok) return asked.outcome.value
  throw problemOf(asked.outcome.problem, backend)
}
