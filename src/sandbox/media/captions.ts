import { LETTER_DOTS, printable } from './font.ts'
import type { SpokenWord } from './syllables.ts'

export interface CaptionWord {
  readonly text: string
  /** Letters from the beginning of its line. */
  readonly column: number
  readonly line: number
  readonly startSeconds: number
  readonly endSeconds: number
}

/** Up to two lines that are seen together. */
export type CaptionPage = readonly CaptionWord[]

const LINES = 2

/** Letters of `dotPx` that fit in a width. */
export const columnsIn = (widthPx: number, dotPx: number): number => Math.floor(widthPx / (LETTER_DOTS * dotPx))

/** Sets the words in pages of lines. Words in a script that the font lacks are left out. */
export const pagesOf = (words: readonly SpokenWord[], columns: number): CaptionPage[] => {
  const pages: CaptionWord[][] = []
  let page: CaptionWord[] = []
  let line = 0
  let column = 0
  for (const { text, startSeconds, endSeconds } of words) {
    const letters = printable(text).slice(0, columns)
    if (letters === '') continue
    if (column > 0 && column + letters.length > columns) {
      line += 1
      column = 0
    }
    if (line === LINES || pages.length === 0) {
      page = []
      pages.push(page)
      line = 0
    }
    page.push({ text: letters, column, line, startSeconds, endSeconds })
    column += letters.length + 1
  }
  return pages
}

/** The page that is read at a moment: the last that has begun, or the first. */
export const pageAt = (pages: readonly CaptionPage[], seconds: number): CaptionPage =>
  pages.findLast(([first]) => first !== undefined && first.startSeconds <= seconds) ?? pages[0] ?? []
