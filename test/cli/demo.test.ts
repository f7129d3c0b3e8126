import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { createPatience, isMp4, timelineLines } from '../../src/cli/demo.ts'
import { bar, createPaint, shortened } from '../../src/cli/context.ts'
import { start, temporaryFolder, type Ended } from './harness.ts'

/** A folder to run in, and one for temporary files that must be empty afterwards. */
const folders = () => {
  const cwd = temporaryFolder()
  const temporary = join(cwd, 'tmp')
  mkdirSync(temporary)
  return { cwd, env: { TMPDIR: temporary }, left: () => readdirSync(temporary) }
}

const BOTH =
  /primary interface +✓ \.\/demo-output\/primary\.mp4[^]*alternate interface +✓ \.\/demo-output\/alternate\.mp4/

/** What each customer's code made at the service itself, and at the gateway. */
const SAME = new RegExp(
  [
    'primary interface +✓ completed, \\d+ kB MP4 +api_video_\\w{26} +http://127.0.0.1:\\d+/api/v1',
    ' +at the gateway +✓ completed, \\d+ kB MP4 +api_video_\\w{26} +http://127.0.0.1:\\d+/api/v1',
    'alternate interface +✓ completed, \\d+ kB MP4 +clip_\\w{26} +http://127.0.0.1:\\d+/v1',
    ' +at the gateway +✓ completed, \\d+ kB MP4 +vid_\\w{26} +http://127.0.0.1:\\d+/v1',
    'webhook \\(primary\\) +✓ video.completed +evt_',
  ].join('\\n *'),
)

test('the demo does what the product promises, and says so', async () => {
  const { cwd, env, left } = folders()
  // A variable that is meant for a real gateway changes nothing.
  const variables = { ...env, TALKBRIDGE_STORE__PATH: './elsewhere.db', TALKBRIDGE_SECRET_KEY: 'none' }
  const { code, stdout, stderr }: Ended = await start(['demo'], { cwd, env: variables }).ended
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toContain('\n  one that fails       failed (backend_failed)\n')
  expect(stdout.match(/✓ video\.completed +evt_[0-9a-f]{26}\n/g)).toHaveLength(3)
  expect(stdout.match(/✓ video\.failed +evt_[0-9a-f]{26}\n/g)).toHaveLength(1)
  expect(stdout).toMatch(BOTH)
  const story = /created [^]*dispatched [^]*accepted [^]*(completed|failed) [^]*?webhook delivered/g
  expect(stdout.match(story)).not.toBeNull()
  expect(stdout.match(/webhook delivered/g)).toHaveLength(3)
  expect(stdout.match(/✓ the same video/g)).toHaveLength(3)
  expect(stdout).toContain('6 creates sent to the gateway → 3 jobs, 2 credits (primary), 3 webhooks\n')
  expect(stdout).toMatch(SAME)
  expect(stdout.match(/^ {2}row [123] {2}completed {2}0000[123]-vid_\w+\.mp4$/gm)).toHaveLength(3)
  expect(stdout).toContain('\n  ✓ batch guests: 3 completed; guests/results.csv has each row\n')
  expect(stdout).toMatch(/\n✓ everything works, in \d+\.\d s\n$/)
  // Nothing of a terminal where there is none.
  expect(stdout).not.toContain('\u001b')
  const made = ['alternate.mp4', 'card.json', 'guests', 'guests.csv', 'primary.mp4']
  expect(readdirSync(join(cwd, 'demo-output')).toSorted()).toEqual(made)
  for (const file of ['alternate.mp4', 'primary.mp4']) {
    expect(isMp4(readFileSync(join(cwd, 'demo-output', file)))).toBe(true)
  }
  expect(readdirSync(cwd).toSorted()).toEqual(['demo-output', 'tmp'])
  expect(left()).toEqual([])
})

