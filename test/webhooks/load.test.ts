import { afterEach, expect, test } from 'vitest'
import { must } from '../fakes/must.ts'
import { answer, startReceiver, type Behaviour, type Receiver } from '../fakes/receiver.ts'
import { sqliteStage, type SqliteStage, type StageOptions } from './sqlite-stage.ts'
import { dueIds } from '../contract/store/helpers.ts'

const RECEIVERS = 20

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

interface Scene extends SqliteStage {
  receivers: Receiver[]
}
const scene = async (options: StageOptions = {}): Promise<Scene> => {
  const receivers = await Promise.all(Array.from({ length: RECEIVERS }, () => startReceiver()))
  const stage = await sqliteStage(options)
  closers.push(async () => {
    await stage.close()
    await Promise.all(receivers.map((receiver) => receiver.close()))
  })
  return { ...stage, receivers }
}

/** The one event of each video: `evt_<producer>_<n>_1`, which goes to each receiver in turn. */
const videoOf = (producer: number, n: number): string => `${producer}_${n}`

/** One after the other, as fast as the store takes them. */
const produce = async (
  s: Scene,
  { producer, count, isTold }: { producer: number; count: number; isTold: boolean },
): Promise<void> => {
  for (let n = 0; n < count; n += 1) {
    const video = videoOf(producer, n)
    const { url } = must(s.receivers[(producer + n) % RECEIVERS])
    const ids = await s.owe({ video, client: `client_${producer}`, url: `${url}/${video}` })
    if (isTold) for (const id of ids) s.wake.hint('deliver', id, 0)
  }
}
const PRODUCERS = Array.from({ length: RECEIVERS }, (_, producer) => producer)

const idsAt = ({ requests }: Receiver): string[] => requests.map(({ headers }) => String(headers['webhook-id']))

test('20 producers, 20 receivers, 4,000 events, told of at once or found later: each arrives once', async () => {
  const each = 200
  const s = await scene()
  s.sender.start()
  // When half of all has arrived, how much every receiver has.
  let arrived = 0
  const shares: number[] = []
  for (const receiver of s.receivers) {
    receiver.respond(() => {
      arrived += 1
      if (arrived === (RECEIVERS * each) / 2) shares.push(...s.receivers.map(({ requests }) => requests.length))
      return answer(204)
    })
  }
  // Half of it is left for the sweep.
  await Promise.all(PRODUCERS.map((producer) => produce(s, { producer, count: each, isTold: producer % 2 === 0 })))
  await Promise.all(s.receivers.map((receiver) => receiver.received(each)))
  await s.sender.stop()

  const expected = PRODUCERS.flatMap((producer) =>
    Array.from({ length: each }, (_, n) => `evt_${videoOf(producer, n)}_1`),
  )
  expect(s.receivers.flatMap(idsAt).toSorted()).toEqual(expected.toSorted())
  expect(await dueIds(s.store)).toEqual([])
  // Nobody is starved: at half time everybody has a good part of its half.
  expect(shares).toHaveLength(RECEIVERS)
  expect(Math.min(...shares)).toBeGreaterThanOrEqual(each / 8)
})

test('as the gateway wires it: eight at once to one target, and the others do not wait for them', async () => {
  const each = 12
  const [stuck, well] = await Promise.all([startReceiver(), startReceiver()])
  let claims = 0
  const stage = await sqliteStage({
    wrapStore: (store) => ({
      ...store,
      claimDeliveries(...args) {
        claims += args[0].length
        return store.claimDeliveries(...args)
      },
    }),
  })
  closers.push(async () => {
    await stage.close()
    await Promise.all([stuck.close(), well.close()])
  })
  stuck.respond({ kind: 'hang' })
  for (let n = 0; n < each; n += 1) {
    for (const { url } of [stuck, well]) await stage.owe({ video: `${url} ${n}`, client: 'acme', url })
  }
  stage.sender.start()
  await Promise.all([well.received(each), stuck.received(8)])
  // Lanes take turns: if it might, it would have begun all of them by now.
  expect(claims).toBe(8 + each)
})

/** These never let go of an attempt: for them no timeout is near. */
const STUCK: readonly Behaviour[] = [
  { kind: 'hang_body', status: 200 },
  { kind: 'drip', status: 200, everyMs: 1_000 },
  { kind: 'hang' },
]
const BROKEN: readonly Behaviour[] = [
  answer(500),
  { kind: 'reset' },
  answer(302, { location: 'http://127.0.0.1:1/' }),
  { kind: 'big', status: 200, sizeBytes: 10_000_000 },
]

test('when a third of the receivers is bad in every way, nobody waits for them', async () => {
  // Of each producer to each receiver; those to the stuck ones are twice as many as there are slots.
  const each = 20
  const producers = PRODUCERS.slice(0, 8)
  const s = await scene({ timeoutMs: 24 * 3_600_000 })
  const bad = [...STUCK, ...BROKEN]
  for (const [n, behaviour] of bad.entries()) must(s.receivers[n]).respond(behaviour)
  const well = s.receivers.slice(bad.length)
  s.sender.start()
  await Promise.all(producers.map((producer) => produce(s, { producer, count: RECEIVERS * each, isTold: true })))
  // It would not end if one of theirs waited for an attempt at a stuck one to end.
  const arrived = await Promise.all(well.map((receiver) => receiver.received(producers.length * each)))
  for (const requests of arrived) expect(requests).toHaveLength(producers.length * each)
  // Eight at once of each client, to each of them, and no more: that is what the others have left.
  const stuck = s.receivers.slice(0, STUCK.length)
  await Promise.all(stuck.map((receiver) => receiver.received(8 * producers.length)))
  expect(stuck.map(({ requests }) => requests.length)).toEqual(STUCK.map(() => 8 * producers.length))
})
