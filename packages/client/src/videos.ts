import { TalkbridgeError, checkedHeader, checkedId, checkedLink, checkedMs } from './error.ts'
import {
  apiPromise,
  keyed,
  listing,
  newIdempotencyKey,
  type Answer,
  type ApiPromise,
  type KeyedOptions,
  type Raw,
} from './raw.ts'
import { addHeaders, retryAfterMs, limited, sleep, send, type CallOptions, type Connection } from './send.ts'
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
  VideoListing,
  VideoPage,
  VideoQuery,
} from './types.ts'

export interface StreamFilter {
  types?: readonly StreamEventType[]
  /** `lastEventId` of an event that you read before: the stream continues behind it. Default: it begins now. */
  lastEventId?: string | null
}

/** Of a wait. `timeoutMs` limits all of it; default: no limit. */
export type WaitOptions = CallOptions

export interface Videos {
  /** Makes a video. Sent again only under the same idempotency key, so it is paid for once. */
  create(video: NewVideo, options?: KeyedOptions): ApiPromise<Video>
  /**
   * Makes a video and waits for its end, as `create` and `wait` do. Called again with the `idempotencyKey` of an error,
   * it waits for the same video.
   */
  createAndWait(video: NewVideo, options?: WaitOptions & KeyedOptions): Promise<EndedVideo>
  get(id: string, options?: CallOptions & { expand?: 'timeline' }): ApiPromise<VideoInFull>
  list(query?: VideoQuery, options?: CallOptions): VideoListing
  /** Resolves when the video has ended, however it did. Throws `wait_timeout` after `timeoutMs`. */
  wait(id: string, options?: WaitOptions): Promise<EndedVideo>
  /** The video as it is now and after every change, until it has ended. */
  stream(id: string, options?: CallOptions): AsyncIterable<Video>
  /** The same by a link that needs no key, for pages. */
  stream(link: { events_url: string }, options?: CallOptions): AsyncIterable<PublicVideo>
  /** Every event of all your videos, without end. */
  stream(filter?: StreamFilter, options?: CallOptions): AsyncIterable<StreamEvent>
  /** Only what still waits in the gateway can be canceled: anything else is `video_not_cancelable`. */
  cancel(id: string, options?: CallOptions): ApiPromise<Video>
  /**
   * Cancels all videos with this one pair in their metadata that still wait in the gateway. `not_cancelable`: queued,
   * but no longer in the gateway.
   */
  cancelAll(
    metadata: Record<string, string>,
    options?: CallOptions,
  ): Promise<Pick<Schema<'Cancellation'>, 'canceled' | 'not_cancelable'>>
  /**
   * Deletes what an ended video was made from, with its events; its id, times and credits stay. One that has not ended is
   * `video_not_deletable`.
   */
  delete(id: string, options?: CallOptions): ApiPromise<undefined>
  /** The file: read `body`, or `blob()`. Throws `video_not_completed` before there is one. */
  download(video: string | Pick<Video, 'content_url'>, options?: CallOptions): Promise<Response>
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

const waiter =
  ({ GET }: Raw, { runtime }: Connection): Videos['wait'] =>
  async (id, { timeoutMs = Infinity, signal, ...options } = {}) => {
    const path = { id: checkedId('id', id) }
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
          ...options,
          params: { path, header: { Prefer: `wait=${POLL_S}` } },
          signal: limit.signal,
        })
        if (hasEnded(data)) return data
        const isEarly = runtime.now() - askedMs < (POLL_S * 1_000) / 2
        // A gateway that stops holds no answer back.
        const pauseMs = retryAfterMs(response.headers.get('retry-after'), runtime.now()) ?? POLL_AGAIN_MS
        if (isEarly) await sleep(runtime, pauseMs, limit.signal)
      }
    } catch (error) {
      throw error instanceof TalkbridgeError ? Object.assign(error, { videoId: id }) : error
    } finally {
      limit.clear()
    }
  }

