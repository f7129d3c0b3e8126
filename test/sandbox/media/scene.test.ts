import { describe, expect, it } from 'vitest'
import { columnsIn, pageAt, pagesOf } from '../../../src/sandbox/media/captions.ts'
import { printable } from '../../../src/sandbox/media/font.ts'
import { PORTRAITS } from '../../../src/sandbox/media/portraits.ts'
import { createScene } from '../../../src/sandbox/media/scene.ts'
import { planSpeech } from '../../../src/sandbox/media/syllables.ts'
import { levelsOf, SAMPLE_RATE_HZ, speak } from '../../../src/sandbox/media/synth.ts'

describe('speech', () => {
  const text = 'The quick brown fox jumps over the lazy dog. Does it?'

  it('is spread over its seconds, in order, with pauses', () => {
    const { words, syllables } = planSpeech(text, 4)
    expect(words.map((word) => word.text)).toEqual(text.split(' '))
    for (const [index, { startSeconds, endSeconds }] of syllables.entries()) {
      expect(endSeconds).toBeGreaterThan(startSeconds)
      expect(startSeconds).toBeGreaterThanOrEqual(syllables[index - 1]?.endSeconds ?? 0)
    }
    expect(syllables.at(-1)?.endSeconds).toBeLessThan(4)
    const [dog, does] = words.slice(8, 10)
    const [the, quick] = words
    const pause = (does?.startSeconds ?? 0) - (dog?.endSeconds ?? 0)
    expect(pause).toBeGreaterThan(4 * ((quick?.startSeconds ?? 0) - (the?.endSeconds ?? 0)))
  })

  it('is the same for the same text and voice, and another for another', () => {
    const plan = planSpeech(text, 4)
    const samples = speak(plan, 4, 'ava')
    expect(samples.length).toBe(4 * SAMPLE_RATE_HZ)
    expect(speak(planSpeech(text, 4), 4, 'ava')).toEqual(samples)
    expect(speak(plan, 4, 'brook')).not.toEqual(samples)
  })

  it.each(['', '...', '🎉', 'x'.repeat(900), '日本語のテキストです。', 'Ünïcödé', '12345', '\u0000\u0001'])(
    'is heard whatever the text: %j',
    (any) => {
      const samples = speak(planSpeech(any, 2), 2, 'ava')
      expect(samples.every((sample) => Math.abs(sample) <= 1)).toBe(true)
      expect(samples.some((sample) => Math.abs(sample) > 0.3)).toBe(true)
    },
  )

  it('is loud in a syllable and silent at the end', () => {
    const plan = planSpeech('Hello', 1)
    const levels = levelsOf(speak(plan, 1, 'ava'), 15, 15)
    expect(Math.max(...levels)).toBe(1)
    expect(levels.at(-1)).toBeLessThan(0.05)
  })
})

describe('captions', () => {
  const words = (text: string) =>
    text.split(' ').map((word, index) => ({ text: word, startSeconds: index, endSeconds: index + 1 }))

  it('fill two lines a page', () => {
    const pages = pagesOf(words('one two three four five six seven'), 9)
    expect(pages.map((page) => page.map(({ text, line, column }) => `${line}:${column} ${text}`))).toEqual([
      ['0:0 one', '0:4 two', '1:0 three'],
      ['0:0 four', '0:5 five', '1:0 six', '1:4 seven'],
    ])
    expect([0, 2.5, 3, 99].map((seconds) => pageAt(pages, seconds)[0]?.text)).toEqual(['one', 'one', 'four', 'four'])
    expect(pageAt([], 1)).toEqual([])
  })

  it('leave out what the font lacks', () => {
    expect(pagesOf(words('日本 語'), 9)).toEqual([])
    expect(printable('“Ünïcödé” – ça va… 日')).toBe('"Unicode" - ca va... ')
    expect(columnsIn(600, 3)).toBe(33)
  })
})

describe('a scene', () => {
  const levels = [0, 1, 0, ...Array<number>(12).fill(0)]
  const [portrait] = PORTRAITS
  if (!portrait) throw new Error('Nobody to draw.')
  const size = { widthPx: 1_280, heightPx: 720 }
  const stage = { ...size, seconds: 1, plan: planSpeech('Hello', 1), levels, voice: 'ava', portrait, picture: null }

  /** Brightness below the nose: where the mouth is. */
  const mouthOf = (yuv: Buffer): string => {
    const rows = Array.from({ length: 50 }, (_, row) => (340 + row) * size.widthPx + 600)
    return rows.map((start) => yuv.toString('hex', start, start + 80)).join()
  }

  it('opens the mouth when the sound is loud, and closes it', () => {
    const frame = createScene(stage)
    const [before, loud, after] = [0, 1, 2].map((index) => mouthOf(frame(index)))
    expect(loud).not.toBe(before)
    expect(after).toBe(before)
  })

  it('is the same whatever was drawn before', () => {
    const frame = createScene(stage)
    for (let index = 0; index < 8; index += 1) frame(index)
    expect(createScene(stage)(8).equals(frame(8))).toBe(true)
  })

  it('bears a red mark with white letters', () => {
    const yuv = createScene(stage)(0)
    const chroma = size.widthPx * size.heightPx
    const redness = yuv[chroma + chroma / 4 + 20 * (size.widthPx / 2) + 40] ?? 0
    expect(redness).toBeGreaterThan(170)
    const badge = Array.from({ length: 35 }, (_, row) =>
      yuv.subarray((47 + row) * 1_280 + 51, (47 + row) * 1_280 + 256),
    )
    const white = Buffer.concat(badge).filter((luma) => luma > 225).length
    expect(white).toBeGreaterThan(1_500)
  })
})
