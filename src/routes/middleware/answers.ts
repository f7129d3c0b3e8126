import type { Problem } from '../../core/errors.ts'
import type { Surface } from '../../core/vocabulary.ts'
import { alternateError } from '../dropin/alternate/errors.ts'
import { primaryError } from '../dropin/primary/errors.ts'
import { problemView, type ErrorAnswer, type ErrorContext } from './view.ts'

const PREFIXES = [
  ['/api/v1', 'primary'],
  ['/v1', 'alternate'],
] as const satisfies readonly (readonly [string, Surface])[]

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
