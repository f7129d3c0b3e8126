import { expect, test } from 'vitest'
import { readSide, type Target } from '../../src/migration/verdict.ts'
import { NO_INPUT, type VideoInput } from '../../src/core/video.ts'
import { readCreateVideo } from '../../src/routes/unified/input.ts'
import { fakeClock } from '../fakes/clock.ts'
import { sideOf, migrationStage, type MigrationStage } from './stage.ts'

const ALIASES = { puppets: { anna: { main: { image_url: 'https://example.com/anna.png' }, alt: 'pup_ada' } } }
const PORTRAIT = { image_url: 'https://example.com/anna.png' }

const judged = async (
  { deps }: MigrationStage,
  to: string,
  input: Partial<VideoInput>,
  given: Partial<Target> = {},
) => {
  const target = { ...(await readSide(sideOf(deps, to), deps.catalog.of)), ...given }
  const request = { client: 'anna', surface: 'unified', input: { ...NO_INPUT, ...input }, metadata: {} } as const
  return deps.migration.judge(request, target, deps.backends)
}

test('a body that is larger than the contract allows is refused there, to the byte', async () => {
  const stage = await migrationStage({
    backends: { second: { interface: 'primary', base_url: 'http://127.0.0.1:9', api_key: 'k' } },
  })
  const catalogue = { voices: new Map(), puppets: new Map() }
  const fits = 65_536 - Buffer.byteLength(JSON.stringify({ ...PORTRAIT, text: '' }))
  const ask = (length: number) => judged(stage, 'second', { ...PORTRAIT, text: 'x'.repeat(length) }, catalogue)
  expect(await ask(fits)).toMatchObject({ verdict: 'untouched' })
  expect(await ask(fits + 1)).toMatchObject({
    verdict: 'not_at_all',
    losses: [{ code: 'payload_too_large', field: null }],
  })
})

test('what only the backend can tell is not told: how it counts characters, whether it can fetch audio', async () => {
  const stage = await migrationStage({ aliases: ALIASES })
  const smiles = '👋'.repeat(2_501)
  expect(await judged(stage, 'alt', { ...PORTRAIT, text: smiles })).toMatchObject({
    verdict: 'unverified',
    unverified: ['text'],
  })
  expect(await judged(stage, 'alt', { ...PORTRAIT, text: '👋'.repeat(2_500) })).toMatchObject({ verdict: 'untouched' })
  expect(await judged(stage, 'alt', { ...PORTRAIT, text: '👋'.repeat(5_001) })).toMatchObject({ verdict: 'not_at_all' })
  const audio = { ...PORTRAIT, audio_url: 'https://cdn.example/a.wav' }
  expect(await judged(stage, 'main', audio)).toMatchObject({ verdict: 'unverified', unverified: ['audio_url'] })
})

test('all that an alias would mend is told at once, the refusal that is met first, first', async () => {
  const stage = await migrationStage()
  const { losses } = await judged(stage, 'alt', { ...PORTRAIT, text: 'a', voice_id: 'sandbox-de-de-lena' })
  expect(losses).toMatchObject([
    { code: 'capability_not_supported', field: 'image_url' },
    { code: 'voice_not_found', field: 'voice_id' },
  ])
})

test('that the new backend is being drained says nothing of the requests', async () => {
  const stage = await migrationStage({ aliases: ALIASES, backends: { alt: { drain: true } } })
  const { deps } = stage
  const report = await deps.migration.report({
    from: sideOf(deps, 'main'),
    to: sideOf(deps, 'alt'),
    sinceMs: 0,
    signal: new AbortController().signal,
    onProgress: () => undefined,
  })
  expect(report.videos).toBe(0)
  const { create } = deps.videos
  const body = { ...PORTRAIT, text: 'a' }
  await create(stage.creator, readCreateVideo({ ...body, backend: 'main' }, deps.backends), null)
  const after = await deps.migration.report({
    from: sideOf(deps, 'main'),
    to: sideOf(deps, 'alt'),
    sinceMs: 0,
    signal: new AbortController().signal,
    onProgress: () => undefined,
  })
  // Told of it: dispatched and accepted.
  expect(after).toMatchObject({ videos: 1, verdicts: { untouched: 1 }, pinned: { request: 1, id: 0 } })
})

test('refused creates are counted for the backend that refused them, and written after the answer', async () => {
  // Its time stands still, so that nothing is written before the end.
  const stage = await migrationStage({}, fakeClock(Date.now()))
  const { deps, creator } = stage
  const send = (body: object) =>
    deps.videos.create(creator, readCreateVideo(body, deps.backends), null).catch(() => null)
  for (let n = 0; n < 3; n += 1) await send({ backend: 'alt', puppet_id: 'nobody', text: 'a' })
  await send({ ...PORTRAIT, text: 'a', voice_id: 'nobody' })
  await send({ ...PORTRAIT, text: 'a' })
  expect(await deps.store.refusals('alt', 0)).toEqual([])
  await deps.migration.close()
  const day = new Date(deps.clock.now()).toISOString().slice(0, 10)
  expect(await deps.store.refusals('alt', 0)).toEqual([
    { day, backend: 'alt', code: 'puppet_not_found', field: 'puppet_id', count: 3 },
  ])
  expect(await deps.store.refusals('main', 0)).toEqual([
    { day, backend: 'main', code: 'voice_not_found', field: 'voice_id', count: 1 },
  ])
})
