import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Sound } from '../../../src/sandbox/media/index.ts'
import { decodeSound } from '../../../src/sandbox/media/sound.ts'
import { SAMPLE_RATE_HZ } from '../../../src/sandbox/media/synth.ts'
import { wavSeconds } from '../../../src/sandbox/media/wav.ts'
import { putAudio } from '../contract/walk.ts'
import { IMAGE, start, type Harness } from '../harness.ts'
import { readMp4 } from './mp4.ts'

const ASSETS = join(import.meta.dirname, '../../../src/sandbox/media/assets')
const FIXTURES = join(import.meta.dirname, 'fixtures')

/** A second of silence, then two of 440 Hz: 16-bit stereo at 44.1 kHz, as recorders write it; the fixtures are the same. */
const TONE: Buffer = (() => {
  const rateHz = 44_100
  const file = Buffer.alloc(44 + rateHz * 3 * 4)
  file.write('RIFF', 0)
  file.writeUInt32LE(file.length - 8, 4)
  file.write('WAVEfmt ', 8)
  file.writeUInt32LE(16, 16)
  file.writeUInt16LE(1, 20)
  file.writeUInt16LE(2, 22)
  file.writeUInt32LE(rateHz, 24)
  file.writeUInt32LE(rateHz * 4, 28)
  file.writeUInt16LE(4, 32)
  file.writeUInt16LE(16, 34)
  file.write('data', 36)
  file.writeUInt32LE(file.length - 44, 40)
  for (let i = rateHz; i < rateHz * 3; i += 1) {
    const sample = Math.round(16_000 * Math.sin((2 * Math.PI * 440 * i) / rateHz))
    file.writeInt16LE(sample, 44 + i * 4)
    file.writeInt16LE(sample, 46 + i * 4)
  }
  return file
})()

const temporary = async (): Promise<string> => {
  const dir = await mkdtemp(join(tmpdir(), 'talkbridge-test-'))
  onTestFinished(() => rm(dir, { recursive: true }))
  return dir
}

const soundIn = async (bytes: Buffer, container: Sound['container'], maxSeconds = 120): Promise<Float32Array> => {
  const path = join(await temporary(), 'sound')
  await writeFile(path, bytes)
  return decodeSound({ path, container }, maxSeconds)
}

const loudness = (samples: Float32Array, fromSeconds: number, toSeconds: number): number =>
  samples
    .subarray(fromSeconds * SAMPLE_RATE_HZ, toSeconds * SAMPLE_RATE_HZ)
    .reduce((most, sample) => Math.max(most, Math.abs(sample)), 0)

/** How often the wave turns upwards, per second. */
const pitchHz = (samples: Float32Array, fromSeconds: number, toSeconds: number): number => {
  const part = samples.subarray(fromSeconds * SAMPLE_RATE_HZ, toSeconds * SAMPLE_RATE_HZ)
  let turns = 0
  for (const [i, sample] of part.entries()) if (i > 0 && sample >= 0 && (part[i - 1] ?? 0) < 0) turns += 1
  return turns / (toSeconds - fromSeconds)
}

const isTheTone = (samples: Float32Array): void => {
  expect(samples.length / SAMPLE_RATE_HZ).toBeCloseTo(3, 0)
  expect(loudness(samples, 0.1, 0.8)).toBeLessThan(0.02)
  expect(loudness(samples, 1.2, 2.8)).toBeGreaterThan(0.3)
  expect(pitchHz(samples, 1.5, 2.5)).toBeCloseTo(440, -1)
}

describe('a stranger’s sound', () => {
  it('is read from WAV, MP3 and M4A', async () => {
    isTheTone(await soundIn(TONE, 'wav'))
    isTheTone(decodeSound({ path: join(FIXTURES, 'tone.mp3'), container: 'mp3' }, 120))
    isTheTone(decodeSound({ path: join(FIXTURES, 'tone.m4a'), container: 'mp4' }, 120))
  })

  it('is cut where no more of it is wanted', async () => {
    expect((await soundIn(TONE, 'wav', 2)).length).toBe(2 * SAMPLE_RATE_HZ)
  })

  it.each([
    ['nothing', Buffer.alloc(0), 'wav'],
    ['noise', Buffer.alloc(5_000, 'noise'), 'mp4'],
    ['another container', TONE, 'mp4'],
    ['a playlist that names other files', Buffer.from('#EXTM3U\n#EXTINF:1,\nfile:///etc/hostname\n'), 'mp3'],
    ['half a header', TONE.subarray(0, 30), 'wav'],
  ] as const)('is not made of %s', async (_what, bytes, container) => {
    await expect(soundIn(bytes, container)).rejects.toThrow(/sound|Invalid data/)
  })

  it('tells its length by the header of a WAV, wherever its samples begin', () => {
    expect(wavSeconds(TONE.subarray(0, 64), TONE.length)).toBe(3)
    const listed = Buffer.concat([TONE.subarray(0, 36), Buffer.from('LIST\x05\0\0\0INFO!\0'), TONE.subarray(36)])
    expect(wavSeconds(listed, listed.length)).toBe(3)
    const endless = Buffer.from(TONE.subarray(0, 64))
    endless.writeUInt32LE(0xffff_ffff, 40)
    expect(wavSeconds(endless, TONE.length)).toBe(3)
    expect(wavSeconds(TONE.subarray(0, 30), TONE.length)).toBeNull()
    expect(wavSeconds(Buffer.from('ID3'), 3)).toBeNull()
  })
})