test('Ctrl-C ends it with 1 and leaves nothing behind', async () => {
  const { cwd, env, left } = folders()
  const demo = start(['demo'], { cwd, env })
  await demo.printed(/processing/)
  expect(left()).toHaveLength(1)
  demo.kill('SIGINT')
  const { code, stderr } = await demo.ended
  expect({ code, stderr }).toEqual({ code: 1, stderr: 'talkbridge demo: interrupted at: wait for the videos\n' })
  expect(left()).toEqual([])
})

test('a step that fails is named, and nothing is left behind', async () => {
  const { cwd, env, left } = folders()
  writeFileSync(join(cwd, 'demo-output'), 'a file where the folder should be')
  const { code, stdout, stderr } = await start(['demo'], { cwd, env }).ended
  expect(code).toBe(1)
  expect(stderr).toMatch(/^talkbridge demo: FAILED at: start sandbox, gateway and receiver: EEXIST.*\n$/)
  expect(stdout).not.toContain('everything works')
  expect(left()).toEqual([])
})

test('it waits as long as something moves, and no longer', () => {
  vi.useFakeTimers()
  try {
    const patience = createPatience(1_000)
    for (let n = 0; n < 100; n += 1) {
      vi.advanceTimersByTime(999)
      patience.moved()
    }
    expect(patience.signal.aborted).toBe(false)
    vi.advanceTimersByTime(1_000)
    expect(patience.signal.aborted).toBe(true)
    const ended = createPatience(1_000)
    ended.end()
    vi.advanceTimersByTime(1_000)
    expect(ended.signal.aborted).toBe(false)
    expect(vi.getTimerCount()).toBe(0)
  } finally {
    vi.useRealTimers()
  }
})

test.each([
  [0, '░░░░░░░░░░░░░░░░░░░░░░░░'],
  [0.5, '████████████░░░░░░░░░░░░'],
  [1, '████████████████████████'],
  [7, '████████████████████████'],
])('the bar at %d', (progress, drawing) => expect(bar(progress, 0)).toBe(drawing))

test('a bar without known progress moves, and keeps its length', () => {
  const frames = Array.from({ length: 80 }, (_, tick) => bar(null, tick))
  expect(new Set(frames).size).toBe(21)
  for (const frame of frames) expect(frame).toMatch(/^(?=.{24}$)░*▒{4}░*$/)
})

test('colours only when asked for', () => {
  expect(createPaint({ isTty: true, env: {} })('green', 'ok')).toBe('\u001b[32mok\u001b[39m')
  for (const plain of [
    { isTty: false, env: {} },
    { isTty: true, env: { NO_COLOR: '1' } },
    { isTty: true, env: { TERM: 'dumb' } },
    { isTty: true, env: { FORCE_COLOR: '0' } },
  ])
    expect(createPaint(plain)('green', 'ok')).toBe('ok')
  const forced = { isTty: false, env: { FORCE_COLOR: '1', NO_COLOR: '1' } }
  expect(createPaint(forced)('green', 'ok')).toBe('\u001b[32mok\u001b[39m')
})

test('a timeline ends with the webhook, in time since the first line', () => {
  const timeline = [
    { at: '2026-01-01T00:00:00.000Z', type: 'created', detail: 'for backend main' },
    { at: '2026-01-01T00:00:02.500Z', type: 'completed', detail: null },
  ]
  const delivery = { atMs: Date.parse('2026-01-01T00:00:02.512Z'), eventId: 'evt_1', type: 'video.completed' }
  expect(timelineLines(timeline, { ...delivery, videoId: 'vid_1', refused: null })).toEqual([
    '  0.000 s  created            for backend main',
    '  2.500 s  completed',
    '  2.512 s  webhook delivered  video.completed',
  ])
  expect(timelineLines(timeline, undefined)).toHaveLength(2)
})

test('what is an MP4, and what is short', () => {
  expect(isMp4(Buffer.from('\0\0\0\u0018ftypisom'))).toBe(true)
  expect(isMp4(Buffer.from('<!doctype html>'))).toBe(false)
  expect(isMp4(Buffer.alloc(0))).toBe(false)
  expect(shortened('abcdef', 4)).toBe('abc…')
  expect(shortened('abcd', 4)).toBe('abcd')
})
