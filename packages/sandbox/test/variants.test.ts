import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isVariant, VARIANTS } from '../src/index.ts'
import { HOUR_MS, walk, WAV } from './contract/walk.ts'
import { IMAGE, receiver } from './harness.ts'

/** Under every variant, every kind of answer is as its own OpenAPI document says: `walk` checks each. */
describe.each(Object.keys(VARIANTS).filter(isVariant))('variant %s', (variant) => {
  it('keeps the shown part of the primary contract', async () => {
    const w = await walk({ variant, unlimitedRate: true, unlimitedSlots: true })
    for (const text of ['fine', '[[fail]]', '[[fail-retryable]]']) {
      const { status, body } = await w.ended({ text })
      expect(status).toBe(200)
      expect(body['status'] === 'completed').toBe(text === 'fine')
      expect(body['video_url'] !== undefined).toBe(text === 'fine')
    }
    const speech = { voice_id: 'sandbox-en-us-ava', text: 'Hi' }
    expect((await w.primary('/api/v1/tts/service', { body: speech })).status).toBe(200)
    const upload = { mime_type: 'audio/wav', content_length: WAV.length }
    expect((await w.primary('/api/v1/uploads/audio-url', { body: upload })).status).toBe(200)
    expect((await w.primary('/api/v1/puppets', { body: { imageUrl: IMAGE } })).status).toBe(201)
    for (const path of ['/api/v1/puppets?limit=1', '/api/v1/puppets', '/api/v1/puppets/puppet_ada', '/api/v1/usage'])
      expect((await w.primary(path)).status).toBe(200)
    for (const text of ['[[no-credits]]', '[[quota-exceeded]]', '[[unavailable]]', '[[asset-error]]', '[[slots-full]]'])
      expect((await w.create({ text })).status).toBeGreaterThanOrEqual(402)
    expect((await w.primary('/api/v1/usage', { key: null })).status).toBe(401)
  })

  it('keeps the shown part of the alternate contract', async () => {
    const w = await walk({ variant })
    const hook = await receiver(200)
    const body = { script: 'Hi', puppet_id: 'pup_ada', webhook_url: hook.url }
    const ids: string[] = []
    for (const script of ['Hi', '[[fail]]'])
      ids.push(String((await w.alternate('/v1/videos', { body: { ...body, script } })).body['id']))
    await w.clock.advance(HOUR_MS)
    const words = []
    for (const id of ids) words.push((await w.alternate(`/v1/videos/${id}`)).body['status'])
    expect(words).toEqual(['completed', 'failed'])
    expect((await w.alternate('/v1/videos?status=failed')).status).toBe(200)
    expect((await w.alternate('/v1/videos/nothing')).status).toBe(404)
    await expect.poll(() => hook.bodies.length).toBeGreaterThan(0)
  })
})

it('no error code is written outside of undecided.ts but those that the contracts show', () => {
  const root = join(import.meta.dirname, '../../..')
  const shown = ['primary', 'alternate'].map((name) =>
    readFileSync(join(root, `docs/contracts/${name}-interface.md`), 'utf8'),
  )
  const folder = join(root, 'packages/sandbox/src')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))
  const decided = ['undecided.ts']
  const codes = files
    .filter((file) => !decided.includes(file))
    .flatMap((file) => [
      ...readFileSync(join(folder, file), 'utf8').matchAll(/reason: \{ code: '([^']+)'|\bcode: '([a-z_]+)'/g),
    ])
    .map(([, reason, code]) => reason ?? code ?? '')
  expect(codes.length).toBeGreaterThan(5)
  expect(codes.filter((code) => !shown.some((text) => text.includes(code)))).toEqual([])
})

it('answers which variants there are, and which one this is', async () => {
  const w = await walk({ variant: 'terse' })
  const { body } = await w.primary('/sandbox/variants', { key: null })
  expect(body['current']).toBe('terse')
  expect(body['data']).toHaveLength(Object.keys(VARIANTS).length)
})
