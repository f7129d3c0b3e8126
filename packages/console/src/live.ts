import { useEffect, useRef, useState } from 'preact/hooks'
import { tellSignedOut } from './api.ts'
import { createSignal } from './signal.ts'
import { hasEnded, may, type Session } from './session.ts'

/** What comes on the stream: an event as `/events` lists it. */
export interface LiveEvent {
  id: string
  type: string
  timestamp: string
  /** Only to operators. */
  client?: string
  data: Record<string, unknown>
}

export type LiveState = 'off' | 'connecting' | 'open'

const TYPES = [
  'video.queued',
  'video.processing',
  'video.progress',
  'video.completed',
  'video.failed',
  'video.canceled',
  'quota.warning',
  'endpoint.disabled',
  'routing.stopped',
]
/** After an answer that is no stream, such as 429 or 503. EventSource itself recovers from a broken line. */
const AGAIN_MS = 3_000

const eventOf = ({ type, data, lastEventId }: MessageEvent<string>): LiveEvent => {
  const told = JSON.parse(data) as Omit<LiveEvent, 'id'>
  return { ...told, type, id: lastEventId.split('.')[0] ?? '' }
}

/** For a key without `webhooks:read`. It has no events, and ends with the session. */
const SILENT = '/console/session/stream'
/** Without events, screens read again this often. */
const SILENT_EVERY_MS = 5_000

const pathFor = (session: Session): string => {
  if (session.isAdmin) return '/console/api/unified/v1/admin/events/stream'
  return may(session, 'webhooks:read') ? '/console/api/unified/v1/events/stream' : SILENT
}

/** One stream for the whole page. */
const createLive = () => {
  const events = createSignal<[LiveEvent]>()
  const states = createSignal<[LiveState]>()
  const gaps = createSignal()
  let state: LiveState = 'off'
  let sinceMs = Date.now()
  let stop = (): void => {}
  let leave = (): void => {}

  const tell = (next: LiveState): void => {
    if (state === 'open') sinceMs = Date.now()
    state = next
    states.tell(next)
  }

  const open = (path: string, isMissed = false): void => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const silence = setInterval(() => {
      if (path === SILENT && state === 'open') gaps.tell()
    }, SILENT_EVERY_MS)
    let isStopped = false
    const source = new EventSource(path)
    tell('connecting')
    source.addEventListener('open', () => {
      tell('open')
      // Nothing says what came between the stream before and this one.
      if (isMissed) gaps.tell()
      isMissed = false
    })
    source.addEventListener('error', () => {
      tell('connecting')
      // EventSource does not tell what it was answered: 401, or that there is no place just now.
      void hasEnded().then((isOver) => {
        if (isStopped) return
        if (isOver) return tellSignedOut()
        if (source.readyState !== EventSource.CLOSED) return
        stop()
        timer = setTimeout(() => open(path, true), AGAIN_MS)
      })
    })
    source.addEventListener('stream.gap', () => gaps.tell())
    for (const type of TYPES)
      source.addEventListener(type, (message: MessageEvent<string>) => events.tell(eventOf(message)))
    stop = () => {
      isStopped = true
      clearTimeout(timer)
      clearInterval(silence)
      source.close()
    }
  }

  const end = (): void => {
    leave()
    stop()
    tell('off')
  }
  return {
    events,
    gaps,
    states,
    state: () => state,
    /** When it was last open, while it is not. */
    sinceMs: () => sinceMs,
    start(session: Session): void {
      end()
      sinceMs = Date.now()
      const path = pathFor(session)
      // A browser opens six connections to a host: a tab that nobody sees keeps none of them.
      const follow = (): void => {
        if (document.visibilityState === 'visible') return open(path, true)
        stop()
        tell('off')
      }
      document.addEventListener('visibilitychange', follow)
      leave = () => document.removeEventListener('visibilitychange', follow)
      open(path)
    },
    end,
  }
}

export const live = createLive()

/** Receives every event while it is shown. `onGap`: some may have been missed, so read again. */
export const useLive = (onEvent: (event: LiveEvent) => void, onGap: () => void): void => {
  const latest = useRef({ onEvent, onGap })
  latest.current = { onEvent, onGap }
  useEffect(() => live.events.hear((event) => latest.current.onEvent(event)), [])
  useEffect(() => live.gaps.hear(() => latest.current.onGap()), [])
}

/** Calls `reload` after events that matter, at most once in `everyMs`, the last one included. */
export const useLiveReload = (reload: () => void, matters: (event: LiveEvent) => boolean, everyMs = 500): void => {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  const latest = useRef(reload)
  latest.current = reload
  const soon = (): void => {
    timer.current ??= setTimeout(() => {
      timer.current = undefined
      latest.current()
    }, everyMs)
  }
  useLive((event) => {
    if (matters(event)) soon()
  }, soon)
  useEffect(() => () => clearTimeout(timer.current), [])
}

const AWAY_MS = 5_000

/** Since when there is no stream, once that lasts for five seconds. */
export const useAway = (): number | null => {
  const state = useLiveState()
  const [since, setSince] = useState<number | null>(null)
  useEffect(() => {
    setSince(null)
    if (state !== 'connecting') return undefined
    const timer = setTimeout(() => setSince(live.sinceMs()), AWAY_MS)
    return () => clearTimeout(timer)
  }, [state])
  return since
}

export const useLiveState = (): LiveState => {
  const [state, setState] = useState(live.state())
  useEffect(() => live.states.hear(setState), [])
  return state
}
