import { copyFileSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { startSandbox } from '@talkbridge/sandbox'
import { describe, expect, onTestFinished, test } from 'vitest'
import { fakeClock } from '../fakes/clock.ts'
import { answer, startReceiver } from '../fakes/receiver.ts'
import { HOUR, MINUTE, SECOND } from '../fakes/records.ts'
import { until } from '../fakes/until.ts'
import { ALT, MAIN, virtualStage, type VirtualStage } from './virtual.ts'

/** A copy as docs/upkeep.md makes one while the gateway runs. */
const backUp = ({ path }: VirtualStage): string => {
  const copy = `${path}.backup`
  const db = new DatabaseSync(path)
  db.prepare('VACUUM INTO ?').run(copy)
  db.close()
  return copy
}

/** Puts the copy in the place of the store as that page says, while no gateway runs. */
const putBack = (path: string, copy: string): void => {
  for (const end of ['', '-wal', '-shm']) rmSync(`${path}${end}`, { force: true })
  copyFileSync(copy, path)
}

/** Restores the copy by the steps of the page: a plain start is refused. */
const restore = async (s: VirtualStage, copy: string): Promise<void> => {
  const start = s.restart(undefined, { meanwhile: () => putBack(s.path, copy) })
  await expect(start).rejects.toThrow(
    /is a copy from earlier: it has \d+ writes, and .*\.mark says \d+.*`serve --restored`/,
  )
  await s.restart(undefined, { isRestored: true })
}

const creates = ({ sandbox }: VirtualStage) =>
  sandbox.ledger().requests.filter(({ operation }) => operation?.startsWith('createVideo'))
/** Whether a video is in this phase, with the bytes of its create. */
const isSent = (path: string, phase: string): boolean => {
  const db = new DatabaseSync(path)
  const sql = `SELECT 1 FROM videos WHERE phase = ? AND json_extract(data, '$.wire') IS NOT NULL`
  const found = db.prepare(sql).get(phase)
  db.close()
  return found !== undefined
}

/** A create that is copied in this phase: its bytes may have gone out, and no answer is known. */
const copiedIn = async (s: VirtualStage, phase: string, body: object): Promise<{ id: string; copy: string }> => {
  let id = ''
  const posted = s.post(body).then((created) => (id = String(created.body['id'])))
  // In real time: the stage would wait for the end of the exchange.
  await until(() => isSent(s.path, phase))
  const copy = backUp(s)
  await s.passUntil(MINUTE, () => id !== '')
  await posted
  return { id, copy }
}

const jobs = ({ sandbox }: VirtualStage): number => sandbox.ledger().jobs.length
const phases = (s: VirtualStage, ids: readonly string[]) =>
  Promise.all(ids.map(async (id) => (await s.record(id)).phase))

describe('the primary interface', () => {
  test('what was sent since the copy is found by its key, and paid once', async () => {
    const s = await virtualStage()
    const ids = [await s.create(MAIN), await s.create(MAIN), await s.create(MAIN), await s.create(MAIN)]
    expect(await phases(s, ids)).toEqual(['accepted', 'accepted', 'waiting', 'waiting'])
    const copy = backUp(s)
    await s.passUntil(HOUR / 2, () => s.allEnded(ids))
    const made = await Promise.all(ids.map(async (id) => (await s.record(id)).backendJobId))
    expect(jobs(s)).toBe(4)
    await restore(s, copy)
    expect(await phases(s, ids.slice(2))).toEqual(['doubtful', 'doubtful'])
    await s.passUntil(10 * MINUTE, () => s.allEnded(ids))
    expect(jobs(s)).toBe(4)
    for (const [n, id] of ids.entries())
      expect(await s.record(id)).toMatchObject({ status: 'completed', backendJobId: made[n] })
  })

  test('what waited in the copy and was never sent is sent once', async () => {
    const s = await virtualStage()
    const ids = [await s.create(MAIN), await s.create(MAIN), await s.create(MAIN)]
    const copy = backUp(s)
    await s.create(MAIN, 'bert')
    await restore(s, copy)
    await s.passUntil(HOUR, () => s.allEnded(ids))
    expect(await Promise.all(ids.map(async (id) => (await s.record(id)).status))).toEqual(ids.map(() => 'completed'))
    expect(jobs(s)).toBe(3)
  })

  test('what was being sent in the copy is found by its key', async () => {
    const s = await virtualStage()
    await s.fault('primary', { operation: 'createVideoFromText', kind: 'hang', when: 'after' })
    const { id, copy } = await copiedIn(s, 'dispatching', MAIN)
    await s.passUntil(HOUR / 2, () => s.allEnded([id]))
    const { backendJobId } = await s.record(id)
    await restore(s, copy)
    expect(await s.record(id)).toMatchObject({ phase: 'doubtful', attempt: 1 })
    await s.passUntil(10 * MINUTE, () => s.allEnded([id]))
    expect(await s.record(id)).toMatchObject({ status: 'completed', backendJobId })
    expect([creates(s).length, jobs(s)]).toEqual([3, 1])
  })

  test('what was in doubt in the copy is not sent after the window: its key may be forgotten', async () => {
    const s = await virtualStage()
    await s.fault('primary', { operation: 'createVideoFromText', kind: 'reset', when: 'after' })
    const id = await s.create(MAIN)
    expect(await s.record(id)).toMatchObject({ phase: 'doubtful' })
    const copy = backUp(s)
    await s.passUntil(HOUR / 2, () => s.allEnded([id]))
    expect(await s.record(id)).toMatchObject({ status: 'completed' })
    const sent = creates(s).length
    await s.pass(5 * HOUR)
    await restore(s, copy)
    await s.passUntil(10 * MINUTE, () => s.allEnded([id]))
    expect(await s.record(id)).toMatchObject({ error: { code: 'create_outcome_unknown' } })
    expect([creates(s).length, jobs(s)]).toEqual([sent, 1])
  })

  test('audio that was not hosted in the copy is not sent: it may have gone under another key', async () => {
    const source = await startReceiver()
    onTestFinished(() => source.close())
    source.respond(answer(200, { 'content-type': 'audio/wav' }, `RIFF$${'\0'.repeat(3)}WAVE${'sound '.repeat(50)}`))
    const s = await virtualStage()
    await s.fault('primary', { operation: 'createHostedAudioUploadUrl', kind: 'status', status: 503 })
    const id = await s.create({ image_url: MAIN.image_url, audio_url: `${source.url}/a.wav` })
    await s.passUntil(MINUTE, async () => (await s.record(id)).transfer?.step === 'needed')
    const copy = backUp(s)
    await s.passUntil(HOUR / 2, () => s.allEnded([id]))
    expect(await s.record(id)).toMatchObject({ status: 'completed', transfer: { step: 'done' } })
    const sent = creates(s).length
    await restore(s, copy)
    await s.passUntil(10 * MINUTE, () => s.allEnded([id]))
    expect(await s.record(id)).toMatchObject({ error: { code: 'create_outcome_unknown' } })
    expect((await s.gateway.deps.videos.timeline(id)).map(({ detail }) => detail)).toContain(
      'its audio was not hosted in the copy',
    )
    expect([creates(s).length, jobs(s)]).toEqual([sent, 1])
  })

  test('after the window of the copy nothing of it is sent: the outcome is unknown', async () => {
    const s = await virtualStage()
    const ids = [await s.create(MAIN), await s.create(MAIN), await s.create(MAIN)]
    const copy = backUp(s)
    await s.passUntil(HOUR / 2, () => s.allEnded(ids))
    await s.pass(HOUR)
    const sent = creates(s).length
    await restore(s, copy)
    await s.passUntil(10 * MINUTE, () => s.allEnded(ids))
    expect(await s.record(ids[2] ?? '')).toMatchObject({ error: { code: 'create_outcome_unknown' } })
    expect(await s.record(ids[0] ?? '')).toMatchObject({ status: 'completed' })
    expect([creates(s).length, jobs(s)]).toEqual([sent, 3])
  })
})

describe('the alternate interface', () => {
  const ONE_SLOT = { slots: 1, requests_per_minute: 60 }
  const OTHER = { ...ALT, puppet_id: 'pup_ben' }

  test.each([true, false])('exclusive: %s: unknown, with the job that may be it', async (exclusive) => {
    const s = await virtualStage({ isUnreachable: true, config: { backends: { alt: { ...ONE_SLOT, exclusive } } } })
    const ids = [await s.create(ALT), await s.create(OTHER)]
    expect(await phases(s, ids)).toEqual(['accepted', 'waiting'])
    const copy = backUp(s)
    await s.passUntil(HOUR / 2, () => s.allEnded(ids))
    const { backendJobId } = await s.record(ids[1] ?? '')
    await restore(s, copy)
    await s.passUntil(10 * MINUTE, () => s.allEnded(ids))
    const after = await s.record(ids[1] ?? '')
    expect(after).toMatchObject({ error: { code: 'create_outcome_unknown' } })
    expect(after.search?.reading?.candidates).toEqual([{ jobId: backendJobId, isOurs: true }])
    expect([creates(s).length, jobs(s)]).toEqual([2, 2])
  })

  test.each([
    ['dispatching', 'hang'],
    ['doubtful', 'reset'],
  ])('what was %s in the copy is not judged by the list of an exclusive account', async (phase, kind) => {
    const alt = { ...ONE_SLOT, exclusive: true, resend_when_absent: true }
    const s = await virtualStage({ isUnreachable: true, config: { backends: { alt } } })
    await s.fault('alternate', { operation: 'createVideo', kind, when: 'before' })
    const { id, copy } = await copiedIn(s, phase, ALT)
    // Proven absent, so it was sent once more.
    await s.passUntil(HOUR, () => s.allEnded([id]))
    const { backendJobId } = await s.record(id)
    expect([creates(s).length, jobs(s)]).toEqual([2, 1])
    await restore(s, copy)
    await s.passUntil(2 * HOUR, () => s.allEnded([id]))
    const after = await s.record(id)
    expect(after).toMatchObject({ error: { code: 'create_outcome_unknown' } })
    expect(after.search?.reading?.candidates).toEqual([{ jobId: backendJobId, isOurs: true }])
    expect([creates(s).length, jobs(s)]).toEqual([2, 1])
  })

  test('a callback names the job', async () => {
    const s = await virtualStage({ config: { backends: { alt: ONE_SLOT } } })
    const ids = [await s.create(ALT), await s.create(OTHER)]
    const copy = backUp(s)
    await s.passUntil(HOUR / 2, async () => (await phases(s, ids))[1] === 'accepted')
    const { backendJobId } = await s.record(ids[1] ?? '')
    await restore(s, copy)
    await s.passUntil(HOUR / 2, () => s.allEnded(ids))
    expect(await s.record(ids[1] ?? '')).toMatchObject({ status: 'completed', backendJobId })
    expect([creates(s).length, jobs(s)]).toEqual([2, 2])
  })

  test('the job of a video that the copy does not know is not taken for that of one that it does', async () => {
    const alt = { ...ONE_SLOT, exclusive: true }
    const s = await virtualStage({ isUnreachable: true, config: { backends: { alt } } })
    const first = await s.create(ALT)
    const waiting = await s.create(OTHER)
    const copy = backUp(s)
    await s.gateway.deps.videos.cancel(await s.record(waiting))
    const later = await s.create({ ...OTHER, text: 'Something that only Bert may hear.' }, 'bert')
    await s.passUntil(HOUR / 2, () => s.allEnded([first, later]))
    await restore(s, copy)
    await s.passUntil(HOUR, () => s.allEnded([first, waiting]))
    expect(await s.record(waiting)).toMatchObject({
      backendJobId: null,
      error: { code: 'create_outcome_unknown' },
    })
    expect(jobs(s)).toBe(2)
  })
})

/** Two members of a pool, on accounts of their own. */
const poolStage = async () => {
  const clock = fakeClock()
  const other = await startSandbox({ clock, speed: 1, unlimitedCredits: true })
  onTestFinished(() => other.close())
  const member = { interface: 'primary', base_url: other.primaryUrl, api_key: other.primaryKey }
  const config = {
    backends: { main: { slots: 1 }, other: { ...member, slots: 1, requests_per_minute: 10 } },
    routing: { pools: { both: ['main', 'other'] }, default: 'both' },
  }
  return { s: await virtualStage({ clock, config }), other }
}

test('what waited for any member of a pool is not sent: another member may have made it', async () => {
  const { s, other } = await poolStage()
  const ids = [await s.create({ ...MAIN, text: 'Hello. '.repeat(200) }), await s.create(MAIN), await s.create(MAIN)]
  const id = ids[2] ?? ''
  expect(await phases(s, ids)).toEqual(['accepted', 'accepted', 'waiting'])
  expect(await s.record(id)).toMatchObject({ backend: 'main', pool: 'both', attempt: 0 })
  const copy = backUp(s)
  await s.passUntil(HOUR / 2, () => s.allEnded(ids))
  expect(await s.record(id)).toMatchObject({ backend: 'other', status: 'completed' })
  const made = [jobs(s), other.ledger().jobs.length]
  expect(made).toEqual([1, 2])
  await restore(s, copy)
  await s.passUntil(10 * MINUTE, () => s.allEnded(ids))
  expect(await s.record(id)).toMatchObject({ backend: 'main', error: { code: 'create_outcome_unknown' } })
  expect((await s.gateway.deps.videos.timeline(id)).map(({ detail }) => detail)).toContain(
    'another member of its pool may have made it since the copy',
  )
  expect([jobs(s), other.ledger().jobs.length]).toEqual(made)
})

test('nor is what a member was sent for the first time: it may have refused it, and another member have made it', async () => {
  const { s, other } = await poolStage()
  await s.fault('primary', { operation: 'createVideoFromText', kind: 'hang', when: 'after' })
  const { id, copy } = await copiedIn(s, 'dispatching', MAIN)
  await s.passUntil(HOUR / 2, () => s.allEnded([id]))
  const made = [creates(s).length, jobs(s), other.ledger().jobs.length]
  await restore(s, copy)
  expect(await s.record(id)).toMatchObject({ phase: 'doubtful', attempt: 1 })
  await s.passUntil(10 * MINUTE, () => s.allEnded([id]))
  expect(await s.record(id)).toMatchObject({ backend: 'main', error: { code: 'create_outcome_unknown' } })
  expect([creates(s).length, jobs(s), other.ledger().jobs.length]).toEqual(made)
})

test('a restored store is a store of its own: it starts as usual, and a later copy of it is refused', async () => {
  const s = await virtualStage()
  const id = await s.create(MAIN)
  const copy = backUp(s)
  await s.passUntil(HOUR / 2, () => s.allEnded([id]))
  await restore(s, copy)
  await s.restart()
  await s.create(MAIN, 'bert')
  await s.pass(SECOND)
  const start = s.restart(undefined, { meanwhile: () => putBack(s.path, copy) })
  await expect(start).rejects.toThrow('is the mark of another store')
})
