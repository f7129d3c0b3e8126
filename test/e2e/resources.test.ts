import { expect, test } from 'vitest'
import { listOf, PuppetView, VoiceView, SpeechView, UploadView, UsageView } from '../../src/core/api/videos.ts'
import { must } from '../fakes/must.ts'
import { stage, type Stage } from './harness.ts'

/** Puppets, speech, uploads and usage against the sandbox, through restarts and lost answers. */
const post = async (
  on: Stage,
  path: string,
  body: object,
  key?: string,
): Promise<{ status: number; body: unknown }> => {
  const response = await on.call(path, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...(key !== undefined && { 'idempotency-key': key }) },
  })
  return { status: response.status, body: await response.json() }
}
const read = async (on: Stage, path: string): Promise<unknown> => (await on.call(path)).json()

test('a portrait is saved once a key, makes a video, and is deleted by its creator', async () => {
  const on = await stage({ sandbox: { unlimitedRate: true } })
  const body = { image_url: 'https://example.com/ada.png', name: 'Ada' }
  const first = await post(on, '/puppets', body, 'p-1')
  expect(first.status).toBe(201)
  const puppet = PuppetView.parse(first.body)
  await on.restart()
  expect(await post(on, '/puppets', body, 'p-1')).toEqual({ status: 200, body: puppet })
  const all = async () => listOf(PuppetView).parse(await read(on, '/puppets?backend=main')).data
  expect((await all()).filter(({ id }) => id === puppet.id)).toHaveLength(1)
  expect(PuppetView.parse(await read(on, `/puppets/${puppet.id}`)).name).toBe('Ada')
  const video = await on.create({ puppet_id: puppet.id, text: 'Hello from a saved portrait.' })
  expect((await on.ended(video.id)).status).toBe('completed')
  expect((await on.call(`/puppets/${puppet.id}`, { method: 'DELETE' })).status).toBe(204)
  expect((await on.call(`/puppets/${puppet.id}`)).status).toBe(404)
  const seeded = must((await all())[0])
  expect((await on.call(`/puppets/${seeded.id}`, { method: 'DELETE' })).status).toBe(403)
})

test('an answer that was lost costs no second puppet, and no second upload', async () => {
  const on = await stage({ sandbox: { unlimitedRate: true } })
  const before = listOf(PuppetView).parse(await read(on, '/puppets?backend=main&limit=100')).data.length
  for (const [path, operation, body] of [
    ['/puppets', 'createPuppet', { image_url: 'https://example.com/ada.png' }],
    ['/uploads', 'createHostedAudioUploadUrl', { content_type: 'audio/wav', size_bytes: 1_000 }],
  ] as const) {
    await on.fault('primary', { kind: 'reset', when: 'after', operation })
    const lost = await post(on, path, body, 'k')
    expect(lost).toMatchObject({ status: 502, body: { code: 'backend_error', retryable: true } })
    await on.restart()
    expect((await post(on, path, body, 'k')).status).toBe(201)
    expect((await post(on, path, body, 'k')).status).toBe(200)
  }
  await on.restart()
  const after = listOf(PuppetView).parse(await read(on, '/puppets?backend=main&limit=100')).data.length
  expect(after).toBe(before + 1)
})

test('audio goes straight to the storage; what is reserved under one key is one file', async () => {
  const on = await stage({ sandbox: { unlimitedRate: true } })
  const speech = await post(on, '/speech', { text: 'Words to say.', voice_id: await voice(on) })
  expect(speech.status).toBe(200)
  const clip = SpeechView.parse(speech.body)
  const audio = Buffer.from(await (await fetch(clip.audio_url)).arrayBuffer())
  expect(audio.subarray(0, 4).toString()).toBe('RIFF')
  const body = { content_type: 'audio/wav', size_bytes: audio.length, require_video_readiness: true }
  const reserved = UploadView.parse((await post(on, '/uploads', body, 'u-1')).body)
  const again = UploadView.parse((await post(on, '/uploads', body, 'u-1')).body)
  expect(again.id).toBe(reserved.id)
  const put = await fetch(again.upload_url, { method: again.method, headers: again.headers, body: audio })
  expect(put.ok).toBe(true)
  expect(Buffer.from(await (await fetch(again.audio_url)).arrayBuffer()).equals(audio)).toBe(true)
  const lookup = on.gateway().gateway.deps.resources.uploadLookup
  expect(await lookup.byUrl('anna', reserved.audio_url)).toMatchObject({ kind: 'own', upload: { id: reserved.id } })
})

test('usage tells what is left, and what was used', async () => {
  const on = await stage({ sandbox: { unlimitedRate: true } })
  const video = await on.create({ image_url: 'https://example.com/anna.png', text: 'Hello.' })
  await on.ended(video.id)
  const { backends, client } = UsageView.parse(await read(on, '/usage'))
  expect(backends[0]).toMatchObject({ backend: 'main', credits_remaining: 9, credits_used_month: 1, can_create: true })
  expect(backends[1]).toMatchObject({ backend: 'alt', credits_remaining: null, free_slots: null, active_jobs: 0 })
  expect(client).toMatchObject({ videos: { completed: 1 }, credits_charged: 1 })
  await on.restart()
  expect(UsageView.parse(await read(on, '/usage')).client.requests).toBeGreaterThan(client.requests)
})

const voice = async (on: Stage): Promise<string> => {
  const { data } = listOf(VoiceView).parse(await read(on, '/voices?backend=main&limit=1'))
  return must(data[0]).id
}
