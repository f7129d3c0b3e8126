const SAMPLE_RATE_HZ = 16_000
const BYTES_PER_SECOND = SAMPLE_RATE_HZ * 2
const HEADER_BYTES = 44

/** One second of babble: four syllables of a pitch of the voice's own. */
const second = (pitchHz: number): Buffer => {
  const samples = Buffer.alloc(BYTES_PER_SECOND)
  for (let i = 0; i < SAMPLE_RATE_HZ; i += 1) {
    const t = i / SAMPLE_RATE_HZ
    const tone = Math.sin(2 * Math.PI * pitchHz * t) + 0.4 * Math.sin(4 * Math.PI * pitchHz * t)
    samples.writeInt16LE(Math.round(tone * Math.sin(Math.PI * ((t * 4) % 1)) ** 2 * 9_000), i * 2)
  }
  return samples
}

const pitchOf = (voiceId: string): number => {
  let sum = 0
  for (const char of voiceId) sum = (sum * 31 + (char.codePointAt(0) ?? 0)) % 1_000
  return 100 + sum / 8
}

/** A WAV file of so many seconds (16-bit mono, 16 kHz): stands for the speech of a text. */
export const speechWav = (voiceId: string, seconds: number): Buffer => {
  const sizeBytes = Math.round(seconds * SAMPLE_RATE_HZ) * 2
  const file = Buffer.alloc(HEADER_BYTES + sizeBytes)
  file.write('RIFF', 0, 'latin1')
  file.writeUInt32LE(HEADER_BYTES - 8 + sizeBytes, 4)
  file.write('WAVEfmt ', 8, 'latin1')
  file.writeUInt32LE(16, 16)
  file.writeUInt16LE(1, 20)
  file.writeUInt16LE(1, 22)
  file.writeUInt32LE(SAMPLE_RATE_HZ, 24)
  file.writeUInt32LE(BYTES_PER_SECOND, 28)
  file.writeUInt16LE(2, 32)
  file.writeUInt16LE(16, 34)
  file.write('data', 36, 'latin1')
  file.writeUInt32LE(sizeBytes, 40)
  file.fill(second(pitchOf(voiceId)), HEADER_BYTES)
  return file
}

/** The length of a WAV file by its header and its size; `null` when it is none. */
export const wavSeconds = (head: Buffer, sizeBytes: number): number | null => {
  if (head.length < HEADER_BYTES || head.toString('latin1', 0, 4) !== 'RIFF') return null
  const bytesPerSecond = head.readUInt32LE(28)
  return bytesPerSecond > 0 ? Math.max(0, sizeBytes - HEADER_BYTES) / bytesPerSecond : null
}
