import { Webhook } from 'standardwebhooks'
import { describe, expect, onTestFinished, test } from 'vitest'
import { fakeClock } from '../../fakes/clock.ts'
import { KEYS } from '../../fakes/gateway.ts'
import { must } from '../../fakes/must.ts'
import { startReceiver, type Received } from '../../fakes/receiver.ts'
import { MINUTE } from '../../fakes/records.ts'
import { until } from '../../fakes/until.ts'
import { ASKED, bodyOf, stage, type Body } from './alternate-stage.ts'

/** `webhook_url` of a video that was made on `/v1`: in the words of the contract, signed, whichever backend works. */

const SECRET = `whsec_${Buffer.alloc(32, 5).toString('base64')}`

const hooked = async (options: Parameters<typeof stage>[0] = {}) => {
  const receiver = await startReceiver()
  const on = await stage({
    runsEngine: true,
    webhooks: { allow: [{ cidr: '127.0.0.0/8', http: true }] },
    clients: [{ id: 'anna', key: KEYS.anna, webhook_secret: SECRET, limits: { requests_per_minute: 1_000_000 } }],
    ...options,
  })
  onTestFinished(() => receiver.close())
  on.app.deps.origin.callbacks = on.app.url
  const created = async (body: object = ASKED): Promise<string> =>
    String(bodyOf(await on.create({ ...body, webhook_url: `${receiver.url}/hook` }).expect(201))['id'])
  /** As the backend does when a job has ended. */
  const callBack = async (clip: string, status: 'completed' | 'failed', body: unknown) => {
    must(on.alt.clips.get(clip)).status = status
    const url = String(on.alt.creates()[Number(clip.replace('clip_', '')) - 1]?.['webhook_url'])
    await on.app.raw.post(new URL(url).pathname).set('content-type', 'application/json').send(JSON.stringify(body))
  }
  return { ...on, receiver, created, callBack }
}

/** Throws unless it is signed, as bytes. */
const verified = ({ body, headers }: Received): unknown => new Webhook(SECRET).verify(body, Object(headers) as never)

/** The end as an event, signed: what was read, and not what a callback said. */
const expectDetail = (received: Received, id: string): void => {
  const sent = verified(received) as { data: Body }
  expect(sent).toEqual({
    type: 'video.completed',
    timestamp: expect.stringMatching(/Z$/) as unknown,
    data: expect.objectContaining({ id, status: 'completed', mood: 'calm', duration_sec: 7 }) as unknown,
  })
  expect(sent.data['download_url']).toMatch(new RegExp(`/unified/v1/videos/${id}/content\\?sig=`))
}

