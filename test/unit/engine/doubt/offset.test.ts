import { expect, test } from 'vitest'
import { offsetFor } from '../../../../src/engine/doubt/list.ts'
import { HOUR, MINUTE, SECOND, T0, video } from '../../../fakes/records.ts'

/** Sent at `T0`, by a process that began a minute before unless it says otherwise. */
test.each<
  [name: string, sentOffsetMs: number | null, walkMs: number, startedAtMs: number, usedMs: number, proves: boolean]
>([
  ['both agree', 5 * SECOND, 6 * SECOND, T0 - MINUTE, 5 * SECOND, true],
  ['apart by what headers of whole seconds may be', 0, 2 * MINUTE, T0 - MINUTE, 0, true],
  ['a clock was set since: what is there is found, what is not is no proof', 0, -HOUR, T0 - MINUTE, 0, false],
  ['the other way', 0, HOUR, T0 + MINUTE, 0, false],
  ['untold when it was sent, by this process', null, 7 * SECOND, T0 - MINUTE, 7 * SECOND, true],
  ['untold when it was sent, by the process before', null, 7 * SECOND, T0 + 1, 7 * SECOND, false],
])('%s', (_, sentOffsetMs, walkMs, startedAtMs, usedMs, proves) => {
  const sent = video({ dispatchedAtMs: T0, sentOffsetMs })
  expect(offsetFor(sent, walkMs, startedAtMs)).toEqual({ offsetMs: usedMs, proves })
})
