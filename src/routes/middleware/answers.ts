import type { Problem } from '../../core/errors.ts'
import type { Surface } from '../../core/vocabulary.ts'
import { alternateError } from '../dropin/alternate/errors.ts'
import { primaryError } from '../dropin/primary/errors.ts'
import { problemView, type ErrorAnswer, type ErrorContext } from './view.ts'

const PREFIXES = [
  ['/api/v1', 'primary'],
  ['/v1', 'alternate'],
] as const satisfies readonly (readonly [string, Surface])[]

/** The path that a request names: without its query, and without the origin that it may begin with (RFC 9112, 3.2.2). */
export const pathIn = (url: string): string => (url.split('?', 1)[0] ?? '').replace(/^https?:\/\/[^/]*/i, '')

/** Whose words a path is answered in. */
export const surfaceOf = (path: string): Surface =>
  PREFIXES.find(([prefix]) => path === prefix || path.startsWith(`${prefix}/`))?.[1] ?? 'unified'

const unifiedError = (problem: Problem, { clock, requestId }: ErrorContext): ErrorAnswer => {
  const body = problemView(problem, clock, requestId)
  return {
    status: body.status,
    type: 'application/problem+json',
    headers: body.retry_after_seconds === null ? {} : { 'retry-after': String(body.retry_after_seconds) },
    body,
  }
}

const WORDS = {
  unified: unifiedError,
  primary: primaryError,
  alternate: alternateError,
} as const satisfies Record<Surface, (problem: Problem, context: ErrorContext) => ErrorAnswer>

/** A problem in the words of the surface that was asked. Pure. */
export const errorAnswer = (problem: Problem, context: ErrorContext): ErrorAnswer =>
  WORDS[surfaceOf(context.path)](problem, context)
