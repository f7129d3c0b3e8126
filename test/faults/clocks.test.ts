import { describe, expect, onTestFinished, test } from 'vitest'
import { isFull } from '../fakes/full.ts'
import { answer, startReceiver, type Receiver } from '../fakes/receiver.ts'
import { must } from '../fakes/must.ts'
import { HOUR, MINUTE, SECOND } from '../fakes/records.ts'
import { HANG_MS } from '../fakes/until.ts'
import { ALT, MAIN, virtualStage, type VirtualStage } from './virtual.ts'

/**
 * The gateway's clock is set by an hour, either way, while things are under way; nobody else's is. Each must go on as if
 * nothing had happened: by the usual time, one job, one charge, no request refused.
 */
const WAYS: [string, number][] = [
  ['an hour ahead', HOUR],
  ['an hour back', -HOUR],
]

const refused = ({ sandbox }: VirtualStage) => sandbox.ledger().requests.filter(({ status }) => status === 429)
const sent = ({ sandbox }: VirtualStage, operation: string) =>
  sandbox.ledger().requests.filter((request) => request.operation === operation)

const expectOnce = async (s: VirtualStage, ids: string[]): Promise<void> => {
  const records = await Promise.all(ids.map((id) => s.record(id)))
  expect(records.map(({ status, error }) => error?.code ?? status)).toEqual(ids.map(() => 'completed'))
  const { jobs, charges } = s.sandbox.ledger()
  // The alternate tells no charges.
  const charged = records.filter(({ interface: kind }) => kind === 'primary').length
  expect([jobs.length, charges.length, refused(s).length]).toEqual([ids.length, charged, 0])
  for (const id of ids) {
    const times = (await s.store.timeline(id)).map(({ at }) => at)
    expect(times).toEqual(times.toSorted((a, b) => a - b))
  }
}

/** Set while it runs, or found set when it starts again. */
const HOW: [string, (s: VirtualStage, ms: number) => Promise<void>][] = [
  ['while it runs', async (s, ms) => s.setGatewayClock(ms)],
  [
    'while it is stopped',
    async (s, ms) => {
      s.setGatewayClock(ms)
      await s.restart()
    },
  ],
]
const EVERY_WAY = HOW.flatMap(([how, set]) =>
  WAYS.map(([way, ms]) => ({ name: `${way}, ${how}`, set: (s: VirtualStage) => set(s, ms), ms })),
)

/** By how much a backend's clock is set back: so long its jobs last, timer by timer. */
const BACK = isFull ? HOUR : 15 * MINUTE
/** Without any jump: six jobs in two slots end within two minutes. */
const USUAL_MS = 5 * MINUTE

describe.each(EVERY_WAY)('$name', ({ set, ms }) => {
  test('jobs run and others wait for their slots', async () => {
    const s = await virtualStage()
    const ids: string[] = []
    for (let n = 0; n < 6; n += 1) ids.push(await s.create(MAIN))
    await s.pass(10 * SECOND)
    await set(s)
    // An hour that passed while it was stopped, as far as anybody can tell: jobs that run long are polled less often.
    await s.passUntil(2 * USUAL_MS, () => s.allEnded(ids))
    await expectOnce(s, ids)
  })

  test('a create is in doubt, and its backend keeps keys', async () => {
    const s = await virtualStage()
    await s.fault('primary', { operation: 'createVideoFromText', kind: 'reset', when: 'after' })
    const id = await s.create(MAIN)
    expect(await s.record(id)).toMatchObject({ phase: 'doubtful' })
    await set(s)
    await s.passUntil(USUAL_MS, () => s.allEnded([id]))
    await expectOnce(s, [id])
  })

  test('a create is in doubt, and only the list tells that it was taken', async () => {
    const s = await virtualStage({ config: { backends: { alt: { exclusive: true, resend_when_absent: true } } } })
    // Its answer tells the backend's time: by that, not by ours, the next one is found.
    const first = await s.create(ALT)
    await s.fault('alternate', { operation: 'createVideo', kind: 'reset', when: 'after' })
    const id = await s.create({ ...ALT, text: 'Hello [[never-callback]]' })
    expect(await s.record(id)).toMatchObject({ phase: 'doubtful', sentOffsetMs: expect.any(Number) })
    await set(s)
    await s.passUntil(2 * USUAL_MS, () => s.allEnded([first, id]))
    await expectOnce(s, [first, id])
    expect(sent(s, 'createVideo')).toHaveLength(2)
  })

  test('a webhook is to be sent again', async () => {
    const s = await virtualStage()
    const receiver = await receiving(answer(503), answer(503))
    const id = await s.create({ ...MAIN, webhook_url: `${receiver.url}/hook`, webhook_events: ['video.completed'] })
    await s.passUntil(USUAL_MS, () => receiver.requests.length === 1)
    await set(s)
    const setAtMs = s.clock.now()
    await s.passUntil(MINUTE, async () => (await s.store.deliveriesOf(id))[0]?.status === 'delivered')
    // Five seconds, then ten: set ahead while it is stopped is time that has passed, as far as anybody can tell.
    expect(s.clock.now() - setAtMs).toBeLessThanOrEqual(16 * SECOND)
    // A receiver holds it against its own clock, and ours may be right now.
    const wallMs = s.clock.now() + ms
    expect(Number(receiver.requests[2]?.headers['webhook-timestamp']) * SECOND).toBeGreaterThan(wallMs - 2 * SECOND)
    expect(Number(receiver.requests[2]?.headers['webhook-timestamp']) * SECOND).toBeLessThanOrEqual(wallMs)
    await expectOnce(s, [id])
  })
})

