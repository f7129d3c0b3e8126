/** The prose of a page, without its commands, and the sentences in it. Pure. */

/** Stands for inline code: one word, in which nothing is searched. */
const CODE = '0'

const withoutMarkup = (text: string): string =>
  text
    .replaceAll(/`[^`]+`/g, CODE)
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/<https?:[^>]*>/g, CODE)

const cellsOf = (row: string): string[] =>
  row
    .replaceAll(String.raw`\|`, ' ')
    .split('|')
    .map((cell) => cell.trim())
    .filter((cell) => /[a-z]/i.test(cell))

export interface Block {
  /** On one line, with its bold marks. */
  readonly text: string
  /** False for headings and cells of tables: these are short anyway. */
  readonly isProse: boolean
}

/** Paragraphs, headings, items of lists and cells of tables. */
export const blocksOf = (markdown: string): Block[] => {
  const blocks: Block[] = []
  const push = (text: string, isProse: boolean): void => void blocks.push({ text: withoutMarkup(text), isProse })
  let paragraph: string[] = []
  const close = (): void => {
    if (paragraph.length > 0) push(paragraph.join(' '), true)
    paragraph = []
  }
  const lines = markdown.replaceAll(/<!--[^]*?-->/g, '').replaceAll(/^( *)```[^]*?^\1```$/gm, '\n')
  for (const line of lines.split('\n')) {
    const [mark = '', text = ''] = /^\s*(#+ |[*-] |\d+\. |\|)?(.*)$/.exec(line)?.slice(1) ?? []
    if (mark !== '' || text === '') close()
    if (mark.startsWith('#')) push(text, false)
    else if (mark === '|') for (const cell of cellsOf(text)) push(cell, false)
    else if (text !== '') paragraph.push(text)
  }
  close()
  return blocks
}

/** A sentence ends at a full stop before a capital or code. A colon or semicolon does not end it. */
export const sentencesOf = (block: string): string[] =>
  block
    .replaceAll('**', '')
    .split(/(?<=[.!?][)”"’]*) +(?=[\p{Lu}\d("“`])/u)
    .filter((sentence) => /\p{L}/u.test(sentence))

export const wordsIn = (sentence: string): number =>
  sentence.split(/\s+/).filter((word) => /[\p{L}\d]/u.test(word)).length

/** Bold lower-case words inside a sentence: so a page introduces a term. A label is bold at the start of its block. */
export const introducedIn = (block: string): string[] =>
  Array.from(block.matchAll(/(?<!^)\*\*([a-z][a-z -]*)\*\*/g), ([, term = '']) => term)
