import type { JobReport, ReadOutcome } from '../../core/adapter.ts'
import type { TimelineEntry } from '../../core/video.ts'

/** The answer about one job. `over`: its state, if that said completed without a link. */
export interface Polled {
  over: JobReport | null
  outcome: ReadOutcome<JobReport>
}

/**
 * Each poll is a line of its video's timeline. Those that learned nothing are remembered, and written with the next one
 * that does. Pure.
 */
export interface Unwritten {
  /** In the order in which they were answered. */
  polls: readonly TimelineEntry[]
  /** How many were left out in the middle, where there were too many. */
  leftOut: number
}

export const NO_POLLS: Unwritten = { polls: [], leftOut: 0 }

/** Unwritten polls that are kept of one job, and about as many as an account keeps of all: some 4 MB (poll-lines.ts). */
const KEPT_OF_ONE = 50
const KEPT_OF_ALL = 250_000

/** How many unwritten polls of each job are kept while the account has so many. */
export const pollsKept = (jobs: number): number =>
  Math.max(2, Math.min(KEPT_OF_ONE, Math.floor(KEPT_OF_ALL / Math.max(1, jobs))))

const WORD_AT_MOST = 60

const saidOf = ({ status, backendStatus, progress }: JobReport): string => {
  const word = status ?? (backendStatus?.slice(0, WORD_AT_MOST) || 'nothing that is known')
  return progress === null ? word : `${word}, ${Math.round(progress * 100)} %`
}

/** What a poll said, in few words: it is kept for each. */
const detailOf = ({ over, outcome }: Polled): string => {
  if (outcome.ok) return saidOf(outcome.value)
  const { code, backendError } = outcome.problem
  const status = backendError?.status ?? null
  const failed = status === null ? code : `${code} (HTTP ${status})`
  return over ? `${saidOf(over)}; its link: ${failed}` : failed
}

/** The line of a poll. `how`: by which request, if not its own. */
export const pollNote = (at: number, polled: Polled, how: 'list' | null = null): TimelineEntry => ({
  at,
  type: 'polled',
  detail: how === null ? detailOf(polled) : `${detailOf(polled)} (in the ${how})`,
})

/** The line of a poll that found the job over, before its link could be asked for. */
export const overNote = (at: number, over: JobReport): TimelineEntry => ({
  at,
  type: 'polled',
  detail: `${saidOf(over)}; its link was not asked for yet`,
})

/** Adds a poll. Of more than `most`, the first and the last are kept. */
export const withPoll = ({ polls, leftOut }: Unwritten, poll: TimelineEntry, most: number): Unwritten => {
  const all = [...polls, poll]
  const tooMany = Math.max(0, all.length - most)
  return { polls: all.toSpliced(most >> 1, tooMany), leftOut: leftOut + tooMany }
}

/** The lines to write. Where polls were left out, a line in their place says how many. */
export const linesOf = ({ polls, leftOut }: Unwritten): TimelineEntry[] => {
  const middle = polls.length >> 1
  const [before] = polls.slice(Math.max(0, middle - 1))
  if (leftOut === 0 || !before) return [...polls]
  const line: TimelineEntry = { at: before.at, type: 'polls_left_out', detail: String(leftOut) }
  return polls.toSpliced(middle, 0, line)
}

const isPoll = ({ type }: TimelineEntry): boolean => type === 'polled' || type === 'polls_left_out'

/**
 * A timeline with the polls in their places: they are written later than they were made. Other lines stay as they were
 * written. `unwritten`: polls that this process remembers; they may have been written meanwhile.
 */
export const withPolls = (written: readonly TimelineEntry[], unwritten: Unwritten): TimelineEntry[] => {
  const known = new Set(written.filter(isPoll).map(({ at }) => at))
  const polls = [...written.filter(isPoll), ...linesOf(unwritten).filter(({ at }) => !known.has(at))]
  const placed: TimelineEntry[] = []
  let next = 0
  for (const line of written.filter((one) => !isPoll(one))) {
    for (let poll = polls[next]; poll && poll.at <= line.at; poll = polls[next]) {
      placed.push(poll)
      next += 1
    }
    placed.push(line)
  }
  return [...placed, ...polls.slice(next)]
}
