import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { MigrationReportView } from '../../src/core/api/migration.ts'
import type { Deps } from '../../src/deps.ts'
import { readCreateVideo } from '../../src/routes/unified/input.ts'
import type { ConfigDraft } from '../fakes/gateway.ts'
import { generator, type Body } from './requests.ts'
import { completed, record } from './sample.ts'
import { backendOf, sideOf, migrationStage, type MigrationStage } from './stage.ts'

const DAY_MS = 86_400_000

const reportOf = (deps: Deps, from = 'main', to = 'alt', sinceMs = deps.clock.now() - 30 * DAY_MS) =>
  deps.migration.report({
    from: sideOf(deps, from),
    to: sideOf(deps, to),
    sinceMs,
    signal: new AbortController().signal,
    onProgress: () => undefined,
  })

const putAll = async ({ deps }: MigrationStage, bodies: readonly Body[], backend = 'main'): Promise<void> => {
  for (const [n, body] of bodies.entries()) {
    const { input } = readCreateVideo(body, deps.backends)
    const given = { createdAtMs: deps.clock.now() - (bodies.length - n) * 1_000, client: n % 3 === 0 ? 'bert' : 'anna' }
    await record(
      deps.store,
      completed(`vid_${String(n).padStart(6, '0')}_${backend}`, backendOf(deps, backend), input, given),
    )
  }
}

const times = (count: number, body: Body): Body[] => Array.from({ length: count }, () => body)

const PORTRAIT = 'https://example.com/anna.png'
const VOICES: Body[] = [
  ...times(5, { image_url: PORTRAIT, text: 'a', voice_id: 'sandbox-de-de-lena' }),
  ...times(3, { image_url: PORTRAIT, text: 'a', voice_id: 'sandbox-ja-jp-yuki' }),
  ...times(2, { image_url: PORTRAIT, text: 'a', voice_id: 'main:sandbox-de-de-jonas' }),
  { image_url: PORTRAIT, text: 'a', voice_id: 'sandbox-ko-kr-minji', language: 'ko' },
  { puppet_id: 'puppet_ben', text: 'a', language: 'en' },
]

const pasted = (text: string): ConfigDraft => {
  const { aliases } = parse(text) as { aliases: Record<string, unknown> }
  return { aliases }
}

test('a video that was canceled before it was sent has no request any more: it is judged as none, and no import', async () => {
  const stage = await migrationStage()
  await putAll(stage, times(2, { image_url: PORTRAIT, text: 'a' }))
  const { deps } = stage
  const given = { status: 'canceled', madeFrom: 'text', createdAtMs: deps.clock.now() - 1_000 } as const
  await record(deps.store, completed('vid_9', backendOf(deps, 'main'), {}, given))
  expect(await reportOf(deps)).toMatchObject({ videos: 2, imported: 0 })
})

