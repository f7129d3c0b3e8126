import { roundedBox, type Canvas, type Colour } from './canvas.ts'
import { writeMp4 } from './encode.ts'
import { withPicture } from './picture.ts'
import { PORTRAITS, type Portrait } from './portraits.ts'
import { SIZE_PX, type Sitter, type Sound, type VideoRequest } from './requests.ts'
import { createScene, FRAMES_PER_SECOND } from './scene.ts'
import { decodeSound } from './sound.ts'
import { MAX_RENDERED_SECONDS, renderedSeconds } from './speech.ts'
import { planSpeech } from './syllables.ts'
import { levelsOf, SAMPLE_RATE_HZ, speak } from './synth.ts'

/**
 * Renders a video into a file. Blocks its thread for a part of a second to some seconds: only the worker calls it. This
 * module is the only way to node-av (through encode.ts, picture.ts and sound.ts), so that importing it tells whether it is there.
 */
export const renderVideo = (path: string, request: VideoRequest): void => {
  const { text, voice, resolution, sitter, sound } = request
  const heard = sound && heardIn(sound)
  const seconds = heard ? heard.length / SAMPLE_RATE_HZ : request.seconds
  const plan = planSpeech(text, seconds)
  const samples = heard ?? speak(plan, seconds, voice)
  const frameCount = Math.round(seconds * FRAMES_PER_SECOND)
  const levels = levelsOf(samples, frameCount, FRAMES_PER_SECOND)
  const size = SIZE_PX[resolution]
  const { portrait, picture } = seated(sitter, size)
  const frame = createScene({ ...size, seconds, plan, levels, voice, portrait, picture })
  writeMp4(path, {
    ...size,
    framesPerSecond: FRAMES_PER_SECOND,
    frameCount,
    frame,
    sampleRateHz: SAMPLE_RATE_HZ,
    samples,
    title: 'SANDBOX',
  })
}

/** A file that cannot be read is no reason to fail: the text is spoken, for as long as the job was told. */
const heardIn = (sound: Sound): Float32Array | null => {
  try {
    const samples = decodeSound(sound, MAX_RENDERED_SECONDS)
    const padded = new Float32Array(renderedSeconds(samples.length / SAMPLE_RATE_HZ) * SAMPLE_RATE_HZ)
    padded.set(samples)
    return padded
  } catch {
    return null
  }
}

interface Seated {
  readonly portrait: Portrait
  readonly picture: ((canvas: Canvas, unit: number) => void) | null
}

const drawn = (id: string): Portrait => {
  const portrait = PORTRAITS.find((one) => one.id === id)
  if (!portrait) throw new Error(`The sandbox has no portrait ${id}.`)
  return portrait
}

/** A picture that cannot be read is no reason to fail: somebody drawn stands in. */
const seated = (sitter: Sitter, size: { widthPx: number; heightPx: number }): Seated => {
  if (sitter.kind === 'drawn') return { portrait: drawn(sitter.portraitId), picture: null }
  const portrait = drawn(sitter.elsePortraitId)
  try {
    return { portrait, picture: framed(Buffer.from(sitter.bytes), size) }
  } catch {
    return { portrait, picture: null }
  }
}

/** The room for a picture, in 720ths of the height. */
const ROOM = { width: 700, height: 520, top: 28 }
const BACKDROP_PX = { width: 16, height: 9 }

/** The picture in the middle, as large as there is room, before a blurred and darkened copy of itself. */
const framed = (bytes: Buffer, { widthPx, heightPx }: { widthPx: number; heightPx: number }) =>
  withPicture(bytes, (size, scaled) => {
    const unit = heightPx / 720
    const scale = Math.min((ROOM.width * unit) / size.widthPx, (ROOM.height * unit) / size.heightPx)
    const front = scaled(Math.max(2, Math.round(size.widthPx * scale)), Math.max(2, Math.round(size.heightPx * scale)))
    const blurred = scaled(BACKDROP_PX.width, BACKDROP_PX.height).rgba
    return (canvas: Canvas): void => {
      canvas.cover((x, y) =>
        blend(blurred, (x / widthPx) * (BACKDROP_PX.width - 1), (y / heightPx) * (BACKDROP_PX.height - 1)),
      )
      const box = {
        left: Math.round((widthPx - front.widthPx) / 2),
        top: Math.round(ROOM.top * unit + (ROOM.height * unit - front.heightPx) / 2),
        width: front.widthPx,
        height: front.heightPx,
      }
      const edge = Math.round(5 * unit)
      const rim = {
        left: box.left - edge,
        top: box.top - edge,
        width: box.width + 2 * edge,
        height: box.height + 2 * edge,
      }
      canvas.draw(rim, roundedBox(rim, edge), [245, 245, 245])
      canvas.block(box, [245, 245, 245])
      canvas.paste(front.rgba, box)
    }
  })

const DARKENED = 0.5

/** A point between the pixels of the small copy. */
const blend = (rgba: Buffer, x: number, y: number): Colour => {
  const left = Math.floor(x)
  const top = Math.floor(y)
  const at = (column: number, row: number, part: number): number =>
    rgba[
      (Math.min(BACKDROP_PX.height - 1, row) * BACKDROP_PX.width + Math.min(BACKDROP_PX.width - 1, column)) * 4 + part
    ] ?? 0
  const part = (which: number): number => {
    const above = at(left, top, which) + (at(left + 1, top, which) - at(left, top, which)) * (x - left)
    const below = at(left, top + 1, which) + (at(left + 1, top + 1, which) - at(left, top + 1, which)) * (x - left)
    return (above + (below - above) * (y - top)) * DARKENED
  }
  return [part(0), part(1), part(2)]
}
