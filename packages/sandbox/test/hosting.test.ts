import { existsSync, readdirSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openBlobs } from '../src/state.ts'
import { fakeClock } from '../../../test/fakes/clock.ts'
import { expectError, putAudio, walk, WAV, type Walk } from './contract/walk.ts'
import { IMAGE, start } from './harness.ts'
import { readWav } from './media/mp4.ts'

const reserve = async (w: Walk, more: Record<string, unknown> = {}, headers = {}) => {
  const body = { mime_type: 'audio/wav', content_length: WAV.length, ...more }
  const reply = await w.primary('/api/v1/uploads/audio-url', { body, headers })
  return { ...reply, put: String(reply.body['upload_url']), read: String(reply.body['read_url']) }
}

describe('the signed PUT', () => {
  it.each([
    ['another type', (url: string) => putAudio(url, WAV, 'audio/mpeg'), 415],
    ['no type', (url: string) => fetch(url, { method: 'PUT', body: new Uint8Array(WAV) }), 415],
    ['a byte more', (url: string) => putAudio(url, Buffer.concat([WAV, Buffer.alloc(1)])), 413],
    ['a byte less', (url: string) => putAudio(url, WAV.subarray(1)), 400],
    ['the read link', (url: string) => putAudio(url.replace('/uploads/', '/audio/'), WAV), 404],
    ['no signature', (url: string) => putAudio(url.split('?')[0] ?? '', WAV), 403],
    ['another upload', (url: string) => putAudio(url.replace(/aud_./, 'aud_X'), WAV), 403],
  ])('refuses %s, and the upload stays pending', async (_what, put, status) => {
    const w = await walk()
    const { put: url, read } = await reserve(w)
    expect((await put(url)).status).toBe(status)
    expect((await fetch(read)).status).toBe(404)
    expect((await putAudio(url, WAV)).status).toBe(200)
    expect((await fetch(read)).status).toBe(200)
  })

  it('counts a body that does not say its length', async () => {
    const w = await walk()
    const { put, read } = await reserve(w)
    const chunked = (data: Buffer): Promise<number> =>
      new Promise((resolve, reject) => {
        const headers = { 'content-type': 'audio/wav', 'transfer-encoding': 'chunked' }
        const sending = request(put, { method: 'PUT', headers }, (reply) => {
          reply.resume().on('end', () => resolve(reply.statusCode ?? 0))
        })
        sending.on('error', reject).end(data)
      })
    expect(await chunked(Buffer.concat([WAV, WAV]))).toBe(413)
    expect(await chunked(WAV.subarray(9))).toBe(400)
    expect((await fetch(read)).status).toBe(404)
    expect(await chunked(WAV)).toBe(200)
    expect(Buffer.from(await (await fetch(read)).arrayBuffer())).toEqual(WAV)
  })

  it('survives a caller that hangs up, and keeps nothing of it', async () => {
    const w = await walk()
    const { put, read } = await reserve(w)
    const headers = { 'content-type': 'audio/wav', 'content-length': WAV.length }
    await new Promise<void>((resolve) => {
      const sending = request(put, { method: 'PUT', headers })
      sending.on('error', () => resolve())
      sending.write(WAV.subarray(0, 100), () => sending.destroy(new Error('gone')))
    })
    expect((await fetch(read)).status).toBe(404)
    expect((await putAudio(put, WAV)).status).toBe(200)
  })

  it('takes two at once', async () => {
    const w = await walk()
    const { put, read } = await reserve(w)
    const all = await Promise.all([putAudio(put, WAV), putAudio(put, WAV), putAudio(put, WAV.subarray(1))])
    expect(all.map(({ status }) => status)).toEqual([200, 200, 400])
    expect(Buffer.from(await (await fetch(read)).arrayBuffer())).toEqual(WAV)
  })
})

describe('idempotent reservations', () => {
  it('replays a pending upload with a fresh URL and no second quota', async () => {
    const w = await walk({ unlimitedRate: true })
    const first = await reserve(w, {}, { 'idempotency-key': 'k' })
    await w.clock.advance(20 * 60_000)
    expect((await putAudio(first.put, WAV)).status).toBe(403)
    const again = await reserve(w, {}, { 'idempotency-key': 'k' })
    expect([again.body['id'], again.put === first.put]).toEqual([first.body['id'], false])
    expect((await putAudio(again.put, WAV)).status).toBe(200)
    for (let i = 0; i < 249; i += 1) expect((await reserve(w)).status).toBe(200)
    expect((await reserve(w)).status).toBe(429)
    // Also now, and with the readiness flag, which is no part of the asset.
    const replay = await reserve(w, { requireVideoReadiness: true }, { 'idempotency-key': 'k' })
    expect([replay.status, replay.body['status']]).toEqual([200, 'uploaded'])
    expect((await fetch(replay.read)).status).toBe(200)
  })
})

