import type { Canvas, Colour } from './canvas.ts'

/** Five columns of seven dots a letter, from the space to the tilde; the lowest bit is the top dot. No font file. */
const COLUMNS = Buffer.from(
  [
    '000000000000005f00000007000700147f147f14242a7f2a12231308646236495620500000070000001c224100', // from the space
    '0041221c002a1c7f1c2a08083e080800503000000808080808000060600020100804023e5149453e00427f4000', // from )
    '42615149462141454b311814127f1027454545393c4a49493001710905033649494936064949291e0036360000', // from 2
    '00563600000814224100141414141400412214080201510906324979413e7e1111117e7f494949363e41414122', // from ;
    '7f4141221c7f494949417f090909013e4149497a7f0808087f00417f41002040413f017f081422417f40404040', // from D
    '7f020c027f7f0408107f3e4141413e7f090909063e4151215e7f09192946464949493101017f01013f4040403f', // from M
    '1f2040201f3f4038403f631408146303047804036151494543007f41410002040810200041417f000402010204', // from V
    '4040404040000102040020545454787f484444383844444420384444487f3854545418087e0901020c5252523e', // from _
    '7f0804047800447d40002040443d007f1028440000417f40007c041804787c0804047838444444387c14141408', // from h
    '081414187c7c080404084854545420043f4440203c4040207c1c2040201c3c4030403c44281028440c5050503c', // from q
    '4464544c44000836410000007f000000413608000804081008', // from z
  ].join(''),
  'hex',
)
const LAST = 126

/** Dots from one letter to the next, and of one line. */
export const LETTER_DOTS = 6
export const LINE_DOTS = 7

export const textWidth = (text: string, dotPx: number): number => (text.length * LETTER_DOTS - 1) * dotPx

/** The letters that the font has: accents and curly quotes are made plain, what remains foreign is left out. */
export const printable = (text: string): string =>
  text
    .replaceAll(/[‘’]/g, "'")
    .replaceAll(/[“”„«»]/g, '"')
    .replaceAll(/[‐-―]/g, '-')
    .replaceAll('…', '...')
    .replaceAll('ß', 'ss')
    .normalize('NFD')
    .replaceAll(/[^ -~]/g, '')

/** Draws one line of printable text; `dotPx` is the size of a dot. */
export const drawText = (
  canvas: Canvas,
  { text, left, top, dotPx }: { text: string; left: number; top: number; dotPx: number },
  colour: Colour,
  alpha = 1,
): void => {
  for (let place = 0; place < text.length; place += 1) {
    const code = text.charCodeAt(place)
    if (code <= 32 || code > LAST) continue
    for (let column = 0; column < 5; column += 1) {
      const bits = COLUMNS[(code - 32) * 5 + column] ?? 0
      for (let row = 0; row < LINE_DOTS; row += 1) {
        if (((bits >> row) & 1) === 0) continue
        const x = Math.round(left + (place * LETTER_DOTS + column) * dotPx)
        const y = Math.round(top + row * dotPx)
        canvas.block({ left: x, top: y, width: Math.ceil(dotPx), height: Math.ceil(dotPx) }, colour, alpha)
      }
    }
  }
}
