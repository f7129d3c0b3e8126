import {
  AV_CHANNEL_LAYOUT_MONO,
  AV_CODEC_FLAG_BITEXACT,
  AV_CODEC_FLAG_GLOBAL_HEADER,
  AV_LOG_FATAL,
  AV_PIX_FMT_YUV420P,
  AV_SAMPLE_FMT_FLTP,
  AVCOL_PRI_BT709,
  AVCOL_RANGE_MPEG,
  AVCOL_SPC_BT709,
  AVCOL_TRC_BT709,
  AVERROR_EAGAIN,
  AVERROR_EOF,
  AVFMT_FLAG_BITEXACT,
  FF_ENCODER_AAC,
  FF_ENCODER_LIBX264,
  type FFEncoderCodec,
} from 'node-av/constants'
import { Codec, CodecContext, Dictionary, FFmpegError, FormatContext, Frame, Log, Packet, Rational } from 'node-av/lib'

export interface Film {
  readonly widthPx: number
  readonly heightPx: number
  readonly framesPerSecond: number
  readonly frameCount: number
  /** The picture as packed YUV 4:2:0 (BT.709, limited range); it may be the same buffer every time. */
  readonly frame: (index: number) => Buffer
  readonly sampleRateHz: number
  /** Mono, −1 to 1. */
  readonly samples: Float32Array
  readonly title: string
}

const check = (code: number, what: string): void => FFmpegError.throwIfError(code, what)

/**
 * Writes an MP4 of H.264 and AAC whose index comes first, so that it plays while it loads. Blocks its thread; throws
 * what FFmpeg says. The same film gives the same bytes: no dates, and a fixed number of encoder threads.
 */
export const writeMp4 = (path: string, film: Film): void => {
  Log.setLevel(AV_LOG_FATAL)
  const output = new FormatContext()
  const tracks: Track[] = []
  const add = (name: FFEncoderCodec, configure: Configure): Track => {
    const added = openTrack(output, name, configure)
    tracks.push(added)
    return added
  }
  try {
    check(output.allocOutputContext2(null, 'mp4', path), 'make an MP4')
    output.setFlags(AVFMT_FLAG_BITEXACT)
    output.metadata = Dictionary.fromObject({ title: film.title, comment: 'SANDBOX: not a real video' })
    const video = add(FF_ENCODER_LIBX264, (codec) => asVideo(codec, film))
    const audio = add(FF_ENCODER_AAC, (codec) => asAudio(codec, film))
    check(output.openOutputSync(), 'open the file')
    set(output, { movflags: '+faststart' })
    check(output.writeHeaderSync(), 'write the header')
    interleave(film, video, audio)
    check(output.writeTrailerSync(), 'write the index')
  } finally {
    for (const { close } of tracks) close()
    output.closeOutputSync()
    output.freeContext()
  }
}

/** Not by dictionary: one that is given to `open2Sync` is freed twice (node-av 6.1.1), which kills the process. */
const set = (target: CodecContext | FormatContext, options: Record<string, string>): void => {
  for (const [name, value] of Object.entries(options)) {
    check(target.setOption(name, value), `set ${name}`)
  }
}

/** Sets the codec up; the answer is the encoder's own options. */
type Configure = (codec: CodecContext) => Record<string, string>

const asVideo = (codec: CodecContext, { widthPx, heightPx, framesPerSecond }: Film): Record<string, string> => {
  codec.width = widthPx
  codec.height = heightPx
  codec.pixelFormat = AV_PIX_FMT_YUV420P
  codec.timeBase = new Rational(1, framesPerSecond)
  codec.framerate = new Rational(framesPerSecond, 1)
  codec.gopSize = framesPerSecond * 4
  codec.colorRange = AVCOL_RANGE_MPEG
  codec.colorSpace = AVCOL_SPC_BT709
  codec.colorPrimaries = AVCOL_PRI_BT709
  codec.colorTrc = AVCOL_TRC_BT709
  codec.threadCount = 2
  return { preset: 'superfast', tune: 'animation', crf: '25', bf: '0' }
}

