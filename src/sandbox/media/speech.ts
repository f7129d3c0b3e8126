/** Where a voice's sample is heard; both interfaces use it. No key is needed: a browser plays it from a list. */
export const previewPath = (voiceId: string): string => `/previews/${voiceId}.wav`

const SAMPLE_RATE_HZ = 16_000
const SYLLABLES = 6
const SYLLABLE_MS = 200
const MARK = 'SANDBOX sample, not a real voice'

/** A number in [0, 1) that stays the same for a text: each voice has its own pitch. */
const share = (text: string): number => {
  let hash = 2_166_136_261
  for (const char of text) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 16_777_619)
  return (hash >>> 0) / 4_294_967_296
}

const chunk = (id: string, data: Buffer): Buffer => {
  const head = Buffer.alloc(8)
  head.write(id, 0, 'latin1')
  head.writeUInt32LE(data.length, 4)
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)])
}

/** One sample of babble: a few harmonics whose pitch and loudness rise and fall with each syllable. */
const babble = (index: number, pitchHz: number): number => {
  const seconds = index / SAMPLE_RATE_HZ
  const inSyllable = ((seconds * 1000) % SYLLABLE_MS) / SYLLABLE_MS
  const syllable = Math.floor((seconds * 1000) / SYLLABLE_MS)
  const hz = pitchHz * (1 + 0.12 * Math.sin(syllable * 2.4))
  const tone = [1, 0.5, 0.3, 0.15].reduce(
    (sum, part, harmonic) => sum + part * Math.sin(2 * Math.PI * hz * (harmonic + 1) * seconds),
    0,
  )
  return tone * Math.sin(Math.PI * inSyllable) ** 2 * 0.35
}

/** A WAV file (16-bit mono, 16 kHz, 1.2 s), marked as sandbox output in its comment chunk. */
export const previewWav = (voiceId: string): Buffer => {
  const count = (SAMPLE_RATE_HZ * SYLLABLES * SYLLABLE_MS) / 1000
  const samples = Buffer.alloc(count * 2)
  const pitchHz = 95 + share(voiceId) * 130
  for (let i = 0; i < count; i += 1) samples.writeInt16LE(Math.round(babble(i, pitchHz) * 32_000), i * 2)
  const format = Buffer.alloc(16)
  format.writeUInt16LE(1, 0)
  format.writeUInt16LE(1, 2)
  format.writeUInt32LE(SAMPLE_RATE_HZ, 4)
  format.writeUInt32LE(SAMPLE_RATE_HZ * 2, 8)
  format.writeUInt16LE(2, 12)
  format.writeUInt16LE(16, 14)
  const info = chunk('LIST', Buffer.concat([Buffer.from('INFO'), chunk('ICMT', Buffer.from(`${MARK}\0`))]))
  const wave = [Buffer.from('WAVE'), chunk('fmt ', format), info, chunk('data', samples)]
  return chunk('RIFF', Buffer.concat(wave))
}
