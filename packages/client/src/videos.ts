import { invalidOption, TalkbridgeError, checkedHeader, checkedLink, checkedMs } from './error.ts'
import type { Raw } from './raw.ts'
import { retryAfterMs, limited, sleep, send, type Connection } from './send.ts'
import { follow } from './stream.ts'
import type {
  EndedVideo,
  NewVideo,
  PublicVideo,
  Schema,
  StreamEvent,
  StreamEventType,
  Video,
  VideoInFull,
  VideoPage,
  VideoQuery,
} from './types.ts'

interface Abortable {
  signal?: AbortSignal | undefined
}

/** One page, or with `for await` every video of this page and all behind it. */
export interface VideoListing extends AsyncIterable<Video> {
  page(): Promise<VideoPage>
}

export interface StreamFilter {
  types?: readonly StreamEventType[]
  /** `lastEventId` of an event that you read before: the stream continues behind it. Default: it begins now. */
  lastEventId?: string | null
}

export interface Videos {
  /** Makes a video. Sent again only under the same idempotency key, so it is paid for once. */
  create(video: NewVideo, options?: Abortable & { idempotencyKey?: string }): Promise<Video>
  get(id: string, options?: Abortable & { expand?: 'timeline' }): Promise<VideoInFull>
  list(query?: VideoQuery, options?: Abortable): VideoListing
  /** Resolves when the video has ended, however it did. Throws `wait_timeout` after `timeoutMs`. */
  wait(id: string, options?: Abortable & { timeoutMs?: number }): Promise<EndedVideo>
  /** The video as it is now and after every change, until it has ended. */
  stream(id: string, options?: Abortable): AsyncIterable<Video>
  /** The same by a link that needs no key, for pages. */
  stream(link: { events_url: string }, options?: Abortable): AsyncIterable<PublicVideo>
  /** Every event of all your videos, without end. */
  stream(filter?: StreamFilter, options?: Abortable): AsyncIterable<StreamEvent>
  /** Only what still waits in the gateway can be canceled: anything else is `video_not_cancelable`. */
  cancel(id: string, options?: Abortable): Promise<Video>
  /**
   * Cancels all videos with this one pair in their metadata that still wait in the gateway. `not_cancelable`: queued,
   * but no longer in the gateway.
   */
  cancelAll(
    metadata: Record<string, string>,
    options?: Abortable,
  ): Promise<Pick<Schema<'Cancellation'>, 'canceled' | 'not_cancelable'>>
  /** The file: read `body`, or `blob()`. Throws `video_not_completed` before there is one. */
  download(video: string | Pick<Video, 'content_url'>, options?: Abortable): Promise<Response>
}

/** Shorter than what proxies between allow a silent answer. */
const POLL_S = 30
const POLL_AGAIN_MS = 1_000

const hasEnded = <T extends Pick<Video, 'status'>>(video: T): video is T & Pick<EndedVideo, 'status'> =>
  ['completed', 'failed', 'canceled'].includes(video.status)

const parsed = (data: string): unknown => {
  try {
    return JSON.parse(data)
  } catch (cause) {
    throw new TalkbridgeError('unexpected_answer', 'an event of the stream is not JSON', { cause })
  }
}

/** An empty one would ask for the list, and dots for another path. */
const checkedId = (id: unknown): string => {
  if (typeof id === 'string' && !['', '.', '..'].includes(id)) return id
  throw invalidOption('id: give the id of a video')
}

const lister =
  ({ GET }: Raw): Videos['list'] =>
  (query = {}, { signal } = {}) => {
    const page = async (cursor = query.cursor): Promise<VideoPage> => {
      const params = { query: { ...query, ...(cursor !== undefined && { cursor }) } }
      // Only `origin`, which is not given here, makes it a list of another kind.
      return (await GET('/unified/v1/videos', { params, ...(signal && { signal }) })).data as VideoPage
    }
    return {
      page: () => page(),
      async *[Symbol.asyncIterator]() {
        for (let { data, next_cursor: next } = await page(); ; { data, next_cursor: next } = await page(next)) {
          yield* data
          if (next === null) return
        }
      },
    }
  }

