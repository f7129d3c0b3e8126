import { expect, test } from 'vitest'
import type { VideoView } from '../../src/core/api/videos.ts'
import type { LedgerView } from '@talkbridge/sandbox'
import { strike } from './blows.ts'
import { broken, mostAtOnce, type Seen } from './promises.ts'

type Job = LedgerView['jobs'][number]

const at = (second: number): string => new Date(second * 1_000).toISOString()
const job = (
  id: string,
  from: number,
  to: number,
  backend: Job['interface'] = 'primary',
  account = 'sandbox',
): Job => ({
  id,
  interface: backend,
  key_id: 'key',
  account,
  status: 'completed',
  created_at: at(from),
  ends_at: at(to),
})

type Read = Pick<VideoView, 'id' | 'status' | 'backend_job_id' | 'error'>
const video = (id: string, jobId: string | null): Read => ({
  id,
  status: 'completed',
  backend_job_id: jobId,
  error: null,
})
const told = (event: string, of: string, type = 'video.completed') => ({ event, type, video: of })
const ledger = (jobs: Job[], statuses: (number | null)[] = []): Seen['ledger'] => ({
  jobs,
  requests_total: statuses.length,
  requests: statuses.map((status) => ({ interface: 'primary', operation: 'getVideo', at: at(1), status })),
})

/** Two videos that came as they should. */
const fine = (): Seen => ({
  accepted: ['a', 'b'],
  videos: [video('a', 'job_a'), video('b', 'job_b')],
  deliveries: [told('evt_a', 'a'), told('evt_b', 'b'), told('evt_b', 'b')],
  ledger: ledger([job('job_a', 0, 2), job('job_b', 1, 3)], [202, 200]),
  slots: { primary: 2, alternate: 6 },
})

test('a delivery twice under one id is as promised', () => expect(broken(fine())).toEqual([]))

test.each<[string, Partial<Seen>]>([
  ['two orders share a video', { accepted: ['a', 'b', 'b'], videos: [...fine().videos, video('b', 'job_b')] }],
  ['a video did not end well', { videos: [video('a', 'job_a'), { ...video('b', 'job_b'), status: 'failed' }] }],
  ['a video has no job', { videos: [video('a', 'job_a'), video('b', null)], ledger: ledger([job('job_a', 0, 2)]) }],
  ['two videos have one job', { videos: [video('a', 'job_a'), video('b', 'job_a')] }],
  ['a job is nobody’s', { ledger: ledger([job('job_a', 0, 2), job('job_b', 1, 3), job('job_c', 2, 3)]) }],
  ['an event has two ids', { deliveries: [...fine().deliveries, told('evt_c', 'a')] }],
  ['a video ended twice', { deliveries: [...fine().deliveries, told('evt_c', 'a', 'video.failed')] }],
  ['an end was told nobody', { deliveries: [told('evt_a', 'a')] }],
  ['an end was told of a video that nobody asked for', { deliveries: [...fine().deliveries, told('evt_c', 'c')] }],
  ['the backend refused a request', { ledger: ledger(fine().ledger.jobs, [202, 429]) }],
])('told: %s', (_what, change) => expect(broken({ ...fine(), ...change })).not.toEqual([]))

test('more jobs at once than slots are counted, and one that begins as another ends is not', () => {
  const jobs = [job('a', 0, 2), job('b', 1, 3), job('c', 2, 4), job('d', 0, 9, 'alternate')]
  expect(mostAtOnce(ledger(jobs), 'primary')).toBe(2)
  expect(mostAtOnce(ledger([...jobs, job('e', 1, 2)]), 'primary')).toBe(3)
  expect(mostAtOnce(ledger([...jobs, job('e', 1, 2, 'primary', 'other')]), 'primary')).toBe(2)
})

test('a blow that hits nothing fails its run, and those before it fell', async () => {
  const fell: string[] = []
  const blow = (kind: string, hits: number) => ({
    kind,
    async fall() {
      fell.push(kind)
      return hits
    },
  })
  const striking = strike([blow('kill', 1), blow('empty redis', 0), blow('kill', 1)], () => 0)
  await expect(striking).rejects.toThrow('this blow hit nothing: empty redis')
  expect(fell).toEqual(['kill', 'empty redis'])
})