test('says what is lost, by kind and client, what lacks an alias, and what is like it', async () => {
  const stage = await migrationStage({
    aliases: { puppets: { anna: { main: { image_url: PORTRAIT }, alt: 'pup_ada' } } },
  })
  await putAll(stage, VOICES)
  const report = MigrationReportView.parse(await reportOf(stage.deps))
  expect(report).toMatchObject({
    videos: 12,
    verdicts: { untouched: 0, warnings: 0, not_at_all: 12, unverified: 0 },
    losses: [
      { code: 'voice_not_found', field: 'voice_id', verdict: 'not_at_all', videos: 9, share: 0.75 },
      { code: 'invalid_request', field: 'voice_id', videos: 2 },
      { code: 'puppet_not_found', field: 'puppet_id', videos: 1 },
    ],
    clients: [
      { client: 'anna', videos: 8 },
      { client: 'bert', videos: 4 },
    ],
    default_voices: 1,
    other_lacking: { voices: 0, portraits: 0 },
  })
  const [lena, yuki, jonas, minji, ben] = report.lacking
  expect(lena).toMatchObject({ kind: 'voice', id: 'sandbox-de-de-lena', videos: 5, alias: 'lena', language: 'de' })
  expect(lena?.candidates).toMatchObject([{ id: 'voice_fern', why: expect.stringContaining('same gender (female)') }])
  expect(yuki).toMatchObject({ videos: 3, alias: 'yuki', candidates: [{ id: 'voice_haze' }] })
  // Another gender, and the one voice of that language stands for Lena already.
  expect(jonas).toMatchObject({ id: 'sandbox-de-de-jonas', videos: 2, alias: null })
  expect(minji).toMatchObject({ videos: 1, alias: null, candidates: [] })
  expect(ben).toMatchObject({
    kind: 'puppet',
    id: 'puppet_ben',
    name: 'Ben',
    alias: 'ben',
    candidates: [{ id: 'pup_ben' }],
  })
  // What was configured stays.
  expect(pasted(report.aliases).aliases).toEqual({
    voices: {
      lena: { main: 'sandbox-de-de-lena', alt: 'voice_fern' },
      yuki: { main: 'sandbox-ja-jp-yuki', alt: 'voice_haze' },
    },
    puppets: {
      anna: { main: { image_url: PORTRAIT }, alt: 'pup_ada' },
      ben: { main: 'puppet_ben', alt: 'pup_ben' },
    },
  })
  expect(report.aliases).toContain(
    '# jonas: { main: "sandbox-de-de-jonas", alt: "voice_fern" } # 2 videos; voice_fern (',
  )
})

