import type { TimelineEntry } from '../../core/video.ts'
import { createColumn, createCounts } from './columns.ts'

/** No line: lines count from 1. */
const NONE = 0

/**
 * Texts, each kept once for as long as a line says it. There are few: words of a backend, and percents.
 */
const createTexts = () => {
  const numbers = new Map<string, number>()
  const texts: string[] = []
  const uses: number[] = []
  const free: number[] = []
  return {
    textOf: (number: number): string => texts[number] ?? '',
    use(text: string): number {
      const number = numbers.get(text) ?? free.pop() ?? texts.length
      numbers.set(text, number)
      texts[number] = text
      uses[number] = (uses[number] ?? 0) + 1
      return number
    },
    drop(number: number): void {
      const left = (uses[number] ?? 0) - 1
      uses[number] = left
      if (left > 0) return
      numbers.delete(texts[number] ?? '')
      texts[number] = ''
      free.push(number)
    },
  }
}

/**
 * Lists of the polls that are not written yet, a line each. As objects a quarter of a million of them took some 20 MB,
 * which every collection went through; here it is sixteen bytes each.
 */
export const createPollLines = () => {
  const [at, said, next] = [createColumn(), createCounts(), createCounts()]
  const texts = createTexts()
  /** Freed lines, one behind the other. */
  let free = NONE
  let made = 0

  const take = (): number => {
    if (free === NONE) return (made += 1)
    const line = free
    free = next.get(line)
    return line
  }

  return {
    /** Answers where the list begins. */
    add(polls: readonly TimelineEntry[]): number {
      let first = NONE
      for (const poll of polls.toReversed()) {
        const line = take()
        at.set(line, poll.at)
        said.set(line, texts.use(poll.detail ?? ''))
        next.set(line, first)
        first = line
      }
      return first
    },
    list(first: number): TimelineEntry[] {
      const polls: TimelineEntry[] = []
      for (let line = first; line !== NONE; line = next.get(line))
        polls.push({ at: at.get(line), type: 'polled', detail: texts.textOf(said.get(line)) })
      return polls
    },
    drop(first: number): void {
      for (let line = first; line !== NONE;) {
        const after = next.get(line)
        texts.drop(said.get(line))
        next.set(line, free)
        free = line
        line = after
      }
    },
  }
}
