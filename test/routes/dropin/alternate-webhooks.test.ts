import { Webhook } from 'standardwebhooks'
import { describe, expect, onTestFinished, test } from 'vitest'
import { fakeClock } from '../../fakes/clock.ts'
import { KEYS } from '../../fakes/gateway.ts'
import { must } from '../../fakes/must.ts'
import { startReceiver, type Received } from '../../fakes/receiver.ts'
import { MINUTE } from '../../fakes/records.ts'
import { until } from '../../fakes/until.ts'
import { issuing } from '../access-stage.ts'
import { ASKED, bodyOf, stage, type Body } from './alternate-stage.ts'

/** `webhook_url` of a video that was made on `/v1`: what a poll read, signed, whichever backend works. */

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
    event: 'video.completed',
    video: { video_id: 'clip_1', status: 'completed', duration_sec: 7, link: 'https://cdn.example/clip_1.mp4?sig=0' },
    data: [{ self: '/v1/videos/clip_1', mood: 'calm', job: ['clip_1'] }],
  }

  test('the backend’s own names and shape are sent with what a poll confirmed, under our id and signature', async () => {
    const on = await hooked()
    const id = await on.created()
    expect(on.receiver.requests).toEqual([])
    await on.callBack('clip_1', 'completed', CALLBACK)
    const [received] = await on.receiver.received(1)
    expect(verified(must(received))).toEqual({
      ...CALLBACK,
      // The same file, with the signature that the poll got.
      video: { ...CALLBACK.video, video_id: id, link: 'https://cdn.example/clip_1.mp4?sig=1' },
      data: [{ self: `/v1/videos/${id}`, mood: 'calm', job: [id] }],
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
    expect(verified(must(again))).toMatchObject({ event: 'video.completed' })
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

  const ENDED = { id: 'clip_1', status: 'completed' }
  test.each<[string, unknown]>([
    ['no object', 'done'],
    ['empty', {}],
    ['silent about which video it is', { status: 'completed' }],
    ['with a link to another file', { ...ENDED, download_url: 'https://evil.example/forged.mp4' }],
    [
      'with a link to another file of the same host',
      { ...ENDED, download_url: 'https://cdn.example/clip_2.mp4?sig=1' },
    ],
    ['with a comment', { ...ENDED, comment: 'written by a stranger' }],
    ['with a word that no poll read', { ...ENDED, comment: 'forged' }],
    ['with another number', { ...ENDED, duration_sec: 8 }],
    ['with a number of another field', { ...ENDED, refund: 7 }],
    ['with a flag', { ...ENDED, is_free: true }],
    ['without the link', { ...ENDED, download_url: null }],
    ['with a message in a name', { ...ENDED, 'see https://evil.example': null }],
    [
      'with a message in a name that has a confirmed value',
      { ...ENDED, Your_account_is_blocked_call_555_1234: 'completed' },
    ],
    ['with a message in the name of an empty object', { ...ENDED, Your_account_is_blocked_call_555_1234: {} }],
    ['with a message in the name of an empty list', { ...ENDED, Your_account_is_blocked_call_555_1234: [] }],
    [
      'with the true file under a name of its own',
      { ...ENDED, refund_url: 'https://cdn.example/clip_1.mp4?x=attacker' },
    ],
    ['with the value of another name', { ...ENDED, status: 'calm' }],
    ['about another video, in a word that nobody reads', { id: 'clip_1', video: 'clip_2' }],
    ['deep', { ...ENDED, a: [{ b: [{ c: 'deep' }] }] }],
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
    const error = { code: 'face_not_found', message: 'no face' }
    await on.callBack('clip_1', 'failed', { video_id: 'clip_1', status: 'failed', error })
    const [received] = await on.receiver.received(1)
    expect(verified(must(received))).toEqual({ video_id: id, status: 'failed', error })
  })

  test('an id that makes it long is no way around the bound of 20 kB', async () => {
    const on = await hooked()
    const id = await on.created()
    const many = { id: 'clip_1', video_id: Array.from({ length: 1_400 }, () => 'clip_1') }
    expect(JSON.stringify(many).length).toBeLessThan(16_384)
    await on.callBack('clip_1', 'completed', many)
    const [received] = await on.receiver.received(1)
    expect(must(received).body.length).toBeLessThan(20_000)
    expect(verified(must(received))).toMatchObject({ type: 'video.completed', data: { id } })
  })
})

/** A service that repeats what it was given, in its answers and in what it says to people. */
describe('a service that repeats its webhook_url', () => {
  const TOKEN = /vid_[0-9A-Z]{26}\.\d+\.[\w-]{43}/
  const echoing = async () => {
    const on = await hooked()
    const { key } = await issuing(on.app).issue({ client: 'anna', scopes: ['videos:read'] })
    const given = new Map<string, string>()
    let status = 'processing'
    const shown = (id: string) => {
      const url = given.get(id) ?? ''
      const token = url.slice(url.lastIndexOf('/') + 1)
      return {
        id,
        status,
        puppet_id: 'pup_1',
        webhook_url: url,
        note: `The service calls ${url} when it is done`,
        settings: { hooks: [{ target: url, token }], text: `token=${token}` },
        [url]: true,
        thumbnail_url: `${url}/thumbnail.png`,
        download_url: status === 'completed' ? `https://cdn.example/${id}.mp4?sig=1` : null,
        ...(status === 'failed' && { error: { code: 'no_face', message: `no face; ${token} was called` } }),
      }
    }
    on.app.alt.answer(({ method, path, body }) => {
      if (method === 'POST') {
        const id = `clip_${given.size + 1}`
        given.set(id, (JSON.parse(body) as { webhook_url: string }).webhook_url)
        return { status: 201, body: shown(id) }
      }
      if (path.startsWith('/v1/videos?')) {
        const data = [...given.keys()].map(shown)
        return { body: { data, pagination: { page: 1, limit: 100, total: data.length, total_pages: 1 } } }
      }
      if (/^\/v1\/(voices|puppets)/.test(path)) {
        const token = [...given.values()][0]?.split('/').at(-1) ?? 'none yet'
        const named = { name: 'Ada', gender: 'female', language: 'en-US', preview_url: null, type: 'stock' }
        const data = [...given.keys()].map((id) => ({ ...shown(id), ...named }))
        return { headers: { 'x-request-id': token, etag: `"${token}"` }, body: { data, next: token } }
      }
      const id = path.split('/')[3] ?? ''
      return given.has(id)
        ? { body: shown(id) }
        : { status: 404, body: { error: { code: 'video_not_found', message: `no ${[...given.values()].join(' ')}` } } }
    })
    const become = (next: string) => void (status = next)
    return { ...on, given, key, become }
  }

  test.each(['completed', 'failed'])('shows its token to nobody, on no surface and in no log (%s)', async (end) => {
    const on = await echoing()
    const id = await on.created()
    const other = await on.created({ ...ASKED, script: 'Another one' })
    expect(on.given.get('clip_1')).toMatch(TOKEN)
    const answers: string[] = []
    /** Lists as the service sent them. */
    const lists: string[] = []
    const read = async (path: string, key = on.key) => {
      const { text, headers } = await on.app.raw.get(path).set('authorization', `Bearer ${key}`)
      answers.push(text, JSON.stringify(headers))
      return text
    }
    const readAll = async () => {
      for (const video of [id, other])
        for (const path of ['/v1/videos/X', '/unified/v1/videos/X', '/unified/v1/videos/X?expand=timeline'])
          await read(path.replace('X', video))
      await read(`/v1/videos`)
      await read(`/api/v1/videos/api_video_${id.slice(4)}`)
      await read('/unified/v1/videos?origin=backend&backend=alt', KEYS.anna)
      await read('/unified/v1/backends/alt/drift', KEYS.anna)
      await read(`/unified/v1/admin/videos/${id}`, KEYS.anna)
      await read('/unified/v1/events', KEYS.anna)
      await read('/v1/videos/clip_9')
      for (const path of ['/v1/voices', '/v1/puppets']) lists.push(await read(path, KEYS.anna))
    }
    await readAll()
    on.become(end)
    for (const url of on.given.values()) await on.app.raw.post(new URL(url).pathname).send({})
    const received = await on.receiver.received(2)
    answers.push(...received.map(({ body }) => body))
    await readAll()
    expect(answers.length).toBeGreaterThan(40)
    expect(answers.filter((text) => TOKEN.test(text))).toEqual([])
    expect(answers.filter((text) => text.includes('/hooks/alt/'))).toEqual([])
    expect(lists.map((text) => text.includes('"note":"The service calls [url] when'))).toEqual(lists.map(() => true))
    expect(on.app.logs.filter((line) => TOKEN.test(line))).toEqual([])
    // The client's own URL stands where the whole value was the gateway's.
    const body = JSON.parse(await read(`/v1/videos/${id}`)) as Body
    const own = `${on.receiver.url}/hook`
    expect(body).toMatchObject({
      status: end,
      webhook_url: own,
      note: 'The service calls [url] when it is done',
      settings: { hooks: [{ target: own, token: '[url]' }], text: '[url]' },
    })
    expect(Object.keys(body).filter((name) => name.startsWith('http'))).toEqual([])
  })

  test('lets nobody write what is signed: a forged callback is only a reason to poll', async () => {
    const on = await echoing()
    const id = await on.created()
    on.become('completed')
    const forged = {
      id: 'clip_1',
      status: 'completed',
      download_url: 'https://evil.example/forged.mp4',
      comment: 'written by a read-only key',
    }
    await on.app.raw.post(new URL(on.given.get('clip_1') ?? '').pathname).send(forged)
    const [received] = await on.receiver.received(1)
    expect(must(received).body).not.toMatch(/evil|written by/)
    expect(verified(must(received))).toMatchObject({ type: 'video.completed', data: { id, status: 'completed' } })
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