test.each(['main', 'alt'])(
  'its aliases, pasted, are a configuration, and what they stand for is lost no more: from %s',
  async (from) => {
    const to = from === 'main' ? 'alt' : 'main'
    const requests = generator(7)
    const bodies = Array.from({ length: 300 }, () =>
      from === 'main' ? requests.primary([{ text: 'a' }]) : requests.alternate(),
    )
    const known = bodies.filter((body) => !/anna|narrator|berlin|gone|here|ben"|ghost|lone/.test(JSON.stringify(body)))
    const before = await migrationStage()
    await putAll(before, known, from)
    const report = await reportOf(before.deps, from, to)
    const mended = report.lacking.filter(({ alias }) => alias !== null)
    expect(mended.length).toBeGreaterThan(2)
    const after = await migrationStage(pasted(report.aliases))
    await putAll(after, known, from)
    const again = await reportOf(after.deps, from, to)
    const open = new Set(again.lacking.map(({ id }) => id))
    expect(mended.filter(({ id }) => open.has(id))).toEqual([])
    expect(again.verdicts.not_at_all).toBeLessThan(report.verdicts.not_at_all)
  },
)

test('what hangs on a catalogue that cannot be read is not guessed', async () => {
  const stage = await migrationStage({
    aliases: { puppets: { anna: { main: { image_url: PORTRAIT }, alt: 'pup_ada' } } },
  })
  await putAll(stage, [
    ...VOICES,
    { image_url: PORTRAIT, text: 'a' },
    { image_url: 'https://example.com/x.png', text: 'a' },
  ])
  await stage.sandbox.close()
  const report = MigrationReportView.parse(await reportOf(stage.deps))
  expect(report.catalogues).toMatchObject([
    { backend: 'main', voices: null, puppets: null, problem: 'backend_unavailable' },
    { backend: 'alt', voices: null, puppets: null, problem: 'backend_unavailable' },
  ])
  // A qualified id and an image without an alias are refused whatever there is.
  expect(report.verdicts).toEqual({ untouched: 0, warnings: 0, not_at_all: 3, unverified: 11 })
  expect(report.unverified).toEqual([
    { field: 'image_url', videos: 10 },
    { field: 'voice_id', videos: 9 },
    { field: 'puppet_id', videos: 1 },
  ])
})

test('a client that does not see the new backend cannot be moved', async () => {
  const key = 'tb_anna_0123456789abcdef'
  const stage = await migrationStage({ clients: [{ id: 'anna', key, backends: ['main'] }] })
  await putAll(stage, [
    { image_url: PORTRAIT, text: 'a' },
    { image_url: PORTRAIT, text: 'b' },
  ])
  const { losses } = await reportOf(stage.deps)
  expect(losses).toMatchObject([
    { code: 'capability_not_supported', field: 'image_url', videos: 2 },
    { code: 'invalid_request', field: 'backend', videos: 1 },
  ])
})

test('what was predicted stands beside what was observed: options left out, refusals, failures', async () => {
  const stage = await migrationStage({
    aliases: { puppets: { anna: { main: { image_url: PORTRAIT }, alt: 'pup_ada' } } },
  })
  const { deps, creator } = stage
  await putAll(stage, [...VOICES.slice(0, 5), ...times(5, { image_url: PORTRAIT, text: 'a', language: 'en' })])
  const send = (body: Body) =>
    deps.videos.create(creator, readCreateVideo({ ...body, backend: 'alt' }, deps.backends), null)
  await send({ image_url: PORTRAIT, text: 'a', language: 'en', unsupported: 'warn' })
  await send({ image_url: PORTRAIT, text: 'a' })
  await expect(send({ image_url: PORTRAIT, text: 'a', voice_id: 'no_such' })).rejects.toThrow('voice')
  await expect(send({ image_url: PORTRAIT, text: 'a [[no-credits]]' })).rejects.toThrow()
  await deps.migration.close()
  const failed = {
    status: 'failed',
    error: { code: 'backend_failed', message: 'x', retryable: false, backend_error: null },
  } as const
  await record(
    deps.store,
    completed('vid_f', backendOf(deps, 'alt'), { text: 'a' }, { ...failed, createdAtMs: deps.clock.now() - 1 }),
  )
  const { compared, observed } = await reportOf(deps)
  // That there are no credits says nothing of the requests.
  expect(observed).toEqual({ videos: 3, refused: 1, failed: 1 })
  expect(compared).toEqual([
    {
      code: 'voice_not_found',
      field: 'voice_id',
      predicted: 0.5,
      shadowed: null,
      observed: 0.25,
      warned: 0,
      refused: 1,
      failed: 0,
    },
    {
      code: 'option_ignored',
      field: 'language',
      predicted: 0.5,
      shadowed: null,
      observed: 0.25,
      warned: 1,
      refused: 0,
      failed: 0,
    },
    {
      code: 'backend_failed',
      field: null,
      predicted: 0,
      shadowed: null,
      observed: 0.25,
      warned: 0,
      refused: 0,
      failed: 1,
    },
  ])
})

test('only what was created since counts, and imports have no request', async () => {
  const stage = await migrationStage()
  const { deps } = stage
  const put = (id: string, agoMs: number, given: Body = { image_url: PORTRAIT, text: 'a' }) =>
    record(deps.store, completed(id, backendOf(deps, 'main'), given, { createdAtMs: deps.clock.now() - agoMs }))
  await put('vid_old', 31 * DAY_MS)
  await put('vid_new', DAY_MS)
  await put('vid_imported', DAY_MS, {})
  expect(await reportOf(deps)).toMatchObject({ videos: 1, imported: 1 })
})

test('it ends when nobody waits for it', async () => {
  const stage = await migrationStage()
  await putAll(stage, times(200, { image_url: PORTRAIT, text: 'a' }))
  const hungUp = new AbortController()
  const seen: number[] = []
  const { deps } = stage
  const making = deps.migration.report({
    from: sideOf(deps, 'main'),
    to: sideOf(deps, 'alt'),
    sinceMs: 0,
    signal: hungUp.signal,
    onProgress: (_, videos) => {
      seen.push(videos)
      hungUp.abort(new Error('hung up'))
    },
  })
  await expect(making).rejects.toThrow('hung up')
  expect(seen).toEqual([50])
})
