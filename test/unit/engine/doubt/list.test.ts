import { expect, test } from 'vitest'
import type { JobPage } from '../../../../src/core/adapter.ts'
import { createReadList } from '../../../../src/engine/doubt/list.ts'
import { accountOf, listed, scriptedAdapter } from '../../../fakes/adapter.ts'
import { fakeClock } from '../../../fakes/clock.ts'
import { T0, video, WIRE } from '../../../fakes/records.ts'

const jobs = (...ids: string[]) =>
  ids.map((jobId) => listed({ jobId, status: 'completed', puppetId: 'other', createdAtMs: T0 }))
const page = (ids: string[], given: Partial<JobPage> = {}): JobPage => ({
  items: jobs(...ids),
  total: 3,
  totalPages: 2,
  dateMs: T0,
  ...given,
})
const [FIRST, SECOND] = [page(['job_1', 'job_2']), page(['job_3'])]

/** How long the list is, as far as its pages prove it. */
const totalOf = async (pages: readonly JobPage[]): Promise<unknown> => {
  const adapter = scriptedAdapter(() => T0, 'alternate')
  for (const one of pages) adapter.lists.push({ ok: true, value: one, rate: null })
  const list = createReadList({
    clock: fakeClock(T0),
    random: () => 0,
    store: { owner: async () => 'vid_other', video: async () => null },
    upstream: { ask: async (_account, _class, _patienceMs, send) => ({ kind: 'asked', outcome: await send() }) },
    confirm: async () => ({ kind: 'foreign' }),
  })
  const doubt = video({ phase: 'doubtful', wire: WIRE, attempt: 1, dispatchedAtMs: T0, doubtSinceMs: T0 })
  const read = await list.read(accountOf(adapter), doubt)
  if (typeof read === 'string' || ('retryAtMs' in read && !('reading' in read))) throw new Error('not read')
  return read.reading.walk.total
}

test.each<[string, JobPage[], number | null]>([
  ['all pages agree, and hold that many', [FIRST, SECOND], 3],
  ['one page', [page(['job_1', 'job_2', 'job_3'], { totalPages: 1 })], 3],
  ['an empty list', [page([], { total: 0, totalPages: 0 })], 0],
  ['a page tells another length', [FIRST, page(['job_3'], { total: 4 })], null],
  ['the first page tells another length', [page(['job_1', 'job_2'], { total: 4 }), SECOND], null],
  ['fewer than it says', [page(['job_1']), SECOND], null],
  ['more than it says', [page(['job_1', 'job_2', 'job_4']), SECOND], null],
  ['one of them twice: it shifted, and another is missing', [FIRST, page(['job_2'])], null],
  ['one twice beside all', [FIRST, page(['job_3', 'job_1'])], null],
  ['no time is told', [page(['job_1', 'job_2', 'job_3'], { totalPages: 1, dateMs: null })], null],
  ['a page without its time', [FIRST, page(['job_3'], { dateMs: null })], null],
  ['only the first page without its time', [page(['job_1', 'job_2'], { dateMs: null }), SECOND], null],
  ['no number of pages', [page(['job_1', 'job_2', 'job_3'], { totalPages: null })], null],
  ['no length', [page(['job_1', 'job_2', 'job_3'], { total: null, totalPages: 1 })], null],
])('%s: %3$s', async (_, pages, total) => {
  expect(await totalOf(pages)).toBe(total)
})
