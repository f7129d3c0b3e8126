import { expect, test } from 'vitest'
import { z } from 'zod'
import type { UpstreamOperation } from '../../src/core/tally.ts'
import { ALT, MAIN, stage, type Stage } from '../e2e/harness.ts'
import { bearer } from '../fakes/gateway.ts'
import { samples, sumOf } from '../fakes/scraped.ts'
import { until } from '../fakes/until.ts'

const Events = z.object({
  data: z.array(z.object({ data: z.object({ timing: z.object({ uncertainty_ms: z.number() }).optional() }) })),
})

type Calls = Record<string, number>

/** What each of our operations is called in the ledger. The alternate has no call for a link: the job is read again. */
const CALLED: Readonly<Record<'main' | 'alt', Readonly<Partial<Record<UpstreamOperation, string>>>>> = {
  main: {
    create: 'createVideoFromText',
    status: 'getVideoJob',
    download: 'getVideoDownload',
    voices: 'listServiceVoices',
    usage: 'getUsage',
  },
  alt: { create: 'createVideo', status: 'getVideo', download: 'getVideo', voices: 'listVoices' },
}

const scraped = async (s: Stage): Promise<string> => (await fetch(`${s.gateway().gateway.url}/metrics`)).text()

const added = (calls: readonly (readonly [name: string, count: number])[]): Calls => {
  const all: Calls = {}
  for (const [name, count] of calls) all[name] = (all[name] ?? 0) + count
  return all
}

const counted = (text: string, backend: 'main' | 'alt'): Calls => {
  const names = new Map(Object.entries(CALLED[backend]))
  const asked = samples(text, 'talkbridge_upstream_requests_total', { backend })
  return added(asked.map(({ labels, value }) => [names.get(labels['operation'] ?? '') ?? 'unnamed', value]))
}

const ledgered = (s: Stage, backend: 'main' | 'alt'): Calls => {
  const kind = backend === 'main' ? 'primary' : 'alternate'
  const asked = s.sandbox.ledger().requests.filter((one) => one.interface === kind)
  return added(asked.map(({ operation }) => [operation ?? 'unnamed', 1]))
}

test('after a story the figures are those of the sandbox’s ledger, of the receiver and of the videos', async () => {
  const s = await stage({ config: { backends: { main: { requests_per_minute: 100 } } } })
  const { url } = s.gateway().gateway
  const hook = { webhook_url: `${s.receiver.url}/hook` }
  // At once, while there is a slot: else it waits first.
  await expect(s.create({ ...MAIN, text: 'Hello [[invalid-image]]' })).rejects.toThrow('400')
  const made = [
    await s.create({ ...MAIN, ...hook }),
    await s.create({ ...MAIN, text: 'Hello [[fail]]' }),
    await s.create({ ...MAIN, text: 'Hello again' }),
    await s.create({ ...ALT, ...hook }),
  ]
  await Promise.all(made.map(({ id }) => s.ended(id)))
  for (const backend of ['main', 'alt']) await s.call(`/voices?backend=${backend}`)
  await s.call(`/nothing?secret=hush-hush`)
  await fetch(`${url}/unified/v1/videos/vid_x`, { headers: bearer('tb_nobody_0123456789abcdef') })
  // A delivery is counted when it is recorded, which is after the receiver answered.
  await until(async () => sumOf(await scraped(s), 'talkbridge_webhook_deliveries_total') === 2)
  const text = await scraped(s)

  for (const backend of ['main', 'alt'] as const) expect(counted(text, backend)).toEqual(ledgered(s, backend))
  const polls = sumOf(text, 'talkbridge_polls_total', { backend: 'main' })
  const { requests, callbacks } = s.sandbox.ledger()
  expect(polls).toBe(requests.filter(({ operation }) => operation === 'getVideoJob').length)
  const create = { backend: 'main', operation: 'create' }
  expect(sumOf(text, 'talkbridge_upstream_requests_total', { ...create, outcome: 'invalid_image' })).toBe(1)
  expect(sumOf(text, 'talkbridge_upstream_request_duration_seconds_count', create)).toBe(4)

  const endedAs = (labels: Record<string, string>) => sumOf(text, 'talkbridge_videos_ended_total', labels)
  expect(endedAs({ backend: 'main', status: 'completed', code: '' })).toBe(2)
  expect(endedAs({ backend: 'main', status: 'failed', code: 'backend_failed' })).toBe(1)
  expect(endedAs({ backend: 'alt' })).toBe(1)
  expect(sumOf(text, 'talkbridge_videos_created_total')).toBe(5)
  const events = Events.parse(await (await s.call('/events?limit=100')).json())
  const lateMs = events.data.reduce((sum, { data }) => sum + (data.timing?.uncertainty_ms ?? 0), 0)
  expect(sumOf(text, 'talkbridge_detection_uncertainty_seconds_sum')).toBeCloseTo(lateMs / 1_000, 6)
  expect(sumOf(text, 'talkbridge_detection_uncertainty_seconds_count')).toBe(4)
  expect(sumOf(text, 'talkbridge_dispatch_wait_seconds_count')).toBe(4)

  expect(s.receiver.requests).toHaveLength(2)
  const delivered = { target: 'video', outcome: '2xx' }
  expect(sumOf(text, 'talkbridge_webhook_attempts_total', delivered)).toBe(2)
  expect(sumOf(text, 'talkbridge_webhook_delivery_seconds_count', { target: 'video' })).toBe(2)

  const answered = (labels: Record<string, string>) =>
    sumOf(text, 'http_server_request_duration_seconds_count', {
      ...('http_route' in labels ? {} : { http_route: '/unified/v1/videos' }),
      ...labels,
    })
  expect(answered({ http_request_method: 'POST', http_response_status_code: '202' })).toBe(4)
  expect(answered({ http_request_method: 'POST', http_response_status_code: '400' })).toBe(1)
  const one = { http_route: '/unified/v1/videos/{id}' }
  expect(answered({ ...one, http_response_status_code: '200' })).toBe(4)
  expect(answered({ ...one, http_response_status_code: '401' })).toBe(1)
  expect(answered({ http_route: 'unknown' })).toBe(1)
  expect(answered({ http_route: '/hooks/{backend}/{token}' })).toBe(callbacks.length)
  expect(text).not.toContain('hush-hush')
})
