import { beforeEach, expect, test } from 'vitest'
import type { VideoView } from '../../../../src/core/api/videos.ts'
import type { VideoRecord } from '../../../../src/core/video.ts'
import type { VideoEventType } from '../../../../src/core/vocabulary.ts'
import { createLocalWake } from '../../../../src/stores/index.ts'
import { createAwaited, createFollow, type FollowDeps, REREAD_MS } from '../../../../src/engine/read/follow.ts'
import { renderVideo } from '../../../../src/engine/life/apply.ts'
import { fakeClock, type FakeClock } from '../../../fakes/clock.ts'
import { must } from '../../../fakes/must.ts'
import { accepted, ended } from '../../../fakes/records.ts'

let clock: FakeClock
let wake: ReturnType<typeof createLocalWake>
let current: VideoRecord | null
let reads: number
let listeners: number
let awaited: ReturnType<typeof createAwaited>
let hungUp: AbortController
/** Runs whenever the video is read, before the answer. */
let onRead: () => void
beforeEach(() => {
  clock = fakeClock()
  wake = createLocalWake(clock)
  current = accepted({ version: 3 })
  reads = 0
  listeners = 0
  awaited = createAwaited()
  hungUp = new AbortController()
  onRead = () => undefined
})

const render = async (video: VideoRecord): Promise<VideoView> =>
  renderVideo(video, {
    nowMs: clock.now(),
    contentUrl: (id) => id,
    eventsUrl: (id) => id,
    position: null,
    isPaused: false,
    plannedPollAtMs: clock.now() + 1,
  })
const follow = (given: Partial<FollowDeps> = {}) =>
  createFollow({
    store: {
      video: async () => {
        reads += 1
        onRead()
        return current
      },
      eventsOf: async (_client, { after }) => ({ events: [], upTo: after, more: false }),
      eventSpan: async () => ({ last: 0, gone: 0 }),
      eventsOfAll: async ({ after }) => ({ events: [], upTo: after, more: false }),
      eventSpanOfAll: async () => ({ last: new Map(), goneAtMs: 0 }),
    },
    wake: {
      on(handlers) {
        listeners += 1
        const off = wake.on(handlers)
        return () => {
          listeners -= 1
          off()
        }
      },
    },
    clock,
    awaited,
    render,
    ...given,
  })
const move = (given: Partial<VideoRecord>): void => {
  const before = must(current)
  current = { ...before, ...given, version: before.version + 1 }
  wake.changed(current.id, current.version, current.client)
}

const isAwaited = (id = 'vid_1', client = 'acme'): boolean => awaited.has({ id, client })

test('polls a followed video go first, until its last follower has left', async () => {
  const { followVideo } = follow()
  const one = followVideo('vid_1', null, hungUp.signal)
  const two = followVideo('vid_1', null, hungUp.signal)
  await Promise.all([one.next(), two.next()])
  expect(isAwaited()).toBe(true)
  await one.return()
  expect(isAwaited()).toBe(true)
  const rest = two.next()
  hungUp.abort()
  expect(await rest).toEqual({ done: true, value: undefined })
  expect(isAwaited()).toBe(false)
})

test.each<[string, VideoEventType[] | null, boolean]>([
  ['all', null, true],
  ['ends', ['video.progress', 'video.failed'], true],
  ['other things', ['video.queued', 'video.progress'], false],
])('who follows a client’s events and hears of %s: polls all of its videos go first: %s', async (_, types, goFirst) => {
  const next = follow().followEvents('acme', 0, types, hungUp.signal).next()
  await clock.advance(0)
  expect([isAwaited(), isAwaited('vid_1', 'other')]).toEqual([goFirst, false])
  hungUp.abort()
  await next
  expect(isAwaited()).toBe(false)
})

test('all followers share one listener, which is gone with the last; so are their timers', async () => {
  const { followVideo, followEvents } = follow()
  const videos = Array.from({ length: 50 }, (_, n) => followVideo(`vid_${n}`, null, hungUp.signal))
  await Promise.all(videos.map((one) => one.next()))
  const rest = [...videos.map((one) => one.next()), followEvents('acme', 0, null, hungUp.signal).next()]
  await clock.advance(0)
  expect(listeners).toBe(1)
  hungUp.abort()
  await Promise.all(rest)
  expect({ listeners, timers: clock.pending() }).toEqual({ listeners: 0, timers: 0 })
  // And again from the start.
  const again = followVideo('vid_1', null, new AbortController().signal)
  await again.next()
  const news = again.next()
  move({ progress: 0.5 })
  expect(await news).toMatchObject({ value: { version: 4, type: 'video.progress' } })
})

test('a change between the reading and the waiting is not missed', async () => {
  const news = follow().followVideo('vid_1', 3, hungUp.signal)
  onRead = () => {
    onRead = () => undefined
    const before = must(current)
    // Told while the read is on its way; its answer is the one of before.
    queueMicrotask(() => move({ progress: 0.5 }))
    current = before
  }
  expect(await news.next()).toMatchObject({ value: { version: 4, view: { progress: 0.5 } } })
  expect(clock.pending()).toBe(0)
})

test('only a change of its own video wakes a follower, and one that cannot be seen is not told', async () => {
  const news = follow().followVideo('vid_1', null, hungUp.signal)
  await news.next()
  const next = news.next()
  await clock.advance(0)
  expect(reads).toBe(1)
  wake.changed('vid_2', 9, 'acme')
  await clock.advance(0)
  expect(reads).toBe(1)
  move({ hintedPolls: 1, lastPollAtMs: clock.now() })
  await clock.advance(0)
  expect(reads).toBe(2)
  current = ended({ version: 9 })
  await clock.advance(REREAD_MS)
  expect(await next).toMatchObject({ value: { version: 9, type: 'video.completed' } })
  expect(await news.next()).toMatchObject({ done: true })
})
