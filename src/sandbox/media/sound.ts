import {
  AV_CHANNEL_LAYOUT_MONO,
  AV_LOG_QUIET,
  AV_SAMPLE_FMT_FLT,
  AVERROR_EAGAIN,
  AVERROR_EOF,
  AVMEDIA_TYPE_AUDIO,
  type AVSampleFormat,
} from 'node-av/constants'
import {
  Codec,
  CodecContext,
  FFmpegError,
  FormatContext,
  Frame,
  InputFormat,
  Log,
  Packet,
  SoftwareResampleContext,
  type Stream,
} from 'node-av/lib'
import type { Sound } from './requests.ts'
import { SAMPLE_RATE_HZ } from './synth.ts'

const BYTES_PER_SAMPLE = 4

const check = (code: number, what: string): void => FFmpegError.throwIfError(code, what)

/**
 * The sound of a stranger's file: mono, −1 to 1, at the sandbox's own rate, at most `maxSeconds` of it. Only the reader
 * of its declared container is tried: FFmpeg knows others that fetch what a file names. Throws what FFmpeg says about a
 * file that it cannot read.
 */
export const decodeSound = ({ path, container }: Sound, maxSeconds: number): Float32Array => {
  Log.setLevel(AV_LOG_QUIET)
  const format = InputFormat.findInputFormat(container)
  if (!format) throw new Error(`This FFmpeg reads no ${container}.`)
  const input = new FormatContext()
  try {
    check(input.openInputSync(path, format), 'open the sound')
    check(input.findStreamInfoSync(), 'look through the sound')
    const index = input.findBestStream(AVMEDIA_TYPE_AUDIO)
    const stream = input.streams.find((one) => one.index === index)
    if (!stream) throw new Error('The file has no sound.')
    return samplesOf(input, stream, maxSeconds * SAMPLE_RATE_HZ)
  } finally {
    input.closeInputSync()
  }
}

const samplesOf = (input: FormatContext, stream: Stream, maxSamples: number): Float32Array => {
  const codec = openDecoder(stream)
  const sink = createSink(maxSamples)
  const packet = new Packet()
  const frame = new Frame()
  try {
    packet.alloc()
    frame.alloc()
    const drain = (): void => {
      for (;;) {
        const code = codec.receiveFrameSync(frame)
        if (code === AVERROR_EAGAIN || code === AVERROR_EOF) return
        check(code, 'decode the sound')
        sink.take(frame, codec.sampleFormat)
        frame.unref()
      }
    }
    while (!sink.full() && input.readFrameSync(packet) >= 0) {
      // A packet that is damaged is left out, as a player would.
      if (packet.streamIndex === stream.index && codec.sendPacketSync(packet) >= 0) drain()
      packet.unref()
    }
    if (codec.sendPacketSync(null) >= 0) drain()
    return sink.end()
  } finally {
    frame.free()
    packet.free()
    sink.close()
    codec.freeContext()
  }
}

const openDecoder = (stream: Stream): CodecContext => {
  const decoder = Codec.findDecoder(stream.codecpar.codecId)
  if (!decoder) throw new Error('The sound has no decoder.')
  const codec = new CodecContext()
  try {
    codec.allocContext3(decoder)
    check(stream.codecpar.toContext(codec), 'describe the sound')
    check(codec.open2Sync(decoder), 'open the decoder')
    return codec
  } catch (cause) {
    codec.freeContext()
    throw cause
  }
}

const formOf = ({
  format,
  sampleRate,
  channelLayout,
}: Pick<Frame, 'format' | 'sampleRate' | 'channelLayout'>): string =>
  `${format} ${sampleRate} ${channelLayout.nbChannels}`

/** Resamples what it is given, in the form of the first frame. */
const createSink = (maxSamples: number) => {
  const parts: Buffer[] = []
  let resampler: SoftwareResampleContext | null = null
  let count = 0
  let form = ''
  const opened = ({ channelLayout, sampleRate }: Frame, format: AVSampleFormat): SoftwareResampleContext => {
    const made = new SoftwareResampleContext()
    resampler = made
    form = formOf({ channelLayout, sampleRate, format })
    const to = [AV_CHANNEL_LAYOUT_MONO, AV_SAMPLE_FMT_FLT, SAMPLE_RATE_HZ] as const
    check(made.allocSetOpts2(...to, channelLayout, format, sampleRate), 'set the resampler up')
    check(made.init(), 'start the resampler')
    return made
  }
  const pull = (using: SoftwareResampleContext, planes: Buffer[] | null, samples: number): void => {
    const room = Math.max(1, using.getOutSamples(samples))
    const out = Buffer.alloc(room * BYTES_PER_SAMPLE)
    const made = using.convertSync([out], room, planes, samples)
    check(made, 'resample the sound')
    parts.push(out.subarray(0, made * BYTES_PER_SAMPLE))
    count += made
  }
  return {
    full: (): boolean => count >= maxSamples,
    take(frame: Frame, format: AVSampleFormat): void {
      const using = resampler ?? opened(frame, format)
      // The resampler would read planes that are not there.
      if (formOf(frame) !== form) throw new Error('The sound changes its form on the way.')
      pull(using, frame.extendedData ?? frame.data, frame.nbSamples)
    },
    end(): Float32Array {
      if (!resampler) throw new Error('The file has no sound.')
      pull(resampler, null, 0)
      const whole = Buffer.concat(parts)
      const samples = new Float32Array(Math.min(count, maxSamples))
      for (let i = 0; i < samples.length; i += 1) {
        samples[i] = Math.max(-1, Math.min(1, whole.readFloatLE(i * BYTES_PER_SAMPLE)))
      }
      return samples
    },
    close: (): void => resampler?.free(),
  }
}
