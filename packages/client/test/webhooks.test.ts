import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { inspect } from 'node:util'
import express from 'express'
import { describe, expect, expectTypeOf, onTestFinished, test } from 'vitest'
import { webhooks, type WebhookEvent, type WebhookEventType } from '../src/index.ts'
import { EVENT_TYPES } from '../../../src/core/vocabulary.ts'
import { newWebhookSecret, sign } from '../../../src/webhooks/sign.ts'
import { ALT, stage } from '../../../test/e2e/harness.ts'
import { must } from '../../../test/fakes/must.ts'
import { seededBytes } from '../../../test/fakes/random.ts'
import { thrown } from './stage.ts'

const [SECRET = '', OTHER = '', THIRD = ''] = [1, 2, 3].map((seed) => newWebhookSecret(seededBytes(seed)))
const BODY = JSON.stringify({
  type: 'video.completed',
  timestamp: '2026-11-20T10:00:00.000Z',
  data: { id: 'vid_1', sequence: 3 },
})
const nowS = (): number => Math.floor(Date.now() / 1000)
const signed = (body = BODY, secrets: readonly string[] = [SECRET], ageS = 0): Record<string, string> => ({
  ...sign({ secrets: [...secrets], id: 'evt_1', timestampS: nowS() - ageS, body }),
})
const EVENT = { id: 'evt_1', ...(JSON.parse(BODY) as object) }

test('the types of events are those of the gateway', () => {
  const all: Record<WebhookEventType, true> = {
    'video.queued': true,
    'video.processing': true,
    'video.progress': true,
    'video.completed': true,
    'video.failed': true,
    'video.canceled': true,
    'endpoint.disabled': true,
    'routing.stopped': true,
    'quota.warning': true,
    'webhook.test': true,
  }
  expect(Object.keys(all).toSorted()).toEqual([...EVENT_TYPES, 'webhook.test'].toSorted())
  const of = (event: WebhookEvent): string => {
    if (event.type === 'quota.warning') expectTypeOf(event.data.threshold).toEqualTypeOf<number>()
    if (event.type === 'video.failed') expectTypeOf(event.data.status).not.toBeAny()
    return event.id
  }
  expect(of(EVENT as WebhookEvent)).toBe('evt_1')
})

describe('verify', () => {
  test.each([
    ['text', BODY],
    ['a Buffer', Buffer.from(BODY)],
    ['bytes', new TextEncoder().encode(BODY)],
    ['an ArrayBuffer', new TextEncoder().encode(BODY).buffer],
  ])('takes %s', (_, body) => {
    expect(webhooks.verify(body, signed(), SECRET)).toEqual(EVENT)
  })

  test('takes headers of any kind, letter by letter', () => {
    const upper = Object.fromEntries(Object.entries(signed()).map(([name, value]) => [name.toUpperCase(), value]))
    const listed = Object.fromEntries(Object.entries(signed()).map(([name, value]) => [name, [value]]))
    for (const headers of [new Headers(signed()), upper, listed])
      expect(webhooks.verify(BODY, headers, SECRET).id).toBe('evt_1')
  })

  test('takes a secret while it is rotated, on either side', () => {
    expect(webhooks.verify(BODY, signed(BODY, [OTHER, SECRET]), SECRET).id).toBe('evt_1')
    expect(webhooks.verify(BODY, signed(BODY, [SECRET]), [OTHER, SECRET]).id).toBe('evt_1')
  })

  const refused: [string, () => unknown, string, RegExp][] = [
    ['another secret', () => webhooks.verify(BODY, signed(), OTHER), 'webhook_invalid', /No matching signature/],
    [
      'none of several',
      () => webhooks.verify(BODY, signed(), [OTHER, THIRD]),
      'webhook_invalid',
      /No matching signature/,
    ],
    ['another body', () => webhooks.verify(`${BODY} `, signed(), SECRET), 'webhook_invalid', /No matching signature/],
    ['too old', () => webhooks.verify(BODY, signed(BODY, [SECRET], 301), SECRET), 'webhook_invalid', /too old/],
    ['of tomorrow', () => webhooks.verify(BODY, signed(BODY, [SECRET], -310), SECRET), 'webhook_invalid', /too new/],
    [
      'no headers',
      () => webhooks.verify(BODY, {}, SECRET),
      'webhook_invalid',
      /lack webhook-id, webhook-timestamp, webhook-signature/,
    ],
    ['no UTF-8', () => webhooks.verify(Buffer.from([0x7b, 0xff, 0x7d]), signed(), SECRET), 'webhook_invalid', /UTF-8/],
    ['no JSON', () => webhooks.verify('{', signed('{'), SECRET), 'webhook_invalid', /not JSON/],
    ['no event', () => webhooks.verify('[]', signed('[]'), SECRET), 'webhook_invalid', /no event/],
    [
      'what a parser made',
      () => webhooks.verify(JSON.parse(BODY) as string, signed(), SECRET),
      'invalid_option',
      /rawBody/,
    ],
    ['no secret', () => webhooks.verify(BODY, signed(), ''), 'invalid_option', /whsec_/],
    [
      'a secret that the environment lacks',
      () => webhooks.verify(BODY, signed(), undefined as unknown as string),
      'invalid_option',
      /secret/,
    ],
    ['no secrets', () => webhooks.verify(BODY, signed(), []), 'invalid_option', /secret/],
    ['a secret of something else', () => webhooks.verify(BODY, signed(), `${SECRET}!`), 'invalid_option', /whsec_/],
  ]
  test.each(refused)('refuses %s, and shows no secret', async (_, work, code, message) => {
    const error = await thrown(Promise.resolve().then(work))
    expect(error).toMatchObject({ name: 'TalkbridgeError', code, message: expect.stringMatching(message) as string })
    for (const secret of [SECRET, OTHER, THIRD])
      expect(inspect(error, { depth: 9, showHidden: true })).not.toContain(secret.slice('whsec_'.length))
  })
})

