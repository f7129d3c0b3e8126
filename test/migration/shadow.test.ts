import { expect, test } from 'vitest'
import { isShadowed } from '../../src/migration/index.ts'
import { readCreateVideo } from '../../src/routes/unified/input.ts'
import { fakeClock } from '../fakes/clock.ts'
import { until } from '../fakes/until.ts'
import { sideOf, migrationStage } from './stage.ts'

const PORTRAIT = 'https://example.com/anna.png'
const MADE = { backend: 'main', image_url: PORTRAIT, text: 'a', language: 'en' }
const ALIASES = { puppets: { anna: { main: { image_url: PORTRAIT }, alt: 'pup_ada' } } }

const shadowing = async (share: number) => {
  const clock = fakeClock(Date.now())
  const routing = { shadow: { from: 'main', to: 'alt', share } }
  const stage = await migrationStage({ aliases: ALIASES, routing }, clock)
  const { deps, creator } = stage
  const create = async (body: object, key: string | null = null) =>
    (await deps.videos.create(creator, readCreateVideo(body, deps.backends), key)).video
  const kept = () => deps.store.shadows('main', 'alt', 0, null, 10_000)
  return { ...stage, clock, create, kept }
}

test('a new video’s verdict for the other backend is recorded later, and nothing is sent there but reads', async () => {
  const { clock, create, kept, sandbox, deps } = await shadowing(1)
  const video = await create(MADE, 'key')
  await create(MADE, 'key')
  await create({ backend: 'alt', puppet_id: 'pup_ada', text: 'a' })
  const lost = await create({ ...MADE, language: null, voice_id: 'sandbox-de-de-lena' })
  // Until time goes on, nothing was asked or written: the answer is long out.
  const requestsOf = () =>
    sandbox
      .ledger()
      .requests.filter(({ interface: of }) => of === 'alternate')
      .map(({ operation }) => operation)
  expect([await kept(), requestsOf()]).toEqual([[], ['createVideo']])
  await until(async () => {
    await clock.advance(1_000)
    return (await kept()).length === 2
  })
  expect((await kept()).toSorted((a, b) => (a.videoId < b.videoId ? -1 : 1))).toEqual([
    {
      videoId: video.id,
      atMs: video.createdAtMs,
      from: 'main',
      to: 'alt',
      verdict: 'warnings',
      kinds: [{ code: 'option_ignored', field: 'language' }],
    },
    {
      videoId: lost.id,
      atMs: lost.createdAtMs,
      from: 'main',
      to: 'alt',
      verdict: 'not_at_all',
      kinds: [{ code: 'voice_not_found', field: 'voice_id' }],
    },
  ])
  expect(requestsOf()).toEqual(['createVideo', 'listVoices', 'listPuppets'])
  const report = await deps.migration.report({
    from: sideOf(deps, 'main'),
    to: sideOf(deps, 'alt'),
    sinceMs: 0,
    signal: new AbortController().signal,
    onProgress: () => undefined,
  })
  expect(report.shadow).toEqual({
    videos: 2,
    verdicts: { untouched: 0, warnings: 1, not_at_all: 1, unverified: 0 },
    dropped: 0,
  })
  expect(report.compared).toMatchObject([
    { code: 'option_ignored', predicted: 0.5, shadowed: 0.5 },
    { code: 'voice_not_found', predicted: 0.5, shadowed: 0.5 },
  ])
})

test('a share of the videos is shadowed, always the same ones', async () => {
  const settings = { from: 'main', to: 'alt', share: 0.25 }
  const ids = Array.from({ length: 4_000 }, (_, n) => `vid_${n}`)
  const few = ids.filter((id) => isShadowed(id, settings))
  expect(few.length / ids.length).toBeCloseTo(0.25, 1)
  expect(few.filter((id) => !isShadowed(id, { ...settings, share: 0.5 }))).toEqual([])
  expect(ids.filter((id) => isShadowed(id, { ...settings, share: 0 }))).toEqual([])
  expect(ids.filter((id) => !isShadowed(id, { ...settings, share: 1 }))).toEqual([])
})

test('more than it can take at once is dropped, and counted; a stop forgets what waits', async () => {
  const { create, deps } = await shadowing(1)
  const { createShadow } = await import('../../src/migration/index.ts')
  const clock = fakeClock()
  const written: number[] = []
  const shadow = createShadow({
    store: { putShadows: async (shadows) => void written.push(shadows.length) },
    clock,
    log: deps.log,
    catalogue: deps.catalog.of,
    judge: deps.migration.judge,
    backends: deps.backends,
    visibleTo: () => deps.backends,
    settings: { from: 'main', to: 'alt', share: 1 },
  })
  const video = await create(MADE)
  for (let n = 0; n < 1_003; n += 1) shadow.offer(video)
  expect(shadow.dropped()).toBe(3)
  await shadow.stop()
  await clock.advance(10_000)
  expect(written).toEqual([])
})
