import type { Response } from 'express'
import type { ProblemCode } from '../../core/errors.ts'

/** Nothing is dropped silently: a list that lacks something says so with every page (`Talkbridge-Warning`). */

/** Whose items are not in it, and why. */
export const missingNote = (missing: readonly { backend: string; code: ProblemCode }[]): string | null =>
  missing.length === 0
    ? null
    : missing.map(({ backend, code }) => `incomplete; backend=${backend}; reason=${code}`).join(', ')

/** A backend's own list is followed so far and no further. */
export const cutNote = (backend: string): string => `incomplete; backend=${backend}; reason=too_long`

export const warn = (res: Response, note: string | null): void => {
  if (note !== null) res.set('talkbridge-warning', note)
}