describe('the video of an audio', () => {
  const hosted = async ({ primary }: Harness, bytes: Buffer, type: string) => {
    const reserved = await primary('/api/v1/uploads/audio-url', {
      body: { mime_type: type, content_length: bytes.length },
    })
    const put = String(reserved.body['upload_url'])
    expect((await putAudio(put, bytes, type)).status).toBe(200)
    return { put, audio: String(reserved.body['read_url']) }
  }
  const filmed = async ({ primary, clock }: Harness, audio: string, afterMs = 600_000): Promise<string> => {
    const made = await primary('/api/v1/videos/audio', { body: { image: IMAGE, audio } })
    await clock.advance(afterMs)
    return String((await primary(String(made.body['status_url']))).body['video_url'])
  }
  const watched = async (url: string): Promise<Buffer> => {
    const reply = await fetch(url)
    expect(reply.headers.get('x-sandbox-media')).toBe('rendered')
    return Buffer.from(await reply.arrayBuffer())
  }
  const begun = () => start({ unlimitedRate: true, unlimitedSlots: true })

  it.each([
    ['audio/wav', () => Promise.resolve(TONE)],
    ['audio/mpeg', () => readFile(join(FIXTURES, 'tone.mp3'))],
    ['audio/x-m4a', () => readFile(join(FIXTURES, 'tone.m4a'))],
  ])('carries what was uploaded as %s, as long as it is', async (type, bytes) => {
    const harness = await begun()
    const { audio } = await hosted(harness, await bytes(), type)
    const film = await watched(await filmed(harness, audio))
    expect(readMp4(film).seconds).toBeCloseTo(3, 0)
    isTheTone(await soundIn(film, 'mp4'))
  })

  it('carries the speech that was made here', async () => {
    const harness = await begun()
    const body = { voice_id: 'sandbox-en-us-ava', text: 'This is as long as its text is.' }
    const speech = await harness.primary('/api/v1/tts/service', { body })
    const heard = await soundIn(await bytesAt(speech.body['audio_url']), 'wav')
    const film = await watched(await filmed(harness, String(speech.body['audio_url'])))
    expect(speech.body['duration_seconds']).toBe(2.1)
    expect(readMp4(film).seconds).toBeCloseTo(2.1, 1)
    const seen = await soundIn(film, 'mp4')
    for (let at = 0; at < 2; at += 0.25)
      expect(loudness(seen, at, at + 0.25)).toBeCloseTo(loudness(heard, at, at + 0.25), 0)
  })

  it('speaks for as long as its size lets expect, where nothing can be heard', async () => {
    const harness = await begun()
    const { audio } = await hosted(harness, Buffer.alloc(40_000, 'noise'), 'audio/mpeg')
    const film = await watched(await filmed(harness, audio))
    expect(readMp4(film).seconds).toBeCloseTo(3, 1)
    expect(loudness(await soundIn(film, 'mp4'), 0, 3)).toBeGreaterThan(0.3)
  })

  it('speaks, too, when the audio is kept no longer', async () => {
    const harness = await begun()
    const { audio } = await hosted(harness, TONE, 'audio/wav')
    const made = await harness.primary('/api/v1/videos/audio', { body: { image: IMAGE, audio } })
    await harness.clock.advance(31 * 86_400_000)
    await hosted(harness, TONE, 'audio/wav')
    const job = await harness.primary(String(made.body['status_url']))
    const film = await watched(String(job.body['video_url']))
    expect(readMp4(film).seconds).toBeCloseTo(3, 1)
    expect(loudness(await soundIn(film, 'mp4'), 0, 0.9)).toBeGreaterThan(0.3)
  })

  it('is another when another file was PUT', async () => {
    const harness = await begun()
    const { put, audio } = await hosted(harness, TONE, 'audio/wav')
    const url = await filmed(harness, audio, 100_000)
    const before = await watched(url)
    expect((await watched(url)).equals(before)).toBe(true)
    const silence = Buffer.from(TONE)
    silence.fill(0, 44)
    expect((await putAudio(put, silence)).status).toBe(200)
    expect(loudness(await soundIn(await watched(url), 'mp4'), 0, 3)).toBeLessThan(0.02)
  })
})

const bytesAt = async (url: unknown): Promise<Buffer> => Buffer.from(await (await fetch(String(url))).arrayBuffer())

it('prebuilt videos have a sound of their own', () => {
  const heard = decodeSound({ path: join(ASSETS, 'sandbox-720p.mp4'), container: 'mp4' }, 120)
  expect(heard.length / SAMPLE_RATE_HZ).toBeCloseTo(4, 0)
})
