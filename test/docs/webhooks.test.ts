import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  afterFailure,
  MAX_ANSWERS_KEPT,
  MAX_ATTEMPTS_KEPT,
  MAX_HELD,
  MAX_REPLAYED,
  MAX_RESENT_AN_HOUR,
  RELEASE_GAP_MS,
} from '../../src/core/endpoints.ts'
import { EVENT_TYPES } from '../../src/core/vocabulary.ts'
import { MOST_REFUSALS } from '../../src/cli/listen.ts'
import { CONNECT_TIMEOUT_MS } from '../../src/http/guard.ts'
import { KEPT_ANSWER_BYTES } from '../../src/webhooks/sender.ts'
import { PER_TARGET } from '../../src/webhooks/index.ts'
import {
  MAX_JITTER_MS,
  MAX_JITTER_SHARE,
  MAX_RETRY_AFTER_MS,
  OVERLOADED_WAIT_MS,
  SCHEDULES,
} from '../../src/webhooks/schedule.ts'

const PAGE = join(import.meta.dirname, '../../docs/webhooks.md')
const LIMITS = join(import.meta.dirname, '../../docs/streams-and-limits.md')
const BEGIN = '<!-- retry table: written by test/docs/webhooks.test.ts with UPDATE=true -->\n'
const END = '<!-- end of the retry table -->\n'

const UNITS = [
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
] as const
const spelled = (ms: number): string => {
  const [unit, size] = UNITS.find(([, size]) => ms >= size && ms % size === 0) ?? ['ms', 1]
  return `${ms / size} ${unit}`
}
const total = (gaps: readonly number[]): string => {
  const minutes = Math.round(gaps.reduce((sum, gap) => sum + gap, 0) / 60_000)
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

const table = (): string => {
  const { endpoint, video } = SCHEDULES
  const cell = (gaps: readonly number[], at: number): string => {
    const gap = gaps[at]
    if (gap === undefined) return '–'
    return gap === 0 ? 'immediately' : spelled(gap)
  }
  const rows = Array.from(
    { length: Math.max(endpoint.length, video.length) },
    (_, at) => `| ${at + 1} | ${cell(endpoint, at)} | ${cell(video, at)} |\n`,
  )
  const jitter = `up to ${MAX_JITTER_SHARE * 100} % (${spelled(MAX_JITTER_MS)} at most)`
  return (
    `| Attempt | Endpoint | \`webhook_url\` |\n|---|---|---|\n${rows.join('')}| given up after | ${total(endpoint)} | ${total(video)} |\n\n` +
    `The gateway adds a random extra of ${jitter} to every wait. \`Retry-After\` makes it longer, never shorter\n` +
    `(${spelled(MAX_RETRY_AFTER_MS)} at most). After a timeout or a 429 the wait is at least ${spelled(OVERLOADED_WAIT_MS)}. 410 ends a delivery.\n`
  )
}

test('the retry table is that of the code', () => {
  const page = readFileSync(PAGE, 'utf8')
  const [before = '', rest = ''] = page.split(BEGIN)
  const [, after] = rest.split(END)
  if (process.env['UPDATE'] === 'true') writeFileSync(PAGE, `${before}${BEGIN}${table()}${END}${after}`)
  expect(readFileSync(PAGE, 'utf8')).toContain(`${BEGIN}${table()}${END}`)
})

test('the numbers of the page are those of the code', () => {
  const page = readFileSync(PAGE, 'utf8').replaceAll(/\s+/g, ' ')
  const ends = (failures: number, hours: number) =>
    afterFailure({ failures, failingSinceMs: 0 }, hours * 3_600_000, 500).disabled
  expect([ends(98, 0), ends(99, 0), ends(1, 119), ends(1, 120)]).toEqual([null, 'failures', null, 'failing'])
  expect(page).toContain('after 100 failures in a row, or after 120 hours')
  expect(page).toContain(`**held** for it, ${MAX_HELD.toLocaleString('en')} at most`)
  expect(page).toContain(`${MAX_REPLAYED.toLocaleString('en')} events a call`)
  expect(page).toContain(`its latest ${MAX_ATTEMPTS_KEPT} attempts`)
  expect(page).toContain(`(${KEPT_ANSWER_BYTES / 1_024} KiB at most) for the latest ${MAX_ANSWERS_KEPT}.`)
  const resent = MAX_RESENT_AN_HOUR.toLocaleString('en')
  expect(page).toContain(`You may resend ${resent} deliveries an hour`)
  expect(readFileSync(LIMITS, 'utf8')).toContain(`may resend ${resent} webhook deliveries`)
  expect([1_000 / RELEASE_GAP_MS, MOST_REFUSALS]).toEqual([10, 5])
  expect(page).toContain(`Connecting may take ${CONNECT_TIMEOUT_MS / 1_000} seconds, all of it 15.`)
  expect(page).toContain(`At most ${PER_TARGET} attempts run at the same time for each target`)
  expect(page).toContain(
    `An endpoint gets ${SCHEDULES.endpoint.length} attempts, the \`webhook_url\` of a video ${SCHEDULES.video.length}.`,
  )
  expect(EVENT_TYPES.filter((type) => !page.includes(`\`${type}\``))).toEqual([])
})
