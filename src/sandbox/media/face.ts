import { around, ellipse, roundedBox, shade, within, without, type Box, type Canvas, type Colour } from './canvas.ts'

export interface Look {
  readonly skin: Colour
  readonly hair: Colour
  readonly shirt: Colour
  readonly eyes: Colour
  readonly longHair: boolean
}

/** Where a face is drawn: its 512 × 512 grid begins at (left, top), `scale` pixels a unit. */
export interface Place {
  readonly left: number
  readonly top: number
  readonly scale: number
}

/** Units of the grid that a face is designed on. */
export const GRID = 512

const WHITE: Colour = [250, 250, 250]
const DARK: Colour = [38, 30, 34]
const LIPS: Colour = [178, 78, 84]
const MOUTH: Colour = [92, 28, 36]
const TONGUE: Colour = [200, 96, 100]
const BLUSH: Colour = [226, 104, 96]

const EYE_Y = 208
const EYE_OUT = 45
const MOUTH_Y = 292

type Oval = readonly [cx: number, cy: number, rx: number, ry: number]

/** Draws in grid units. */
const penOn = (canvas: Canvas, { left, top, scale }: Place) => {
  const scaled = ([cx, cy, rx, ry]: Oval): Oval => [left + cx * scale, top + cy * scale, rx * scale, ry * scale]
  const shape = (oval: Oval) => ellipse(...scaled(oval))
  const oval = (at: Oval, colour: Colour, alpha = 1): void =>
    canvas.draw(around(...scaled(at)), shape(at), colour, alpha)
  return {
    shape,
    oval,
    /** The part of `at` that lies within `other`. */
    slice: (at: Oval, other: Oval, colour: Colour, alpha = 1): void =>
      canvas.draw(around(...scaled(at)), within(shape(at), shape(other)), colour, alpha),
    /** The part of `at` that lies outside `other`. */
    rest: (at: Oval, other: Oval, colour: Colour): void =>
      canvas.draw(around(...scaled(at)), without(shape(at), shape(other)), colour),
    bar: (box: Box, radius: number, colour: Colour): void => {
      const at = {
        left: left + box.left * scale,
        top: top + box.top * scale,
        width: box.width * scale,
        height: box.height * scale,
      }
      canvas.draw(at, roundedBox(at, radius * scale), colour)
    },
  }
}

const HEAD: Oval = [256, 228, 100, 122]

/** Head and shoulders without eyes and mouth, which move. */
export const drawHead = (canvas: Canvas, place: Place, { skin, hair, shirt, longHair }: Look): void => {
  const pen = penOn(canvas, place)
  if (longHair) pen.bar({ left: 134, top: 180, width: 244, height: 230 }, 70, shade(hair, 0.86))
  pen.oval([256, 186, 122, 124], hair)
  pen.oval([256, 560, 226, 180], shirt)
  pen.oval([256, 400, 70, 34], shade(skin, 0.88))
  pen.bar({ left: 214, top: 296, width: 84, height: 112 }, 30, shade(skin, 0.88))
  for (const side of [-1, 1]) {
    pen.oval([256 + side * 100, 234, 17, 26], shade(skin, 0.9))
    pen.oval([256 + side * 101, 236, 9, 15], shade(skin, 0.78))
  }
  pen.oval(HEAD, skin)
  for (const side of [-1, 1]) pen.oval([256 + side * 62, 262, 24, 15], BLUSH, 0.22)
  pen.rest([256, 182, 112, 108], [270, 268, 112, 118], hair)
  for (const side of [-1, 1]) pen.oval([256 + side * EYE_OUT, 176, 25, 5], shade(hair, 0.75))
  pen.oval([256, 254, 13, 8], shade(skin, 0.84))
  pen.oval([256, 250, 11, 8], shade(skin, 1.03))
}

/** `lid` 0: wide open, 1: closed. */
export const drawEyes = (canvas: Canvas, place: Place, { skin, eyes }: Look, lid: number): void => {
  const pen = penOn(canvas, place)
  for (const side of [-1, 1]) {
    const x = 256 + side * EYE_OUT
    const ball: Oval = [x, EYE_Y, 22, 14]
    const opened: Oval = [x, EYE_Y + 8 * lid, 30, Math.max(0.5, 15 * (1 - lid))]
    pen.oval(ball, shade(skin, 0.82))
    if (lid < 0.9) {
      pen.slice(ball, opened, WHITE)
      pen.slice([x, EYE_Y, 11, 11], opened, eyes)
      pen.slice([x, EYE_Y, 5.5, 5.5], opened, DARK)
      pen.slice([x + 4, EYE_Y - 4, 2.6, 2.6], opened, WHITE)
    } else pen.oval([x, EYE_Y + 6, 20, 2], DARK, 0.8)
  }
}

/** `open` 0: closed, 1: as far as it goes; `round` 0: a wide mouth (as for e), 1: a round one (o). */
export const drawMouth = (canvas: Canvas, place: Place, open: number, round: number): void => {
  const pen = penOn(canvas, place)
  if (open < 0.1) {
    // At rest: a smile.
    pen.rest([256, MOUTH_Y - 4, 36, 15], [256, MOUTH_Y - 13, 46, 17], LIPS)
    return
  }
  const wide = 36 - 14 * round
  const high = 26 * open
  const lips: Oval = [256, MOUTH_Y + high * 0.5, wide + 3, 7 + high]
  const hole: Oval = [256, MOUTH_Y + high * 0.5, wide - 4, Math.max(0.8, high)]
  pen.oval(lips, LIPS)
  pen.oval(hole, MOUTH)
  pen.slice([256, MOUTH_Y + high * 1.4, wide * 0.7, high * 0.7], hole, TONGUE)
  pen.slice([256, MOUTH_Y - high * 0.62, wide, high * 0.45 + 1], hole, WHITE)
}

/** The pixels that `drawMouth`, and that `drawEyes`, may touch. */
export const mouthBox = (place: Place): Box => boxOf(place, { left: 210, top: MOUTH_Y - 24, width: 92, height: 76 })
export const eyesBox = (place: Place): Box => boxOf(place, { left: 186, top: EYE_Y - 20, width: 140, height: 40 })

const boxOf = ({ left, top, scale }: Place, box: Box): Box => ({
  left: Math.floor(left + box.left * scale),
  top: Math.floor(top + box.top * scale),
  width: Math.ceil(box.width * scale) + 1,
  height: Math.ceil(box.height * scale) + 1,
})
