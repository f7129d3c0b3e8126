import { isMap, isScalar, isSeq, LineCounter, parseDocument } from 'yaml'

/**
 * What each key is for: the comments of `config/default.yaml`, so that they are written once. By the key's path, in which
 * `<name>` stands for a name of the operator's and `<n>` for an index. A key that the file cannot show has its words in
 * the schema (`describe`).
 */
export type Descriptions = ReadonlyMap<string, string>

const COMMENT = /^\s*(?:- )?# ?(.*)$/

/** The lines of comment right above a line. */
const commentAbove = (lines: readonly string[], line: number): string => {
  const above: string[] = []
  for (let at = line - 2; at >= 0; at -= 1) {
    const [, words] = COMMENT.exec(lines[at] ?? '') ?? []
    if (words === undefined) break
    above.unshift(words.trim())
  }
  return above.join(' ').trim()
}

/** The first description of each path: of several backends the first explains them all. */
export const descriptionsIn = (text: string, isNamed: (path: string) => boolean): Descriptions => {
  const counter = new LineCounter()
  const document = parseDocument(text, { lineCounter: counter })
  const lines = text.split('\n')
  const found = new Map<string, string>()
  const visit = (node: unknown, prefix: string): void => {
    if (isSeq(node)) for (const item of node.items) visit(item, `${prefix}<n>.`)
    if (!isMap(node)) return
    for (const { key, value } of node.items) {
      if (!isScalar(key)) continue
      const path = prefix + (isNamed(prefix) ? '<name>' : String(key.value))
      const words = commentAbove(lines, counter.linePos(key.range?.[0] ?? 0).line)
      if (words !== '' && !found.has(path)) found.set(path, words)
      visit(value, `${path}.`)
    }
  }
  visit(document.contents, '')
  return found
}
