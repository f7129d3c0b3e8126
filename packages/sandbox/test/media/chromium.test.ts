import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { skippedWithoutChromium, withPage } from '../../../../test/fakes/chromium.ts'
import { start, type Harness } from '../harness.ts'

const SCRIPT = 'Hello from the sandbox, where nothing is paid and everything plays.'
const SECONDS = 8

/** A finished video of the alternate, as its page would find it. */
const finished = async ({ alternate, clock }: Harness, resolution: string): Promise<string> => {
  const body = { script: SCRIPT, puppet_id: 'pup_ada', resolution }
  const { id } = (await alternate('/v1/videos', { body })).body
  await clock.advance(600_000)
  return String((await alternate(`/v1/videos/${String(id)}`)).body['download_url'])
}

/** Plays the video in the page for a while, and decodes the sound of the whole file. */
const playing = (url: string): string => `(async () => {
  const video = document.createElement('video')
  const failed = new Promise((_, reject) => video.addEventListener('error', () => reject(new Error(video.error.message))))
  const told = (event) => Promise.race([failed, new Promise((resolve) => video.addEventListener(event, resolve, { once: true }))])
  document.body.append(video)
  const ready = told('canplaythrough')
  video.src = ${JSON.stringify(url)}
  await ready
  const { readyState, duration, videoWidth, videoHeight, currentTime: begun } = video
  await video.play()
  while (video.currentTime < 0.5) await told('timeupdate')
  // Into the second lap: the index of a repeated film holds there, too.
  video.currentTime = 5
  await told('seeked')
  const canvas = document.createElement('canvas')
  canvas.width = 64
  canvas.height = 36
  const picture = canvas.getContext('2d')
  picture.drawImage(video, 0, 0, 64, 36)
  const colours = new Set(new Uint32Array(picture.getImageData(0, 0, 64, 36).data.buffer)).size
  const file = await (await fetch(video.src)).arrayBuffer()
  const sound = await new OfflineAudioContext(1, 48_000, 48_000).decodeAudioData(file)
  const samples = sound.getChannelData(0)
  const loud = samples.reduce((sum, sample) => sum + (Math.abs(sample) > 0.05 ? 1 : 0), 0) / samples.length
  return {
    readyState, duration, videoWidth, videoHeight, begun, played: video.currentTime, muted: video.muted,
    colours, soundSeconds: sound.duration, loud,
  }
})()`

const Played = z.object({
  readyState: z.number(),
  duration: z.number(),
  videoWidth: z.number(),
  videoHeight: z.number(),
  begun: z.number(),
  played: z.number(),
  muted: z.boolean(),
  colours: z.number(),
  soundSeconds: z.number(),
  loud: z.number(),
})

const HAVE_ENOUGH_DATA = 4

describe.skipIf(skippedWithoutChromium())('in a browser', () => {
  it.each([
    ['720p', 1_280, 720],
    ['1080p', 1_920, 1_080],
  ])('a finished %s video plays with sound', async (resolution, videoWidth, videoHeight) => {
    const harness = await start()
    const url = await finished(harness, resolution)
    const seen = await withPage(async (page) => {
      // A page of the sandbox's own origin, so that its script may read the file.
      await page.goto(new URL('/nothing', url).href)
      return Played.parse(await page.evaluate(playing(url)))
    })
    expect(seen).toMatchObject({ readyState: HAVE_ENOUGH_DATA, videoWidth, videoHeight, begun: 0, muted: false })
    expect(seen.duration).toBeCloseTo(SECONDS, 1)
    expect(seen.soundSeconds).toBeCloseTo(SECONDS, 0)
    expect(seen.played).toBeGreaterThanOrEqual(0.5)
    expect(seen.colours).toBeGreaterThan(50)
    expect(seen.loud).toBeGreaterThan(0.1)
  })

  it('a voice sample plays', async () => {
    const { sandbox, alternate } = await start()
    const voices = z.array(z.object({ preview_url: z.string() })).parse((await alternate('/v1/voices')).body['data'])
    const url = voices[0]?.preview_url ?? ''
    const played = await withPage(async (page) => {
      await page.goto(`${sandbox.alternateUrl}/nothing`)
      return page.evaluate(`(async () => {
        const audio = new Audio(${JSON.stringify(url)})
        await audio.play()
        await new Promise((resolve) => audio.addEventListener('ended', resolve))
        return audio.currentTime
      })()`)
    })
    expect(played).toBeCloseTo(2, 1)
  })
})
