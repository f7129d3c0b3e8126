import { createCanvas, roundedBox, shade, toYuv, type Box, type Canvas, type Colour } from './canvas.ts'
import { columnsIn, pageAt, pagesOf } from './captions.ts'
import { drawEyes, drawHead, drawMouth, eyesBox, GRID, mouthBox, type Place } from './face.ts'
import { drawText, LETTER_DOTS, printable, textWidth } from './font.ts'
import { drawMark, paintWall, type Portrait } from './portraits.ts'
import type { SpeechPlan } from './syllables.ts'

export const FRAMES_PER_SECOND = 15

export interface Stage {
  readonly widthPx: number
  readonly heightPx: number
  readonly seconds: number
  readonly plan: SpeechPlan
  /** One for each frame, 0 to 1. */
  readonly levels: readonly number[]
  readonly voice: string
  readonly portrait: Portrait
  /** Puts a picture on the canvas in the place of the drawn face; bars move then, the mouth cannot. */
  readonly picture: ((canvas: Canvas, unit: number) => void) | null
}

const WHITE: Colour = [255, 255, 255]
const GREY: Colour = [150, 154, 162]
const YELLOW: Colour = [255, 210, 74]
const RED: Colour = [226, 74, 70]
const NIGHT: Colour = [18, 20, 28]

/** Everything that moves: it redraws its own box, when it changes. */
interface Part {
  readonly box: Box
  /** What it depends on; the box is drawn again when it differs from the frame before. */
  readonly state: (frame: number) => string
  readonly draw: (canvas: Canvas, frame: number) => void
}

/**
 * A film of somebody who speaks, frame after frame: each call answers the same buffer (packed YUV 4:2:0), in which only
 * what moves has been drawn anew.
 */
export const createScene = (stage: Stage): ((frame: number) => Buffer) => {
  const { widthPx, heightPx } = stage
  const unit = heightPx / 720
  const base = createCanvas(widthPx, heightPx)
  const face = facePlace(widthPx, unit)
  setScene(base, stage, unit, face)
  const canvas = createCanvas(widthPx, heightPx)
  const whole = { left: 0, top: 0, width: widthPx, height: heightPx }
  canvas.restore(base, whole)
  const yuv = Buffer.alloc((widthPx * heightPx * 3) / 2)
  toYuv(canvas, yuv, whole)
  const parts = [
    ...(stage.picture ? [] : [mouth(stage, face), eyes(stage, face)]),
    bars(stage, unit),
    caption(stage, unit),
    time(stage, unit),
    progress(stage, unit),
  ].map((part) => ({ ...part, shown: '' }))
  return (frame) => {
    for (const part of parts) {
      const state = part.state(frame)
      if (state === part.shown) continue
      part.shown = state
      canvas.restore(base, part.box)
      part.draw(canvas, frame)
      toYuv(canvas, yuv, part.box)
    }
    return yuv
  }
}

const FACE_SCALE = 1.3

const facePlace = (widthPx: number, unit: number): Place => ({
  left: (widthPx - GRID * FACE_SCALE * unit) / 2,
  top: -24 * unit,
  scale: FACE_SCALE * unit,
})

const panelBox = (widthPx: number, unit: number): Box => ({
  left: 40 * unit,
  top: 572 * unit,
  width: widthPx - 80 * unit,
  height: 124 * unit,
})

/** What stands still. */
const setScene = (base: Canvas, stage: Stage, unit: number, face: Place): void => {
  if (stage.picture) stage.picture(base, unit)
  else {
    paintWall(base, stage.portrait.wall)
    drawHead(base, face, stage.portrait)
  }
  const panel = panelBox(stage.widthPx, unit)
  base.draw(panel, roundedBox(panel, 16 * unit), NIGHT, 0.72)
  drawMark(base, 36 * unit, 32 * unit, 5 * unit)
  const label = printable(stage.voice).slice(0, 40)
  const dotPx = Math.floor(2 * unit)
  const tag = { left: 36 * unit, top: 108 * unit, width: textWidth(label, dotPx) + 20 * unit, height: 30 * unit }
  if (label === '') return
  base.draw(tag, roundedBox(tag, 8 * unit), NIGHT, 0.55)
  drawText(base, { text: label, left: tag.left + 10 * unit, top: tag.top + 8 * unit, dotPx }, WHITE)
}

