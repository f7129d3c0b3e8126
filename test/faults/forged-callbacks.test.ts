import { onTestFinished, expect, test } from 'vitest'
import { Pool } from 'undici'
import type { Store } from '../../src/core/store/index.ts'
import { isFull } from '../fakes/full.ts'
import { testApp } from '../fakes/gateway.ts'
import { must } from '../fakes/must.ts'
import { seededBytes } from '../fakes/random.ts'
import { MINUTE, SECOND } from '../fakes/records.ts'
import { serveAlternate, ALT_BODY } from '../routes/services.ts'
import { ALT, virtualStage } from './virtual.ts'

const FORGED = isFull ? 10_000 : 2_000
const AT_ONCE = 50

interface Callback {
  path: string
  body: string
}

/** Sends them all, `AT_ONCE` at a time; answers how often each status came. */
const sender = (origin: string) => {
  const pool = new Pool(origin, { connections: AT_ONCE })
  onTestFinished(() => pool.destroy())
  return async (callbacks: readonly Callback[]): Promise<Record<string, number>> => {
    const counts: Record<string, number> = {}
    const left = callbacks.values()
    const work = async (): Promise<void> => {
      for (const { path, body } of left) {
        const { statusCode, body: answer } = await pool.request({ path, method: 'POST', body })
        await answer.dump()
        counts[statusCode] = (counts[statusCode] ?? 0) + 1
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work))
    return counts
  }
}

test(`${FORGED} callbacks of whoever knows the tokens cost three polls a video, and not the budget of others`, async () => {
  const s = await virtualStage({ sandbox: { speed: 1 } })
  const stuck = { ...ALT, text: 'Hello [[stuck]]' }
  const [quiet, ...called] = [await s.create(stuck), await s.create(stuck), await s.create(stuck)]
  const jobOf = async (id: string): Promise<string> => must((await s.record(id)).backendJobId)
  const pathOf = (id: string): string => `/hooks/alt/${s.gateway.deps.callbackTokens.make('alt', id, 1)}`
  const send = sender(s.gateway.url)
  const rounds = 10
  for (let round = 0; round < rounds; round += 1) {
    const callbacks = await Promise.all(
      Array.from({ length: FORGED / rounds }, async (_, n) => {
        const id = must(called[n % called.length])
        // Nothing, its own job, jobs of nobody's, another's, no JSON.
        const named = [null, await jobOf(id), `clip_${round}_${n}`, await jobOf(quiet)][n % 4]
        const body = n % 7 === 0 ? '{"video' : JSON.stringify(named === null ? {} : { video: { video_id: named } })
        return { path: pathOf(id), body }
      }),
    )
    expect(await send(callbacks)).toEqual({ 204: callbacks.length })
    await s.pass(40 * SECOND)
  }
  const { requests } = s.sandbox.ledger()
  expect(requests.filter(({ status }) => status === 429)).toEqual([])
  const polls = requests.filter(({ operation }) => operation === 'getVideo').length
  // Three stuck videos are polled alike, whoever calls back: what one costs by itself, and three for each that is called for.
  const own = await (async () => {
    const t = await virtualStage({ sandbox: { speed: 1 } })
    await t.create(stuck)
    await t.pass(rounds * 40 * SECOND)
    return t.sandbox.ledger().requests.filter(({ operation }) => operation === 'getVideo').length
  })()
  expect(polls).toBeLessThanOrEqual(3 * own + 3 * called.length)
  // They did ask for polls, of which those that are due together are one request for the list.
  for (const id of called) {
    const { hintedPolls } = await s.record(id)
    expect(hintedPolls).toBeGreaterThanOrEqual(1)
    expect(hintedPolls).toBeLessThanOrEqual(3)
  }
  // A flood leaves no trail that grows with it.
  for (const id of called) expect((await s.store.timeline(id)).length).toBeLessThan(20)
  // And the video that is created then finds room.
  const fresh = await s.create(ALT)
  await s.passUntil(10 * MINUTE, () => s.allEnded([fresh]))
  expect(await s.record(fresh)).toMatchObject({ status: 'completed' })
})

test(`${FORGED} callbacks with tokens of nobody’s make cost no read of the store`, async () => {
  let verbs = 0
  const counted = (store: Store): Store =>
    new Proxy(store, {
      get(target, name): unknown {
        const verb: unknown = Reflect.get(target, name)
        if (typeof verb === 'function') verbs += 1
        return verb
      },
    })
  const app = await testApp({ server: { public_url: 'https://gateway.example' }, wrapStore: counted })
  serveAlternate(app.alt)
  const { id } = (await app.post(ALT_BODY).expect(202)).body as { id: string }
  const good = app.deps.callbackTokens.make('alt', id, 1)
  const bytes = seededBytes(8)
  const forge = [
    (n: number) => `${id}.1.${bytes(32).toString('base64url')}${n % 2 === 0 ? '' : 'A'}`,
    (n: number) => good.replace('.1.', `.${n + 2}.`),
    (n: number) => `${good.slice(0, -1)}${n % 10}`.replace(good, 'x'),
    (n: number) => `vid_${n}.1.x`,
    () => 'a'.repeat(2_000),
  ]
  const before = verbs
  const callbacks = Array.from({ length: FORGED }, (_, n) => {
    const body = n % 100 === 0 ? 'x'.repeat(60_000) : '{}'
    return { path: `/hooks/alt/${must(forge[n % forge.length])(n)}`, body }
  })
  expect(await sender(app.url)(callbacks)).toEqual({ 404: FORGED })
  expect(verbs).toBe(before)
  expect(app.upstream()).toBe(1)
})

test('a callback is answered while the store stands still', async () => {
  const released = Promise.withResolvers<void>()
  let isStill = false
  const app = await testApp({
    server: { public_url: 'https://gateway.example' },
    wrapStore: (store) => ({
      ...store,
      async video(id) {
        if (isStill) await released.promise
        return store.video(id)
      },
    }),
  })
  serveAlternate(app.alt)
  const { id } = (await app.post(ALT_BODY).expect(202)).body as { id: string }
  isStill = true
  const path = `/hooks/alt/${app.deps.callbackTokens.make('alt', id, 1)}`
  expect(await sender(app.url)(Array.from({ length: 200 }, () => ({ path, body: '{}' })))).toEqual({ 204: 200 })
  released.resolve()
})