const asAudio = (codec: CodecContext, { sampleRateHz }: Film): Record<string, string> => {
  codec.sampleRate = sampleRateHz
  codec.channelLayout = AV_CHANNEL_LAYOUT_MONO
  codec.sampleFormat = AV_SAMPLE_FMT_FLTP
  codec.timeBase = new Rational(1, sampleRateHz)
  codec.bitRate = 64_000n
  return {}
}

/** One elementary stream of the file. */
interface Track {
  /** Samples that the encoder takes at a time (sound only). */
  readonly frameSize: number
  /** Encodes and writes one frame; `null` writes what the encoder still holds. */
  write(frame: Frame | null): void
  close(): void
}

const openTrack = (output: FormatContext, name: FFEncoderCodec, configure: Configure): Track => {
  const encoder = Codec.findEncoderByName(name)
  if (!encoder) throw new Error(`This FFmpeg has no encoder ${name}.`)
  const codec = new CodecContext()
  codec.allocContext3(encoder)
  const options = configure(codec)
  codec.setFlags(AV_CODEC_FLAG_GLOBAL_HEADER, AV_CODEC_FLAG_BITEXACT)
  set(codec, options)
  check(codec.open2Sync(encoder), `open ${name}`)
  const stream = output.newStream(null)
  stream.timeBase = codec.timeBase
  check(stream.codecpar.fromContext(codec), `describe ${name}`)
  const packet = new Packet()
  packet.alloc()
  return {
    frameSize: codec.frameSize,
    write(frame) {
      check(codec.sendFrameSync(frame), `feed ${name}`)
      for (;;) {
        const code = codec.receivePacketSync(packet)
        if (code === AVERROR_EAGAIN || code === AVERROR_EOF) return
        check(code, `encode with ${name}`)
        packet.streamIndex = stream.index
        // Without it the last picture would last no time.
        if (packet.duration === 0n) packet.duration = 1n
        packet.rescaleTs(codec.timeBase, stream.timeBase)
        check(output.interleavedWriteFrameSync(packet), 'write a packet')
      }
    },
    close() {
      packet.free()
      codec.freeContext()
    },
  }
}

/** Feeds both tracks in the order of time, so that the muxer holds little back. */
const interleave = (film: Film, video: Track, audio: Track): void => {
  let spoken = 0
  const speakUntil = (end: number): void => {
    for (; spoken < end; spoken += audio.frameSize) {
      writeFrame(audio, spoken, (frame) => asSound(frame, film, spoken, audio.frameSize))
    }
  }
  for (let index = 0; index < film.frameCount; index += 1) {
    writeFrame(video, index, (frame) => asPicture(frame, film, index))
    speakUntil(Math.min(film.samples.length, ((index + 1) * film.sampleRateHz) / film.framesPerSecond))
  }
  speakUntil(film.samples.length)
  video.write(null)
  audio.write(null)
}

/** The encoder keeps a reference to a frame's pixels: each gets its own. */
const writeFrame = (track: Track, time: number, fill: (frame: Frame) => Buffer): void => {
  const frame = new Frame()
  frame.alloc()
  try {
    const bytes = fill(frame)
    check(frame.allocBuffer(), 'make room for a frame')
    check(frame.fromBuffer(bytes), 'fill a frame')
    frame.pts = BigInt(time)
    track.write(frame)
  } finally {
    frame.free()
  }
}

const asPicture = (frame: Frame, { widthPx, heightPx, frame: paint }: Film, index: number): Buffer => {
  frame.width = widthPx
  frame.height = heightPx
  frame.format = AV_PIX_FMT_YUV420P
  frame.duration = 1n
  return paint(index)
}

const asSound = (frame: Frame, { samples, sampleRateHz }: Film, start: number, size: number): Buffer => {
  const part = samples.subarray(start, start + size)
  frame.format = AV_SAMPLE_FMT_FLTP
  frame.sampleRate = sampleRateHz
  frame.channelLayout = AV_CHANNEL_LAYOUT_MONO
  frame.nbSamples = part.length
  return Buffer.from(part.buffer, part.byteOffset, part.byteLength)
}
