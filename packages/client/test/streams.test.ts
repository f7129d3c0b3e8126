import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, expectTypeOf, onTestFinished, test } from 'vitest'
import { createTalkbridge } from '../src/index.ts'
import { createFrameReader } from '../src/stream.ts'
import type { StreamEvent } from '../src/types.ts'
import { talkbridgeIn } from '../src/talkbridge.ts'
import { ALT, stage } from '../../../test/e2e/harness.ts'
import { KEYS } from '../../../test/fakes/gateway.ts'
import { must } from '../../../test/fakes/must.ts'
import { hastyRuntime, KEY, scriptedRuntime, thrown, TIMEOUT_MS } from './stage.ts'

describe('what is read', () => {
  const read = (...texts: string[]) => {
    const reader = createFrameReader(null)
    const frames = texts.flatMap((text) => reader.push(text))
    return { frames, lastEventId: reader.lastEventId(), retryMs: reader.retryMs() }
  }
  const FRAME = { event: 'video.queued', data: '{}', lastEventId: '1' }

  test.each([
    ['a whole event', ['id: 1\nevent: video.queued\ndata: {}\n\n'], [FRAME]],
    ['in pieces', ['id: 1\nev', 'ent: video.queued\nda', 'ta: {}', '\n', '\n'], [FRAME]],
    ['other line ends', ['id: 1\r\nevent: video.queued\rdata: {}\r\n\r\n'], [FRAME]],
    ['a line end in two', ['id: 1\nevent: video.queued\ndata: {}\r', '\n\r', '\n'], [FRAME]],
    ['a line end in two, inside an event', ['event: video.queued\r', '\nid: 1\r', '\ndata: {}\n\n'], [FRAME]],
    ['no blank behind the colon', ['id:1\nevent:video.queued\ndata:{}\n\n'], [FRAME]],
    ['lines', ['data: a\ndata\ndata: : b\n\n'], [{ event: 'message', data: 'a\n\n: b', lastEventId: null }]],
    ['comments and fields that nobody knows', [': heartbeat\n\nfoo: bar\n\n'], []],
    ['a block that never ends', ['data: {}\n'], []],
    [
      'the id goes on',
      ['id: 1\ndata: a\n\ndata: b\n\n'],
      [1, 1].map((id, at) => ({ event: 'message', data: 'ab'[at], lastEventId: String(id) })),
    ],
  ])('%s', (_, texts, frames) => {
    expect(read(...texts).frames).toEqual(frames)
  })

  test('ids of blocks that are no events, and pauses', () => {
    expect(read('retry: 1500\nid: 7\n\n')).toEqual({ frames: [], lastEventId: '7', retryMs: 1_500 })
    expect(read('retry: soon\nid: a\0b\n\n')).toEqual({ frames: [], lastEventId: null, retryMs: null })
  })

  test('an event that breaks off is still to come: its id does not count', () => {
    expect(read('id: 1\ndata: a\n\nid: 2\nevent: video.completed\nda').lastEventId).toBe('1')
  })

  test('an event without an end is not kept without one', () => {
    const mebibyte = 'a'.repeat(1024 * 1024)
    expect(() => read('data: ', mebibyte)).toThrow('incomplete event')
    expect(() => read(`data: ${mebibyte}\n`)).toThrow('incomplete event')
    expect(read(`data: ${mebibyte}\n\n`).frames).toHaveLength(1)
  })

  test('events are the same, however their bytes are cut', () => {
    const text = ': hi\n\nid: 1\r\nevent: a\r\ndata: é1\r\ndata: 2\r\n\r\nid: 2\n\ndata: not ended'
    for (let size = 1; size < 12; size += 1) {
      const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, n) =>
        text.slice(n * size, (n + 1) * size),
      )
      const frames = [{ event: 'a', data: 'é1\n2', lastEventId: '1' }]
      expect(read(...pieces)).toEqual({ frames, lastEventId: '2', retryMs: null })
    }
  })
})

type Play = (response: ServerResponse, request: IncomingMessage) => void
const SILENT_MS = 45_000

