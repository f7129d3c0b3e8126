import { iso } from '../../core/time/clock.ts'
import type { Dialect } from '../http/answer.ts'
import type { Decisions } from '../undecided.ts'

/** The alternate's errors: nothing of them is shown, all of it is decided in undecided.ts. */
export const alternateDialect = ({ alternate }: Decisions): Dialect => ({
  interface: 'alternate',
  requestsPerMinute: alternate.requestsPerMinute,
  refuse: ({ status, reason, message, retryAfter, headers }) => ({
    status,
    headers: { ...headers, ...(retryAfter && { 'Retry-After': String(retryAfter.seconds) }) },
    body: alternate.error(
      typeof reason === 'string' ? alternate.codes[reason] : reason.code,
      retryAfter ? `${message} Try again at ${iso(retryAfter.atMs)}.` : message,
    ),
  }),
})