const listen = async (listener: RequestListener): Promise<string> => {
  const server = createServer(listener).listen(0, '127.0.0.1')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
}

interface Heard {
  events: WebhookEvent[]
  url: string
}

/** Receivers of each kind; `onEvent` fails for the id `evt_bad`. */
const RECEIVERS: Record<string, (options: Parameters<typeof webhooks.fetchHandler>[0]) => Promise<string>> = {
  'a fetch handler': (options) => {
    const handler = webhooks.fetchHandler(options)
    return listen((req, res) => {
      const { method = '', headers } = req
      const body = method === 'GET' ? null : (ReadableStream.from(req) as ReadableStream<Uint8Array>)
      const init = { method, headers: headers as Record<string, string>, body, duplex: 'half' as const }
      handler(new Request('http://receiver.example/hook', init)).then(
        async (answer) => void res.writeHead(answer.status).end(await answer.text()),
        () => void res.writeHead(500).end(),
      )
    })
  },
  'an Express handler': (options) => {
    const app = express()
    app.all('/hook', webhooks.expressHandler(options))
    app.use(
      (_error: unknown, _req: express.Request, res: express.Response, _next: express.NextFunction) =>
        void res.sendStatus(500),
    )
    return listen(app)
  },
  'an Express handler behind express.raw()': (options) => {
    const app = express()
    app.use(express.raw({ type: '*/*' }))
    app.all('/hook', webhooks.expressHandler(options))
    app.use(
      (_error: unknown, _req: express.Request, res: express.Response, _next: express.NextFunction) =>
        void res.sendStatus(500),
    )
    return listen(app)
  },
  'a handler of node:http': (options) => {
    const handler = webhooks.expressHandler(options)
    return listen((req, res) => void handler(req, res).catch(() => {}))
  },
}

const receiver = async (kind: string): Promise<Heard> => {
  const events: WebhookEvent[] = []
  const onEvent = async (event: WebhookEvent): Promise<void> => {
    await Promise.resolve()
    if (event.id === 'evt_bad') throw new Error('the queue is full')
    events.push(event)
  }
  return { events, url: await must(RECEIVERS[kind])({ secret: [OTHER, SECRET], onEvent }) }
}