/** A server whose streams go as they are told, one after the other. */
const streams = async (...plays: Play[]) => {
  const requests: IncomingMessage[] = []
  const server = createServer((request, response) => {
    requests.push(request)
    must(plays.shift())(response, request)
  }).listen(0, '127.0.0.1')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  await new Promise((resolve) => server.once('listening', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const runtime = scriptedRuntime([TIMEOUT_MS, SILENT_MS])
  const talkbridge = talkbridgeIn(runtime, { url, key: KEY, timeoutMs: TIMEOUT_MS, maxRetries: 2 })
  return {
    url,
    runtime,
    talkbridge,
    came: () => requests.map(({ headers }) => headers['last-event-id'] ?? null),
    requests,
  }
}

const begun = (response: ServerResponse): ServerResponse =>
  response.writeHead(200, { 'content-type': 'text/event-stream' })
const state = (version: number, status: string): string =>
  `id: ${version}\nevent: video.${status}\ndata: ${JSON.stringify({ id: 'vid_1', status, progress: version / 10 })}\n\n`
const collect = async <T>(items: AsyncIterable<T>): Promise<T[]> => {
  const all: T[] = []
  for await (const item of items) all.push(item)
  return all
}

describe('breaks', () => {
  test('each is followed by another stream behind the last id, until the video has ended', async () => {
    const { talkbridge, came, runtime } = await streams(
      (res) => begun(res).end(`retry: 1000\n\n${state(1, 'queued')}`),
      (res) => begun(res).write(state(2, 'processing'), () => res.destroy()),
      (res) => begun(res).write('id: 4\nevent: video.progress\nda', () => res.destroy()),
      (res) => void res.socket?.destroy(),
      (res) => begun(res).write(state(5, 'completed')),
    )
    const told = await collect(talkbridge.videos.stream('vid_1'))
    expect(told.map(({ status }) => status)).toEqual(['queued', 'processing', 'completed'])
    // The event of id 4 broke off, and is sent again.
    expect(came()).toEqual([null, '1', '2', '2', '2'])
    expect(runtime.pauses).toEqual([1_000, 3_000, 3_000, 250])
  })

  test('204 says that there is nothing more', async () => {
    const { talkbridge, came } = await streams(
      (res) => begun(res).end(state(3, 'processing')),
      (res) => res.writeHead(204).end(),
    )
    expect(await collect(talkbridge.videos.stream('vid_1'))).toHaveLength(1)
    expect(came()).toEqual([null, '3'])
  })

  test('a line that is silent for three heartbeats is a broken one', async () => {
    const { talkbridge, came, runtime } = await streams(
      (res) => begun(res).write(state(1, 'processing')),
      (res) => begun(res).end(state(2, 'completed')),
    )
    const told = talkbridge.videos.stream('vid_1')[Symbol.asyncIterator]()
    expect((await told.next()).value?.status).toBe('processing')
    const next = told.next()
    // It listens again from its next turn on.
    await Promise.resolve()
    setImmediate(() => runtime.expire())
    expect((await next).value?.status).toBe('completed')
    expect(came()).toEqual([null, '1'])
  })

  test('a link needs no key, and gets none', async () => {
    const end: Play = (res) => begun(res).end(state(2, 'completed'))
    const { url, talkbridge, requests } = await streams(end, end)
    await collect(talkbridge.videos.stream('vid_1'))
    await collect(talkbridge.videos.stream({ events_url: `${url}/unified/v1/videos/vid_1/events?sig=s` }))
    expect(requests.map(({ headers }) => headers.authorization)).toEqual([`Bearer ${KEY}`, undefined])
  })

  test('what cannot be mended is thrown', async () => {
    const refuse =
      (status: number, code: string, retryable: boolean): Play =>
      (res) =>
        void res
          .writeHead(status, { 'content-type': 'application/problem+json' })
          .end(JSON.stringify({ code, retryable, detail: 'no' }))
    const lost = await streams(refuse(404, 'video_not_found', false))
    expect(await thrown(collect(lost.talkbridge.videos.stream('vid_1')))).toMatchObject({ code: 'video_not_found' })
    const full = await streams(...[1, 2, 3].map(() => refuse(429, 'rate_limited', true)))
    expect(await thrown(collect(full.talkbridge.videos.stream('vid_1')))).toMatchObject({ code: 'rate_limited' })
    expect(full.requests).toHaveLength(3)
    const page = await streams((res) => res.writeHead(200, { 'content-type': 'text/html' }).end('<html>'))
    expect(await thrown(collect(page.talkbridge.videos.stream('vid_1')))).toMatchObject({ code: 'unexpected_answer' })
    const broken = await streams((res) => begun(res).end('data: {\n\n'))
    expect(await thrown(collect(broken.talkbridge.videos.stream('vid_1')))).toMatchObject({ code: 'unexpected_answer' })
  })

  test('the connection is let go with the loop, and by your signal', async () => {
    const closed: Promise<unknown>[] = []
    const play: Play = (res) => {
      closed.push(new Promise((resolve) => res.once('close', resolve)))
      begun(res).write(state(1, 'processing'))
    }
    const { talkbridge } = await streams(play, play)
    for await (const video of talkbridge.videos.stream('vid_1')) {
      expect(video.status).toBe('processing')
      break
    }
    await closed[0]
    const stop = new AbortController()
    const reason = new Error('no longer wanted')
    const following = async (): Promise<void> => {
      for await (const video of talkbridge.videos.stream('vid_1', { signal: stop.signal })) {
        expect(video.status).toBe('processing')
        stop.abort(reason)
      }
    }
    expect(await thrown(following())).toBe(reason)
    await closed[1]
  })
})

describe('a real gateway', () => {
  test('tells a video to its end, across a restart, and by its link without a key', async () => {
    const { create, gateway, restart } = await stage({ sandbox: { speed: 20 } })
    const { url } = gateway().gateway
    const { videos } = talkbridgeIn(hastyRuntime, { url, key: KEYS.anna, maxRetries: 10_000 })
    const { id, events_url } = await create({ ...ALT, metadata: { order: '1001' } })
    const told: string[] = []
    for await (const video of videos.stream(id)) {
      if (told.length === 0) await restart()
      told.push(video.status)
    }
    expect(told.at(-1)).toBe('completed')
    const byLink = await collect(createTalkbridge({ url }).videos.stream({ events_url }))
    expectTypeOf(must(byLink[0])).not.toHaveProperty('metadata')
    expect(byLink.map(({ status }) => status)).toEqual(['completed'])
    expect(byLink[0]).not.toHaveProperty('metadata')
  })

  test('tells all events, and goes on behind the last one', async () => {
    const { create, ended, gateway } = await stage()
    const { videos } = createTalkbridge({ url: gateway().gateway.url, key: KEYS.anna })
    const stop = new AbortController()
    const events = videos.stream({ types: ['video.completed'] }, { signal: stop.signal })[Symbol.asyncIterator]()
    const heard: unknown[] = []
    const first = events.next().finally(() => heard.push(true))
    const made: string[] = []
    // Nothing says when the stream has begun.
    while (heard.length === 0) made.push((await ended((await create(ALT)).id)).id)
    const event = must((await first).value as StreamEvent | undefined)
    expect([event.type, event.id]).toEqual(['video.completed', expect.stringMatching(/^evt_/) as string])
    if (event.type === 'video.completed') {
      expectTypeOf(event.data.sequence).toEqualTypeOf<number>()
      expect(made).toContain(event.data.id)
    }
    await events.return?.()
    const others = [await create(ALT), await create(ALT)]
    for (const { id } of others) await ended(id)
    const missing = new Set(others.map(({ id }) => id))
    for await (const { data, type } of videos.stream({ types: ['video.completed'], lastEventId: event.lastEventId })) {
      if (type === 'video.completed') missing.delete(data.id)
      if (missing.size === 0) break
    }
  })
})
