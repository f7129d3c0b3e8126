import { afterEach, describe, expect, test } from 'vitest'
import type { Wake } from '../../../src/core/ports.ts'
import { createTally } from '../../fakes/tally.ts'
import { compilePolicy, createGuardedAgent } from '../../../src/http/guard.ts'
import { createSender } from '../../../src/webhooks/sender.ts'
import { newWebhookSecret } from '../../../src/webhooks/sign.ts'
import { createPassing } from '../../../src/core/tracing.ts'
import { assemble, passOf, restOf, type EngineOptions } from '../../engine/harness.ts'
import { completed, running, scriptedAdapter, type ScriptedAdapter } from '../../fakes/adapter.ts'
import { must } from '../../fakes/must.ts'
import { seededBytes, seededRandom } from '../../fakes/random.ts'
import { startReceiver } from '../../fakes/receiver.ts'
import { doubt, HOUR, MINUTE, SECOND } from '../../fakes/records.ts'
import { until } from '../../fakes/until.ts'
import type { CurrentWithWake } from '../store.ts'
import { numbered, openWaiting, owe } from './helpers.ts'

type Assembled = ReturnType<typeof assemble>

/**
 * What the engine makes of the store, over one handle and over two: the parts that listen to `Wake` and must not depend
 * on it. Times are bounds of the sweep and of what is read again, which hold with every `Wake` there is.
 */
