import { describe, expect, test } from 'vitest'
import { HOUR, MINUTE, SECOND } from '../fakes/records.ts'
import { ALT, virtualStage, type VirtualStage } from './virtual.ts'

const LOST = { operation: 'createVideo', kind: 'reset', when: 'after' }
const NEVER_CALLED = { ...ALT, text: 'Hello [[never-callback]]' }

const exclusive = (given: object = {}) => ({ config: { backends: { alt: { exclusive: true, ...given } } } })
const jobsOf = ({ sandbox }: VirtualStage) => sandbox.ledger().jobs.filter((job) => job.interface === 'alternate')
const creates = ({ sandbox }: VirtualStage) =>
  sandbox.ledger().requests.filter(({ operation }) => operation === 'createVideo')

/** Somebody else with the same account makes a video of the same puppet. */
const foreignTwin = async ({ sandbox }: VirtualStage): Promise<string> => {
  const response = await fetch(`${sandbox.alternateUrl}/v1/videos`, {
    method: 'POST',
    headers: { authorization: `Bearer ${sandbox.alternateKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ script: 'Mine', puppet_id: 'pup_ada' }),
  })
  const { id } = (await response.json()) as { id: string }
  return id
}
const whyOf = async ({ gateway }: VirtualStage, id: string): Promise<string | null> =>
  (await gateway.deps.videos.timeline(id)).findLast(({ type }) => type === 'doubt')?.detail ?? null

const expectUnknown = async (s: VirtualStage, id: string, why: string): Promise<void> => {
  expect(await s.record(id)).toMatchObject({ status: 'failed', error: { code: 'create_outcome_unknown' } })
  expect(await whyOf(s, id)).toContain(why)
}

describe('a create that was taken and whose answer was lost', () => {
  test('on a shared account: the callback names it, and it is adopted', async () => {
    const s = await virtualStage()
    await s.fault('alternate', LOST)
    const id = await s.create(ALT, 'anna', 'order-1')
    await s.passUntil(10 * MINUTE, () => s.allEnded([id]))
    expect(await s.record(id)).toMatchObject({ status: 'completed', backendJobId: jobsOf(s)[0]?.id })
    expect(jobsOf(s)).toHaveLength(1)
    expect(await s.post(ALT, 'anna', 'order-1')).toMatchObject({ status: 200, body: { id } })
  })

  test('on a shared account, with a foreign twin: the callback tells them apart', async () => {
    const s = await virtualStage()
    await s.fault('alternate', LOST)
    const id = await s.create(ALT)
    const twin = await foreignTwin(s)
    await s.passUntil(10 * MINUTE, () => s.allEnded([id]))
    const { status, backendJobId } = await s.record(id)
    expect(status).toBe('completed')
    expect(backendJobId).not.toBe(twin)
    expect(jobsOf(s).map((job) => job.id)).toContain(backendJobId)
  })

  test('on a shared account, without a callback: never the twin, but unknown', async () => {
    const s = await virtualStage()
    await s.fault('alternate', LOST)
    const id = await s.create(NEVER_CALLED)
    await foreignTwin(s)
    await s.pass(59 * MINUTE)
    expect(await s.record(id)).toMatchObject({ phase: 'doubtful' })
    await s.pass(2 * MINUTE)
    await expectUnknown(s, id, 'no evidence came')
    expect(creates(s)).toHaveLength(2)
  })

  test('on an account of our own: found in the list, without any callback', async () => {
    const s = await virtualStage(exclusive())
    await s.fault('alternate', LOST)
    const id = await s.create(NEVER_CALLED)
    await s.passUntil(5 * SECOND, async () => (await s.record(id)).phase === 'accepted')
    await s.passUntil(10 * MINUTE, () => s.allEnded([id]))
    expect(await s.record(id)).toMatchObject({ status: 'completed', backendJobId: jobsOf(s)[0]?.id })
  })

  test('on an account said to be our own, with two candidates: never guessed', async () => {
    const s = await virtualStage(exclusive())
    const twin = await foreignTwin(s)
    await s.fault('alternate', LOST)
    const id = await s.create(NEVER_CALLED)
    await s.pass(5 * SECOND)
    await expectUnknown(s, id, twin)
    for (const job of jobsOf(s)) expect(await whyOf(s, id)).toContain(job.id)
  })

  test('five of them, of one puppet: each finds its own', async () => {
    const s = await virtualStage(exclusive())
    await s.fault('alternate', { ...LOST, times: 5 })
    const ids: string[] = []
    for (let n = 0; n < 5; n += 1) ids.push(await s.create(NEVER_CALLED))
    await s.passUntil(HOUR, () => s.allEnded(ids))
    const records = await Promise.all(ids.map((id) => s.record(id)))
    expect(records.map(({ status }) => status)).toEqual(ids.map(() => 'completed'))
    expect(new Set(records.map(({ backendJobId }) => backendJobId)).size).toBe(5)
    expect(jobsOf(s)).toHaveLength(5)
  })
})

describe('a create that never arrived', () => {
  const NOT_TAKEN = { operation: 'createVideo', kind: 'reset', when: 'before' }

  test('is proven absent, and failed', async () => {
    const s = await virtualStage(exclusive())
    await s.fault('alternate', NOT_TAKEN)
    const id = await s.create(ALT)
    await s.passUntil(7 * MINUTE, () => s.allEnded([id]))
    await expectUnknown(s, id, 'no job was found for it')
    expect(jobsOf(s)).toEqual([])
  })

  test('is sent once more where that was asked for, under a token of its own', async () => {
    const s = await virtualStage(exclusive({ resend_when_absent: true }))
    await s.fault('alternate', NOT_TAKEN)
    const id = await s.create(ALT)
    await s.passUntil(10 * MINUTE, () => s.allEnded([id]))
    expect(await s.record(id)).toMatchObject({ status: 'completed', attempt: 2 })
    expect(jobsOf(s)).toHaveLength(1)
    expect(creates(s)).toHaveLength(2)
    expect(s.sandbox.ledger().callbacks).toMatchObject([{ url: expect.stringContaining(`${id}.2.`), status: 204 }])
  })
})

describe('a forged callback', () => {
  test('cannot give a video the job of another', async () => {
    const s = await virtualStage()
    const other = await s.create({ ...ALT, text: 'Hello [[stuck]]' })
    const { backendJobId } = await s.record(other)
    await s.fault('alternate', { ...LOST, when: 'before' })
    const id = await s.create(ALT)
    const token = s.gateway.deps.callbackTokens.make('alt', id, 1)
    const post = (url: string) =>
      fetch(url, { method: 'POST', body: JSON.stringify({ video: { video_id: backendJobId } }) })
    expect((await post(`${s.gateway.url}/hooks/alt/${token}`)).status).toBe(204)
    await s.pass(MINUTE)
    expect(await s.record(id)).toMatchObject({ phase: 'doubtful', backendJobId: null })
    expect((await post(`${s.gateway.url}/hooks/alt/${token.slice(0, -1)}x`)).status).toBe(404)
    expect((await s.record(other)).backendJobId).toBe(backendJobId)
  })
})