const receiving = async (...script: ReturnType<typeof answer>[]): Promise<Receiver> => {
  const receiver = await startReceiver()
  onTestFinished(() => receiver.close())
  receiver.script(...script)
  return receiver
}

describe.each(WAYS)('%s: no age is faked', (_, ms) => {
  test('a doubt lasts its window', async () => {
    const s = await virtualStage()
    await s.fault('primary', { operation: 'createVideoFromText', kind: 'reset', when: 'before', times: 100_000 })
    const id = await s.create(MAIN)
    const sinceMs = s.clock.now()
    await s.pass(10 * MINUTE)
    s.setGatewayClock(ms)
    await s.pass(45 * MINUTE)
    expect(await s.record(id)).toMatchObject({ phase: 'doubtful' })
    await s.passUntil(10 * MINUTE, () => s.allEnded([id]))
    expect(must((await s.record(id)).error).code).toBe('create_outcome_unknown')
    expect(s.clock.now() - sinceMs).toBeGreaterThan(58 * MINUTE)
  })

  test('what waits is given up when it has waited for so long', async () => {
    const s = await virtualStage({
      config: { engine: { max_age: '20m', low_after: '20m' }, backends: { main: { slots: 1 } } },
    })
    const stuck = await s.create({ ...MAIN, text: 'Hello [[stuck]]' })
    await s.pass(10 * MINUTE)
    const id = await s.create(MAIN)
    expect(await s.record(id)).toMatchObject({ phase: 'waiting' })
    await s.pass(MINUTE)
    s.setGatewayClock(ms)
    // The slot frees at its own deadline, and the one that waited gets it.
    await s.passUntil(12 * MINUTE, () => s.allEnded([stuck]))
    expect(must((await s.record(stuck)).error).code).toBe('backend_job_expired')
    await s.passUntil(USUAL_MS, async () => (await s.record(id)).phase !== 'waiting')
    expect((await s.record(id)).error).toBeNull()
  })

  test('a job that the backend says it does not know is failed after a quarter of an hour of that', async () => {
    const s = await virtualStage()
    const id = await s.create(MAIN)
    const gone = { operation: 'getVideoJob', kind: 'status', status: 404, code: 'job_not_found', times: 100_000 }
    await s.fault('primary', gone)
    await s.passUntil(10 * MINUTE, async () => ((await s.record(id)).evidence?.count ?? 0) >= 5)
    s.setGatewayClock(ms)
    const count = must((await s.record(id)).evidence).count
    await s.passUntil(5 * MINUTE, async () => ((await s.record(id)).evidence?.count ?? 0) > count)
    expect(await s.record(id)).toMatchObject({ phase: 'accepted' })
    await s.clearFaults()
    await s.passUntil(USUAL_MS, () => s.allEnded([id]))
    await expectOnce(s, [id])
  })

  test('absence is proven by the time that passed, and then it is sent once more', async () => {
    const s = await virtualStage({ config: { backends: { alt: { exclusive: true, resend_when_absent: true } } } })
    await s.fault('alternate', { operation: 'createVideo', kind: 'reset', when: 'before' })
    const id = await s.create(ALT)
    await s.pass(MINUTE)
    s.setGatewayClock(ms)
    await s.pass(3 * MINUTE)
    expect(sent(s, 'createVideo')).toHaveLength(1)
    await s.passUntil(USUAL_MS, () => s.allEnded([id]))
    await expectOnce(s, [id])
    expect(sent(s, 'createVideo')).toHaveLength(2)
  })

  test('a caller is told when to come by its own clock', async () => {
    const s = await virtualStage()
    const id = await s.create({ ...MAIN, text: 'Hello [[slow]]' })
    s.setGatewayClock(ms)
    const wallMs = s.clock.now() + ms
    const { next_poll_at: nextPollAt } = await s.gateway.deps.videos.render(await s.record(id))
    const inMs = Date.parse(must(nextPollAt)) - wallMs
    expect(inMs).toBeGreaterThan(0)
    expect(inMs).toBeLessThanOrEqual(MINUTE)
  })
})

