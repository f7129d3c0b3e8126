import { readFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { type NextFunction, type RequestHandler, type Response, Router } from 'express'
import { entryOf } from '../http.ts'
import { isOver, type World } from '../world.ts'
import type { Interface } from '../state.ts'
import type { Decisions } from '../undecided.ts'

/** The sandbox's sounds: WAV files (RIFF; 16-bit PCM, mono) that are tones in the rhythm of speech. */
const SAMPLE_RATE_HZ = 24_000
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
  const sizeBytes = wavSizeBytes(seconds)
  const pcmBytes = Math.round(seconds * SAMPLE_RATE_HZ) * BYTES_PER_SAMPLE
  const head = Buffer.concat([chunkHead('RIFF', sizeBytes - 8), BEFORE_SAMPLES, chunkHead('data', pcmBytes)])
  // Once only: a long text makes ten megabytes.
  const file = Buffer.alloc(sizeBytes)
  file.set(head)
  return file.fill(secondOf(voice), head.length)
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

/** The sandbox's videos: a short MP4 that ships, repeated until it is as long as the speech. Nothing is rendered. */
type Resolution = '720p' | '1080p'

/** Length of the files in `assets`. */
const LAP_SECONDS = 4
/** The video of a longer speech serves nobody. */
const MAX_SECONDS = 120

/** The length of the video for a speech of so many seconds: whole laps, at least one and at most 120 s. */
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

/**
 * Tables of 32-bit numbers, by the bytes before their rows and the numbers in a row. The row count ends those bytes.
 */
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
 * The same video `laps` times: its index repeats, its media data does not. The index grows, and is before the data:
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

/** The people of the sandbox: the primary's seeded puppets and the alternate's stock. Drawings, so nobody's face. */
export const PORTRAITS = ['Ada', 'Ben', 'Cleo', 'Dov', 'Emi', 'Felix'].map((name) => ({ id: name.toLowerCase(), name }))

export const portraitPath = (id: string): string => `/media/portraits/${id}.png`

/** The PNG of a portrait; `null` for an unknown id. */
export const portraitPng = (id: string): Buffer | null =>
  PORTRAITS.some((one) => one.id === id) ? readFileSync(new URL(`./assets/${id}.png`, import.meta.url)) : null

export const videoPath = (jobId: string): string => `/media/videos/${jobId}.mp4`

/** Signed videos, and the open portraits and voice samples, of one interface's server. */
export const mediaRoutes = (world: World, from: Interface, isVoice: (id: string) => boolean): Router =>
  Router()
    .get('/media/videos/:file', noted('downloadVideo'), signedLink(world), signedVideo(world, from))
    .get('/media/portraits/:file', noted('downloadPortrait'), (req, res) => {
      bytes(world, res, 'image/png', portraitPng(stem(req.params['file'], '.png')))
    })
    .get('/previews/:file', noted('downloadPreview'), (req, res) => {
      const voice = stem(req.params['file'], '.wav')
      bytes(world, res, 'audio/wav', isVoice(voice) ? previewWav(voice) : null)
    })

const stem = (file: unknown, ending: string): string =>
  typeof file === 'string' && file.endsWith(ending) ? file.slice(0, -ending.length) : ''

/** The ledger's line of a media request: its status is known when the answer has gone. */
export const noted =
  (name: string): RequestHandler =>
  (req, res, next) => {
    const entry = entryOf(req)
    entry.operation = name
    res.on('finish', () => (entry.status = res.statusCode))
    next()
  }

/** How a link, an upload or a download is refused (undecided.ts, `files`). */
export const refuse = (
  { decisions: { files } }: World,
  res: Response,
  status: number,
  code: keyof Decisions['files']['codes'],
  message: string,
): void => void res.status(status).json(files.error(files.codes[code], message))

const bytes = (world: World, res: Response, type: string, data: Buffer | null): void => {
  if (data) res.type(type).send(data)
  else refuse(world, res, 404, 'notFound', 'No such file.')
}

/** 403 for an unsigned, tampered or expired URL. */
export const signedLink =
  (world: World): RequestHandler =>
  (req, res, next) => {
    const verdict = world.links.check(req.path, req.query['expires'], req.query['signature'], world.clock.now())
    if (verdict === 'expired') return refuse(world, res, 403, 'linkExpired', 'The link has expired: ask for a new one.')
    if (verdict === 'invalid') return refuse(world, res, 403, 'linkInvalid', 'The link is not signed by this sandbox.')
    next()
  }

const signedVideo =
  (world: World, from: Interface): RequestHandler =>
  (req, res, next) => {
    const id = stem(req.params['file'], '.mp4')
    const job = world.state.jobs.get(id)
    if (!job || job.interface !== from || !isOver(job, world.clock.now())) {
      return refuse(world, res, 404, 'notFound', 'No such file.')
    }
    entryOf(req).job_id = id
    const seconds = filmSeconds(job.speechSeconds)
    const path = world.blobs.made(`film-${job.resolution}-${seconds}`, () => filmOf(job.resolution, seconds))
    return sendFile(world, res, next, path, { 'Content-Type': 'video/mp4' })
  }

/** Sends a file of the sandbox's own, or a part of it; 416 for a range that it does not have. */
export const sendFile = (
  world: World,
  res: Response,
  next: NextFunction,
  path: string,
  headers: Readonly<Record<string, string>>,
): void => {
  const sent = { 'Cache-Control': 'private, no-store', 'X-Sandbox': 'true', ...headers }
  res.sendFile(basename(path), { root: dirname(path), headers: sent, cacheControl: false }, (cause) => {
    // A player that closes the connection halfway is no error.
    if (!cause || res.headersSent) return
    if ('status' in cause && cause.status === 416) refuse(world, res, 416, 'rangeNotSatisfiable', 'No such range.')
    else next(cause)
  })
}
