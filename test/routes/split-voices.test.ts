import { describe, expect, test } from 'vitest'
import { createEndings } from '../fakes/ended-videos.ts'
import { bearer, KEYS, type ConfigDraft } from '../fakes/gateway.ts'
import { runHere } from '../cli/here.ts'
import { sandboxStage } from './dropin/sandbox-stage.ts'

/** Everybody is on the new side of a split, and names what only the old side has. */
const ROUTING = { rules: [{ split: { main: 0, alt: 100 } }] }
const ALIASES = { puppets: { anna: { main: { image_url: 'https://example.com/anna.png' }, alt: 'pup_ada' } } }
const OF_MAIN = 'sandbox-en-us-ava'

const stage = async (
  routing: ConfigDraft['routing'] = ROUTING,
  others: Pick<ConfigDraft, 'aliases' | 'backends'> & { slots?: number } = {},
) => {
  const s = await sandboxStage({ routing, aliases: ALIASES, ...others })
  const create = (voice_id: string) => s.post('/unified/v1/videos', { puppet_id: 'anna', text: 'Hello', voice_id })
  /** Counts are written a second after the answer. */
  const expectNotMoved = async (counts: object): Promise<void> => {
    await s.clock.advance(1_000)
    const shown = async () => (await s.get('/unified/v1/migration')).body.splits[0].not_moved as unknown
    await expect.poll(shown, { timeout: 120_000 }).toEqual(counts)
  }
  const creates = () => s.requests().filter((operation) => operation?.startsWith('createVideo'))
  return { ...s, create, expectNotMoved, creates }
}
const passed = (reason: string) => ({
  backend: 'main',
  routing: {
    chosen_by: 'rule',
    considered: [
      { backend: 'alt', verdict: 'passed_over', reason },
      { backend: 'main', verdict: 'chosen', reason: null },
    ],
  },
})

describe('a voice that the new side does not have', () => {
  test('is made by the old side after the new one has refused it, and is counted', async () => {
    const { create, creates, expectNotMoved } = await stage()
    const made = await create(OF_MAIN)
    expect([made.status, made.body]).toEqual([202, expect.objectContaining({ backend: 'main' })])
    expect(made.body).toMatchObject(passed('does not have voice_id'))
    expect(creates()).toEqual(['createVideo', 'createVideoFromText'])
    await expectNotMoved({ 'passed_over voice_id': 1 })
  })

  test('costs no request where the list in memory says so', async () => {
    const { create, creates, get, expectNotMoved } = await stage()
    await get('/unified/v1/voices')
    for (let n = 0; n < 3; n += 1) expect((await create(OF_MAIN)).body).toMatchObject(passed('does not have voice_id'))
    expect(creates()).toEqual(['createVideoFromText', 'createVideoFromText', 'createVideoFromText'])
    expect((await create('voice_amber')).body).toMatchObject({ backend: 'alt' })
    await expectNotMoved({ 'passed_over voice_id': 3 })
  })

  test.each([false, true])('nor the old one, is the new side’s to refuse (lists in memory: %s)', async (isKnown) => {
    const { create, get, expectNotMoved } = await stage()
    if (isKnown) await get('/unified/v1/voices')
    const refused = await create('nobody')
    expect([refused.status, refused.body.code, refused.body.backend]).toEqual([404, 'voice_not_found', 'alt'])
    await expectNotMoved({ 'voice_not_found voice_id': 1 })
  })

  test('a key finds the video that the old side made', async () => {
    const { post, creates } = await stage()
    const body = { puppet_id: 'anna', text: 'Hello', voice_id: OF_MAIN }
    const send = async () => (await post('/unified/v1/videos', body, { 'idempotency-key': 'k' })).body as object
    const first = await send()
    expect(first).toMatchObject(passed('does not have voice_id'))
    expect(await send()).toEqual(first)
    expect(creates()).toEqual(['createVideo', 'createVideoFromText'])
  })
})

test('on `/api/v1`, whoever is behind: a client that keeps its voice is not refused', async () => {
  const s = await sandboxStage({ routing: ROUTING, aliases: ALIASES })
  const body = { image_url: 'https://example.com/anna.png', text: 'Hello', voice_id: OF_MAIN }
  const made = await s.app.raw.post('/api/v1/videos/text').set(bearer(KEYS.bert)).send(body)
  expect([made.status, made.body.status]).toEqual([202, 'queued'])
})

