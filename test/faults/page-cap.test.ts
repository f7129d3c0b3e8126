import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { startReceiver, type Receiver } from '../fakes/receiver.ts'
import { HOUR, MINUTE, SECOND } from '../fakes/records.ts'
import { MAIN, virtualStage, type Answered, type VirtualStage } from './virtual.ts'

/** Fault test 7: the store is full, by the cap on its pages (`PRAGMA max_page_count`). */

const PAGE_BYTES = 4_096
/** What the store keeps back of its pages for what is open, and a little more. */
const CAP = (64 * 1024 * 1024) / PAGE_BYTES + 400
const UNLIMITED = { unlimitedRate: true, unlimitedCredits: true }

interface Capped extends VirtualStage {
  receiver: Receiver
  body: object
  /** Creates with keys of their own until ten were refused, or as many as given came. */
  fill(atMost: number): Promise<{ ids: string[]; refused: Answered[] }>
  /** Every video completed, its webhook received once under one id, its job made and paid once. */
  allIsWell(ids: readonly string[]): Promise<void>
}

const capped = async (): Promise<Capped> => {
  const receiver = await startReceiver()
  onTestFinished(() => receiver.close())
  const s = await virtualStage({
    sandbox: UNLIMITED,
    storeRoom: { maxPages: CAP, freeBytes: () => null },
    config: { webhooks: { allow: [{ cidr: '127.0.0.0/8', http: true }] } },
  })
  const body = { ...MAIN, text: 'x'.repeat(4_500), webhook_url: `${receiver.url}/hook` }
  return {
    ...s,
    receiver,
    body,
    async fill(atMost) {
      const ids: string[] = []
      const refused: Answered[] = []
      for (let n = 0; refused.length < 10 && n < atMost; n += 1) {
        const answered = await s.post(body, 'anna', `order ${n}`)
        if (answered.status === 202) ids.push(String(answered.body['id']))
        else refused.push(answered)
      }
      return { ids, refused }
    },
    async allIsWell(ids) {
      const { jobs, charges } = s.sandbox.ledger()
      const records = await Promise.all(ids.map((id) => s.record(id)))
      expect(new Set(records.map(({ status }) => status))).toEqual(new Set(['completed']))
      const made = records.map(({ backendJobId }) => String(backendJobId))
      expect(made.toSorted()).toEqual(jobs.map(({ id }) => id).toSorted())
      expect(charges).toHaveLength(jobs.length)
      const webhookIds = receiver.requests.map(({ headers }) => headers['webhook-id'])
      expect(new Set(webhookIds).size).toBe(ids.length)
      expect(webhookIds).toHaveLength(ids.length)
    },
  }
}

const ended = (s: Capped, ids: readonly string[]) => async (): Promise<boolean> =>
  (await s.allEnded(ids)) && s.receiver.requests.length >= ids.length

test('almost full: creates are refused with nothing sent; what runs settles and is delivered; room brings creates back', async () => {
  const s = await capped()
  const { ids, refused } = await s.fill(200)
  expect(ids.length).toBeGreaterThan(5)
  expect(refused).toHaveLength(10)
  for (const { status, body, headers } of refused) {
    expect([status, body['code'], body['retryable']]).toEqual([503, 'store_unavailable', true])
    expect(headers.get('retry-after')).toBe('30')
  }
  // Two slots are all that went out; the refused left nothing behind that could go out later.
  expect(s.sandbox.ledger().jobs).toHaveLength(2)
  await s.passUntil(12 * HOUR, ended(s, ids))
  await s.allIsWell(ids)

  // What ended is kept, and takes room: only with it gone is there any for new ones.
  const still = await s.fill(400)
  expect(still.refused).toHaveLength(10)
  await s.passUntil(12 * HOUR, ended(s, [...ids, ...still.ids]))
  expect(await s.store.purge(s.clock.now() + 1, 1_000)).toBe(ids.length + still.ids.length)
  expect((await s.post(s.body, 'anna', 'order 0')).status).toBe(202)
})

/** Another connection, without the cap, takes every page that the gateway had left; answers how to give them back. */
const takeEveryPage = (path: string): (() => void) => {
  const other = new DatabaseSync(path)
  onTestFinished(() => other.close())
  const count = (pragma: string): number => Number(Object.values(other.prepare(`PRAGMA ${pragma}`).get() ?? {})[0])
  other.exec('PRAGMA synchronous = OFF; CREATE TABLE ballast (data)')
  while (count('page_count') < CAP || count('freelist_count') > 0) {
    const left = Math.max(1, CAP - count('page_count'))
    other.exec(`INSERT INTO ballast VALUES (zeroblob(${left * PAGE_BYTES}))`)
  }
  return () => other.exec('DROP TABLE ballast')
}

test('really full: nothing is lost or paid twice, and what could not be written is written when there is room', async () => {
  const s = await capped()
  const { ids } = await s.fill(12)
  expect(ids).toHaveLength(12)
  const giveBack = takeEveryPage(s.gateway.deps.config.store.path)
  expect(await s.post(s.body, 'bert', 'late')).toMatchObject({ status: 503, body: { code: 'store_unavailable' } })
  await s.pass(30 * MINUTE)
  // Jobs ran and ended meanwhile; not all of it could be written down.
  const before = await Promise.all(ids.map((id) => s.record(id)))
  expect(before.filter(({ phase }) => phase !== 'ended').length).toBeGreaterThan(0)
  expect(s.sandbox.ledger().charges.length).toBeGreaterThanOrEqual(2)
  expect((await fetch(`${s.gateway.url}/healthz`)).status).toBe(200)
  expect(await s.post(s.body, 'bert', 'late')).toMatchObject({ status: 503 })

  giveBack()
  await s.passUntil(12 * HOUR, ended(s, ids))
  await s.pass(10 * SECOND)
  await s.allIsWell(ids)
  expect((await s.post(s.body, 'bert', 'late')).status).toBe(202)
})