const waiter =
  ({ GET }: Raw, { runtime }: Connection): Videos['wait'] =>
  async (id, { timeoutMs = Infinity, signal } = {}) => {
    const path = { id: checkedId(id) }
    const limit = limited(runtime, {
      ms: checkedMs('timeoutMs', timeoutMs),
      signal,
      reason: () =>
        new TalkbridgeError('wait_timeout', `${id} has not ended within ${timeoutMs} ms`, {
          title: 'The video goes on',
          retryable: true,
        }),
    })
    try {
      for (;;) {
        const askedMs = runtime.now()
        const { data, response } = await GET('/unified/v1/videos/{id}', {
          params: { path, header: { Prefer: `wait=${POLL_S}` } },
          signal: limit.signal,
        })
        if (hasEnded(data)) return data
        const isEarly = runtime.now() - askedMs < (POLL_S * 1_000) / 2
        // A gateway that stops holds no answer back.
        const pauseMs = retryAfterMs(response.headers.get('retry-after'), runtime.now()) ?? POLL_AGAIN_MS
        if (isEarly) await sleep(runtime, pauseMs, limit.signal)
      }
    } finally {
      limit.clear()
    }
  }

const streamer = (connection: Connection) => {
  async function* one(url: string, hasKey: boolean, signal?: AbortSignal): AsyncGenerator<Video> {
    for await (const { data } of follow(connection, { url, hasKey, lastEventId: null, signal })) {
      const video = parsed(data) as Video
      yield video
      if (hasEnded(video)) return
    }
  }

  async function* all(
    { types, lastEventId: id = null }: StreamFilter,
    signal?: AbortSignal,
  ): AsyncGenerator<StreamEvent> {
    const lastEventId = id === null ? null : checkedHeader('lastEventId', id)
    const query = types ? `?types=${types.map(encodeURIComponent).join(',')}` : ''
    const url = `${connection.base}/unified/v1/events/stream${query}`
    for await (const frame of follow(connection, { url, hasKey: true, lastEventId, signal })) {
      const event = parsed(frame.data) as Omit<StreamEvent, 'id' | 'lastEventId'>
      const id = event.type === 'stream.gap' ? null : (frame.lastEventId?.split('.')[0] ?? null)
      yield { ...event, id, lastEventId: frame.lastEventId } as StreamEvent
    }
  }

  return (
    of: string | { events_url: string } | StreamFilter = {},
    { signal }: Abortable = {},
  ): AsyncIterable<unknown> => {
    if (typeof of === 'string')
      return one(`${connection.base}/unified/v1/videos/${encodeURIComponent(checkedId(of))}/events`, true, signal)
    return 'events_url' in of ? one(checkedLink('events_url', of.events_url), false, signal) : all(of, signal)
  }
}

export const createVideos = (connection: Connection, raw: Raw): Videos => {
  const { GET, POST } = raw
  const ofId = (id: string) => ({ path: { id: checkedId(id) } })
  const videos: Videos = {
    async create(body, { idempotencyKey, signal } = {}) {
      const header =
        idempotencyKey === undefined ? {} : { 'Idempotency-Key': checkedHeader('idempotencyKey', idempotencyKey) }
      return (await POST('/unified/v1/videos', { params: { header }, body, ...(signal && { signal }) })).data
    },
    async get(id, { expand, signal } = {}) {
      const params = { ...ofId(id), ...(expand && { query: { expand } }) }
      return (await GET('/unified/v1/videos/{id}', { params, ...(signal && { signal }) })).data
    },
    list: lister(raw),
    wait: waiter(raw, connection),
    // One function for its three signatures.
    stream: streamer(connection) as Videos['stream'],
    async cancel(id, { signal } = {}) {
      return (await POST('/unified/v1/videos/{id}/cancel', { params: ofId(id), ...(signal && { signal }) })).data
    },
    async cancelAll(metadata, { signal } = {}) {
      const sum = { canceled: 0, not_cancelable: 0 }
      for (let cursor: string | undefined; ;) {
        const body = { metadata, ...(cursor !== undefined && { cursor }) }
        const { data } = await POST('/unified/v1/videos/cancel', { body, ...(signal && { signal }) })
        sum.canceled += data.canceled
        sum.not_cancelable += data.not_cancelable
        if (data.next_cursor === null) return sum
        cursor = data.next_cursor
      }
    },
    async download(video, { signal } = {}) {
      const { content_url: url } = typeof video === 'string' ? await videos.get(video, { signal }) : video
      // Signed: it needs no key, and none goes to the host that it leads to.
      return send(connection, {
        url: checkedLink('content_url', url),
        method: 'GET',
        headers: new Headers(),
        signal,
        isRepeatable: true,
        isOpen: true,
        redirect: 'follow',
      })
    },
  }
  return videos
}