const mouth = ({ plan, levels }: Stage, face: Place): Part => {
  const openAt = (frame: number): number => Math.round((levels[frame] ?? 0) * 12) / 12
  const roundAt = (frame: number): number => {
    const seconds = frame / FRAMES_PER_SECOND
    const vowel = plan.syllables.findLast(({ startSeconds }) => startSeconds <= seconds)?.vowel ?? 0
    return [0.45, 0.1, 0, 0.9, 1][vowel] ?? 0
  }
  return {
    box: mouthBox(face),
    state: (frame) => `${openAt(frame)} ${roundAt(frame)}`,
    draw: (canvas, frame) => drawMouth(canvas, face, openAt(frame), roundAt(frame)),
  }
}

/** Closed for a moment every three seconds and a half. */
const LIDS = [0.5, 1, 0.6]
const BLINK_EVERY = 52

const eyes = ({ portrait }: Stage, face: Place): Part => {
  const lidAt = (frame: number): number => LIDS[(frame + 20) % BLINK_EVERY] ?? 0.1
  return {
    box: eyesBox(face),
    state: (frame) => String(lidAt(frame)),
    draw: (canvas, frame) => drawEyes(canvas, face, portrait, lidAt(frame)),
  }
}

const BARS = 81

/** The sound around this moment, which is in the middle. */
const bars = ({ widthPx, levels }: Stage, unit: number): Part => {
  const panel = panelBox(widthPx, unit)
  const step = (panel.width - 40 * unit) / BARS
  const box = { left: panel.left + 20 * unit, top: panel.top + 8 * unit, width: step * BARS, height: 44 * unit }
  return {
    box,
    state: String,
    draw(canvas, frame) {
      for (let bar = 0; bar < BARS; bar += 1) {
        const away = bar - (BARS - 1) / 2
        const high = Math.max(3 * unit, (levels[frame + away] ?? 0) * box.height)
        const at = {
          left: Math.round(box.left + bar * step),
          top: Math.round(box.top + (box.height - high) / 2),
          width: Math.round(step * 0.6),
          height: Math.round(high),
        }
        canvas.block(at, away === 0 ? YELLOW : away < 0 ? RED : GREY, away === 0 ? 1 : 0.85)
      }
    },
  }
}

const caption = ({ widthPx, plan }: Stage, unit: number): Part => {
  const panel = panelBox(widthPx, unit)
  const dotPx = Math.floor(3 * unit)
  const box = {
    left: panel.left + 20 * unit,
    top: panel.top + 60 * unit,
    width: panel.width - 40 * unit,
    height: 60 * unit,
  }
  const pages = pagesOf(plan.words, columnsIn(box.width, dotPx))
  const begun = (frame: number): number =>
    plan.words.filter(({ startSeconds }) => startSeconds <= frame / FRAMES_PER_SECOND).length
  return {
    box,
    state: (frame) => String(begun(frame)),
    draw(canvas, frame) {
      const seconds = frame / FRAMES_PER_SECOND
      const page = pageAt(pages, seconds)
      const now = page.findLast(({ startSeconds }) => startSeconds <= seconds)
      for (const word of page) {
        const colour = word === now ? YELLOW : word.startSeconds <= seconds ? WHITE : GREY
        const left = box.left + word.column * LETTER_DOTS * dotPx
        drawText(canvas, { text: word.text, left, top: box.top + word.line * 30 * unit, dotPx }, colour)
      }
    },
  }
}

const clock = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`

const time = ({ widthPx, seconds }: Stage, unit: number): Part => {
  const dotPx = Math.floor(3 * unit)
  const text = (frame: number): string => `${clock(frame / FRAMES_PER_SECOND)} / ${clock(seconds)}`
  const width = textWidth(text(0), dotPx) + 28 * unit
  const box = {
    left: Math.floor(widthPx - width - 36 * unit),
    top: 32 * unit,
    width: Math.ceil(width),
    height: 45 * unit,
  }
  return {
    box,
    state: text,
    draw(canvas, frame) {
      canvas.draw(box, roundedBox(box, 10 * unit), NIGHT, 0.55)
      drawText(canvas, { text: text(frame), left: box.left + 14 * unit, top: box.top + 12 * unit, dotPx }, WHITE)
    },
  }
}

const progress = ({ widthPx, heightPx, seconds }: Stage, unit: number): Part => {
  const box = { left: 0, top: heightPx - 8 * unit, width: widthPx, height: 8 * unit }
  const doneAt = (frame: number): number => Math.round((widthPx * (frame + 1)) / (seconds * FRAMES_PER_SECOND))
  return {
    box,
    state: (frame) => String(doneAt(frame)),
    draw(canvas, frame) {
      canvas.block(box, shade(NIGHT, 1.4), 0.8)
      canvas.block({ ...box, width: doneAt(frame) }, RED)
    },
  }
}