export const engineContract = (current: CurrentWithWake): void => {
  describe('the engine over it', () => {
    const closers: (() => Promise<unknown>)[] = []
    const engines: Assembled[] = []
    afterEach(async () => {
      for (const { videos } of engines.splice(0)) await videos.stop()
      for (const close of closers.splice(0).toReversed()) await close()
    })

    const wakeOf = async (): Promise<Wake> => {
      const wake = await current().wake()
      closers.push(() => wake.close())
      return wake
    }
    const adapterOf = (kind: 'primary' | 'alternate' = 'primary'): ScriptedAdapter =>
      scriptedAdapter(current().clock.now, kind)

    /** One process: the first has the first handle, every other one of its own. */
    const start = async (adapter: ScriptedAdapter, options: EngineOptions = {}): Promise<Assembled> => {
      const { store, second, clock } = current()
      const handle = engines.length === 0 ? store : await second()
      const made = assemble(handle, await wakeOf(), clock, adapter, { ...options, seed: engines.length + 1 })
      engines.push(made)
      made.videos.start()
      return made
    }
    const rest = () => restOf(() => engines.reduce((sum, { busy }) => sum + busy(), 0))
    const pass = (ms: number): Promise<void> => passOf(current().clock, ms, rest)
    const record = async (id: string) => must(await current().store.video(id))

    test('what waits goes out within a sweep of the slot that frees, and every job ends', async () => {
      const adapter = adapterOf()
      const engine = await start(adapter, { account: { slots: 1 } })
      const first = (await engine.create()).video
      const second = (await engine.create()).video
      expect(second.phase).toBe('waiting')
      adapter.polls.push(completed())
      await pass(MINUTE)
      expect(await record(first.id)).toMatchObject({ status: 'completed' })
      const { phase, dispatchedAtMs } = await record(second.id)
      expect(phase).toBe('accepted')
      const endedAtMs = (await record(first.id)).endedAtMs ?? 0
      expect((dispatchedAtMs ?? 0) - endedAtMs).toBeLessThanOrEqual(SECOND)
    })

    test('a doubt is resolved', async () => {
      const adapter = adapterOf()
      const engine = await start(adapter)
      adapter.creates.push(doubt())
      const { video } = await engine.create()
      await pass(10 * SECOND)
      expect(await record(video.id)).toMatchObject({ phase: 'accepted' })
    })

    test('a callback is heeded', async () => {
      const adapter = adapterOf('alternate')
      const engine = await start(adapter, { callbackUrl: 'https://gateway.example/hook' })
      const { video } = await engine.create()
      adapter.polls.push(completed())
      await engine.videos.hinted(video.id, 1, null)
      await pass(2 * SECOND)
      expect(await record(video.id)).toMatchObject({ status: 'completed' })
    })

    test('who waits for the end beside another handle hears of it within the time of a second reading', async () => {
      const adapter = adapterOf()
      const engine = await start(adapter)
      const beside = await start(adapter)
      const { video } = await engine.create()
      adapter.polls.push(running(), completed())
      let heardAtMs = 0
      const waiting = beside.videos.wait(video.id, 10 * MINUTE, new AbortController().signal).then((seen) => {
        heardAtMs = current().clock.now()
        return seen
      })
      await pass(9 * MINUTE)
      expect(await waiting).toMatchObject({ status: 'completed' })
      expect(heardAtMs - must((await record(video.id)).endedAtMs)).toBeLessThanOrEqual(5 * SECOND)
    })

    test('two processes: each video is sent once and settled once, within one window and one number of slots', async () => {
      const adapter = adapterOf()
      const perMinute = 6
      const options: EngineOptions = { account: { slots: 3, requestsPerMinute: perMinute } }
      const both = [await start(adapter, options), await start(adapter, options)]
      adapter.status = async (jobId) => {
        adapter.calls.push({ operation: 'status', jobId, atMs: current().clock.now() })
        return completed()
      }
      const ids: string[] = []
      for (let n = 0; n < 16; n += 1) {
        const created = must(both[n % 2]).create({ webhookUrl: 'https://hooks.example/a' }, `order ${n}`)
        const [{ video }] = await Promise.all([created, pass(3 * SECOND)])
        ids.push(video.id)
      }
      await pass(10 * MINUTE)
      const { store } = current()
      expect(adapter.callsOf('create')).toHaveLength(16)
      const jobs = await Promise.all(ids.map(async (id) => (await record(id)).backendJobId))
      expect(new Set(jobs).size).toBe(16)
      for (const id of ids) {
        expect(await record(id)).toMatchObject({ status: 'completed' })
        expect((await store.deliveriesOf(id)).map((one) => one.event.type)).toEqual(['video.completed'])
      }
      const spans = await Promise.all(ids.map(record))
      for (const { dispatchedAtMs } of spans) {
        const atMs = must(dispatchedAtMs)
        const held = spans.filter((one) => must(one.dispatchedAtMs) <= atMs && atMs < must(one.endedAtMs))
        expect(held.length).toBeLessThanOrEqual(3)
      }
      // Nobody tells them of a window, so that each lasts a minute and a second from its first request, whoever sent it.
      const at = adapter.calls.map(({ atMs }) => atMs)
      expect(at.length).toBeGreaterThan(4 * perMinute)
      let [fromMs, count] = [0, 0]
      for (const atMs of at) {
        if (atMs >= fromMs + 61 * SECOND) [fromMs, count] = [atMs, 0]
        count += 1
        expect(count).toBeLessThanOrEqual(perMinute)
      }
    })

    test('what one process left under its leases another takes up when they are over', async () => {
      const adapter = adapterOf()
      const gone = await start(adapter)
      const { video } = await gone.create()
      await pass(SECOND)
      // As one that died: it does nothing more, and gives nothing back.
      gone.store.release = async () => undefined
      gone.videos.halt()
      await start(adapter)
      adapter.status = async () => completed()
      await pass(40 * SECOND)
      expect((await record(video.id)).status).not.toBe('completed')
      await pass(2 * MINUTE)
      expect((await record(video.id)).status).toBe('completed')
    })

    test('two senders deliver everything once, one video’s events in their order', async () => {
      const { store, second, clock } = current()
      const secret = newWebhookSecret(seededBytes(9))
      const receiver = await startReceiver()
      closers.push(() => receiver.close())
      const agent = createGuardedAgent({
        policy: compilePolicy({ ports: [443], allow: [{ cidr: '127.0.0.0/8', http: true }] }),
      })
      closers.push(() => agent.close())
      for (const handle of [store, await second()]) {
        const sender = createSender({
          store: handle,
          wake: await wakeOf(),
          clock,
          secretsOf: async () => [secret],
          agent,
          log: { info: () => undefined, warn: () => undefined, error: () => undefined },
          tally: createTally(),
          timeoutMs: HOUR,
          concurrency: 8,
          perTarget: 4,
          random: seededRandom(1),
          tracing: createPassing(),
          userAgent: 'talkbridge/0.0.0-test',
          onDisabled: () => undefined,
        })
        sender.start()
        closers.push(() => sender.stop())
      }
      const owed: string[] = []
      for (let n = 0; n < 12; n += 1) {
        const id = numbered(n % 4)
        if (n < 4) await openWaiting(store, { id })
        owed.push(await owe(store, id, `${receiver.url}/${id}`))
      }
      await until(async () => {
        await clock.advance(SECOND)
        const found = await Promise.all(owed.map((id) => store.delivery(id)))
        return found.every((one) => one?.status === 'delivered')
      })
      expect(receiver.requests).toHaveLength(12)
      for (let n = 0; n < 4; n += 1) {
        const bodies = receiver.requests.filter(({ url }) => url === `/${numbered(n)}`).map(({ body }) => body)
        expect(bodies).toEqual([1, 2, 3].map((step) => `{"type":"video.progress","data":{"sequence":${step}}}`))
      }
    })
  })
}
