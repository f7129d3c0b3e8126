import { isAlias, isMap, isScalar, isSeq, type Document, type LineCounter, type Node } from 'yaml'
import { printable, type Fault } from './faults.ts'

/** Both count from 1. */
export interface Position {
  readonly line: number
  readonly column: number
}

/** Where a dotted path stands in the file; of one that is not in it, what should hold it. Null: nowhere. */
export type Locate = (path: string) => Position | null

interface Step {
  node: unknown
  at: Node | null
  rest: string
}

const nodeOf = (value: unknown): Node | null => (isScalar(value) || isMap(value) || isSeq(value) ? value : null)

/** One key or index deeper; null: it is not in the file. */
const descend = (node: unknown, rest: string): Step | null => {
  const after = (segment: string): string | null => {
    if (rest === segment) return ''
    return rest.startsWith(`${segment}.`) ? rest.slice(segment.length + 1) : null
  }
  if (isMap(node)) {
    for (const { key, value } of node.items) {
      const left = isScalar(key) ? after(printable(String(key.value))) : null
      if (left !== null) return { node: value, at: nodeOf(key), rest: left }
    }
  }
  if (isSeq(node)) {
    for (const [i, item] of node.items.entries()) {
      const left = after(String(i))
      if (left !== null) return { node: item, at: nodeOf(item), rest: left }
    }
  }
  return null
}

/** Finds paths in a parsed file, each when it is asked for. */
export const locateIn =
  (document: Document, lines: LineCounter): Locate =>
  (path) => {
    let at = nodeOf(document.contents)
    let step: Step | null = { node: document.contents, at, rest: path }
    while (step !== null && step.rest !== '') {
      const { node, rest }: Step = step
      step = descend(isAlias(node) ? node.resolve(document) : node, rest)
      at = step?.at ?? at
    }
    const offset = at?.range?.[0]
    if (offset === undefined) return null
    const { line, col } = lines.linePos(offset)
    return { line, column: col }
  }

/** The fault with where it stands, unless it says so already. */
export const located = (fault: Fault, locate: Locate): Fault =>
  fault.path === '' || fault.line !== undefined ? fault : { ...fault, ...locate(fault.path) }