const streamer = (connection: Connection): Videos['stream'] => {
  async function* one(url: string, hasKey: boolean, options: CallOptions): AsyncGenerator<Video> {
    for await (const { data } of follow(connection, { url, hasKey, lastEventId: null, options })) {
      const video = parsed(data) as Video
      yield video
      if (hasEnded(video)) return
    }
  }

  async function* all(
    { types, lastEventId: id = null }: StreamFilter,
    options: CallOptions,
  ): AsyncGenerator<StreamEvent> {
    const lastEventId = id === null ? null : checkedHeader('lastEventId', id)
    const query = types ? `?types=${types.map(encodeURIComponent).join(',')}` : ''
    const url = `${connection.base}/unified/v1/events/stream${query}`
    for await (const frame of follow(connection, { url, hasKey: true, lastEventId, options })) {
      const event = parsed(frame.data) as Omit<StreamEvent, 'id' | 'lastEventId'>
      const id = event.type === 'stream.gap' ? null : (frame.lastEventId?.split('.')[0] ?? null)
      yield { ...event, id, lastEventId: frame.lastEventId } as StreamEvent
    }
  }

  const stream = (
    of: string | { events_url: string } | StreamFilter = {},
    options: CallOptions = {},
  ): AsyncIterable<unknown> => {
    if (typeof of === 'string') {
      const id = encodeURIComponent(checkedId('id', of))
      return one(`${connection.base}/unified/v1/videos/${id}/events`, true, options)
    }
    return 'events_url' in of ? one(checkedLink('events_url', of.events_url), false, options) : all(of, options)
  }
  // One function for its three signatures.
  return stream as Videos['stream']
}

export const createVideos = (connection: Connection, raw: Raw): Videos => {
  const { GET, POST, DELETE } = raw
  const videos: Videos = {
    create: (body, options) => apiPromise(() => POST('/unified/v1/videos', { ...keyed(options), body })),
    async createAndWait(body, { timeoutMs, idempotencyKey = newIdempotencyKey(), ...options } = {}) {
      const video = await videos.create(body, { ...options, idempotencyKey })
      if (hasEnded(video)) return video
      return videos.wait(video.id, { ...options, timeoutMs }).catch((error: unknown) => {
        throw error instanceof TalkbridgeError ? Object.assign(error, { idempotencyKey }) : error
      })
    },
    get: (id, { expand, ...options } = {}) =>
      apiPromise(() =>
        GET('/unified/v1/videos/{id}', { ...options, params: { path: { id }, ...(expand && { query: { expand } }) } }),
      ),
    list: (query, options) =>
      listing<Video, VideoQuery>(query, (query) =>
        // Only `origin`, which is not given here, makes it a list of another kind.
        apiPromise(() => GET('/unified/v1/videos', { ...options, params: { query } }) as Promise<Answer<VideoPage>>),
      ),
    wait: waiter(raw, connection),
    stream: streamer(connection),
    cancel: (id, options) =>
      apiPromise(() => POST('/unified/v1/videos/{id}/cancel', { ...options, params: { path: { id } } })),
    async cancelAll(metadata, options) {
      const sum = { canceled: 0, not_cancelable: 0 }
      for (let cursor: string | undefined; ;) {
        const body = { metadata, ...(cursor !== undefined && { cursor }) }
        const { data } = await POST('/unified/v1/videos/cancel', { ...options, body })
        sum.canceled += data.canceled
        sum.not_cancelable += data.not_cancelable
        if (data.next_cursor === null) return sum
        cursor = data.next_cursor
      }
    },
    delete: (id, options) =>
      apiPromise(() => DELETE('/unified/v1/videos/{id}', { ...options, params: { path: { id } } })),
    async download(video, options = {}) {
      const { content_url: url } = typeof video === 'string' ? await videos.get(video, options) : video
      // Signed: it needs no key, and none goes to the host that it leads to.
      return send(connection, {
        url: checkedLink('content_url', url),
        method: 'GET',
        headers: addHeaders(new Headers(), options.headers),
        options,
        isRepeatable: true,
        isOpen: true,
        redirect: 'follow',
      })
    },
  }
  return videos
}
