import { copyFileSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import { HOUR, MINUTE, SECOND } from '../fakes/records.ts'
import { ALT, MAIN, virtualStage, type VirtualStage } from './virtual.ts'

/** A copy as docs/operations.md makes one while the gateway runs. */
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
