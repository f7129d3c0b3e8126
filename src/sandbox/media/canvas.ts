export type Colour = readonly [red: number, green: number, blue: number]

/** In whole pixels. */
export interface Box {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

/** How far a point lies outside a shape, in pixels; negative inside. */
export type Shape = (x: number, y: number) => number

export const ellipse =
  (cx: number, cy: number, rx: number, ry: number): Shape =>
  (x, y) => {
    const dx = (x - cx) / rx
    const dy = (y - cy) / ry
    const far = Math.sqrt(dx * dx + dy * dy)
    // The gradient of the level set turns it into (nearly) a distance, so that edges are one pixel soft everywhere.
    const slope = Math.sqrt((dx / rx) ** 2 + (dy / ry) ** 2)
    return slope === 0 ? -Math.min(rx, ry) : ((far - 1) * far) / slope
  }

export const roundedBox = (box: Box, radius: number): Shape => {
  const halfWidth = box.width / 2
  const halfHeight = box.height / 2
  const cx = box.left + halfWidth
  const cy = box.top + halfHeight
  return (x, y) => {
    const dx = Math.abs(x - cx) - halfWidth + radius
    const dy = Math.abs(y - cy) - halfHeight + radius
    const outside = Math.hypot(Math.max(dx, 0), Math.max(dy, 0))
    return outside + Math.min(Math.max(dx, dy), 0) - radius
  }
}

export const within =
  (a: Shape, b: Shape): Shape =>
  (x, y) =>
    Math.max(a(x, y), b(x, y))

export const without =
  (a: Shape, b: Shape): Shape =>
  (x, y) =>
    Math.max(a(x, y), -b(x, y))

export const shade = ([red, green, blue]: Colour, factor: number): Colour => [
  Math.min(255, red * factor),
  Math.min(255, green * factor),
  Math.min(255, blue * factor),
]

export interface Canvas {
  readonly widthPx: number
  readonly heightPx: number
  /** Three bytes a pixel, row after row. */
  readonly rgb: Buffer
  /** Fills a shape; `box` bounds the pixels that are looked at. */
  draw(box: Box, shape: Shape, colour: Colour, alpha?: number): void
  /** Fills a whole box, without soft edges. */
  block(box: Box, colour: Colour, alpha?: number): void
  /** Every pixel from its place. */
  cover(colourAt: (x: number, y: number) => Colour): void
  /** Lays a picture of four bytes a pixel, the last its opacity, over a place. */
  paste(rgba: Buffer, box: Box): void
  /** Brings a box back to what it is in `base`, a canvas of the same size. */
  restore(base: Canvas, box: Box): void
}

/** A picture to draw on in plain TypeScript: quick enough, and free of native canvas packages. */
export const createCanvas = (widthPx: number, heightPx: number): Canvas => {
  const rgb = Buffer.alloc(widthPx * heightPx * 3)
  const mix = (at: number, colour: Colour, share: number): void => {
    for (let i = 0; i < 3; i += 1) {
      const old = rgb[at + i] ?? 0
      rgb[at + i] = Math.round(old + ((colour[i] ?? 0) - old) * share)
    }
  }
  const each = (box: Box, visit: (x: number, y: number, at: number) => void): void => {
    const { left, top, right, bottom } = clipped(box, widthPx, heightPx)
    for (let y = top; y < bottom; y += 1) {
      for (let x = left; x < right; x += 1) visit(x, y, (y * widthPx + x) * 3)
    }
  }
  return {
    widthPx,
    heightPx,
    rgb,
    draw(box, shape, colour, alpha = 1) {
      each(box, (x, y, at) => {
        const cover = 0.5 - shape(x + 0.5, y + 0.5)
        if (cover > 0) mix(at, colour, Math.min(1, cover) * alpha)
      })
    },
    block: (box, colour, alpha = 1) => each(box, (_x, _y, at) => mix(at, colour, alpha)),
    cover: (colourAt) =>
      each({ left: 0, top: 0, width: widthPx, height: heightPx }, (x, y, at) => mix(at, colourAt(x, y), 1)),
    paste(rgba, box) {
      each(box, (x, y, at) => {
        const from = ((y - box.top) * box.width + x - box.left) * 4
        mix(at, [rgba[from] ?? 0, rgba[from + 1] ?? 0, rgba[from + 2] ?? 0], (rgba[from + 3] ?? 0) / 255)
      })
    },
    restore(base, box) {
      const { left, top, right, bottom } = clipped(box, widthPx, heightPx)
      for (let y = top; y < bottom; y += 1) {
        const start = (y * widthPx + left) * 3
        base.rgb.copy(rgb, start, start, start + (right - left) * 3)
      }
    },
  }
}

const clipped = ({ left, top, width, height }: Box, widthPx: number, heightPx: number) => ({
  left: Math.max(0, Math.floor(left)),
  top: Math.max(0, Math.floor(top)),
  right: Math.min(widthPx, Math.ceil(left + width)),
  bottom: Math.min(heightPx, Math.ceil(top + height)),
})

/** The box around an ellipse. */
export const around = (cx: number, cy: number, rx: number, ry: number): Box => ({
  left: Math.floor(cx - rx) - 1,
  top: Math.floor(cy - ry) - 1,
  width: Math.ceil(rx * 2) + 3,
  height: Math.ceil(ry * 2) + 3,
})

/** Writes a box of a canvas into a packed YUV 4:2:0 picture of its size (BT.709, limited range). */
export const toYuv = ({ rgb, widthPx, heightPx }: Canvas, yuv: Buffer, box: Box): void => {
  const { left, top, right, bottom } = clipped(box, widthPx, heightPx)
  const chroma = widthPx * heightPx
  const quarter = chroma / 4
  for (let y = top; y < bottom; y += 1) {
    for (let x = left; x < right; x += 1) {
      const at = (y * widthPx + x) * 3
      const red = rgb[at] ?? 0
      const green = rgb[at + 1] ?? 0
      const blue = rgb[at + 2] ?? 0
      yuv[y * widthPx + x] = (16 * 65_536 + 11_966 * red + 40_254 * green + 4_064 * blue + 32_768) >> 16
      if (((x | y) & 1) !== 0) continue
      const place = chroma + (y >> 1) * (widthPx >> 1) + (x >> 1)
      yuv[place] = (128 * 65_536 - 6_596 * red - 22_189 * green + 28_784 * blue + 32_768) >> 16
      yuv[place + quarter] = (128 * 65_536 + 28_784 * red - 26_145 * green - 2_639 * blue + 32_768) >> 16
    }
  }
}
