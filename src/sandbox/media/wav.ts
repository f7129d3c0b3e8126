import { SAMPLE_RATE_HZ } from './synth.ts'

const MARK = 'SANDBOX sample, not a real voice'

const chunk = (id: string, data: Buffer): Buffer => {
  const head = Buffer.alloc(8)
  head.write(id, 0, 'latin1')
  head.writeUInt32LE(data.length, 4)
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)])
}

/** A WAV file (16-bit PCM, mono), marked as sandbox output in its comment chunk. */
export const wavOf = (samples: Float32Array): Buffer => {
  const pcm = Buffer.alloc(samples.length * 2)
  for (const [index, sample] of samples.entries()) {
    pcm.writeInt16LE(Math.round(Math.max(-1, Math.min(1, sample)) * 32_767), index * 2)
  }
  const format = Buffer.alloc(16)
  format.writeUInt16LE(1, 0)
  format.writeUInt16LE(1, 2)
  format.writeUInt32LE(SAMPLE_RATE_HZ, 4)
  format.writeUInt32LE(SAMPLE_RATE_HZ * 2, 8)
  format.writeUInt16LE(2, 12)
  format.writeUInt16LE(16, 14)
  const info = chunk('LIST', Buffer.concat([Buffer.from('INFO'), chunk('ICMT', Buffer.from(`${MARK}\0`))]))
  return chunk('RIFF', Buffer.concat([Buffer.from('WAVE'), chunk('fmt ', format), info, chunk('data', pcm)]))
}
