import { afterEach, describe, expect, test } from 'vitest'
import { completed, lasting, listed, running, unread } from '../fakes/adapter.ts'
import { LINK, MINUTE, problem, SECOND } from '../fakes/records.ts'
import { openDoubts, PORTRAIT, type DoubtStage } from './doubts.ts'

/** An alternate backend whose details carry no link, behind a window of a request a minute. */
let stage: DoubtStage
const open = async (requestsPerMinute = 1): Promise<void> => {
  stage = await openDoubts({ exclusive: false }, { account: { requestsPerMinute } })
}
afterEach(async () => {
  await stage.engine.videos.stop()
  await stage.engine.destroy()
})

const LINKLESS = completed({ link: null, durationSeconds: 7 })
const CAME = { ok: true, value: LINK, rate: null } as const
const refused = (status: number) => {
  const told = problem({ backendError: { status, code: null, block_code: null, message: null } })
  return { ok: false, problem: told, lost: false, rate: null } as const
}
const asked = (): string[] =>
  stage.adapter.calls.map(({ operation }) => operation).filter((operation) => operation !== 'create')
const restart = async (how: 'stopped' | 'crashed'): Promise<void> => {
  stage.engine = await stage.engine.restart(how)
  stage.engine.videos.start()
}

test('a request a minute: its state, its link, and no more', async () => {
  await open()
  const { id } = await stage.create()
  stage.adapter.polls.push(lasting(LINKLESS))
  stage.adapter.downloads.push(CAME)
  await stage.engine.pass(10 * MINUTE)
  expect(asked()).toEqual(['status', 'download'])
  expect(await stage.engine.record(id)).toMatchObject({ status: 'completed', link: LINK, durationSeconds: 7 })
})

test.each(['stopped', 'crashed'] as const)('the same where the gateway is %s in between', async (how) => {
  await open()
  const { id } = await stage.create()
  stage.adapter.polls.push(lasting(LINKLESS))
  stage.adapter.downloads.push(CAME)
  while (asked().length === 0) await stage.engine.pass(SECOND)
  await restart(how)
  expect(await stage.engine.record(id)).toMatchObject({ phase: 'accepted', status: 'processing', linkOwed: true })
  await stage.engine.pass(5 * MINUTE)
  expect(asked()).toEqual(['status', 'download'])
  expect(await stage.engine.record(id)).toMatchObject({ status: 'completed' })
})

test('three whose list says that they ended, and a crash after their details: then only the links', async () => {
  await open()
  const ids: string[] = []
  for (let n = 0; n < 3; n += 1) {
    // Each create is a window of its own.
    const { video } = await stage.engine.create({ input: { ...PORTRAIT, puppet_id: `pup_${n}` } })
    ids.push(video.id)
  }
  stage.adapter.polls.push(lasting(running()))
  for (;;) {
    const records = await Promise.all(ids.map((id) => stage.engine.record(id)))
    if (records.every(({ phase }) => phase === 'accepted')) break
    await stage.engine.pass(10 * SECOND)
  }
  const items = (await Promise.all(ids.map((id) => stage.engine.record(id)))).map(({ backendJobId }) =>
    listed({ jobId: backendJobId ?? '', status: 'completed', puppetId: null, createdAtMs: null }),
  )
  const list = { items, total: 3, totalPages: 1, dateMs: null }
  stage.adapter.lists.push(lasting({ ok: true, value: list, rate: null } as const))
  stage.adapter.polls = [lasting(LINKLESS)]
  // After a restart all of them are due together.
  await restart('stopped')
  const before = asked().length
  stage.adapter.downloads.push(CAME, CAME, CAME)
  const count = (operation: string): number =>
    asked()
      .slice(before)
      .filter((one) => one === operation).length
  while (count('status') < 3) await stage.engine.pass(SECOND)
  const lists = count('list')
  expect(lists).toBeGreaterThan(0)
  await restart('crashed')
  await stage.engine.pass(20 * MINUTE)
  for (const id of ids) expect(await stage.engine.record(id)).toMatchObject({ status: 'completed' })
  expect([count('list'), count('status'), count('download')]).toEqual([lists, 3, 3])
})

describe('what the link’s own request says', () => {
  const seen = async (answer: ReturnType<typeof refused>, forMs: number) => {
    await open(1_000)
    const { id } = await stage.create()
    stage.adapter.polls.push(lasting(LINKLESS))
    stage.adapter.downloads.push(lasting(answer))
    await stage.engine.pass(forMs)
    return id
  }

  test.each([404, 410])('%i, again and again: it is failed for that, by the rule', async (status) => {
    const id = await seen(refused(status), 20 * MINUTE)
    expect(await stage.engine.record(id)).toMatchObject({ status: 'failed', error: { code: 'video_url_missing' } })
    const times = stage.adapter.callsOf('download').map(({ atMs }) => atMs)
    expect(times.length).toBeGreaterThanOrEqual(5)
    expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(15 * MINUTE)
    expect(stage.adapter.callsOf('status')).toHaveLength(1)
  })

  test.each([403, 503])('%i, however often: no evidence, and it comes in the end', async (status) => {
    const id = await seen(refused(status), 20 * MINUTE)
    expect(await stage.engine.record(id)).toMatchObject({ phase: 'accepted', status: 'processing', evidence: null })
    stage.adapter.downloads = [CAME]
    await stage.engine.pass(2 * MINUTE)
    expect(await stage.engine.record(id)).toMatchObject({ status: 'completed' })
    expect(stage.adapter.callsOf('status')).toHaveLength(1)
  })
})

test('a job is learned to have run until it was seen to be over, not until its link came', async () => {
  await open(1_000)
  const { id } = await stage.create()
  stage.adapter.polls.push(LINKLESS)
  stage.adapter.downloads.push(...Array.from({ length: 9 }, () => unread()), CAME)
  await stage.engine.pass(10 * MINUTE)
  const video = await stage.engine.record(id)
  expect(video).toMatchObject({ status: 'completed' })
  await stage.engine.videos.stop()
  const [durationMs = 0] = await stage.engine.store.durations('main/text')
  const overAtMs = stage.adapter.callsOf('status')[0]?.atMs ?? 0
  expect(durationMs).toBeGreaterThan(0)
  expect(durationMs).toBeLessThanOrEqual(overAtMs - (video.acceptedAtMs ?? 0))
})
