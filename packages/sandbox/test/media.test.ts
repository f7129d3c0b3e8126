import { expect, it } from 'vitest'
import type { SandboxOptions } from '../src/index.ts'
import { IMAGE, start } from './harness.ts'
import { putAudio } from './contract/walk.ts'
import { readMp4, readWav } from './media/mp4.ts'

const finished = async (speed = 1, options: Partial<SandboxOptions> = {}, text = 'Hello there, who are you?') => {
  const harness = await start({ speed, ...options })
  const { create, clock, primary } = harness
  const path = String((await create({ text })).body['status_url'])
  await clock.advance(600_000)
  return { ...harness, url: String((await primary(path)).body['video_url']) }
}

const bytesOf = async (url: string): Promise<Buffer> => Buffer.from(await (await fetch(url)).arrayBuffer())

it('serves an MP4 of whole steps of four seconds, with ranges', async () => {
  const { url } = await finished()
  const reply = await fetch(url)
  expect(reply.headers.get('content-type')).toBe('video/mp4')
  const whole = Buffer.from(await reply.arrayBuffer())
  expect(readMp4(whole).seconds).toBeCloseTo(4, 1)
  const part = await fetch(url, { headers: { range: 'bytes=10-19' } })
  expect(part.status).toBe(206)
  expect(part.headers.get('content-range')).toBe(`bytes 10-19/${whole.length}`)
  expect(Buffer.from(await part.arrayBuffer())).toEqual(whole.subarray(10, 20))
  expect((await fetch(url, { headers: { range: 'bytes=99999999-' } })).status).toBe(416)
})

it('keeps a film over a restart, and reports its length', async () => {
  const { alternate, clock } = await start()
  const { id } = (
    await alternate('/v1/videos', { body: { script: 'A long story. '.repeat(30), puppet_id: 'pup_ben' } })
  ).body
  await clock.advance(600_000)
  const { body } = await alternate(`/v1/videos/${String(id)}`)
  expect(body['duration_sec']).toBe(28)
  for (let time = 0; time < 2; time += 1)
    expect(readMp4(await bytesOf(String(body['download_url']))).seconds).toBeCloseTo(28, 1)
})

it('makes a film as long as an uploaded WAV says that it is', async () => {
  const { primary, clock } = await start()
  const body = { voice_id: 'sandbox-en-us-ava', text: 'Ten seconds of speech. '.repeat(7) }
  const speech = await primary('/api/v1/tts/service', { body })
  const wav = await bytesOf(String(speech.body['audio_url']))
  expect(readWav(wav).samples.length / 24_000).toBeCloseTo(Number(speech.body['duration_seconds']), 3)
  const reserved = await primary('/api/v1/uploads/audio-url', {
    body: { mime_type: 'audio/wav', content_length: wav.length },
  })
  expect((await putAudio(String(reserved.body['upload_url']), wav, 'audio/wav')).status).toBe(200)
  const audio = String(reserved.body['read_url'])
  const made = await primary('/api/v1/videos/audio', { body: { image: IMAGE, audio } })
  await clock.advance(600_000)
  const film = await bytesOf(String((await primary(String(made.body['status_url']))).body['video_url']))
  expect(speech.body['duration_seconds']).toBe(10.8)
  expect(readMp4(film).seconds).toBeCloseTo(12, 1)
})

it('refuses unsigned, tampered and expired links', async () => {
  const { url, clock } = await finished(24)
  const other = url.replace(/expires=\d+/, `expires=${clock.now() + 99_999_999}`)
  for (const bad of [url.split('?')[0] ?? '', `${url}x`, other, url.replace('.mp4', '.mp3'), `${url}&expires=1`])
    expect([bad, (await fetch(bad)).status]).toEqual([bad, 403])
  await clock.advance(3_599_999)
  expect((await fetch(url)).status).toBe(200)
  await clock.advance(1)
  expect((await fetch(url)).status).toBe(403)
})

it('does not lend a link to the other interface', async () => {
  const { url, sandbox } = await finished()
  expect((await fetch(url.replace(sandbox.primaryUrl, sandbox.alternateUrl))).status).toBe(404)
})
