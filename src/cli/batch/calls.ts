import { setTimeout as pause } from 'node:timers/promises'
import { TalkbridgeError, type Talkbridge } from '../../../packages/client/src/index.ts'
import type { Video } from '../../../packages/client/src/types.ts'

/** May be about the one row. Whatever else may succeed later passes by itself, however long it takes. */
const OF_A_ROW = /^(audio_unreachable|upload_|backend_error|backend_timeout|internal_error)/
const MOST_TRIES = 5
/** No answer of the gateway. Until it has answered once, its address may be wrong. */
const UNHEARD = /^(connection_failed|timeout|unexpected_answer)$/
const FIRST_WAIT_MS = 500
const LONGEST_WAIT_MS = 30_000
/** A longer timer would fire immediately. */
const MAX_TIMER_MS = 2 ** 31 - 1

/** How long to wait before the next try; null: there is none. `most`: of tries, whatever the error is. Pure. */
export const waitBefore = (error: TalkbridgeError, tries: number, isHeard: boolean, most = Infinity): number | null => {
  const { code, retryable, retryAfterMs } = error
  if (!retryable || code === 'quota_exceeded' || (!isHeard && UNHEARD.test(code))) return null
  if (tries >= (OF_A_ROW.test(code) ? MOST_TRIES : most)) return null
  const backoffMs = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(tries - 1, 10))
  return Math.min(MAX_TIMER_MS, Math.max(retryAfterMs ?? 0, backoffMs))
}

interface CallsDeps {
  /** One that repeats nothing by itself: what is waited for is shown. */
  readonly client: Talkbridge
  readonly signal: AbortSignal
  /** Why it waits; null: it does not. */
  readonly waits: (why: string | null) => void
}

/** What a batch asks of the gateway, repeated until there is an answer that does not pass. */
export const createCalls = ({ client, signal, waits }: CallsDeps) => {
  let isHeard = false
  const patiently = async <T>(call: () => Promise<T>, most?: number): Promise<T> => {
    for (let tries = 1; ; tries += 1) {
      try {
        const answer = await call()
        isHeard = true
        if (tries > 1) waits(null)
        return answer
      } catch (error) {
        if (!(error instanceof TalkbridgeError)) throw error
        isHeard ||= error.problem !== null
        const waitMs = waitBefore(error, tries, isHeard, most)
        if (waitMs === null) throw error
        waits(`${error.message} (${error.code}); next try in ${Math.ceil(waitMs / 1000)} s`)
        await pause(waitMs, undefined, { signal })
      }
    }
  }
  return {
    client,
    signal,
    patiently,
    /** The videos with a pair of metadata, newest first, page by page: all, or those created after a time. */
    async *videosWith(metadata: Record<string, string>, createdAfter?: string): AsyncGenerator<readonly Video[]> {
      const query = { limit: 100, metadata, ...(createdAfter && { created_after: createdAfter }) }
      for (let cursor: string | undefined; ;) {
        const behind = { ...query, ...(cursor !== undefined && { cursor }) }
        const page = await patiently(() => client.videos.list(behind, { signal }).page())
        yield page.data
        if (page.next_cursor === null) return
        cursor = page.next_cursor
      }
    },
  }
}
export type Calls = ReturnType<typeof createCalls>

/** The row of a video; null: the batch did not make it. */
export const rowOf = ({ metadata }: Video): number | null => {
  const row = Number(metadata['row'])
  return Number.isSafeInteger(row) && row > 0 ? row : null
}

/** A row's newest video: one that replaces a video that was given up is newer. */
export const madeBefore = async (calls: Calls, name: string): Promise<Map<number, Video>> => {
  const made = new Map<number, Video>()
  for await (const page of calls.videosWith({ batch: name }))
    for (const video of page) {
      const row = rowOf(video)
      if (row !== null && !made.has(row)) made.set(row, video)
    }
  return made
}
