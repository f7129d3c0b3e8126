/**
 * How a page is read. A ```sh block is run, unless its fence says ```sh no-run: REASON. A ```text block right after it
 * claims what happens:
 *
 *     → 202
 *     {"id":"vid_…","object":"video",…
 *
 * the last curl of the block was answered 202, and the rest was printed, `…` being anything. Both parts may be missing.
 * Nothing of it is in the block that people copy. An answer of 400 or more that is not announced so is a fault.
 */
export interface Block {
  /** Of its fence in the page. */
  readonly line: number
  readonly script: string
  readonly status: number | null
  /** Null where nothing is said about it. */
  readonly printed: string | null
}

export interface Page {
  readonly blocks: readonly Block[]
  /** One for each block that is not run; empty where the fence gives none. */
  readonly reasons: readonly string[]
}

const claimAt = (lines: readonly string[], from: number): Pick<Block, 'status' | 'printed'> => {
  const nothing = { status: null, printed: null }
  const at = lines.findIndex((line, index) => index >= from && line !== '')
  if (lines[at] !== '```text') return nothing
  const [, status, printed = ''] =
    /^(?:→ (\d{3})(?:\n|$))?([^]*)$/.exec(lines.slice(at + 1, lines.indexOf('```', at + 1)).join('\n')) ?? []
  return { status: status === undefined ? null : Number(status), printed: printed === '' ? null : printed }
}

/** Pure; `text` is the Markdown. */
export const readPage = (text: string): Page => {
  const blocks: Block[] = []
  const reasons: string[] = []
  const lines = text.split('\n')
  for (let at = 0; at < lines.length; at += 1) {
    const fence = /^```(\S*)(.*)$/.exec(lines[at] ?? '')
    if (!fence) continue
    const end = lines.indexOf('```', at + 1)
    if (end < 0) throw new Error(`the block of line ${at + 1} has no end`)
    const [, language = '', mark = ''] = fence
    if (language === 'sh' && mark === '') {
      blocks.push({ line: at + 1, script: lines.slice(at + 1, end).join('\n'), ...claimAt(lines, end + 1) })
    } else if (language === 'sh') reasons.push(/^ no-run: (.+)$/.exec(mark)?.[1] ?? '')
    at = end
  }
  return { blocks, reasons }
}

const literally = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

/** Whether `printed` is what was claimed, from its first character to its last. */
export const matches = (claimed: string, printed: string): boolean => {
  const pattern = claimed
    .split(/\s*…\s*/)
    .map(literally)
    .join(String.raw`[\s\S]*?`)
  return new RegExp(`^${pattern}$`).test(printed)
}