describe('audio videos', () => {
  it('last as long as their sound', async () => {
    const w = await walk({ unlimitedRate: true, unlimitedSlots: true })
    const text = 'x'.repeat(900)
    const speech = await w.primary('/api/v1/tts/service', { body: { voice_id: 'sandbox-en-us-ava', text } })
    for (const audio of [String(speech.body['audio_url']), await w.uploaded()])
      expect((await w.primary('/api/v1/videos/audio', { body: { image: IMAGE, audio } })).status).toBe(202)
    const [long = 0, short = 0] = w.sandbox
      .ledger()
      .jobs.map(({ created_at, ends_at }) => Date.parse(ends_at ?? '') - Date.parse(created_at))
    expect(long).toBeGreaterThan(2 * short)
  })

  it('are bound to the key: a new key of the account has no claim on old uploads', async () => {
    const w = await walk()
    const audio = await w.uploaded()
    const key = await w.newKey('primary', { account: 'sandbox' })
    const refused = await w.primary('/api/v1/videos/audio', { body: { image: IMAGE, audio }, key })
    expect(refused.body['retry_block_code']).toBe('HOSTED_AUDIO_UPLOAD_NOT_FOUND')
  })
})

describe('speech', () => {
  it('that cannot be made is a 502, and spends nothing', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'sandbox-'))
    onTestFinished(() => rm(dataDir, { recursive: true }))
    // Where a folder should be.
    await writeFile(join(dataDir, 'audio'), '')
    const w = await walk({ dataDir, unlimitedRate: true })
    const body = { voice_id: 'sandbox-en-us-ava', text: 'x'.repeat(5_000) }
    for (let call = 0; call < 25; call += 1)
      expectError(await w.primary('/api/v1/tts/service', { body }), 502, 'asset_creation_failed')
  })

  it('has exactly the size that is told', async () => {
    const w = await walk()
    const body = { voice_id: 'sandbox-en-us-ava', text: 'Hello there, how are you today?', speed: 0.5 }
    const speech = (await w.primary('/api/v1/tts/service', { body })).body
    const file = Buffer.from(await (await fetch(String(speech['audio_url']))).arrayBuffer())
    expect([speech['duration_seconds'], speech['size_bytes']]).toEqual([4.2, file.length])
    expect(readWav(file).samples.length).toBe(4.2 * 24_000)
  })
})

describe('the files', () => {
  it('go with a sandbox that keeps nothing, and stay in its data folder', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'sandbox-'))
    onTestFinished(() => rm(dataDir, { recursive: true }))
    const clock = fakeClock()
    const first = await start({ dataDir }, clock)
    const body = { mime_type: 'audio/wav', content_length: WAV.length }
    const pending = (await first.primary('/api/v1/uploads/audio-url', { body })).body
    const done = (await first.primary('/api/v1/uploads/audio-url', { body })).body
    await putAudio(String(done['upload_url']), WAV)
    await first.sandbox.close()
    expect(readdirSync(join(dataDir, 'audio'))).toEqual([done['id']])
    const second = await start({ dataDir }, clock)
    const here = (url: unknown) => String(url).replace(first.sandbox.primaryUrl, second.sandbox.primaryUrl)
    expect((await fetch(here(done['read_url']))).status).toBe(200)
    expect((await putAudio(here(pending['upload_url']), WAV)).status).toBe(200)
    const video = { image: IMAGE, audio: here(pending['read_url']) }
    expect((await second.primary('/api/v1/videos/audio', { body: video })).status).toBe(202)
    await clock.advance(31 * 86_400_000)
    await second.primary('/api/v1/uploads/audio-url', { body })
    await expect.poll(() => readdirSync(join(dataDir, 'audio'))).toEqual([])
    expect((await fetch(here(done['read_url']))).status).toBe(403)
  })

  it('have a folder only when one is needed, and it goes at the end', async () => {
    const blobs = openBlobs(null)
    blobs.close()
    const path = blobs.made('aud_1', () => Buffer.from('made'))
    expect(existsSync(path)).toBe(true)
    blobs.close()
    expect(existsSync(dirname(path))).toBe(false)
  })
})
