import { expect, test } from 'vitest'
import { Problem } from '../../src/core/errors.ts'
import { isFull } from '../fakes/full.ts'
import { must } from '../fakes/must.ts'
import type { VideoRecord } from '../../src/core/video.ts'
import { readSide } from '../../src/migration/verdict.ts'
import { readCreateVideo } from '../../src/routes/unified/input.ts'
import { ALIASES, generator, type Body } from './requests.ts'
import { sideOf, migrationStage, type MigrationStage } from './stage.ts'

/**
 * The report's verdict is what then happens: generated requests are made on one backend, judged as they were recorded,
 * and really sent to the other one.
 */

const COUNT = isFull ? 1_000 : 150

/** What became of a request: nothing lost, options left out, or the code and the field of its refusal. */
type Outcome = 'untouched' | { warnings: string[] } | { refused: [string, string | null] }

const sent = async ({ deps, creator }: MigrationStage, body: Body): Promise<VideoRecord> => {
  const request = readCreateVideo(body, creator.visible)
  return (await deps.videos.create(creator, request, null)).video
}

const really = async (stage: MigrationStage, body: Body): Promise<Outcome> => {
  try {
    const { warnings } = await sent(stage, body)
    return warnings.length === 0 ? 'untouched' : { warnings: warnings.map(({ param }) => param) }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { refused: [error.code, error.extras.param ?? null] }
  }
}

/** A hosted file of the client's, by its id and by its URL. */
const uploaded = async ({ deps, creator }: MigrationStage): Promise<Body[]> => {
  const bytes = Buffer.alloc(64_000, 1)
  const request = {
    operation: 'test',
    contentType: 'audio/mpeg',
    sizeBytes: bytes.length,
    requireVideoReadiness: false,
  }
  const { upload, hosted } = await deps.resources.uploads.create(creator, request, null)
  const put = await fetch(hosted.uploadUrl, { method: 'PUT', headers: hosted.headers, body: bytes })
  expect(put.ok).toBe(true)
  return [{ upload_id: upload.id }, { audio_url: upload.audioUrl }]
}

const foretold = async ({ deps }: MigrationStage, videos: readonly VideoRecord[], to: string): Promise<Outcome[]> => {
  const target = await readSide(sideOf(deps, to), deps.catalog.of)
  const outcomes: Outcome[] = []
  for (const video of videos) {
    const { verdict, losses, unverified } = await deps.migration.judge(video, target, deps.backends)
    expect([verdict, unverified]).not.toContain('unverified')
    if (verdict === 'untouched') outcomes.push(verdict)
    else if (verdict === 'warnings') outcomes.push({ warnings: losses.map(({ field }) => field ?? '') })
    else outcomes.push({ refused: [must(losses[0]).code, must(losses[0]).field] })
  }
  return outcomes
}

const wordOf = (outcome: Outcome): string =>
  typeof outcome === 'string'
    ? outcome
    : 'warnings' in outcome
      ? `without ${outcome.warnings.join(' and ')}`
      : outcome.refused.join(' ')

/** Makes the bodies on one backend, then judges what was recorded, then sends the same to the other one. */
const bothWays = async (stage: MigrationStage, bodies: readonly Body[], to: string) => {
  const videos: VideoRecord[] = []
  for (const body of bodies) videos.push(await sent(stage, body))
  const told = await foretold(stage, videos, to)
  const wrong: unknown[] = []
  const seen = new Set<string>()
  for (const [i, body] of bodies.entries()) {
    const happened = await really(stage, { ...body, backend: to })
    seen.add(wordOf(happened))
    if (JSON.stringify(told[i]) !== JSON.stringify(happened)) wrong.push({ body, told: told[i], happened })
  }
  return { wrong, seen: [...seen].toSorted() }
}

test(`main to alt: ${COUNT} verdicts agree with what happens`, async () => {
  const stage = await migrationStage({ aliases: ALIASES })
  const audio = await uploaded(stage)
  const requests = generator(1)
  const bodies = Array.from({ length: COUNT }, () => requests.primary(audio))
  const { wrong, seen } = await bothWays(stage, bodies, 'alt')
  expect(wrong).toEqual([])
  // Each way to lose something was met.
  expect(seen).toEqual([
    'capability_not_supported image_url',
    'invalid_request audio_url',
    'invalid_request puppet_id',
    'invalid_request text',
    'invalid_request upload_id',
    'invalid_request voice_id',
    'puppet_not_found image_url',
    'puppet_not_found puppet_id',
    'untouched',
    'voice_not_found voice_id',
    'without expressiveness',
    'without language',
    'without language and expressiveness',
  ])
})

test(`alt to main: ${COUNT} verdicts agree with what happens`, async () => {
  const stage = await migrationStage({ aliases: ALIASES })
  const requests = generator(2)
  const bodies = Array.from({ length: COUNT }, () => requests.alternate())
  const { wrong, seen } = await bothWays(stage, bodies, 'main')
  expect(wrong).toEqual([])
  expect(seen).toEqual([
    'invalid_request puppet_id',
    'invalid_request voice_id',
    'puppet_not_found puppet_id',
    'untouched',
    'voice_not_found voice_id',
    'without resolution',
  ])
})
