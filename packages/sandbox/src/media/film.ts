import { readFileSync } from 'node:fs'

/** The sandbox's films: a short MP4 that ships, repeated until it is as long as the speech. Nothing is rendered. */
export type Resolution = '720p' | '1080p'

/** Length of the files in `assets`. */
const LAP_SECONDS = 4
/** The film of a longer speech serves nobody. */
const MAX_SECONDS = 120

/** The length of the film for a speech of so many seconds: whole laps, at least one and at most 120 s. */
export const filmSeconds = (speechSeconds: number): number =>
  LAP_SECONDS * Math.ceil(Math.min(MAX_SECONDS, Math.max(1, speechSeconds)) / LAP_SECONDS)

/** An MP4 (H.264 and AAC, fast start) of so many seconds, which `filmSeconds` gave. */
export const filmOf = (resolution: Resolution, seconds: number): Buffer =>
  repeated(readFileSync(new URL(`./assets/sandbox-${resolution}.mp4`, import.meta.url)), seconds / LAP_SECONDS)

/** A box of ISO/IEC 14496-12. */
interface Box {
  readonly type: string
  body: Buffer
  readonly children: Box[] | null
}

const CONTAINERS = new Set(['moov', 'trak', 'mdia', 'minf', 'stbl', 'edts'])

const parse = (data: Buffer): Box[] => {
  const boxes: Box[] = []
  for (let at = 0; at < data.length;) {
    const size = data.readUInt32BE(at)
    const type = data.toString('latin1', at + 4, at + 8)
    const body = data.subarray(at + 8, at + size)
    boxes.push({ type, body, children: CONTAINERS.has(type) ? parse(body) : null })
    at += size
  }
  return boxes
}

const write = ({ type, body, children }: Box): Buffer => {
  const inner = children ? Buffer.concat(children.map(write)) : body
  const head = Buffer.alloc(8)
  head.writeUInt32BE(inner.length + 8)
  head.write(type, 4, 'latin1')
  return Buffer.concat([head, inner])
}

const all = (boxes: readonly Box[], type: string): Box[] =>
  boxes.flatMap((box) => [...(box.type === type ? [box] : []), ...all(box.children ?? [], type)])

/** Tables of 32-bit numbers, by the bytes before their rows and the numbers in a row. The row count ends those bytes. */
const TABLES = { stsz: [12, 1], stco: [8, 1], stsc: [8, 3], stss: [8, 1], stts: [8, 2], ctts: [8, 2] } as const
type Table = keyof typeof TABLES

const rowsOf = (type: Table, body: Buffer): number[][] => {
  const [head, width] = TABLES[type]
  return Array.from({ length: body.readUInt32BE(head - 4) }, (_row, row) =>
    Array.from({ length: width }, (_column, column) => body.readUInt32BE(head + (row * width + column) * 4)),
  )
}

const tableOf = (type: Table, before: Buffer, rows: readonly number[][]): Buffer => {
  const [head] = TABLES[type]
  const numbers = rows.flat()
  const body = Buffer.alloc(head + numbers.length * 4)
  before.copy(body, 0, 0, head)
  body.writeUInt32BE(rows.length, head - 4)
  numbers.forEach((number, index) => body.writeUInt32BE(number, head + index * 4))
  return body
}

/** What the rows of one lap become in a later one: most stay, but rows that count chunks or samples go up. */
type Shift = (row: number[], lap: number) => number[]

/** The tables of one track say `laps` times what they said; the chunks stay where they are in the file. */
const repeatTrack = (track: Box, laps: number): void => {
  const find = (type: Table): Box | undefined => track.children?.find((box) => box.type === type)
  const countIn = (type: Table): number => find(type)?.body.readUInt32BE(TABLES[type][0] - 4) ?? 0
  const [chunks, samples] = [countIn('stco'), countIn('stsz')]
  const shifts: Readonly<Record<Table, Shift>> = {
    stsz: (row) => row,
    stco: (row) => row,
    stts: (row) => row,
    ctts: (row) => row,
    stsc: ([first = 0, ...rest], lap) => [first + lap * chunks, ...rest],
    stss: ([sample = 0], lap) => [sample + lap * samples],
  }
  for (const type of ['stsz', 'stco', 'stsc', 'stss', 'stts', 'ctts'] as const) {
    const box = find(type)
    if (!box) continue
    const rows = rowsOf(type, box.body)
    const shift = shifts[type]
    box.body = tableOf(
      type,
      box.body,
      Array.from({ length: laps }, (_, lap) => rows.map((row) => shift(row, lap))).flat(),
    )
  }
}

/** Where version 0 of each box has its duration. */
const DURATIONS = { mvhd: 16, mdhd: 16, tkhd: 20, elst: 8 } as const

/**
 * The same film `laps` times: its index repeats, its media data does not. The index grows, and stands before the data:
 * so every chunk's offset moves by what it grew.
 */
const repeated = (file: Buffer, laps: number): Buffer => {
  const boxes = parse(file)
  const index = boxes.filter((box) => box.type === 'moov')
  const sizeOf = (): number => index.reduce((sum, box) => sum + write(box).length, 0)
  const before = sizeOf()
  for (const track of all(index, 'stbl')) repeatTrack(track, laps)
  for (const [type, at] of Object.entries(DURATIONS))
    for (const box of all(index, type)) box.body.writeUInt32BE(box.body.readUInt32BE(at) * laps, at)
  const moved = sizeOf() - before
  for (const box of all(index, 'stco'))
    box.body = tableOf(
      'stco',
      box.body,
      rowsOf('stco', box.body).map(([at = 0]) => [at + moved]),
    )
  return Buffer.concat(boxes.map(write))
}
