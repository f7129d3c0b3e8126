import { expect } from 'vitest'
import type { Store } from '../../../src/core/store/index.ts'
import { must } from '../../fakes/must.ts'
import { ACCOUNT, accepted, draft, event, idemKey, listQuery, note, TARGET } from '../../fakes/records.ts'
import { LEASE_MS, numbered, openWaiting, ROOMY, saving } from './helpers.ts'
import type { Rivals } from './races.ts'

const CALM = { pollsDue: 0, createsWaiting: 0 }
/** It runs all the while, and moves on with every round. */
const RUNNER = numbered(1)
const ROUNDS = 12
const LANE = 'a'
const URL_ATTEMPT = { atMs: 1, durationMs: 1, status: 500, error: null, responseBody: null }

/** Rounds of everything that may be written: one video opens, goes out and is accepted, the runner moves on. */
const churn = async (store: Store): Promise<void> => {
  for (let n = 1; n <= ROUNDS; n += 1) {
    await store.open(draft({ id: numbered(100 + n), lane: LANE }), idemKey({ key: `order ${n}` }), ROOMY, null)
    const { deliveries } = await store.change(RUNNER, (video, nowMs) => ({
      kind: 'save',
      video: { ...video, sequence: video.sequence + 1, trace: String(video.sequence + 1) },
      events: [{ event: event(RUNNER, video.sequence + 1), targets: [TARGET] }],
      notes: [note(`step ${video.sequence + 1}`, nowMs)],
    }))
    const lease = await store.claim('deliver', must(deliveries[0]), LEASE_MS)
    if (lease) await store.attempted(lease, URL_ATTEMPT, { status: 'failed' })
    const { video } = must(await store.admit(ACCOUNT, { slots: null, leaseMs: LEASE_MS }))
    await store.change(
      video.id,
      saving({ phase: 'accepted', lease: null, backendJobId: `job_${n}`, dispatchedAtMs: n }),
    )
    await store.keepDurations('main/text', Array<number>(20).fill(n))
    await store.spend(ACCOUNT, 'poll', CALM, 50)
    const fact = { value: String(n), atMs: n }
    await store.putFacts(
      'account',
      [
        { key: 'one', ...fact },
        { key: 'two', ...fact },
      ],
      LEASE_MS,
    )
    await store.claim('maintain', `round ${n}`, LEASE_MS, String(n))
  }
}

/** What a reader may never see, said of one look: nothing, or what was wrong. `last` is what the look before told. */
type Look = (reader: Store, last: number) => Promise<{ now: number; wrong?: unknown }>

const rising = (now: number, last: number, wrong?: unknown) =>
  now < last ? { now, wrong: `${now} after ${last}` } : wrong === undefined ? { now } : { now, wrong }
const unless = (isRight: boolean, seen: unknown): unknown => (isRight ? undefined : (seen ?? 'nothing'))
const steps = (found: readonly number[]): boolean => found.every((step, n) => step === n + 1)

