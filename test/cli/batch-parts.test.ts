import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { waitBefore } from '../../src/cli/batch/calls.ts'
import { secondsFor } from '../../src/cli/batch/check.ts'
import { writeFault } from '../../src/cli/batch/folder.ts'
import { createShow } from '../../src/cli/batch/index.ts'
import { readTable } from '../../src/cli/batch/rows.ts'
import { leftMs } from '../../src/cli/batch/run.ts'
import { TalkbridgeError, type TalkbridgeErrorCode } from '../../packages/client/src/index.ts'
import type { Schema } from '../../packages/client/src/types.ts'
import { temporaryFolder } from './harness.ts'
import { contextOf } from './here.ts'

const failed = (code: TalkbridgeErrorCode, more: object = {}) =>
  new TalkbridgeError(code, 'x', { retryable: true, ...more })

test.each<[string, Parameters<typeof waitBefore>, number | null]>([
  ['a full queue, for ever', [failed('queue_full'), 1_000, true], 30_000],
  ['as long as it is asked to', [failed('rate_limited', { retryAfterMs: 42_000 }), 1, true], 42_000],
  ['no timer fires at once', [failed('rate_limited', { retryAfterMs: 1e12 }), 1, true], 2 ** 31 - 1],
  ['not a month', [failed('quota_exceeded'), 1, true], null],
  ['not for what stays', [failed('invalid_request', { retryable: false }), 1, true], null],
  ['what may be the row’s, a few times', [failed('audio_unreachable'), 4, true], 4_000],
  ['what may be the row’s, no more', [failed('audio_unreachable'), 5, true], null],
  ['a gateway that has answered before', [failed('connection_failed'), 50, true], 30_000],
  ['an address that may be wrong', [failed('connection_failed'), 1, false], null],
  ['a download', [failed('connection_failed'), 8, true, 8], null],
])('waits: %s', (_, args, ms) => expect(waitBefore(...args)).toBe(ms))

test('a header whose names have delimiters in quotes, and empty columns on the right', () => {
  const file = join(temporaryFolder(), 'june.csv')
  writeFileSync(file, 'name;"a, b";;\nAda;1;;\nBob;2\n;;;\nEve;3;')
  const { columns, rows } = readTable(file, 'june.csv')
  expect(columns).toEqual(['name', 'a, b'])
  expect(rows.map(({ number, cells }) => [number, ...cells.values()])).toEqual([
    [1, 'Ada', '1'],
    [2, 'Bob', '2'],
    [4, 'Eve', '3'],
  ])
})

test('the time that the rest takes', () => {
  expect([leftMs(2, 60_000, 10), leftMs(3, 60_000, 10), leftMs(10, 60_000, 0)]).toEqual([null, 200_000, 0])
})

test('a dry run reckons with the window, the slots and what waits before', () => {
  const learned: Schema<'BackendDetail'>['learned'] = [
    {
      source: 'text',
      videos: 9,
      seconds: { p50: 40, p95: 60, longest: 70 },
      histogram: [],
      polls: [
        { after: 30, running: 0.5 },
        { after: 60, running: 0 },
      ],
      lateness: 1,
    },
  ]
  const at = (limit: number, slots: number | null, queue = 0) => ({
    window: { seconds: 60, next_request_at: null, next_create_at: null },
    budget: { limit, remaining: 0, resets_at: null },
    slots: { limit: slots, used: 0 },
    learned,
    queue_depth: queue,
  })
  // 2.5 requests for each at 10 a minute; 40 s for each in 2 slots.
  expect(secondsFor(100, 'text', [at(10, null)])).toEqual({ seconds: 1_540, is_complete: true })
  expect(secondsFor(100, 'text', [at(10, 2, 10)])).toEqual({ seconds: 2_240, is_complete: true })
  expect(secondsFor(100, 'audio', [at(10, 2)])).toEqual({ seconds: 1_200, is_complete: false })
  // The members of a pool make them together.
  expect(secondsFor(100, 'text', [at(10, null), at(20, null)])).toEqual({ seconds: 540, is_complete: true })
})

test('on a terminal a bar with counts and the time left, failures above it, and no colour with NO_COLOR', () => {
  const printed = { stdout: '', stderr: '' }
  const show = createShow(contextOf(printed, { isTty: true, env: { NO_COLOR: '1' } }), false)
  show.progress({ total: 200, done: 50, failed: 1, working: 12, oldest: null, leftMs: 240_000, waiting: null })
  show.settled({ row: 7, id: 'vid_7', status: 'failed', error: 'backend_failed: \u001b[2Jno', file: null }, true)
  show.settled({ row: 8, id: 'vid_8', status: 'completed', error: null, file: 'f.mp4' }, true)
  expect(printed).toEqual({
    stdout: 'row 7  failed  backend_failed: \uFFFD[2Jno\n',
    stderr: `\r\u001b[2K${'█'.repeat(8)}${'░'.repeat(24)} 25 %  50 of 200, 1 failed, 12 in work, about 4 min left\r\u001b[2K`,
  })
})

test('when nothing is left, no time is', () => {
  const printed = { stdout: '', stderr: '' }
  const show = createShow(contextOf(printed, { isTty: true, env: { NO_COLOR: '1' } }), false)
  show.progress({ total: 4, done: 4, failed: 0, working: 0, oldest: null, leftMs: 0, waiting: null })
  expect(printed.stderr).toMatch(/4 of 4$/)
})

const working = { total: 4, done: 3, failed: 0, working: 1, oldest: 'row 4 (queued)', leftMs: null, waiting: null }

test('the bar is drawn where stderr is a terminal, and fits in it', () => {
  const printed = { stdout: '', stderr: '' }
  const show = createShow(contextOf(printed, { stderrColumns: () => 40 }), false)
  show.progress({ ...working, waiting: 'the queue is full, and so on for more than forty columns' })
  show.settled({ row: 8, id: 'vid_8', status: 'completed', error: null, file: 'f.mp4' }, true)
  expect(printed).toEqual({
    stdout: 'row 8  completed  f.mp4\n',
    stderr: '\r\u001b[2K███████░░ 75 %  3 of 4, 1 in work, wai…\r\u001b[2K',
  })
  const none = { stdout: '', stderr: '' }
  createShow(contextOf(none, { isTty: true, stderrColumns: () => null }), false).progress(working)
  expect(none).toEqual({ stdout: '', stderr: '' })
})

test('what holds a batch for a minute is said, once until something changes', () => {
  const printed = { stdout: '', stderr: '' }
  let nowMs = 0
  const show = createShow(contextOf(printed), false, () => nowMs)
  const at = (seconds: number, more: object = {}): string => {
    nowMs = seconds * 1000
    printed.stderr = ''
    show.progress({ ...working, ...more })
    return printed.stderr
  }
  const said = 'talkbridge batch: waits for row 4 (queued)\n'
  expect([at(0), at(59), at(60), at(300)]).toEqual(['', '', said, ''])
  expect([at(301, { done: 2, working: 2 }), at(302), at(361), at(362)]).toEqual(['', '', '', said])
  expect([at(400, { oldest: null }), at(900, { oldest: null })]).toEqual(['', ''])
})

test('a full disk is said in words', () => {
  const full = Object.assign(new Error('x'), { code: 'ENOSPC' })
  expect(writeFault('a', full).message).toBe(
    'talkbridge batch: cannot write in a: the disk is full: free space and run again',
  )
})
