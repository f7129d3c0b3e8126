import type { Request } from 'express'
import type { Manner } from '../../core/adapter.ts'
import type { Dropin } from '../dropin/behind.ts'
import type { Deps } from '../../deps.ts'
import type { ProblemView } from '../../core/api/videos.ts'
import { PROBLEMS, type Problem, type ProblemCode } from '../../core/errors.ts'
import { iso, onTheWall, type Clock } from '../../core/time/clock.ts'

const HOST = /^(?:[a-z0-9.-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i

/**
 * What absolute links begin with, no trailing slash: `public_url`, else where the gateway listens. What `Host` says counts
 * only behind a proxy that is trusted.
 */
export const originOf = (
  req: Request,
  { config: { server }, origin }: { config: Pick<Deps['config'], 'server'>; origin: { url: string } },
): string => {
  if (server.public_url !== null) return server.public_url
  if (server.trust_proxy === false) return origin.url
  return req.host && HOST.test(req.host) ? `${req.protocol}://${req.host}` : origin.url
}

/** What an error comes to on the wire. */
export interface ErrorAnswer {
  status: number
  type: string
  headers: Readonly<Record<string, string>>
  body: object
}

/** What the words of an error depend on, beside the problem itself. */
export interface ErrorContext {
  clock: Clock
  requestId: string
  method: string
  /** Of the request, without its query; empty where it could not be read. */
  path: string
  /** Where the gateway is reached, for absolute links: no trailing slash. */
  origin: string
  /** The interface that a backend of this name speaks; null for none. */
  interfaceOf: (backend: string) => string | null
  /** A refusal of the backend behind this surface, which speaks its contract; null: none that the caller may see. */
  refusalOn: (surface: Dropin) => Manner['refusal']
}

/** When to come back where nobody knows: a backend may be there in a moment, and another process answers already. */
const COME_BACK_MS: Partial<Record<ProblemCode, number>> = {
  backend_unavailable: 10_000,
  store_unavailable: 2_000,
  shutting_down: 1_000,
}

const retryTimeOf = (problem: Problem, clock: Clock): number | null => {
  const waitMs = COME_BACK_MS[problem.code]
  if (waitMs === undefined || !problem.retryable) return problem.retryAtMs
  return problem.retryAtMs ?? clock.now() + waitMs
}

/** When to come back, on the wall, and in how many whole seconds; null where trying again is pointless or no time is known. */
export const comeBack = (problem: Problem, clock: Clock): { seconds: number; atMs: number } | null => {
  const retryAtMs = retryTimeOf(problem, clock)
  if (retryAtMs === null) return null
  return { seconds: Math.max(1, Math.ceil((retryAtMs - clock.now()) / 1000)), atMs: onTheWall(clock, retryAtMs) }
}

/** RFC 9457, with fields of ours. */
export const problemView = (problem: Problem, clock: Clock, requestId: string): ProblemView => {
  const back = comeBack(problem, clock)
  const { param, errors, details, backend, backendError, videoId } = problem.extras
  const { status, title } = PROBLEMS[problem.code]
  return {
    type: `urn:talkbridge:problem:${problem.code}`,
    title,
    status,
    detail: problem.message,
    code: problem.code,
    retryable: problem.retryable,
    retry_after_seconds: back?.seconds ?? null,
    retry_at: back && iso(back.atMs),
    param: param ?? (errors?.[0]?.path || null),
    errors: errors ?? (param === undefined ? [] : [{ path: param, message: problem.message }]),
    details: details ?? null,
    backend: backend ?? null,
    backend_error: backendError ?? null,
    video_id: videoId ?? null,
    request_id: requestId,
  }
}
