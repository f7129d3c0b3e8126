import { createCanvas, roundedBox, shade, type Canvas, type Colour } from './canvas.ts'
import { drawEyes, drawHead, drawMouth, GRID, type Look } from './face.ts'
import { drawText, LINE_DOTS, textWidth } from './font.ts'
import { png } from './png.ts'

export interface Portrait extends Look {
  readonly id: string
  readonly name: string
  readonly wall: Colour
}

const BROWN: Colour = [96, 62, 40]
const BLUE: Colour = [62, 110, 160]
const GREEN: Colour = [78, 122, 84]

type Row = readonly [name: string, wall: Colour, skin: Colour, hair: Colour, shirt: Colour, eyes: Colour, long: boolean]

const PEOPLE: readonly Row[] = [
  ['Ada', [206, 220, 234], [240, 200, 170], [90, 50, 30], [40, 90, 150], BLUE, true],
  ['Ben', [228, 220, 200], [150, 100, 70], [30, 25, 25], [70, 120, 80], BROWN, false],
  ['Cleo', [222, 210, 230], [200, 150, 110], [48, 34, 62], [150, 60, 80], BROWN, true],
  ['Dov', [204, 226, 214], [225, 180, 150], [170, 120, 60], [60, 62, 74], GREEN, false],
  ['Emi', [236, 218, 216], [245, 215, 190], [36, 28, 30], [196, 124, 44], BROWN, true],
  ['Felix', [212, 212, 224], [235, 190, 165], [150, 70, 30], [90, 70, 130], BLUE, false],
]

/** The people of the sandbox: the primary's seeded puppets and the alternate's stock. Drawn, so nobody's face. */
export const PORTRAITS: readonly Portrait[] = PEOPLE.map(([name, wall, skin, hair, shirt, eyes, longHair]) => {
  return { id: name.toLowerCase(), name, wall, skin, hair, shirt, eyes, longHair }
})

export const portraitPath = (id: string): string => `/media/portraits/${id}.png`

const PORTRAIT_SIZE_PX = 512

/** A wall that is a little darker below. */
export const paintWall = (canvas: Canvas, wall: Colour): void => {
  const rows = Array.from({ length: canvas.heightPx }, (_, y) => shade(wall, 1.04 - (0.22 * y) / canvas.heightPx))
  canvas.cover((_x, y) => rows[y] ?? wall)
}

const MARK = 'SANDBOX'
const MARK_RED: Colour = [190, 40, 44]
const WHITE: Colour = [255, 255, 255]

/** The mark that nobody can miss: white on red. */
export const drawMark = (canvas: Canvas, left: number, top: number, dotPx: number): void => {
  const edge = dotPx * 3
  const box = { left, top, width: textWidth(MARK, dotPx) + edge * 2, height: LINE_DOTS * dotPx + edge * 2 }
  canvas.draw(box, roundedBox(box, dotPx * 2.5), MARK_RED, 0.94)
  drawText(canvas, { text: MARK, left: left + edge, top: top + edge, dotPx }, WHITE)
}

const draw = (portrait: Portrait): Buffer => {
  const canvas = createCanvas(PORTRAIT_SIZE_PX, PORTRAIT_SIZE_PX)
  const place = { left: 0, top: 0, scale: PORTRAIT_SIZE_PX / GRID }
  paintWall(canvas, portrait.wall)
  drawHead(canvas, place, portrait)
  drawEyes(canvas, place, portrait, 0.1)
  drawMouth(canvas, place, 0.08, 0.1)
  drawMark(canvas, 115, 420, 6)
  return png(canvas)
}

const drawn = new Map<string, Buffer>()

/** The PNG of a portrait, drawn once; `null` for an unknown id. */
export const portraitPng = (id: string): Buffer | null => {
  const portrait = PORTRAITS.find((one) => one.id === id)
  if (!portrait) return null
  const picture = drawn.get(id) ?? draw(portrait)
  drawn.set(id, picture)
  return picture
}
