import { readFile } from 'node:fs/promises'
import { expect, it, onTestFinished, vi } from 'vitest'
import {
  createMedia,
  MediaBusy,
  WAV_HEAD_BYTES,
  wavSeconds,
  wavSizeBytes,
  type Media,
  type MediaOptions,
  type Sitter,
} from '../../../src/sandbox/media/index.ts'
import { portraitPng } from '../../../src/sandbox/media/portraits.ts'
import { readMp4, readWav } from './mp4.ts'
import { HANG_MS } from '../../fakes/until.ts'

/** Nothing but computing: two to eight seconds of two cores each. */
vi.setConfig({ testTimeout: 5 * HANG_MS })

const ADA: Sitter = { kind: 'drawn', portraitId: 'ada' }
const REQUEST = {
  text: 'Hello there, who are you?',
  voice: 'ava',
  seconds: 2,
  resolution: '720p',
  sitter: ADA,
  sound: null,
} as const

const open = (options: Partial<MediaOptions> = {}): Media => {
  const media = createMedia({ dir: null, ...options })
  onTestFinished(() => media.close())
  return media
}

it.each([
  ['720p', 1_280, 720],
  ['1080p', 1_920, 1_080],
] as const)('renders %s with picture and sound, its index first', async (resolution, widthPx, heightPx) => {
  const { path, rendered } = await open().video({ ...REQUEST, resolution, seconds: 3 })
  expect(rendered).toBe(true)
  const { layout, seconds, tracks } = readMp4(await readFile(path))
  expect(layout.indexOf('moov')).toBeLessThan(layout.indexOf('mdat'))
  expect(seconds).toBeCloseTo(3, 1)
  const [video, audio, ...others] = tracks
  expect(others).toEqual([])
  expect(video).toMatchObject({ kind: 'vide', codec: 'avc1', widthPx, heightPx, samples: 45, seconds: 3 })
  expect(audio).toMatchObject({ kind: 'soun', codec: 'mp4a' })
  expect(audio?.seconds).toBeCloseTo(3, 0)
})

it('renders a request once, in another thread, and every time the same', async () => {
  const media = open()
  const [first, twin] = await Promise.all([media.video(REQUEST), media.video(REQUEST)])
  const again = await media.video({ ...REQUEST })
  expect([twin.path, again.path]).toEqual([first.path, first.path])
  const { renders, threadIds } = media.stats()
  expect(renders).toBe(1)
  expect(threadIds).not.toContain(0)
  const elsewhere = await open().video(REQUEST)
  expect((await readFile(elsewhere.path)).equals(await readFile(first.path))).toBe(true)
})

it('renders anew whatever differs', async () => {
  const media = open()
  const bytes = portraitPng('ben') ?? Buffer.alloc(0)
  const requests = [
    REQUEST,
    { ...REQUEST, text: 'Hello there.' },
    { ...REQUEST, voice: 'brook' },
    { ...REQUEST, seconds: 1 },
    { ...REQUEST, sitter: { kind: 'drawn', portraitId: 'ben' } },
    { ...REQUEST, sitter: { kind: 'picture', bytes, elsePortraitId: 'ada' } },
    { ...REQUEST, sitter: { kind: 'picture', bytes: bytes.subarray(0, 99), elsePortraitId: 'ada' } },
  ] as const
  const paths = new Set<string>()
  for (const request of requests) paths.add((await media.video(request)).path)
  expect(paths.size).toBe(requests.length)
})

it('lets somebody drawn stand in for a picture that cannot be read', async () => {
  const media = open()
  const sitters: Sitter[] = [ADA, ...[[], [0x89, 0x50, 0x4e, 0x47, 1], [0xff, 0xd8, 0xff]].map(broken)]
  const files: Buffer[] = []
  for (const sitter of sitters) files.push(await readFile((await media.video({ ...REQUEST, sitter })).path))
  expect(files.map((file) => file.equals(files[0] ?? Buffer.alloc(0)))).toEqual([true, true, true, true])
})

const broken = (bytes: number[]): Sitter => ({ kind: 'picture', bytes: Buffer.from(bytes), elsePortraitId: 'ada' })

it('speaks a text as a WAV of exactly its length, not capped, of a size that is known before', async () => {
  const media = open()
  const text = 'One two three four five six seven eight nine ten eleven twelve.'
  for (const seconds of [1, 4.2, 4.3, 130.7]) {
    const file = await readFile(await media.wav({ text, voice: 'ava', seconds }))
    expect(file.length).toBe(wavSizeBytes(seconds))
    expect(wavSeconds(file.subarray(0, WAV_HEAD_BYTES), file.length)).toBeCloseTo(seconds, 9)
    const wav = readWav(file)
    expect(wav).toMatchObject({ format: 1, channels: 1, rateHz: 24_000, bits: 16 })
    expect(wav.samples.length).toBe(Math.round(seconds * wav.rateHz))
    expect(wav.samples.some((sample) => Math.abs(sample) > 8_000)).toBe(true)
  }
  expect(media.stats().threadIds).not.toContain(0)
})

it('speaks although as many videos wait as may', async () => {
  const media = open({ maxWaiting: 0 })
  await expect(media.video(REQUEST)).rejects.toThrow(MediaBusy)
  expect(readWav(await readFile(await media.wav({ text: 'Hi', voice: 'ava', seconds: 1 }))).rateHz).toBe(24_000)
})

it('says once that node-av is missing, and serves the prebuilt files', async () => {
  const said: string[] = []
  const videoModule = 'data:text/javascript,throw new Error("no such package")'
  const media = open({ videoModule, log: (message) => said.push(message) })
  expect(media.videoSeconds(9)).toBe(9)
  const files = await Promise.all([media.video(REQUEST), media.video({ ...REQUEST, resolution: '1080p' })])
  expect(files.map(({ rendered }) => rendered)).toEqual([false, false])
  for (const { path } of files) expect(readMp4(await readFile(path)).seconds).toBeCloseTo(4, 1)
  expect(media.videoSeconds(9)).toBe(4)
  expect(said).toEqual([expect.stringMatching(/prebuilt.*no such package.*npm i node-av/)])
  expect(
    readWav(await readFile(await media.wav({ text: 'Still here', voice: 'ava', seconds: 1 }))).samples.length,
  ).toBeGreaterThan(0)
})

it('holds only so many renders, and none after the close', async () => {
  const media = open({ maxWaiting: 1 })
  const first = media.video(REQUEST)
  await expect(media.video({ ...REQUEST, voice: 'brook' })).rejects.toThrow(MediaBusy)
  expect((await first).rendered).toBe(true)
  const given = media.video({ ...REQUEST, voice: 'cedar', seconds: 60 })
  const outcome = expect(given).rejects.toThrow('closed')
  await media.close()
  await outcome
  await expect(media.video({ ...REQUEST, voice: 'dune' })).rejects.toThrow('closed')
})