test('`talkbridge migrate status` says that a split moves nobody, and why', async () => {
  const { create, post, expectNotMoved, app } = await stage()
  await create(OF_MAIN)
  await create('nobody')
  // A mistake in a create that names the backend is no create that the split did not move.
  const wrong = { backend: 'alt', puppet_id: 'anna', voice_id: 'voice_amber', text: 'x'.repeat(6_000) }
  expect((await post('/unified/v1/videos', wrong)).status).toBe(400)
  await expectNotMoved({ 'passed_over voice_id': 1, 'voice_not_found voice_id': 1 })
  const run = await runHere(['migrate', 'status', '--url', app.url], { env: { TALKBRIDGE_ADMIN_KEY: KEYS.anna } })
  expect(run.stdout).toMatch(
    /  moves nobody: no video of alt has ended since the last step\n  creates that alt did not get:\n  1  +passed_over voice_id\n  1  +voice_not_found voice_id\n/,
  )
})

test('`talkbridge migrate step` is refused while most creates do not get to the new side, and says how many and why', async () => {
  // At 60 % this client is on the new side.
  const rules = [{ split: { main: 40, alt: 60 } }]
  const { create, expectNotMoved, app, clock, get } = await stage({ rules, gates: { least_videos: 1 } })
  const end = createEndings(app.deps.store)
  const { rule } = (await get('/unified/v1/migration')).body.splits[0] as { rule: string }
  for (let n = 0; n < 2; n += 1) await create(OF_MAIN)
  await create('nobody')
  await expectNotMoved({ 'passed_over voice_id': 2, 'voice_not_found voice_id': 1 })
  await end(2, rule, { endedAtMs: clock.now(), backend: 'alt' })
  const step = () => runHere(['migrate', 'step', '--url', app.url], { env: { TALKBRIDGE_ADMIN_KEY: KEYS.anna } })
  expect(await step()).toMatchObject({
    code: 1,
    stderr: `talkbridge: ${rule} stays at 60 %: not_moved: the new side finished 2 videos and did not get 3 creates (2 passed_over voice_id, 1 voice_not_found voice_id): 60 %, at most 50 % may be. Creates count by whole days (UTC), for all splits with this new side\n`,
  })
  await end(1, rule, { endedAtMs: clock.now(), backend: 'alt' })
  expect(await step()).toMatchObject({ code: 0, stdout: expect.stringMatching(/ 100 %, all of it/) })
})

describe('a pool as the new side', () => {
  const PAIR = { pools: { pool: ['main', 'main-b'] }, rules: [{ split: { alt: 0, pool: 100 } }] }
  const aliases = { puppets: { anna: { pool: { image_url: 'https://example.com/anna.png' }, alt: 'pup_ada' } } }
  const body = { puppet_id: 'anna', text: 'Hello' }
  /** Nobody listens there. */
  const SECOND = { interface: 'primary', base_url: 'http://127.0.0.1:9', api_key: 'upstream_second_0123456789' }

  test('got what its first member makes after the others could not', async () => {
    const s = await stage(PAIR, { aliases, slots: 2, backends: { 'main-b': SECOND } })
    expect((await s.create('voice_amber')).body).toMatchObject({ backend: 'alt' })
    let last: unknown
    for (let n = 0; n < 6; n += 1) last = (await s.post('/unified/v1/videos', body)).body
    const full = { verdict: 'passed_over', reason: 'no_slot' }
    const considered = [
      { backend: 'main', ...full },
      { backend: 'main-b', ...full },
      { backend: 'main', verdict: 'chosen', reason: null },
    ]
    expect(last).toMatchObject({ backend: 'main', routing: { considered } })
    await s.expectNotMoved({ 'passed_over voice_id': 1 })
  })

  test('did not get a create once, however many of its members were passed over', async () => {
    const s = await stage(PAIR, { aliases, backends: { main: { drain: true }, 'main-b': { ...SECOND, drain: true } } })
    expect((await s.post('/unified/v1/videos', body)).body.backend).toBe('alt')
    await s.expectNotMoved({ passed_over: 1 })
  })
})
