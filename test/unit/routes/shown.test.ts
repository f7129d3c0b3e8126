import { describe, expect, test } from 'vitest'
import { NO_DEFAULTS } from '../../../src/core/access.ts'
import { passingOf, renderVideo } from '../../../src/engine/life/apply.ts'
import type { Client } from '../../../src/routes/clients.ts'
import { createShownVideos } from '../../../src/routes/unified/videos/read.ts'
import { accepted, T0 } from '../../fakes/records.ts'

const CLIENT: Client = {
  id: accepted().client,
  scopes: new Set(['*']),
  visible: new Map(),
  limits: { requestsPerMinute: 60, videosPerMonth: null, creditsPerMonth: null, queuedVideos: 100, streams: 20 },
  defaults: NO_DEFAULTS,
}
const context = {
  nowMs: T0,
  plannedPollAtMs: null,
  position: null,
  isPaused: false,
  contentUrl: String,
  eventsUrl: String,
}

/** A store of one video, which `find` has under any id. `meanwhile` runs once: after a read has seen the video, and before it answers. */
const stage = () => {
  let record = accepted({ version: 1 })
  let writes = 0
  let meanwhile = (): void => {}
  let finds = 0
  let plannedPollAtMs: number | null = null
  const seen = async <T>(value: T): Promise<T> => {
    meanwhile()
    meanwhile = () => {}
    return value
  }
  const read = createShownVideos({
    videos: {
      render: async (one) => renderVideo(one, { ...context, plannedPollAtMs }),
      passing: (one) => passingOf(one, { ...context, plannedPollAtMs }),
      find: () => {
        finds += 1
        return seen(record)
      },
    },
    store: {
      videoUnless: (_client, _id, version) => seen(record.version === version ? 'same' : record),
      writeCount: () => writes,
    },
  })
  const writeOther = (): void => void (writes += 1)
  const write = (): void => {
    record = { ...record, version: record.version + 1, progress: 0.5 }
    writes += 1
  }
  return {
    writeOther,
    writeMeanwhile: (): void => void (meanwhile = write),
    /** Another poll is planned: nothing is written. */
    passMeanwhile: (): void => void (meanwhile = () => void (plannedPollAtMs = T0 + 60_000)),
    finds: () => finds,
    show: (id: string) => read(CLIENT, id),
    progress: async (): Promise<unknown> => JSON.parse((await read(CLIENT, record.id)).body).progress,
  }
}

describe('a write that comes while a video is read is seen by the next read', () => {
  test('of a video that was never read', async () => {
    const { writeMeanwhile, progress } = stage()
    writeMeanwhile()
    expect(await progress()).toBeNull()
    expect(await progress()).toBe(0.5)
  })

  test('of one whose body is kept', async () => {
    const { writeOther, writeMeanwhile, progress } = stage()
    await progress()
    writeOther()
    writeMeanwhile()
    expect(await progress()).toBeNull()
    expect(await progress()).toBe(0.5)
  })
})

test('a body is not kept under a job’s id, which another video may have later', async () => {
  const { writeOther, finds, show } = stage()
  for (const id of ['job_1', 'job_1']) await show(id)
  expect(finds()).toBe(2)
  for (const id of [accepted().id, accepted().id]) await show(id)
  writeOther()
  await show(accepted().id)
  expect(finds()).toBe(3)
})

test('what passed by itself while the store was read is not shown as before', async () => {
  const { writeOther, passMeanwhile, finds, show } = stage()
  await show(accepted().id)
  writeOther()
  passMeanwhile()
  await show(accepted().id)
  expect(finds()).toBe(2)
})
