/** Reads just enough of an MP4 (ISO 14496-12) and of a WAV to tell what is in them. */
interface Box {
  readonly type: string
  readonly body: Buffer
}

const boxesIn = (bytes: Buffer): Box[] => {
  const boxes: Box[] = []
  for (let at = 0; at + 8 <= bytes.length;) {
    const size = bytes.readUInt32BE(at)
    if (size < 8) throw new Error(`A box of ${size} bytes at ${at}.`)
    boxes.push({ type: bytes.toString('latin1', at + 4, at + 8), body: bytes.subarray(at + 8, at + size) })
    at += size
  }
  return boxes
}

/** The first box at a path such as `mdia.minf`. */
const at = (bytes: Buffer, path: string): Buffer =>
  path.split('.').reduce((body, type) => {
    const found = boxesIn(body).find((box) => box.type === type)
    if (!found) throw new Error(`No box ${type} of ${path}.`)
    return found.body
  }, bytes)

export interface Track {
  readonly kind: string
  readonly codec: string
  readonly seconds: number
  readonly samples: number
  readonly widthPx: number
  readonly heightPx: number
}

export interface Mp4 {
  /** Types of the outermost boxes, in order. */
  readonly layout: readonly string[]
  readonly seconds: number
  readonly tracks: readonly Track[]
}

const trackIn = (trak: Buffer): Track => {
  const mdhd = at(trak, 'mdia.mdhd')
  const tkhd = at(trak, 'tkhd')
  return {
    kind: at(trak, 'mdia.hdlr').toString('latin1', 8, 12),
    codec: at(trak, 'mdia.minf.stbl.stsd').toString('latin1', 12, 16),
    seconds: mdhd.readUInt32BE(16) / mdhd.readUInt32BE(12),
    samples: at(trak, 'mdia.minf.stbl.stsz').readUInt32BE(8),
    widthPx: tkhd.readUInt32BE(76) / 65_536,
    heightPx: tkhd.readUInt32BE(80) / 65_536,
  }
}

export const readMp4 = (bytes: Buffer): Mp4 => {
  const moov = at(bytes, 'moov')
  const mvhd = at(moov, 'mvhd')
  return {
    layout: boxesIn(bytes).map(({ type }) => type),
    seconds: mvhd.readUInt32BE(16) / mvhd.readUInt32BE(12),
    tracks: boxesIn(moov)
      .filter(({ type }) => type === 'trak')
      .map(({ body }) => trackIn(body)),
  }
}

/** Of each track, in order: where its chunks begin, as the bytes that stand there. */
export const chunksOf = (file: Buffer): string[][] =>
  boxesIn(at(file, 'moov'))
    .filter(({ type }) => type === 'trak')
    .map(({ body }) => {
      const offsets = at(body, 'mdia.minf.stbl.stco')
      return Array.from({ length: offsets.readUInt32BE(4) }, (_, chunk) => {
        const start = offsets.readUInt32BE(8 + chunk * 4)
        return file.toString('base64', start, start + 24)
      })
    })

export interface Wav {
  readonly format: number
  readonly channels: number
  readonly rateHz: number
  readonly bits: number
  readonly samples: Int16Array
}

export const readWav = (bytes: Buffer): Wav => {
  if (bytes.toString('latin1', 0, 4) !== 'RIFF' || bytes.toString('latin1', 8, 12) !== 'WAVE')
    throw new Error('No WAV.')
  if (bytes.readUInt32LE(4) !== bytes.length - 8) throw new Error('The WAV names another length than its own.')
  const chunks = new Map<string, Buffer>()
  for (let at = 12; at < bytes.length;) {
    const size = bytes.readUInt32LE(at + 4)
    chunks.set(bytes.toString('latin1', at, at + 4), bytes.subarray(at + 8, at + 8 + size))
    at += 8 + size + (size % 2)
  }
  const format = chunks.get('fmt ')
  const data = chunks.get('data')
  if (!format || !data) throw new Error('The WAV lacks a chunk.')
  return {
    format: format.readUInt16LE(0),
    channels: format.readUInt16LE(2),
    rateHz: format.readUInt32LE(4),
    bits: format.readUInt16LE(14),
    samples: Int16Array.from({ length: data.length / 2 }, (_, index) => data.readInt16LE(index * 2)),
  }
}
