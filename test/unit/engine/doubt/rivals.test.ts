import { describe, expect, test } from 'vitest'
import type { VideoRecord } from '../../../../src/core/video.ts'
import { createMayBeLeft, createRivalsOf } from '../../../../src/engine/doubt/list.ts'
import { accountOf, scriptedAdapter } from '../../../fakes/adapter.ts'
import { accepted, MINUTE, SECOND, T0, video, WIRE } from '../../../fakes/records.ts'

const LANE = 'pup_1'
const doubtful = (given: Partial<VideoRecord> = {}): VideoRecord =>
  video({ phase: 'doubtful', wire: WIRE, lane: LANE, dispatchedAtMs: T0, doubtSinceMs: T0, ...given })

test.each<[string, VideoRecord, boolean]>([
  ['in doubt', doubtful({ id: 'vid_2' }), true],
  ['in doubt, of another lane', doubtful({ id: 'vid_2', lane: 'pup_2' }), false],
  ['under way, its bytes stored', doubtful({ id: 'vid_2', phase: 'dispatching' }), true],
  ['under way, with nothing stored', doubtful({ id: 'vid_2', phase: 'dispatching', wire: null }), false],
  ['accepted meanwhile, its bytes not gone', accepted({ id: 'vid_2', lane: LANE, wire: WIRE }), false],
  ['waiting again', video({ id: 'vid_2', lane: LANE }), false],
  ['itself', doubtful(), false],
])('%s: a rival for the same job: %3$s', async (_, other, isRival) => {
  const rivalsOf = createRivalsOf({ store: { undecided: async () => [other.id], video: async () => other } })
  expect(await rivalsOf(doubtful())).toEqual(isRival ? [other] : [])
})

describe('a job that an earlier create of the lane may have left behind', () => {
  const account = accountOf(
    scriptedAdapter(() => T0),
    { timeoutMs: 30 * SECOND },
  )
  const asked: number[] = []
  const mayBeLeft = (like: VideoRecord[], one = doubtful()): Promise<boolean> =>
    createMayBeLeft({
      store: {
        sentInLane: async (_account, _lane, sinceMs) => {
          asked.push(sinceMs)
          return like
        },
      },
    })(account, one)
  const search = { named: [], walks: [], reading: null, resent: true }

  test.each<[string, VideoRecord[], boolean]>([
    ['an earlier attempt of another', [doubtful({ id: 'vid_2', search })], true],
    ['not one whose only attempt is known', [accepted({ id: 'vid_2' })], false],
    ['not its own', [doubtful({ search })], false],
  ])('%s', async (_, like, isLeft) => {
    expect(await mayBeLeft(like)).toBe(isLeft)
  })

  test('looks back as far as a create may have lasted, and the clocks may be apart', async () => {
    await mayBeLeft([])
    expect(asked.at(-1)).toBe(T0 - 30 * SECOND - 2 * 2 * MINUTE)
  })

  test('without a lane, nothing is like it', async () => {
    const known = asked.length
    expect(await mayBeLeft([doubtful({ id: 'vid_2', search })], doubtful({ lane: null }))).toBe(false)
    expect(asked).toHaveLength(known)
  })
})
