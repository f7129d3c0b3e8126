import { describe, expect, test } from 'vitest'
import { fakeClock } from '../fakes/clock.ts'
import { until } from '../fakes/until.ts'
import { ALT, MAIN, stage } from './harness.ts'

describe('a text video', () => {
  test.each([
    ['primary', MAIN],
    ['alternate', ALT],
  ] as const)('on the %s ends in one signed webhook and a playable file', async (name, body) => {
    const s = await stage()
    const created = await s.create({
      ...body,
      webhook_url: `${s.receiver.url}/hook?token=t`,
      metadata: { order: '17' },
    })
    expect(created).toMatchObject({ interface: name, metadata: { order: '17' }, error: null })
    const [request] = await s.receiver.received(1)
    const event = await s.verified(request)
    const video = await s.ended(created.id)
    expect([request?.method, request?.url]).toEqual(['POST', '/hook?token=t'])
    expect(event.type).toBe('video.completed')
    const { input: _input, ...told } = video
    expect(event.data).toEqual({
      ...told,
      video_url: null,
      video_url_expires_at: null,
      // Events that nobody is owed are numbered, too.
      sequence: event.data.sequence,
      timing: event.data.timing,
    })
    expect(event.data.timing?.detected_at).toBe(video.completed_at)
    expect(JSON.stringify(event)).not.toContain(MAIN.text)

    const file = await fetch(event.data.content_url)
    expect([file.status, file.headers.get('content-type')]).toEqual([200, 'video/mp4'])
    expect(
      Buffer.from(await file.arrayBuffer())
        .subarray(4, 8)
        .toString(),
    ).toBe('ftyp')

    await s.stop()
    expect(s.receiver.requests).toHaveLength(1)
    const { jobs, requests } = s.sandbox.ledger()
    expect(jobs).toMatchObject([{ interface: name, status: 'completed' }])
    expect(requests.filter(({ status }) => status === null || status >= 400)).toEqual([])
  })

  test.each([
    ['primary', MAIN],
    ['alternate', ALT],
  ] as const)('that fails on the %s says so', async (_name, body) => {
    const s = await stage()
    const { id } = await s.create({ ...body, text: 'Please [[fail]]', webhook_url: `${s.receiver.url}/hook` })
    const event = await s.verified((await s.receiver.received(1))[0])
    expect(event).toMatchObject({
      type: 'video.failed',
      data: { id, status: 'failed', error: { code: 'backend_failed', retryable: false } },
    })
    expect(await s.ended(id)).toMatchObject({ status: 'failed', error: event.data.error, credits: event.data.credits })
  })

  test('announces what was asked for, in order', async () => {
    const clock = fakeClock(Date.now())
    const s = await stage({ clock, sandbox: { speed: 1 } })
    const webhook_events = ['video.completed', 'video.processing', 'video.queued']
    await s.create({ ...MAIN, text: 'Hi', webhook_url: `${s.receiver.url}/hook`, webhook_events })
    // Sockets need real time while the clock is moved.
    await until(async () => {
      await clock.advance(200)
      return s.receiver.requests.length === 3
    })
    const events = await Promise.all(s.receiver.requests.map((request) => s.verified(request)))
    expect(events.map(({ type }) => type)).toEqual(['video.queued', 'video.processing', 'video.completed'])
    const numbers = events.map(({ data }) => data.sequence)
    expect(numbers[0]).toBe(1)
    expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => a - b))
  })
})

test('six videos on two slots: all announced, none ever refused', async () => {
  const s = await stage()
  const made = await Promise.all(
    Array.from({ length: 6 }, (_, i) =>
      s.create({ ...MAIN, text: `Video ${i}`, webhook_url: `${s.receiver.url}/hook/${i}` }),
    ),
  )
  expect(made.filter(({ queue }) => queue !== null).length).toBeGreaterThanOrEqual(4)
  const events = await Promise.all((await s.receiver.received(6)).map((request) => s.verified(request)))
  expect(new Set(events.map(({ data }) => data.id))).toEqual(new Set(made.map(({ id }) => id)))
  expect(new Set(events.map(({ type }) => type))).toEqual(new Set(['video.completed']))
  await s.stop()
  const { requests, jobs, charges } = s.sandbox.ledger()
  expect(requests.filter(({ status }) => status === 429)).toEqual([])
  expect([jobs.length, charges.length, s.receiver.requests.length]).toEqual([6, 6, 6])
  // First come, first made. Those that found a slot free go out side by side.
  const order = made.flatMap(({ id, queue }) => (queue === null ? [] : [`${id}.1`])).toSorted()
  expect(
    requests.flatMap(({ operation, idempotency_key: key }) =>
      operation === 'createVideoFromText' && order.includes(String(key)) ? [key] : [],
    ),
  ).toEqual(order)
})

test('a create whose answer was lost makes one job and one charge', async () => {
  const s = await stage()
  await s.fault('primary', { operation: 'createVideoFromText', kind: 'reset', when: 'after' })
  const video = await s.create({ ...MAIN, webhook_url: `${s.receiver.url}/hook` })
  expect(video).toMatchObject({ status: 'queued', backend_job_id: null })
  await s.verified((await s.receiver.received(1))[0])
  expect(await s.ended(video.id)).toMatchObject({ status: 'completed', credits: { charged: 1, remaining: 9 } })
  const { jobs, charges, requests } = s.sandbox.ledger()
  const creates = requests.filter(({ operation }) => operation === 'createVideoFromText')
  expect([jobs.length, charges.length, creates.length]).toEqual([1, 1, 2])
  expect(new Set(creates.map((entry) => entry.idempotency_key))).toEqual(new Set([`${video.id}.1`]))
})

test('on the alternate a lost answer is never paid for again: the callback names the job', async () => {
  const s = await stage()
  await s.fault('alternate', { operation: 'createVideo', kind: 'reset', when: 'after' })
  const video = await s.create({ ...ALT, webhook_url: `${s.receiver.url}/hook` })
  expect(video).toMatchObject({ status: 'queued', backend_job_id: null })
  const event = await s.verified((await s.receiver.received(1))[0])
  expect(event).toMatchObject({ type: 'video.completed', data: { id: video.id } })
  expect(s.sandbox.ledger().jobs).toHaveLength(1)
})
