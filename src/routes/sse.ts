import type { Request, RequestHandler, Response } from 'express'
import type { Clock } from '../core/time/clock.ts'
import { Problem } from '../core/errors.ts'
import type { StreamPlaces } from '../core/limits/rates.ts'
import type { Client } from './clients.ts'
import { keyEnds } from './middleware/request.ts'

/**
 * One server-sent event; `data` is one line. A frame with an `id` only is received by nobody, and kept as the last id.
 */
export interface Frame {
  id: string | null
  event?: string
  data?: string
}

interface StreamsDeps {
  clock: Clock
  /** When it aborts, streams end immediately: their readers come back, and find who answers then. */
  ending: AbortSignal
  /** Of all clients together, in this process: each stream costs it memory. */
  limit: number
  /** Of each client. */
  places: StreamPlaces
}

const HEARTBEAT_MS = 15_000
/** How long to wait before coming back, where the reader leaves that to the server. */
const RETRY_MS = 3_000
/**
 * A reader that reads nothing for that long is disconnected, with what was not read: it is all there when they come
 * back.
 */
const STALLED_MS = 60_000
const FULL_RETRY_MS = 5_000

export const textOf = ({ id, event, data }: Frame): string =>
  [
    ...(id === null ? [] : [`id: ${id}`]),
    ...(event === undefined ? [] : [`event: ${event}`]),
    ...(data === undefined ? [] : [`data: ${data}`]),
    '\n',
  ].join('\n')

/** In place of `acceptsJson`. */
export const acceptsEvents: RequestHandler = (req, _res, next) => {
  if (!req.accepts('text/event-stream'))
    throw new Problem('not_acceptable', 'the answer is text/event-stream: accept this type')
  next()
}

/** Places of each client, and of this process. */
const createEntrance = ({ limit, clock, places }: Pick<StreamsDeps, 'limit' | 'clock' | 'places'>) => {
  let total = 0
  const refuse = (message: string, most: number): never => {
    throw new Problem('rate_limited', message, { retryAtMs: clock.now() + FULL_RETRY_MS, details: { streams: most } })
  }
  /** Throws `rate_limited`; the answer gives the place back. */
  return async ({ id, limits }: Pick<Client, 'id' | 'limits'>): Promise<() => void> => {
    const isFull = total >= limit
    // Taken before the client's own is waited for, or many at the same time would pass.
    total += 1
    const giveBack = await places.take(id, limits.streams)
    if (giveBack && !isFull) {
      return () => {
        total -= 1
        giveBack()
      }
    }
    total -= 1
    if (!giveBack) return refuse(`you may have ${limits.streams} streams open: close one first`, limits.streams)
    giveBack()
    return refuse('the gateway has no free stream now: retry later', limit)
  }
}

/** Resolves when the reader has accepted what was written, or is gone; lets one go that has stopped reading. */
const drained = (res: Response, clock: Clock, gone: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      cancel()
      res.off('drain', done)
      gone.removeEventListener('abort', done)
      resolve()
    }
    const cancel = clock.at(clock.now() + STALLED_MS, () => void res.destroy())
    res.once('drain', done)
    gone.addEventListener('abort', done, { once: true })
    if (gone.aborted) done()
  })

/** A comment every 15 s: proxies keep the connection, and a reader that died is found out. */
const beat = (res: Response, clock: Clock): (() => void) => {
  let cancel = (): void => {}
  const next = (): void => {
    cancel = clock.at(clock.now() + HEARTBEAT_MS, () => {
      // Nothing is added to what is not being read.
      if (!res.writableNeedDrain) res.write(': heartbeat\n\n')
      next()
    })
  }
  next()
  return () => cancel()
}

const begin = (res: Response): void => {
  res.status(200)
  // By node's own: express would look for a charset, and the type has none to tell.
  res.setHeader('content-type', 'text/event-stream')
  res.setHeader('cache-control', 'no-store, no-transform')
  // What nginx listens to: events are not to be gathered up.
  res.setHeader('x-accel-buffering', 'no')
  res.flushHeaders()
}

/** A stop waits for no reader: what does not go out immediately is sent again to those that come back. */
const finish = (req: Request, res: Response, ending: AbortSignal): void => {
  if (!ending.aborted) return void res.end()
  if (req.socket.writableLength > 0) return void res.destroy()
  res.end(() => req.socket.destroySoon())
}

export const createStreams = (deps: StreamsDeps) => {
  const { clock, ending } = deps
  const take = createEntrance(deps)
  return {
    /**
     * Answers with what `frames` yields, at the pace of the reader: the next is asked for when there is room for it.
     * Ends with it, with the reader, with the key, or when the gateway stops. Throws `rate_limited` before anything is
     * sent. A reader that comes while it stops gets what is there immediately: with that id it comes back, and has
     * missed nothing.
     */
    async answer(
      req: Request,
      res: Response,
      client: Client,
      frames: (signal: AbortSignal) => AsyncIterable<Frame>,
    ): Promise<void> {
      const hungUp = new AbortController()
      res.once('close', () => hungUp.abort())
      const leave = await take(client)
      // Held open by a key that is no longer valid, it would tell on for hours.
      const gone = AbortSignal.any([hungUp.signal, ending, keyEnds(res)])
      const isLate = ending.aborted
      begin(res)
      if (req.method === 'HEAD') {
        leave()
        return void res.end()
      }
      const rest = beat(res, clock)
      try {
        res.write(`retry: ${RETRY_MS}\n\n`)
        for await (const frame of frames(gone)) {
          if (gone.aborted && !isLate) break
          if (!res.write(textOf(frame))) await drained(res, clock, gone)
        }
      } finally {
        rest()
        leave()
      }
      if (isLate) res.end()
      else finish(req, res, ending)
    },
  }
}
export type Streams = ReturnType<typeof createStreams>
