import { SAMPLE_RATE_HZ } from './synth.ts'

const MARK = 'SANDBOX sample, not a real voice'
const BYTES_PER_SAMPLE = 2

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

/** A WAV file (16-bit PCM, mono), marked as sandbox output in its comment chunk. */
export const wavOf = (samples: Float32Array): Buffer => {
  const pcm = Buffer.alloc(samples.length * BYTES_PER_SAMPLE)
  for (const [index, sample] of samples.entries()) {
    pcm.writeInt16LE(Math.round(Math.max(-1, Math.min(1, sample)) * 32_767), index * BYTES_PER_SAMPLE)
  }
  return chunk('RIFF', Buffer.concat([BEFORE_SAMPLES, chunk('data', pcm)]))
}

/** The size of the file that `wavOf` makes of a speech of `seconds`: known before it is rendered. */
export const wavSizeBytes = (seconds: number): number =>
  8 + BEFORE_SAMPLES.length + 8 + Math.round(seconds * SAMPLE_RATE_HZ) * BYTES_PER_SAMPLE

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