describe('the alternate behind', () => {
  const CALLBACK = {
    notification: 'video_finished',
    video: { video_id: 'clip_1', outcome: 'success', link: 'https://cdn.example/clip_1.mp4?sig=1' },
    more: ['clip_1', { self: '/v1/videos/clip_1' }],
  }

  test('the backend’s own body is sent on after a poll has confirmed it, under our id and signature', async () => {
    const on = await hooked()
    const id = await on.created()
    expect(on.receiver.requests).toEqual([])
    await on.callBack('clip_1', 'completed', CALLBACK)
    const [received] = await on.receiver.received(1)
    expect(verified(must(received))).toEqual({
      ...CALLBACK,
      video: { ...CALLBACK.video, video_id: id },
      more: [id, { self: `/v1/videos/${id}` }],
    })
    expect(on.app.alt.requests.filter(({ path }) => path === '/v1/videos/clip_1')).not.toEqual([])
  })

  test('sent again it has the same body and id, signed anew; endpoints and reads have the event', async () => {
    const on = await hooked()
    const auth = { authorization: `Bearer ${KEYS.anna}` }
    const endpoint = await on.app.raw
      .post('/unified/v1/webhook_endpoints')
      .set(auth)
      .send({ url: `${on.receiver.url}/endpoint` })
      .expect(201)
    const id = await on.created()
    await on.callBack('clip_1', 'completed', CALLBACK)
    const at = (path: string) => on.receiver.requests.filter(({ url }) => url === path)
    await until(() => at('/hook').length === 1 && at('/endpoint').length === 1)
    const [first] = at('/hook')
    const eventId = String(must(first).headers['webhook-id'])
    await on.app.raw.post(`/unified/v1/events/${eventId}/redeliver`).set(auth).expect(202)
    await until(() => at('/hook').length === 2 && at('/endpoint').length === 2)
    const [, again] = at('/hook')
    expect(must(again).body).toBe(must(first).body)
    expect(must(again).headers['webhook-id']).toBe(eventId)
    expect(verified(must(again))).toMatchObject({ notification: 'video_finished' })
    const { secret } = bodyOf(endpoint)
    for (const { body, headers } of at('/endpoint')) {
      expect(new Webhook(String(secret)).verify(body, Object(headers) as never)).toMatchObject({
        type: 'video.completed',
        data: { id, object: 'video' },
      })
      expect(headers['webhook-id']).toBe(eventId)
    }
    const event = await on.app.raw.get(`/unified/v1/events/${eventId}`).set(auth).expect(200)
    expect(event.body).toMatchObject({ type: 'video.completed', data: { id, object: 'video' } })
  })

  test.each<[string, unknown]>([
    ['no object', 'done'],
    ['no JSON that could be kept', { note: 'x'.repeat(17_000) }],
    ['about another end than the backend confirms', { ...CALLBACK, status: 'failed' }],
    ['about another end, one level down', { video: { video_id: 'clip_1', status: 'processing' } }],
  ])('a callback that is %s is not sent on: the detail is, as an event', async (_, callback) => {
    const on = await hooked()
    const id = await on.created()
    await on.callBack('clip_1', 'completed', callback)
    // Whatever a callback names is read when it may be.
    const [received] = await on.receiver.received(1)
    expectDetail(must(received), id)
  })

  test('a callback about another job is not sent on: what is planned finds the end, and sends the detail', async () => {
    const clock = fakeClock(Date.now())
    const on = await hooked({ clock })
    const id = await on.created()
    const isAsked = (clip: string): boolean => on.app.alt.requests.some(({ path }) => path === `/v1/videos/${clip}`)
    /** Without a moment of the clock's, so that nothing on its way is late. */
    const become = (isSo: () => boolean): Promise<void> =>
      until(async () => {
        await clock.advance(0)
        return isSo()
      })
    await on.callBack('clip_1', 'completed', { video: { video_id: 'clip_9' } })
    await become(() => isAsked('clip_9'))
    expect(isAsked('clip_1')).toBe(false)
    await clock.advance(MINUTE)
    await become(() => on.receiver.requests.length > 0)
    expect(isAsked('clip_1')).toBe(true)
    expectDetail(must(on.receiver.requests[0]), id)
  })

  test('a failure is called back, too; whose body is short of nothing', async () => {
    const on = await hooked()
    const id = await on.created()
    await on.callBack('clip_1', 'failed', { video_id: 'clip_1', status: 'failed', why: 'no face' })
    const [received] = await on.receiver.received(1)
    expect(verified(must(received))).toEqual({ video_id: id, status: 'failed', why: 'no face' })
  })

  test('an id that makes it long is no way around the bound of 20 kB', async () => {
    const on = await hooked()
    const id = await on.created()
    const many = { ids: Array.from({ length: 1_400 }, () => 'clip_1') }
    expect(JSON.stringify(many).length).toBeLessThan(16_384)
    await on.callBack('clip_1', 'completed', many)
    const [received] = await on.receiver.received(1)
    expect(must(received).body.length).toBeLessThan(20_000)
    expect(verified(must(received))).toMatchObject({ type: 'video.completed', data: { id } })
  })
})

describe('the primary behind', () => {
  test.each(['completed', 'failed'] as const)('%s: the detail as an event', async (status) => {
    const on = await hooked({ behind: 'main' })
    on.main.state.onCreate = status
    const id = await on.created({ ...ASKED, puppet_id: 'pup_m' })
    const [received] = await on.receiver.received(1)
    const sent = verified(must(received)) as { type: string; timestamp: string; data: Body }
    expect(Object.keys(sent)).toEqual(['type', 'timestamp', 'data'])
    expect(sent.type).toBe(`video.${status}`)
    const now = bodyOf(await on.get(`/videos/${id}`).expect(200))
    const { content_url: contentUrl } = bodyOf(await on.app.get(`/videos/${id}`).expect(200))
    expect(sent.data).toEqual({ ...now, download_url: status === 'completed' ? contentUrl : null })
    expect(must(received).headers['webhook-id']).toMatch(/^evt_/)
  })

  test('nothing comes before the end', async () => {
    const on = await hooked({ behind: 'main' })
    await on.created({ ...ASKED, puppet_id: 'pup_m' })
    on.main.state.onCreate = 'completed'
    const id = await on.created({ ...ASKED, puppet_id: 'pup_m', script: 'Other' })
    const [received] = await on.receiver.received(1)
    expect(verified(must(received))).toMatchObject({ data: { id } })
    expect(on.receiver.requests).toHaveLength(1)
  })
})

test('a video of another surface is told as an event, whoever calls back', async () => {
  const on = await hooked()
  const asked = { backend: 'alt', puppet_id: 'pup_1', text: 'Hi', webhook_url: `${on.receiver.url}/hook` }
  const { id } = bodyOf(await on.app.post(asked).expect(202))
  await on.callBack('clip_1', 'completed', { video_id: 'clip_1', status: 'completed' })
  const [received] = await on.receiver.received(1)
  expect(verified(must(received))).toMatchObject({ type: 'video.completed', data: { id, object: 'video' } })
})
