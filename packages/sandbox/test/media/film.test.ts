import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  filmOf,
  filmSeconds,
  PORTRAITS,
  portraitPng,
  previewWav,
  speechWav,
  WAV_HEAD_BYTES,
  wavSeconds,
  wavSizeBytes,
} from '../../src/media/media.ts'
import { chunksOf, readMp4, readWav } from './mp4.ts'

const ASSETS = join(import.meta.dirname, '../../src/media/assets')

describe('a film', () => {
  it.each([
    [0.2, 4],
    [4, 4],
    [4.1, 8],
    [119, 120],
    [9_999, 120],
  ])('of %s s of speech is %s s long', (speech, seconds) => expect(filmSeconds(speech)).toBe(seconds))

  it.each([
    ['720p', 1_280, 720],
    ['1080p', 1_920, 1_080],
  ] as const)('of %s has picture and sound in every lap, its index first', (resolution, widthPx, heightPx) => {
    const short = readFileSync(join(ASSETS, `sandbox-${resolution}.mp4`))
    const film = filmOf(resolution, 36)
    const { layout, seconds, tracks } = readMp4(film)
    expect(layout.indexOf('moov')).toBeLessThan(layout.indexOf('mdat'))
    expect(seconds).toBeCloseTo(36, 1)
    const [video, audio, ...others] = tracks
    expect(others).toEqual([])
    expect(video).toMatchObject({ kind: 'vide', codec: 'avc1', widthPx, heightPx, samples: 900 })
    expect(audio).toMatchObject({ kind: 'soun', codec: 'mp4a' })
    expect(audio?.seconds).toBeCloseTo(36, 0)
    // Each lap's chunks have the bytes of the short film's: a wrong offset would play noise.
    const [once, often] = [chunksOf(short), chunksOf(film)]
    for (const [track, chunks] of once.entries())
      expect(often[track]).toEqual(Array.from({ length: 9 }, () => chunks).flat())
  })

  it('of one lap is the short film itself', () => {
    expect(filmOf('720p', 4).equals(readFileSync(join(ASSETS, 'sandbox-720p.mp4')))).toBe(true)
  })
})

describe('speech', () => {
  it('is a WAV of exactly its length, not capped, of a size that is known before', () => {
    for (const seconds of [1, 4.2, 4.3, 130.7]) {
      const file = speechWav(seconds, 'ava')
      expect(file.length).toBe(wavSizeBytes(seconds))
      expect(wavSeconds(file.subarray(0, WAV_HEAD_BYTES), file.length)).toBeCloseTo(seconds, 9)
      const wav = readWav(file)
      expect(wav).toMatchObject({ format: 1, channels: 1, rateHz: 24_000, bits: 16 })
      expect(wav.samples.length).toBe(Math.round(seconds * wav.rateHz))
      expect(wav.samples.some((sample) => Math.abs(sample) > 8_000)).toBe(true)
    }
  })

  it('is the same for a voice and differs between voices', () => {
    expect(previewWav('ava').equals(previewWav('ava'))).toBe(true)
    expect(previewWav('ava').equals(previewWav('ben'))).toBe(false)
  })

  it('has a length by the header of any WAV, wherever its samples begin', () => {
    const file = speechWav(3, 'ava')
    const format = file.subarray(0, 36)
    const data = file.subarray(file.indexOf('data'))
    const plain = Buffer.concat([format, data])
    expect(wavSeconds(plain.subarray(0, 64), plain.length)).toBe(3)
    const listed = Buffer.concat([format, Buffer.from('LIST\x05\0\0\0INFO!\0'), data])
    expect(wavSeconds(listed, listed.length)).toBe(3)
    const endless = Buffer.from(plain.subarray(0, 64))
    endless.writeUInt32LE(0xffff_ffff, 40)
    expect(wavSeconds(endless, plain.length)).toBe(3)
    expect(wavSeconds(plain.subarray(0, 30), plain.length)).toBeNull()
    expect(wavSeconds(Buffer.from('ID3'), 3)).toBeNull()
  })
})

it('each portrait is a PNG', () => {
  for (const { id } of PORTRAITS) expect(portraitPng(id)?.toString('latin1', 1, 4)).toBe('PNG')
  expect(portraitPng('../film')).toBeNull()
})
