import { onTestFinished } from 'vitest'
import { systemRuntime, type Runtime, type TalkbridgeOptions } from '../src/send.ts'
import { talkbridgeIn, type Talkbridge } from '../src/talkbridge.ts'
import { answer, startReceiver, type Behaviour, type Receiver } from '../../../test/fakes/receiver.ts'

export const KEY = 'tb_canary_0123456789abcdef'
/** No pause of the client's own is as long as this. */
export const TIMEOUT_MS = 77_777
export const NOW_MS = Date.parse('2026-11-20T10:00:00Z')

export interface Scripted extends Runtime {
  /** Every pause that was made, in milliseconds; time limits are not among them. */
  pauses: number[]
  /** Lets the time limits that run now pass. */
  expire(): void
  /** Called when a pause begins. */
  onPause: () => void
}

/** Pauses take no time, time limits for ever. */
export const scriptedRuntime = (limits: readonly number[] = [TIMEOUT_MS]): Scripted => {
  const pauses: number[] = []
  const running = new Set<() => void>()
  const runtime: Scripted = {
    now: () => NOW_MS,
    random: () => 0,
    pauses,
    onPause: () => {},
    expire() {
      const now = [...running]
      for (const run of now) run()
    },
    after(ms, run) {
      if (limits.includes(ms)) {
        running.add(run)
        return () => running.delete(run)
      }
      pauses.push(ms)
      const next = setImmediate(run)
      runtime.onPause()
      return () => clearImmediate(next)
    },
  }
  return runtime
}

/** Real time, but for pauses, which nothing here needs to wait for. */
export const hastyRuntime: Runtime = {
  ...systemRuntime,
  after: (ms, run) => systemRuntime.after(ms > 20_000 ? ms : 20, run),
}

export interface ClientStage {
  server: Receiver
  runtime: Scripted
  talkbridge: Talkbridge
}

/** A client of a server that answers as it is told. */
export const clientStage = async (options: Partial<TalkbridgeOptions> = {}): Promise<ClientStage> => {
  const server = await startReceiver()
  onTestFinished(() => server.close())
  const runtime = scriptedRuntime()
  return {
    server,
    runtime,
    talkbridge: talkbridgeIn(runtime, { url: server.url, key: KEY, timeoutMs: TIMEOUT_MS, ...options }),
  }
}

export const json = (status: number, body: unknown, headers: Record<string, string> = {}): Behaviour =>
  answer(status, { 'content-type': 'application/json', ...headers }, JSON.stringify(body))

export const problem = (
  status: number,
  code: string,
  { headers = {}, ...extras }: { headers?: Record<string, string>; retryable?: boolean } & Record<string, unknown> = {},
): Behaviour =>
  answer(
    status,
    { 'content-type': 'application/problem+json', ...headers },
    JSON.stringify({
      type: `urn:talkbridge:problem:${code}`,
      title: 'A title',
      status,
      detail: 'what happened',
      code,
      retryable: false,
      retry_after_seconds: null,
      retry_at: null,
      param: null,
      errors: [],
      details: null,
      backend: null,
      backend_error: null,
      video_id: null,
      request_id: 'req_1',
      ...extras,
    }),
  )

/** What a call threw. */
export const thrown = async (work: Promise<unknown>): Promise<unknown> => {
  try {
    await work
  } catch (error) {
    return error
  }
  throw new Error('nothing was thrown')
}
