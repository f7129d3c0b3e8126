import type { Dispatcher } from 'undici'

interface ExchangeRequest {
  /** A plain agent for a configured origin; one that vets and pins addresses for a URL that somebody gave us. */
  dispatcher: Dispatcher
  method: 'GET' | 'POST' | 'DELETE'
  url: URL
  headers: Record<string, string>
  body: string | null
  /** From the call to the last byte of the answer, in milliseconds. */
  timeoutMs: number
  /** Bytes of the answer that are kept; past that the exchange ends as `overflow` says. */
  maxBytes: number
  overflow: 'fail' | 'truncate'
  signal?: AbortSignal
}

export type ExchangeFault = 'timeout' | 'connection' | 'too_large' | 'aborted'

export type Exchange =
  | { kind: 'answered'; status: number; headers: Record<string, string>; body: Buffer }
  /** `began`: writing the request began, so the other side may have acted on it. `message` is for logs. */
  | {
      kind: 'failed'
      began: boolean
      fault: ExchangeFault
      status: number | null
      headers: Record<string, string>
      message: string
    }

const flat = (headers: Record<string, string | string[] | undefined>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name.toLowerCase(), Array.isArray(value) ? value.join(', ') : value]],
    ),
  )

/** Of undici, and of the system when it gives up first. */
const CONNECT_TIMEOUTS: readonly unknown[] = ['UND_ERR_CONNECT_TIMEOUT', 'ETIMEDOUT']

const faultOf = (error: Error): ExchangeFault =>
  'code' in error && CONNECT_TIMEOUTS.includes(error.code) ? 'timeout' : 'connection'

const messageOf = (error: Error): string => {
  const code = 'code' in error ? String(error.code) : ''
  // undici asserts what it expects of an answer, such as its status.
  if (code === 'ERR_ASSERTION') return 'the answer is not valid HTTP'
  // Where several addresses were tried in vain, only the code says why.
  return error.message === '' ? code : error.message
}

/**
 * One HTTP exchange, bounded in time and size, that never rejects and never follows a redirect. Uses undici's raw
 * dispatch, because only `onRequestStart` tells whether anything was written; whatever is not read is destroyed.
 */
export const exchange = (request: ExchangeRequest): Promise<Exchange> =>
  new Promise((resolve) => {
    const { dispatcher, method, url, headers, body, timeoutMs, maxBytes, overflow, signal } = request
    let controller: Dispatcher.DispatchController | null = null
    let began = false
    let ended = false
    let status: number | null = null
    let answerHeaders: Record<string, string> = {}
    const chunks: Buffer[] = []
    let sizeBytes = 0

    const end = (result: Exchange): void => {
      if (ended) return
      ended = true
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
      resolve(result)
    }
    const fail = (fault: ExchangeFault, message: string): void => {
      end({ kind: 'failed', began, fault, status, headers: answerHeaders, message })
      controller?.abort(new Error(message))
    }
    const answer = (): void =>
      end({ kind: 'answered', status: status ?? 0, headers: answerHeaders, body: Buffer.concat(chunks) })
    const onAbort = (): void => fail('aborted', 'aborted')
    const timer = setTimeout(() => fail('timeout', `no complete answer within ${timeoutMs} ms`), timeoutMs)
    if (signal?.aborted) return onAbort()
    signal?.addEventListener('abort', onAbort, { once: true })

    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(started) {
        controller = started
        // Ended while it still waited for a connection: abort before a byte is written.
        if (ended) started.abort(new Error('ended before it began'))
        else began = true
      },
      onResponseStart(_controller, statusCode, responseHeaders) {
        if (statusCode < 200) return
        status = statusCode
        answerHeaders = flat(responseHeaders)
      },
      onResponseData(_controller, chunk) {
        if (ended) return
        const room = maxBytes - sizeBytes
        chunks.push(chunk.subarray(0, room))
        sizeBytes += chunk.length
        if (chunk.length <= room) return
        if (overflow === 'fail') return fail('too_large', `the answer is larger than ${maxBytes} bytes`)
        answer()
        controller?.abort(new Error('enough of the answer was read'))
      },
      onResponseEnd: answer,
      onResponseError: (_controller, error) => fail(faultOf(error), messageOf(error)),
    }
    try {
      dispatcher.dispatch(
        {
          origin: url.origin,
          path: url.pathname + url.search,
          method,
          headers,
          body,
          headersTimeout: 0,
          bodyTimeout: 0,
        },
        handler,
      )
    } catch (error) {
      fail('connection', error instanceof Error ? error.message : String(error))
    }
  })
