import { TalkbridgeError } from './error.ts'
import { addHeaders, limited, sleep, send, type CallOptions, type Connection } from './send.ts'

/** One event of a stream (the HTML standard, "Server-sent events"). */
interface Frame {
  event: string
  data: string
  /** The last id that the stream reported, in this event or before it. */
  lastEventId: string | null
}

interface FrameReader {
  /** The events that are whole with this text. Throws on one that is too large. */
  push(text: string): Frame[]
  /** Also of blocks that are no events. */
  lastEventId(): string | null
  /** How long to wait before coming back; null: the stream said nothing. */
  retryMs(): number | null
}

/** An event is under 20 kB: whatever sends more without an end is no gateway. */
const MAX_FRAME_CHARS = 1024 * 1024

export const createFrameReader = (firstId: string | null): FrameReader => {
  let rest = ''
  /** Of the blocks that are whole: one that breaks off is still to come. */
  let lastEventId = firstId
  let id = firstId
  let retry: number | null = null
  let event = ''
  let data: string[] = []
  let chars = 0

  const take = (line: string): void => {
    chars += line.length
    const [, field = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? []
    if (field === 'event') event = value
    else if (field === 'data') data.push(value)
    else if (field === 'id' && !value.includes('\0')) id = value
    else if (field === 'retry' && /^\d+$/.test(value)) retry = Number(value)
  }

  const end = (): Frame[] => {
    lastEventId = id
    const frames = data.length === 0 ? [] : [{ event: event || 'message', data: data.join('\n'), lastEventId }]
    event = ''
    data = []
    chars = 0
    return frames
  }

  return {
    push(text) {
      const lines = (rest + text).split(/\r\n|\n|\r(?!$)/)
      rest = lines.pop() ?? ''
      const frames = lines.flatMap((line) => {
        if (line === '') return end()
        take(line)
        return []
      })
      if (chars + rest.length > MAX_FRAME_CHARS) throw new Error('the gateway sent an incomplete event')
      return frames
    },
    lastEventId: () => lastEventId,
    retryMs: () => retry,
  }
}

interface Followed {
  url: string
  hasKey: boolean
  lastEventId: string | null
  options: CallOptions
}

/** The gateway says something every 15 s: anyone who receives nothing for three times as long has lost the line. */
const SILENT_MS = 45_000
/** Where the stream does not say it. */
const RETRY_MS = 3_000

const open = (connection: Connection, followed: Followed, lastEventId: string | null, signal: AbortSignal) => {
  const { url, hasKey, options } = followed
  const own = { accept: 'text/event-stream', ...(lastEventId !== null && { 'last-event-id': lastEventId }) }
  const headers = addHeaders(addHeaders(new Headers(), options.headers), own)
  return send(connection, {
    url,
    method: 'GET',
    headers,
    options: { ...options, signal },
    hasKey,
    isRepeatable: true,
    isOpen: true,
    redirect: 'manual',
  })
}

interface Reading {
  /** The events that came next; null: the line ended, or broke. */
  next(): Promise<Frame[] | null>
}

const reading = (body: ReadableStream<Uint8Array>, frames: FrameReader, heard: () => void): Reading => {
  // Not `for await`: not every browser reads a body so.
  const reader = body.getReader()
  const decoder = new TextDecoder()
  return {
    async next() {
      try {
        const { done, value } = await reader.read()
        heard()
        return done ? null : frames.push(decoder.decode(value, { stream: true }))
      } catch {
        return null
      }
    },
  }
}

/**
 * The events of a stream, across its breaks: after each it reconnects with the last id. Ends when the gateway answers
 * that there is nothing more (204). Throws `TalkbridgeError` when coming back fails for good, and the reason of
 * `signal`.
 */
export async function* follow(connection: Connection, followed: Followed): AsyncGenerator<Frame, void, undefined> {
  const { runtime } = connection
  const { signal } = followed.options
  let { lastEventId } = followed
  for (;;) {
    const line = limited(runtime, { ms: SILENT_MS, signal, reason: () => new Error('nothing was heard') })
    line.clear()
    const frames = createFrameReader(lastEventId)
    try {
      const response = await open(connection, followed, lastEventId, line.signal)
      if (response.status === 204) return
      if (response.body === null || response.headers.get('content-type')?.startsWith('text/event-stream') !== true)
        throw new TalkbridgeError('unexpected_answer', 'the answer is no stream', { status: response.status })
      line.restart()
      const { next } = reading(response.body, frames, line.restart)
      for (let told = await next(); told !== null; told = await next()) {
        // While the caller is busy nobody listens.
        line.clear()
        yield* told
        line.restart()
      }
    } finally {
      line.clear()
      line.abort()
    }
    lastEventId = frames.lastEventId()
    if (signal?.aborted === true) throw signal.reason
    const waitMs = frames.retryMs() ?? RETRY_MS
    await sleep(runtime, waitMs + (runtime.random() * waitMs) / 4, signal)
  }
}
