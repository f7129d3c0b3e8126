import {
  AV_CODEC_ID_MJPEG,
  AV_CODEC_ID_PNG,
  AV_CODEC_ID_WEBP,
  AV_LOG_QUIET,
  AV_PIX_FMT_RGBA,
  SWS_BICUBIC,
  type AVCodecID,
  type AVPixelFormat,
} from 'node-av/constants'
import { Codec, CodecContext, FFmpegError, Frame, Log, Packet, SoftwareScaleContext } from 'node-av/lib'

export interface Pixels {
  readonly widthPx: number
  readonly heightPx: number
  /** Four bytes a pixel. */
  readonly rgba: Buffer
}

/** Beyond this a picture is not worth its memory. */
const MAX_PIXELS = 50_000_000

const check = (code: number, what: string): void => FFmpegError.throwIfError(code, what)

const formatOf = (bytes: Buffer): AVCodecID | null => {
  if (bytes.subarray(1, 4).toString('latin1') === 'PNG') return AV_CODEC_ID_PNG
  if (bytes[0] === 0xff && bytes[1] === 0xd8) return AV_CODEC_ID_MJPEG
  return bytes.subarray(8, 12).toString('latin1') === 'WEBP' ? AV_CODEC_ID_WEBP : null
}

/**
 * Decodes a PNG, a JPEG or a WebP and hands it to `use`, scaled to a size of its choice as often as it likes. Throws
 * what FFmpeg says about a picture that it cannot read.
 */
export const withPicture = <T>(
  bytes: Buffer,
  use: (size: { widthPx: number; heightPx: number }, scaled: (widthPx: number, heightPx: number) => Pixels) => T,
): T => {
  // What is wrong with a stranger's picture is no news for the terminal.
  Log.setLevel(AV_LOG_QUIET)
  const { frame, format } = decoded(bytes)
  try {
    return use({ widthPx: frame.width, heightPx: frame.height }, (widthPx, heightPx) =>
      scaledTo(frame, format, widthPx, heightPx),
    )
  } finally {
    frame.free()
  }
}

/** The frame is to be freed by the caller. */
const decoded = (bytes: Buffer): { frame: Frame; format: AVPixelFormat } => {
  const kind = formatOf(bytes)
  const decoder = kind === null ? null : Codec.findDecoder(kind)
  if (!decoder) throw new Error('The picture is no PNG, JPEG or WebP.')
  const codec = new CodecContext()
  const packet = new Packet()
  const frame = new Frame()
  try {
    codec.allocContext3(decoder)
    check(codec.setOption('max_pixels', String(MAX_PIXELS)), 'limit the picture')
    check(codec.open2Sync(decoder), 'open the picture')
    packet.alloc()
    packet.data = bytes
    frame.alloc()
    check(codec.sendPacketSync(packet), 'read the picture')
    check(codec.sendPacketSync(null), 'read the picture')
    check(codec.receiveFrameSync(frame), 'decode the picture')
    return { frame, format: codec.pixelFormat }
  } catch (cause) {
    frame.free()
    throw cause
  } finally {
    packet.free()
    codec.freeContext()
  }
}

const scaledTo = (source: Frame, format: AVPixelFormat, widthPx: number, heightPx: number): Pixels => {
  const scaler = new SoftwareScaleContext()
  const target = new Frame()
  try {
    const { width, height } = source
    scaler.getContext(width, height, format, widthPx, heightPx, AV_PIX_FMT_RGBA, SWS_BICUBIC)
    target.alloc()
    target.width = widthPx
    target.height = heightPx
    target.format = AV_PIX_FMT_RGBA
    check(target.allocBuffer(), 'make room for a picture')
    check(scaler.scaleFrameSync(target, source), 'scale the picture')
    return { widthPx, heightPx, rgba: target.toBuffer() }
  } finally {
    target.free()
    scaler.freeContext()
  }
}