test('set ahead by an hour and right: while nothing is open, its own time may follow', async () => {
  const s = await virtualStage()
  const id = await s.create(MAIN)
  s.setGatewayClock(HOUR)
  await s.passUntil(USUAL_MS, () => s.allEnded([id]))
  expect(s.gateway.deps.clock.now() - s.clock.now()).toBeLessThan(SECOND)
  await s.pass(3 * MINUTE)
  expect(s.gateway.deps.clock.now() - s.clock.now()).toBe(HOUR)
  const { created_at: createdAt } = await s.gateway.deps.videos.render(await s.record(await s.create(MAIN)))
  expect(Date.parse(createdAt)).toBe(s.clock.now() + HOUR)
})

test.each([
  ['3 minutes', 3 * MINUTE],
  ['5 minutes', 5 * MINUTE],
])('a day ahead for %s while nothing is open, and right: a restart sets its own time right, too', async (_, forMs) => {
  const s = await virtualStage()
  const id = await s.create(MAIN)
  await s.passUntil(USUAL_MS, () => s.allEnded([id]))
  s.setGatewayClock(24 * HOUR)
  await s.pass(forMs)
  // It has followed by then.
  expect(s.gateway.deps.clock.now() - s.clock.now()).toBe(24 * HOUR)
  s.setGatewayClock(-24 * HOUR)
  await s.pass(MINUTE)
  await s.restart()
  expect(Math.abs(s.gateway.deps.clock.now() - s.clock.now())).toBeLessThan(SECOND)
  const next = await s.create(MAIN)
  await s.passUntil(USUAL_MS, () => s.allEnded([next]))
  await expectOnce(s, [id, next])
})

describe('the backend’s clock is set too', () => {
  const running = async (): Promise<{ s: VirtualStage; ids: string[] }> => {
    const s = await virtualStage()
    const ids: string[] = []
    for (let n = 0; n < 6; n += 1) ids.push(await s.create(MAIN))
    await s.pass(10 * SECOND)
    return { s, ids }
  }

  test('an hour ahead: its jobs end at once, and nothing is lost, paid twice or refused', async () => {
    const { s, ids } = await running()
    s.clock.jump(HOUR)
    await s.passUntil(USUAL_MS, () => s.allEnded(ids))
    await expectOnce(s, ids)
  })

  // Nine thousand timers ring in an hour. After each, threads wait for each other: beside busy loops twenty times as long.
  test('back: its jobs take that much more, and the gateway waits for them', { timeout: 5 * HANG_MS }, async () => {
    const { s, ids } = await running()
    s.clock.jump(-BACK)
    await s.passUntil(2 * BACK, () => s.allEnded(ids))
    await expectOnce(s, ids)
  })

  test('during a doubt: the same bytes, one job', async () => {
    const s = await virtualStage()
    await s.fault('primary', { operation: 'createVideoFromText', kind: 'reset', when: 'after' })
    const id = await s.create(MAIN)
    s.clock.jump(HOUR / 2)
    await s.passUntil(USUAL_MS, () => s.allEnded([id]))
    await expectOnce(s, [id])
  })

  test('while a search for absence runs: its list proves nothing any more, and nothing is sent again', async () => {
    const s = await virtualStage({ config: { backends: { alt: { exclusive: true, resend_when_absent: true } } } })
    await s.fault('alternate', { operation: 'createVideo', kind: 'reset', when: 'before' })
    const id = await s.create(ALT)
    await s.pass(MINUTE)
    s.clock.jump(20 * MINUTE)
    await s.pass(50 * MINUTE)
    expect(await s.record(id)).toMatchObject({ phase: 'doubtful' })
    await s.passUntil(15 * MINUTE, () => s.allEnded([id]))
    expect(must((await s.record(id)).error).code).toBe('create_outcome_unknown')
    expect(sent(s, 'createVideo')).toHaveLength(1)
  })
})
