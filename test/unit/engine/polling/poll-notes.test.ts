import { describe, expect, test } from 'vitest'
import type { TimelineEntry } from '../../../../src/core/video.ts'
import {
  NO_POLLS,
  linesOf,
  overNote,
  pollNote,
  pollsKept,
  withPoll,
  withPolls,
} from '../../../../src/engine/polling/poll-plan.ts'
import { running, unread } from '../../../fakes/adapter.ts'
import { report, T0 } from '../../../fakes/records.ts'

const poll = (at: number): TimelineEntry => ({ at, type: 'polled', detail: `processing, ${at} %` })
const line = (at: number, type: string): TimelineEntry => ({ at, type, detail: null })
const seen = (count: number, most: number) =>
  Array.from({ length: count }, (_, n) => poll(n)).reduce((all, one) => withPoll(all, one, most), NO_POLLS)

test.each([
  ['its state', { over: null, outcome: running({ status: 'queued' }) }, 'queued'],
  ['its progress', { over: null, outcome: running({ progress: 0.417 }) }, 'processing, 42 %'],
  [
    'a word that nobody knows, cut',
    { over: null, outcome: running({ status: null, backendStatus: 'x'.repeat(99) }) },
    'x'.repeat(60),
  ],
  ['nothing', { over: null, outcome: running({ status: null, backendStatus: null }) }, 'nothing that is known'],
  ['why it failed', { over: null, outcome: unread() }, 'backend_error (HTTP 500)'],
  [
    'the end, and why its link failed',
    { over: report({ status: 'completed' }), outcome: unread() },
    /^completed; its link: b/,
  ],
])('a poll says %s', (_, polled, said) => {
  const { detail } = pollNote(T0, polled)
  expect(detail).toEqual(typeof said === 'string' ? said : expect.stringMatching(said))
})

test('a poll says by which request, if it was not its own; and that a link is owed', () => {
  expect(pollNote(T0, { over: null, outcome: running() }, 'list').detail).toBe('processing (in the list)')
  expect(overNote(T0, report({ status: 'completed' })).detail).toBe('completed; its link was not asked for yet')
})

describe('polls that are not written yet', () => {
  test('are kept up to a number; of more, the first and the last, and how many there were between', () => {
    expect(linesOf(seen(4, 4))).toEqual([0, 1, 2, 3].map(poll))
    const left = { at: 1, type: 'polls_left_out', detail: '6' }
    expect(linesOf(seen(10, 4))).toEqual([poll(0), poll(1), left, poll(8), poll(9)])
  })

  test('are none: nothing is written', () => {
    expect(linesOf(NO_POLLS)).toEqual([])
  })

  test('take bounded memory: fewer of each where there are many jobs, down to the first and the last', () => {
    expect([0, 1, 5_000, 10_000, 100_000, 1_000_000].map(pollsKept)).toEqual([50, 50, 50, 25, 2, 2])
    const kept = seen(50, 50)
    expect(linesOf(withPoll(kept, poll(99), 2)).map(({ at }) => at)).toEqual([0, 0, 99])
  })
})

describe('a timeline', () => {
  test('has polls in their places, and other lines as they were written', () => {
    const written = [line(1, 'created'), line(5, 'accepted'), line(4, 'late'), poll(2), poll(6), line(7, 'completed')]
    expect(withPolls(written, NO_POLLS).map(({ at }) => at)).toEqual([1, 2, 5, 4, 6, 7])
  })

  test('ends with what is remembered, once', () => {
    const unwritten = { polls: [poll(6), poll(8)], leftOut: 0 }
    expect(withPolls([line(1, 'created'), poll(6)], unwritten).map(({ at }) => at)).toEqual([1, 6, 8])
  })
})