const LOOKS = {
  video: async (reader, last) => {
    const video = must(await reader.video(RUNNER))
    // What it says was written with it is there already.
    const events = (await reader.deliveriesOf(RUNNER)).length
    const notes = (await reader.timeline(RUNNER)).length
    const { sequence, version } = video
    const isWhole = sequence === version - 1 && events >= sequence && notes >= sequence
    return rising(version, last, unless(isWhole, { sequence, version, events, notes }))
  },
  videoOf: async (reader, last) => {
    const video = must(await reader.videoOf('acme', RUNNER))
    return rising(video.version, last, unless(video.sequence === video.version - 1, video))
  },
  videoUnless: async (reader, last) => {
    const found = must(await reader.videoUnless('acme', RUNNER, last))
    const video = must(await reader.video(RUNNER))
    const version = found === 'same' ? last : found.version
    return rising(version, last, unless(version <= video.version, { version, video }))
  },
  writeCount: async (reader, last) => {
    const count = reader.writeCount()
    const { version } = must(await reader.video(RUNNER))
    return rising(version, last, unless(count === null || must(reader.writeCount()) >= count, { count, version }))
  },
  list: async (reader, last) => {
    const ids = (await reader.list('acme', listQuery({ limit: 100 }))).map(({ id }) => id)
    return rising(ids.length, last, unless(ids.join() === [...new Set(ids)].toSorted().toReversed().join(), ids))
  },
  page: async (reader, last) => {
    const { videos, total } = await reader.page('acme', { statuses: null, offset: 0, limit: 100, history: [] })
    const ids = videos.map(({ id }) => id)
    const isWhole = ids.length >= total && ids.join() === [...new Set(ids)].toSorted().toReversed().join()
    return rising(total, last, unless(isWhole, ids))
  },
  keyed: async (reader, last) => {
    const found = await Promise.all(
      Array.from({ length: ROUNDS }, (_, n) => reader.keyed(idemKey({ key: `order ${n + 1}` }))),
    )
    const wrong = found.filter((one, n) => one !== null && one.video.id !== numbered(101 + n))
    return rising(found.filter((one) => one !== null).length, last, unless(wrong.length === 0, wrong))
  },
  running: async (reader, last) => {
    const rows = await reader.running(ACCOUNT)
    const wrong = rows.filter(({ phase, leaseUntilMs }) => (phase === 'dispatching') !== (leaseUntilMs !== null))
    return rising(rows.length, last, unless(wrong.length === 0, wrong))
  },
  movedSince: async (reader, last) => {
    // From the start, so that each video is told once, at its last write.
    const { videos, upTo } = await reader.movedSince(ACCOUNT, 0)
    const ids = videos.map(({ id }) => id)
    const isWhole = new Set(ids).size === ids.length && ids.includes(RUNNER)
    return rising(upTo, last, unless(isWhole, ids))
  },
  lastMove: async (reader, last) => {
    const { upTo } = await reader.movedSince(ACCOUNT, 0)
    const now = await reader.lastMove(ACCOUNT)
    return rising(now, last, unless(upTo <= now, { upTo, now }))
  },
  undecided: async (reader) => {
    const ids = await reader.undecided(ACCOUNT)
    return { now: 0, wrong: unless(ids.length <= 1 && !ids.includes(RUNNER), ids) }
  },
  figures: async (reader) => {
    const { open, deliveries } = await reader.figures()
    const waiting = open.find(({ phase }) => phase === 'waiting')?.videos ?? 0
    return { now: 0, wrong: unless(waiting <= 1 && deliveries.pending <= 1, { open, deliveries }) }
  },
  room: async (reader) => {
    const { queue, client } = await reader.room('acme')
    return { now: 0, wrong: unless(queue <= 1 && client === queue, { queue, client }) }
  },
  backendsOf: async (reader) => {
    const names = await reader.backendsOf(ACCOUNT)
    return { now: 0, wrong: unless(names.join() === 'main', names) }
  },
  waitingOf: async (reader) => {
    const rows = await reader.waitingOf(ACCOUNT)
    return { now: 0, wrong: unless(rows.length <= 1 && rows.every(({ client }) => client === 'acme'), rows) }
  },
  transfersOf: async (reader) => {
    // Whoever is written meanwhile has a time: none waits for its audio.
    const rows = await reader.transfersOf(ACCOUNT, 100)
    return { now: 0, wrong: unless(rows.length === 0, rows) }
  },
  sentInLane: async (reader, last) => {
    const sent = await reader.sentInLane(ACCOUNT, LANE, 1)
    const wrong = sent.filter(({ dispatchedAtMs }, n) => dispatchedAtMs !== n + 1)
    return rising(sent.length, last, unless(wrong.length === 0, wrong))
  },
  owner: async (reader, last) => {
    const owners = await Promise.all(Array.from({ length: ROUNDS }, (_, n) => reader.owner(ACCOUNT, `job_${n + 1}`)))
    const wrong = owners.filter((one, n) => one !== null && one !== numbered(101 + n))
    return rising(owners.filter((one) => one !== null).length, last, unless(wrong.length === 0, owners))
  },
  overdue: async (reader) => {
    const ids = await reader.overdue(ACCOUNT, Infinity, 100)
    return { now: 0, wrong: unless(ids.length <= 1 && !ids.includes(RUNNER), ids) }
  },
  secondJobs: async (reader) => {
    // Of nothing that is written here a callback names a job.
    const ids = await reader.secondJobs(ACCOUNT, 100)
    return { now: 0, wrong: unless(ids.length === 0, ids) }
  },
  positions: async (reader) => {
    const places = await reader.positions([RUNNER, ...Array.from({ length: ROUNDS }, (_, n) => numbered(101 + n))])
    // One waits at most, and so it is the first; the runner waits no more.
    return {
      now: 0,
      wrong: unless(places.size <= 1 && !places.has(RUNNER) && [...places.values()].every((place) => place === 1), [
        ...places,
      ]),
    }
  },
  queue: async (reader, last) => {
    const { waiting, held, nextDueAtMs } = await reader.queue(ACCOUNT)
    const isWhole = waiting <= 1 && (waiting === 1) === (nextDueAtMs !== null)
    return rising(waiting + held, last, unless(isWhole, { waiting, held, nextDueAtMs }))
  },
  nextWaiting: async (reader) => {
    const next = await reader.nextWaiting(ACCOUNT, null)
    return { now: 0, wrong: unless(next === null || (next.id !== RUNNER && next.phase === 'waiting'), next) }
  },
  timeline: async (reader, last) => {
    const notes = await reader.timeline(RUNNER)
    const told = notes.map(({ type }) => Number(type.slice('step '.length)))
    return rising(notes.length, last, unless(steps(told), told))
  },
  deliveriesOf: async (reader, last) => {
    const found = await reader.deliveriesOf(RUNNER)
    return rising(found.length, last, unless(steps(found.map((one) => one.event.sequence)), found))
  },
  deliveriesById: async (reader, last) => {
    const ids = (await reader.deliveriesOf(RUNNER)).map(({ id }) => id)
    const found = await reader.deliveriesById([...ids, 'dlv_none'])
    return rising(found.size, last, unless(found.size === ids.length, [...found.keys()]))
  },
  delivery: async (reader, last) => {
    const ids = (await reader.deliveriesOf(RUNNER)).map(({ id }) => id)
    const found = await Promise.all(ids.map(async (id) => must(await reader.delivery(id))))
    // Its state and the count of its attempts are one write.
    const torn = found.filter(({ status, attempts }) => (status === 'failed') !== (attempts === 1))
    return rising(found.length, last, unless(torn.length === 0, torn))
  },
  attempts: async (reader, last) => {
    const before = await reader.deliveriesOf(RUNNER)
    const made = await Promise.all(before.map(async ({ id }) => (await reader.attempts(id)).length))
    const after = await Promise.all(before.map(async ({ id }) => must(await reader.delivery(id)).attempts))
    // An attempt and its count are one write: read between, it is neither ahead nor behind.
    const isWhole = before.every(({ attempts }, n) => attempts <= (made[n] ?? 0) && (made[n] ?? 0) <= (after[n] ?? 0))
    return rising(made.filter((count) => count > 0).length, last, unless(isWhole, { made, after }))
  },
  openAccounts: async (reader) => {
    const accounts = await reader.openAccounts(10)
    return { now: 0, wrong: unless(accounts.join() === ACCOUNT, accounts) }
  },
  dueDeliveries: async (reader) => {
    const due = await reader.dueDeliveries(100)
    const found = await Promise.all(due.map(({ id }) => reader.delivery(id)))
    return { now: 0, wrong: unless(!found.includes(null), due) }
  },
  nextDueDelivery: async (reader) => {
    const next = await reader.nextDueDelivery()
    return { now: 0, wrong: unless(next === null || next > 0, next) }
  },
  facts: async (reader, last) => {
    const told = await reader.facts('account')
    // All that one process told at once is one write.
    const values = new Set(told.map(({ value }) => value))
    return rising(Number(told[0]?.value ?? 0), last, unless(values.size <= 1 && told.length % 2 === 0, told))
  },
  holders: async (reader, last) => {
    const held = await reader.holders('maintain')
    const told = held.map(({ id, holder }) => `${id} ${holder}`).toSorted()
    const isWhole = told.every((one) => /^round (\d+) \1$/.test(one))
    return rising(held.length, last, unless(isWhole, told))
  },
  durations: async (reader, last) => {
    const kept = await reader.durations('main/text')
    return rising(
      kept[0] ?? 0,
      last,
      unless(kept.length === 0 || (kept.length === 20 && new Set(kept).size === 1), kept),
    )
  },
  budget: async (reader, last) => {
    const { remaining } = await reader.budget(ACCOUNT, CALM, 50)
    return rising(50 - remaining, last, unless(remaining >= 49, remaining))
  },
  eventsOf: async (reader, last) => {
    const { events, upTo } = await reader.eventsOf('acme', { after: 0, limit: 100, types: null })
    const isWhole = steps(events.map(({ place }) => place)) && steps(events.map(({ event }) => event.sequence))
    return rising(upTo, last, unless(isWhole && upTo === events.length, events))
  },
  eventSpan: async (reader, last) => {
    const span = await reader.eventSpan('acme')
    const { events } = await reader.eventsOf('acme', { after: 0, limit: 100, types: null })
    return rising(span.last, last, unless(span.gone === 0 && span.last <= events.length, { span, events }))
  },
  ping: async (reader) => {
    await reader.ping()
    return { now: 0 }
  },
} satisfies Partial<Record<keyof Store, Look>>

const underWrites =
  (look: Look) =>
  async ({ store, other }: Rivals): Promise<void> => {
    await openWaiting(store, accepted({ id: RUNNER }))
    const wrong: unknown[] = []
    const state = { isOver: false }
    const written = churn(store).finally(() => {
      state.isOver = true
    })
    for (let last = -1; !state.isOver;) {
      const seen = await look(other, last)
      last = seen.now
      if (seen.wrong !== undefined) wrong.push(seen.wrong)
      await new Promise((resolve) => setImmediate(resolve))
    }
    await written
    expect(wrong).toEqual([])
  }

const of = <K extends string>(looks: Record<K, Look>) =>
  Object.fromEntries(Object.entries<Look>(looks).map(([verb, look]) => [verb, underWrites(look)])) as Record<
    K,
    (rivals: Rivals) => Promise<void>
  >

/** Every read of the port, on one handle while the other writes: each look is whole, and none goes back in time. */
export const READS_UNDER_WRITES = of(LOOKS)
