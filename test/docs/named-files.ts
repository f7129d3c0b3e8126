/** The ```js blocks of a page, by the name that the comment of their first line gives them. */
export interface NamedFiles {
  readonly files: Readonly<Record<string, string>>
  /** What the page says that a file prints: the ```text block right below it. */
  readonly printed: Readonly<Record<string, string>>
  /** Blocks without a name: nobody runs them. */
  readonly nameless: number
}

const BLOCK = /^```js\n([^]*?)^```\n(?:\n```text\n([^]*?)^```\n)?/gm

/** Pure; `markdown` is the page. */
export const namedFiles = (markdown: string): NamedFiles => {
  const files: Record<string, string> = {}
  const printed: Record<string, string> = {}
  let nameless = 0
  for (const [, text = '', claim] of markdown.matchAll(BLOCK)) {
    const name = /^\/\/ ([\w.-]+\.m?js)\n/.exec(text)?.[1]
    if (name === undefined) {
      nameless += 1
      continue
    }
    files[name] = text
    if (claim !== undefined) printed[name] = claim.trim()
  }
  return { files, printed, nameless }
}
