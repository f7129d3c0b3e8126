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
  /** Lines of claims that stand below no block that is run. */
  readonly strays: readonly number[]
}

interface Fence {
  readonly line: number
  readonly language: string
  readonly mark: string
  readonly text: string
  /** Nothing but empty lines is between it and the fence before. */
  readonly isClose: boolean
}

const fencesOf = (lines: readonly string[]): Fence[] => {
  const fences: Fence[] = []
  let before = lines.length
  for (let at = 0; at < lines.length; at += 1) {
    const [whole, language = '', mark = ''] = /^```(\S*)(.*)$/.exec(lines[at] ?? '') ?? []
    if (whole === undefined) continue
    const end = lines.indexOf('```', at + 1)
    if (end < 0) throw new Error(`the block of line ${at + 1} has no end`)
    const isClose = before < at && lines.slice(before + 1, at).every((line) => line === '')
    fences.push({ line: at + 1, language, mark, text: lines.slice(at + 1, end).join('\n'), isClose })
    at = end
    before = end
  }
  return fences
}

const claimOf = (text: string): Pick<Block, 'status' | 'printed'> => {
  const [, status, printed = ''] = /^(?:→ (\d{3})(?:\n|$))?([^]*)$/.exec(text) ?? []
  return { status: status === undefined ? null : Number(status), printed: printed === '' ? null : printed }
}

const isRun = (fence: Fence | undefined): boolean => fence?.language === 'sh' && fence.mark === ''

/** Pure; `text` is the Markdown. */
export const readPage = (text: string): Page => {
  const fences = fencesOf(text.split('\n'))
  const claims = fences.map((fence, at) => fence.language === 'text' && fence.isClose && isRun(fences[at - 1]))
  return {
    blocks: fences.flatMap((fence, at) => {
      const below = claims[at + 1] ? fences[at + 1]?.text : undefined
      const claim = below === undefined ? { status: null, printed: null } : claimOf(below)
      return isRun(fence) ? [{ line: fence.line, script: fence.text, ...claim }] : []
    }),
    reasons: fences.flatMap(({ language, mark }) =>
      language === 'sh' && mark !== '' ? [/^ no-run: (.+)$/.exec(mark)?.[1] ?? ''] : [],
    ),
    strays: fences.flatMap(({ language, line }, at) => (language === 'text' && !claims[at] ? [line] : [])),
  }
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
