import { afterEach, describe, expect, test } from 'vitest'
import { type Takes, translateBy } from '../../src/adapters/shared/speaker.ts'
import type { VideoInput } from '../../src/core/video.ts'
import { CAPABILITIES, type Capability } from '../../src/core/vocabulary.ts'
import { capabilities, scriptedAdapter } from '../fakes/adapter.ts'
import { must } from '../fakes/must.ts'
import { INPUT } from '../fakes/records.ts'
import { openEngine, type Engine } from './harness.ts'

const PLAIN: VideoInput = { ...INPUT, image_url: null, puppet_id: 'pup_1', text: 'Hello', voice_id: 'v1' }

/** A request that only an interface with the capability takes, and what a refusal is about; null: it is of no order. */
const NEEDS: Record<Capability, [input: Partial<VideoInput>, param: string] | null> = {
  text_source: [{}, 'text'],
  audio_source: [{ text: null, voice_id: null, audio_url: 'https://files.example/a.wav' }, 'audio_url'],
  image_url: [{ puppet_id: null, image_url: 'https://img.example/1.png' }, 'image_url'],
  puppet_id: [{}, 'puppet_id'],
  resolution: [{ resolution: '720p' }, 'resolution'],
  expressiveness: [{ expressiveness: 0 }, 'expressiveness'],
  language: [{ language: 'en' }, 'language'],
  // Without it no voice is needed: it takes less, not more.
  voice_required: null,
  speech: null,
  uploads: null,
  puppets_write: null,
  usage: null,
  native_webhook: null,
  native_list: null,
  native_idempotency: null,
  progress: null,
  puppet_by_id: null,
}

let engine: Engine
afterEach(async () => {
  await engine.videos.stop()
  await engine.destroy()
})

/** An engine before an interface that can do all but `without`. */
const open = async (without: readonly Capability[], maxTextCharacters: number | null = null): Promise<void> => {
  const can = CAPABILITIES.filter((name) => !without.includes(name))
  const takes: Takes = { capabilities: capabilities(...can), maxTextCharacters, maxCreateBytes: null }
  engine = await openEngine({
    adapter: (now) =>
      Object.assign(scriptedAdapter(now), {
        ...takes,
        translate: (...[order, unsupported]: Parameters<ReturnType<typeof scriptedAdapter>['translate']>) =>
          translateBy('scripted', takes, order, unsupported),
      }),
  })
}

/** What the check says of the request, held to what becomes of the create. */
const said = async (given: Partial<VideoInput>) => {
  const input = { ...PLAIN, ...given }
  const line = must((await engine.check({ input })).backends[0])
  const refusal = await engine.create({ input }).then(
    () => null,
    (problem: unknown) => problem,
  )
  if (line.problem === null) expect(refusal).toBeNull()
  else expect(refusal).toMatchObject({ code: line.problem.code, extras: { param: line.problem.param } })
  return line
}

describe.each(
  Object.entries(NEEDS).flatMap(([name, need]) => (need === null ? [] : [{ name: name as Capability, need }])),
)('$name', ({ name, need: [input, param] }) => {
  test('without it the check says no, as the create does', async () => {
    // A puppet's image would do instead.
    await open([name, 'voice_required', ...(name === 'puppet_id' ? (['image_url'] as const) : [])])
    const line = await said(input)
    expect(line).toMatchObject({ verdict: 'unsupported', problem: { code: 'capability_not_supported', param } })
  })

  test('with it the check says yes, as the create does', async () => {
    await open(['voice_required'])
    expect(await said(input)).toMatchObject({ verdict: 'ok', problem: null })
  })
})

test('a voice that is required is asked for, beside text alone', async () => {
  await open([])
  expect(await said({ voice_id: null })).toMatchObject({ problem: { code: 'invalid_request', param: 'voice_id' } })
  expect((await said({ text: null, voice_id: null, audio_url: 'https://files.example/a.wav' })).verdict).toBe('ok')
})

test('a text that is too long is refused, counted in code points', async () => {
  await open([], 5)
  expect((await said({ text: '😀😀😀😀😀' })).verdict).toBe('ok')
  expect(await said({ text: '123456' })).toMatchObject({ problem: { code: 'invalid_request', param: 'text' } })
})
