import { expect, onTestFinished, test } from 'vitest'
import { MOVED_AT_ONCE, RELEASE_GAP_MS } from '../../src/core/endpoints.ts'
import { createReplayer, type ReplayerDeps } from '../../src/webhooks/endpoints.ts'
import { fakeClock } from '../fakes/clock.ts'
import { startReceiver } from '../fakes/receiver.ts'
import { HOUR } from '../fakes/records.ts'
import { until } from '../fakes/until.ts'
import { sqliteStage } from './sqlite-stage.ts'

const EVERY_MS = 5_000

test('an accepted replay is begun at once, and what it owes is sent at once', async () => {
  const clock = fakeClock()
  const receiver = await startReceiver()
  onTestFinished(() => receiver.close())
  const looked = Promise.withResolvers<void>()
  const untils: number[] = []
  const stage = await sqliteStage({
    clock,
    wrapStore: (store) => ({
      ...store,
      // Neither found by the sweep, nor by the look at what was left when it started.
      dueDeliveries: async () => [],
      async replayStep(limit) {
        const due = await store.replayStep(limit)
        looked.resolve()
        return due
      },
      replay(asked) {
        untils.push(asked.untilMs)
        return store.replay(asked)
      },
    }),
  })
  onTestFinished(() => stage.close())
  for (const video of ['a', 'b', 'c']) await stage.owe({ video, client: 'acme', url: null })
  const given = { client: 'acme', url: receiver.url, events: ['video.completed' as const], description: null }
  const { endpoint } = await stage.endpoints.create({ ...given, enabled: true })
  stage.sender.start()
  await looked.promise
  clock.jump(1)
  const asked = { client: 'acme', endpointId: endpoint.id, sinceMs: 0, untilMs: clock.now() + HOUR, onlyFailed: false }
  expect(await stage.endpoints.replay(asked)).toBe(3)
  // What happens from now on is sent anyway, and would be sent twice.
  expect(untils).toEqual([clock.now()])
  await until(async () => {
    await clock.advance(0)
    return receiver.requests.length === 3
  })
})

/** One over steps that are told beforehand: what is owed, null, or a failure. */
const scripted = (...steps: (string[] | null | Error)[]) => {
  const clock = fakeClock()
  let backlog = 0
  const seen = { calls: 0, due: new Array<string>(), errors: new Array<string>() }
  const deps: ReplayerDeps = {
    clock,
    store: {
      async replayStep() {
        seen.calls += 1
        const step = steps.shift() ?? null
        if (step instanceof Error) throw step
        return step
      },
      async backlogStep() {
        const isMore = backlog > 0
        backlog -= 1
        return isMore
      },
    },
    log: { info: () => undefined, warn: () => undefined, error: (_, message) => void seen.errors.push(message) },
    onDue: (ids) => void seen.due.push(...ids),
  }
  /** So many steps of what deliveries owe to a change of their endpoint. */
  const owe = (steps: number): void => void (backlog = steps)
  return { clock, seen, owe, left: () => Math.max(0, backlog), replayer: createReplayer(deps) }
}

test('what was left is done at the start, step by step; then it looks every five seconds, for others may accept some', async () => {
  const { clock, seen, replayer } = scripted(['a', 'b'], [], ['c'], null, null, ['d'])
  replayer.start()
  await clock.advance(0)
  expect(seen).toEqual({ calls: 4, due: ['a', 'b', 'c'], errors: [] })
  await clock.advance(EVERY_MS - 1)
  expect(seen.calls).toBe(4)
  await clock.advance(1)
  expect(seen.calls).toBe(5)
  await clock.advance(EVERY_MS)
  expect(seen.due).toEqual(['a', 'b', 'c', 'd'])
  await replayer.stop()
  expect(clock.pending()).toBe(0)
})

test('deliveries follow a change of their endpoint step by step, before replays, and at the latest five seconds later', async () => {
  const { clock, seen, owe, left, replayer } = scripted(null, null, ['a'])
  replayer.start()
  await clock.advance(0)
  owe(3)
  replayer.wake()
  await clock.advance(0)
  expect([left(), seen.due]).toEqual([0, []])
  owe(3)
  await clock.advance(EVERY_MS)
  expect([left(), seen.due]).toEqual([0, ['a']])
  await replayer.stop()
})

test('an endpoint with many held events is enabled, and sent all of them, in order and slowly', async () => {
  const MANY = MOVED_AT_ONCE + 40
  const clock = fakeClock()
  const receiver = await startReceiver()
  onTestFinished(() => receiver.close())
  const stage = await sqliteStage({ clock })
  onTestFinished(() => stage.close())
  const given = { client: 'acme', url: receiver.url, events: ['video.completed' as const], description: null }
  const { endpoint } = await stage.endpoints.create({ ...given, enabled: false })
  for (let n = 0; n < MANY; n += 1) await stage.owe({ video: `v${n}`, client: 'acme', url: null })
  stage.sender.start()
  expect((await stage.endpoints.get('acme', endpoint.id)).held).toBe(MANY)
  const startMs = clock.now()
  await stage.endpoints.change('acme', endpoint.id, { enabled: true })
  await until(async () => {
    await clock.advance(1_000)
    return receiver.requests.length >= MANY
  }, 100_000)
  const sent = receiver.requests.map(({ headers }) => headers['webhook-id'])
  expect(new Set(sent)).toEqual(new Set(Array.from({ length: MANY }, (_, n) => `evt_v${n}_1`)))
  expect(sent).toHaveLength(MANY)
  expect(clock.now() - startMs).toBeGreaterThanOrEqual((MANY - 1) * RELEASE_GAP_MS)
  expect((await stage.endpoints.get('acme', endpoint.id)).held).toBe(0)
})

test('a store that fails is asked again five seconds later', async () => {
  const { clock, seen, replayer } = scripted(new Error('the disk'), ['a'])
  replayer.start()
  await clock.advance(EVERY_MS - 1)
  expect(seen).toEqual({ calls: 1, due: [], errors: ['a replay failed, and will be tried again'] })
  await clock.advance(1)
  expect(seen.due).toEqual(['a'])
  await replayer.stop()
})

test('stopping waits for the step under way, and begins none', async () => {
  const clock = fakeClock()
  const step = Promise.withResolvers<string[] | null>()
  let calls = 0
  const due: string[] = []
  const replayer = createReplayer({
    clock,
    store: {
      replayStep() {
        calls += 1
        return step.promise
      },
      backlogStep: async () => false,
    },
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    onDue: (ids) => void due.push(...ids),
  })
  replayer.start()
  let stopped = false
  const stopping = replayer.stop().then(() => (stopped = true))
  replayer.wake()
  await clock.advance(EVERY_MS)
  expect(stopped).toBe(false)
  step.resolve(['a'])
  await stopping
  await clock.advance(EVERY_MS)
  expect([calls, due]).toEqual([1, ['a']])
})
