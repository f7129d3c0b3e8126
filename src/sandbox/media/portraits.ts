import { png, type Colour } from './png.ts'

interface Portrait {
  readonly id: string
  readonly name: string
  readonly skin: Colour
  readonly hair: Colour
  readonly shirt: Colour
  readonly wall: Colour
}

/** The people of the sandbox: the primary's seeded puppets and the alternate's stock. Drawn, so nobody's face. */
export const PORTRAITS: readonly Portrait[] = [
  { id: 'ada', name: 'Ada', skin: [240, 200, 170], hair: [90, 50, 30], shirt: [40, 90, 150], wall: [214, 226, 238] },
  { id: 'ben', name: 'Ben', skin: [150, 100, 70], hair: [30, 25, 25], shirt: [70, 120, 80], wall: [232, 226, 210] },
  { id: 'cleo', name: 'Cleo', skin: [200, 150, 110], hair: [40, 30, 60], shirt: [150, 60, 80], wall: [225, 215, 232] },
  { id: 'dov', name: 'Dov', skin: [225, 180, 150], hair: [170, 120, 60], shirt: [60, 60, 70], wall: [210, 230, 220] },
  { id: 'emi', name: 'Emi', skin: [245, 215, 190], hair: [25, 20, 20], shirt: [190, 120, 40], wall: [236, 222, 222] },
  {
    id: 'felix',
    name: 'Felix',
    skin: [235, 190, 165],
    hair: [150, 70, 30],
    shirt: [90, 70, 130],
    wall: [218, 218, 226],
  },
]

export const portraitPath = (id: string): string => `/media/portraits/${id}.png`

export const PORTRAIT_SIZE_PX = 512

/** 5×7 letters, one number a row: the mark needs no font file. */
const GLYPHS: Readonly<Record<string, readonly number[]>> = {
  S: [15, 16, 16, 14, 1, 1, 30],
  A: [14, 17, 17, 31, 17, 17, 17],
  N: [17, 25, 21, 21, 19, 17, 17],
  D: [30, 17, 17, 17, 17, 17, 30],
  B: [30, 17, 17, 30, 17, 17, 30],
  O: [14, 17, 17, 17, 17, 17, 14],
  X: [17, 17, 10, 4, 10, 17, 17],
}
const MARK = 'SANDBOX'
const DOT_PX = 9
const MARK_LEFT_PX = (PORTRAIT_SIZE_PX - (MARK.length * 6 - 1) * DOT_PX) / 2
const MARK_TOP_PX = 430

const inMark = (x: number, y: number): boolean => {
  const column = Math.floor((x - MARK_LEFT_PX) / DOT_PX)
  const row = Math.floor((y - MARK_TOP_PX) / DOT_PX)
  const bits = GLYPHS[MARK[Math.floor(column / 6)] ?? '']?.[row] ?? 0
  return column >= 0 && column % 6 < 5 && ((bits >> (4 - (column % 6))) & 1) === 1
}

const inEllipse = (x: number, y: number, cx: number, cy: number, rx: number, ry: number): boolean =>
  ((x - cx) / rx) ** 2 + ((y - cy) / ry) ** 2 <= 1

const WHITE: Colour = [255, 255, 255]
const DARK: Colour = [40, 35, 40]
const LIPS: Colour = [170, 70, 75]

const shade = ([red, green, blue]: Colour): Colour => [red * 0.8, green * 0.8, blue * 0.8]

/** The topmost layer at a point wins. */
const paint =
  ({ skin, hair, shirt, wall }: Portrait) =>
  (x: number, y: number): Colour => {
    const side = Math.abs(x - 256)
    if (inMark(x, y)) return WHITE
    if (inEllipse(side, y, 45, 205, 8, 10)) return DARK
    if (inEllipse(side, y, 45, 205, 20, 12)) return WHITE
    if (inEllipse(x, y, 256, 290, 34, 9)) return LIPS
    if (inEllipse(x, y, 256, 250, 9, 14)) return shade(skin)
    if (inEllipse(x, y, 256, 225, 98, 118) && !inEllipse(x, y, 256, 110, 120, 62)) return skin
    if (inEllipse(x, y, 256, 190, 116, 120)) return hair
    if (side < 38 && y > 290 && y < 385) return skin
    if (inEllipse(x, y, 256, 520, 200, 160)) return shirt
    return wall
  }

const drawn = new Map<string, Buffer>()

/** The PNG of a portrait, drawn once; `null` for an unknown id. */
export const portraitPng = (id: string): Buffer | null => {
  const portrait = PORTRAITS.find((one) => one.id === id)
  if (!portrait) return null
  const picture = drawn.get(id) ?? png(PORTRAIT_SIZE_PX, PORTRAIT_SIZE_PX, paint(portrait))
  drawn.set(id, picture)
  return picture
}
