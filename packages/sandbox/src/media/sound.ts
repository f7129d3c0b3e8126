/** The sandbox's sounds: WAV files (RIFF; 16-bit PCM, mono) that are tones in the rhythm of speech. */
export const SAMPLE_RATE_HZ = 24_000
const BYTES_PER_SAMPLE = 2
const MARK = 'SANDBOX sample, not a real voice'

/** The MIME types of an upload (primary, "Hosted audio upload"). */
export const MIME_TYPES: readonly string[] = [
  'audio/wav',
  'audio/x-wav',
  'audio/mpeg',
  'audio/mp3',
  'audio/mp4',
  'audio/m4a',
  'audio/x-m4a',
]

const chunkHead = (id: string, sizeBytes: number): Buffer => {
  const head = Buffer.alloc(8)
  head.write(id, 0, 'latin1')
  head.writeUInt32LE(sizeBytes, 4)
  return head
}

const chunk = (id: string, data: Buffer): Buffer =>
  Buffer.concat([chunkHead(id, data.length), data, Buffer.alloc(data.length % 2)])

const format = (): Buffer => {
  const data = Buffer.alloc(16)
  data.writeUInt16LE(1, 0)
  data.writeUInt16LE(1, 2)
  data.writeUInt32LE(SAMPLE_RATE_HZ, 4)
  data.writeUInt32LE(SAMPLE_RATE_HZ * BYTES_PER_SAMPLE, 8)
  data.writeUInt16LE(BYTES_PER_SAMPLE, 12)
  data.writeUInt16LE(BYTES_PER_SAMPLE * 8, 14)
  return data
}

const INFO = chunk('LIST', Buffer.concat([Buffer.from('INFO'), chunk('ICMT', Buffer.from(`${MARK}\0`))]))
const BEFORE_SAMPLES = Buffer.concat([Buffer.from('WAVE'), chunk('fmt ', format()), INFO])

/** The size of `speechWav(seconds, …)`: known before the file is made. */
export const wavSizeBytes = (seconds: number): number =>
  8 + BEFORE_SAMPLES.length + 8 + Math.round(seconds * SAMPLE_RATE_HZ) * BYTES_PER_SAMPLE

/** Syllables in a second of speech: each swells and fades. */
const SYLLABLES = 4
/** How strong the harmonics of a voice's pitch are. */
const HARMONICS = [1, 0.5, 0.25]
const LOUDEST = HARMONICS.reduce((sum, part) => sum + part)
const PEAK = 16_000

/** Between 98 and 218 Hz, always the same for the same voice. */
const pitchHz = (voice: string): number => {
  let hash = 0
  for (const char of voice) hash = (hash * 31 + (char.codePointAt(0) ?? 0)) % 121
  return 98 + hash
}

/** A second of a voice. The pitch is whole, so that a second follows the one before without a click. */
const secondOf = (voice: string): Buffer => {
  const pcm = Buffer.alloc(SAMPLE_RATE_HZ * BYTES_PER_SAMPLE)
  const hz = pitchHz(voice)
  for (let index = 0; index < SAMPLE_RATE_HZ; index += 1) {
    const seconds = index / SAMPLE_RATE_HZ
    const tone = HARMONICS.reduce((sum, part, n) => sum + part * Math.sin(2 * Math.PI * hz * (n + 1) * seconds), 0)
    const swell = Math.sin(Math.PI * ((seconds * SYLLABLES) % 1)) ** 2
    pcm.writeInt16LE(Math.round((PEAK * tone * swell) / LOUDEST), index * BYTES_PER_SAMPLE)
  }
  return pcm
}

/** A WAV of exactly `seconds`, marked as sandbox output in its comment chunk. The same for the same voice. */
export const speechWav = (seconds: number, voice: string): Buffer => {
  const pcm = Buffer.alloc(Math.round(seconds * SAMPLE_RATE_HZ) * BYTES_PER_SAMPLE)
  pcm.fill(secondOf(voice))
  return chunk('RIFF', Buffer.concat([BEFORE_SAMPLES, chunk('data', pcm)]))
}

/** Where a voice's sample is; both interfaces use it. No key is needed: a browser plays it from a list. */
export const previewPath = (voiceId: string): string => `/previews/${voiceId}.wav`

const PREVIEW_SECONDS = 2

/** A WAV of two seconds, in the voice's own pitch. */
export const previewWav = (voiceId: string): Buffer => speechWav(PREVIEW_SECONDS, voiceId)

/** As much of a file's beginning as its length is read from. */
export const WAV_HEAD_BYTES = 65_536

/** The length of any WAV file, by its beginning and its size; `null` when it is none, or says nothing of it. */
export const wavSeconds = (head: Buffer, sizeBytes: number): number | null => {
  if (head.toString('latin1', 0, 4) !== 'RIFF' || head.toString('latin1', 8, 12) !== 'WAVE') return null
  let bytesPerSecond = 0
  for (let at = 12; at + 8 <= head.length;) {
    const id = head.toString('latin1', at, at + 4)
    const size = head.readUInt32LE(at + 4)
    if (id === 'fmt ' && at + 20 <= head.length) bytesPerSecond = head.readUInt32LE(at + 16)
    // A recorder that did not know the length wrote 0 or the most there is: then the file's end is the end.
    if (id === 'data')
      return bytesPerSecond > 0 ? Math.min(size || sizeBytes, sizeBytes - at - 8) / bytesPerSecond : null
    at += 8 + size + (size % 2)
  }
  return null
}