describe.each(Object.keys(RECEIVERS))('%s', (kind) => {
  test('answers 204 to what is signed, once it was taken, and 4xx or 500 to the rest', async () => {
    const { events, url } = await receiver(kind)
    const post = async (body: string, headers: Record<string, string>) => {
      const answer = await fetch(url, {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json', ...headers },
      })
      return [answer.status, await answer.text()]
    }
    expect(await post(BODY, signed())).toEqual([204, ''])
    expect(await post(BODY, signed(BODY, [THIRD]))).toEqual([400, 'No matching signature found'])
    expect((await post(BODY, {}))[0]).toBe(400)
    const bad = sign({ secrets: [SECRET], id: 'evt_bad', timestampS: nowS(), body: BODY })
    expect((await post(BODY, { ...bad }))[0]).toBe(500)
    expect((await fetch(url)).status).toBe(405)
    expect(events).toEqual([EVENT])
  })

  test('takes what a real gateway sends', async () => {
    const { create, call, ended } = await stage()
    const { secret } = (await (await call('/webhook_secret')).json()) as { secret: string }
    let tell: (event: WebhookEvent) => void = () => {}
    const told = new Promise<WebhookEvent>((resolve) => (tell = resolve))
    const url = await must(RECEIVERS[kind])({ secret, onEvent: (event) => tell(event) })
    const { id } = await create({ ...ALT, webhook_url: url })
    await ended(id)
    const event = await told
    expect([event.type, event.type === 'video.completed' && event.data.id]).toEqual(['video.completed', id])
  })
})

test.each(['a fetch handler', 'an Express handler', 'a handler of node:http'])(
  'a body that is too long is not read: %s',
  async (kind) => {
    const { events, url } = await receiver(kind)
    const { hostname, port } = new URL(url)
    const line = connect(Number(port), hostname).setEncoding('latin1')
    line.write('POST /hook HTTP/1.1\r\nHost: receiver.example\r\nContent-Length: 1000000\r\n\r\n')
    // A byte too many, and not the rest: nobody waits for it.
    line.write('x'.repeat(64 * 1024 + 1))
    const [answer] = (await once(line, 'data')) as [string]
    expect(answer).toMatch(/^HTTP\/1\.1 413 /)
    line.destroy()
    expect(events).toEqual([])
  },
)

test.each([webhooks.expressHandler, webhooks.fetchHandler])('a handler without a secret is never made', (make) => {
  for (const secret of [undefined as unknown as string, '', [], 'hello world'])
    expect(() => make({ secret, onEvent: () => {} })).toThrow(/^secret: /)
})

test('a sender that hangs up is no fault of the receiver', async () => {
  const handler = webhooks.expressHandler({ secret: SECRET, onEvent: () => {} })
  const handled = Promise.withResolvers<void>()
  const url = new URL(await listen((req, res) => void handler(req, res).then(handled.resolve, handled.reject)))
  const line = connect(Number(url.port), url.hostname)
  line.write('POST /hook HTTP/1.1\r\nHost: receiver.example\r\nContent-Length: 100\r\n\r\n{', () => line.destroy())
  await handled.promise
})

test('a body that was read before is a mistake, and said so', async () => {
  const request = new Request('http://receiver.example/hook', { method: 'POST', body: BODY, headers: signed() })
  await request.text()
  const handler = webhooks.fetchHandler({ secret: SECRET, onEvent: () => {} })
  expect(await thrown(handler(request))).toMatchObject({ code: 'invalid_option' })
})

test('a body that was parsed before is a mistake, and said so', async () => {
  const app = express()
  const errors: unknown[] = []
  app.use(express.json())
  app.post('/hook', webhooks.expressHandler({ secret: SECRET, onEvent: () => {} }))
  app.use((error: unknown, _req: express.Request, res: express.Response, _next: express.NextFunction) => {
    errors.push(error)
    res.sendStatus(500)
  })
  const url = await listen(app)
  const headers = { 'content-type': 'application/json', ...signed() }
  expect((await fetch(url, { method: 'POST', body: BODY, headers })).status).toBe(500)
  expect(errors).toMatchObject([
    { code: 'invalid_option', message: expect.stringContaining('express.json()') as string },
  ])
})
