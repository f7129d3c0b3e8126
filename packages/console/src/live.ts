import { useEffect, useRef, useState } from 'preact/hooks'
import { tellSignedOut } from './api.ts'
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

type Listener = (event: LiveEvent) => void
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
  const listeners = new Set<Listener>()
  const watchers = new Set<(state: LiveState) => void>()
  const gaps = new Set<() => void>()
  let state: LiveState = 'off'
  let sinceMs = Date.now()
  let stop = (): void => {}
  let leave = (): void => {}

  const tell = (next: LiveState): void => {
    if (state === 'open') sinceMs = Date.now()
    state = next
    for (const watch of watchers) watch(next)
  }

  const open = (path: string, isMissed = false): void => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const silence = setInterval(() => {
      if (path === SILENT && state === 'open') for (const gap of gaps) gap()
    }, SILENT_EVERY_MS)
    let isStopped = false
    const source = new EventSource(path)
    tell('connecting')
    source.addEventListener('open', () => {
      tell('open')
      // Nothing says what came between the stream before and this one.
      if (isMissed) for (const gap of gaps) gap()
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
    source.addEventListener('stream.gap', () => {
      for (const gap of gaps) gap()
    })
    for (const type of TYPES)
      source.addEventListener(type, (message: MessageEvent<string>) => {
        const event = eventOf(message)
        for (const listen of listeners) listen(event)
      })
    stop = () => {
      isStopped = true
      clearTimeout(timer)
      clearInterval(silence)
      source.close()
    }
  }

  return {
    state: () => state,
    /** When it was last open, while it is not. */
    sinceMs: () => sinceMs,
    start(session: Session): void {
      leave()
      stop()
      sinceMs = Date.now()
      const path = pathFor(session)
      // A browser opens six connections to a host: a tab that nobody sees keeps none of them.
      const follow = (): void => {
        if (document.visibilityState === 'visible') open(path, true)
        else {
          stop()
          tell('off')
        }
      }
      document.addEventListener('visibilitychange', follow)
      leave = () => document.removeEventListener('visibilitychange', follow)
      open(path)
    },
    end(): void {
      leave()
      stop()
      tell('off')
    },
    listen(onEvent: Listener, onGap: () => void): () => void {
      listeners.add(onEvent)
      gaps.add(onGap)
      return () => {
        listeners.delete(onEvent)
        gaps.delete(onGap)
      }
    },
    watch(watcher: (state: LiveState) => void): () => void {
      watchers.add(watcher)
      return () => watchers.delete(watcher)
    },
  }
}

export const live = createLive()

/** Receives every event while it is shown. `onGap`: some may have been missed, so read again. */
export const useLive = (onEvent: Listener, onGap: () => void): void => {
  const latest = useRef({ onEvent, onGap })
  latest.current = { onEvent, onGap }
  useEffect(
    () =>
      live.listen(
        (event) => latest.current.onEvent(event),
        () => latest.current.onGap(),
      ),
    [],
  )
}

/** Calls `reload` after events that matter, at most once in `everyMs`, the last one included. */
export const useLiveReload = (reload: () => void, matters: (event: LiveEvent) => boolean, everyMs = 500): void => {
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null)
  const latest = useRef(reload)
  latest.current = reload
  const soon = (): void => {
    timer.current ??= setTimeout(() => {
      timer.current = null
      latest.current()
    }, everyMs)
  }
  useLive((event) => {
    if (matters(event)) soon()
  }, soon)
  useEffect(
    () => () => {
      if (timer.current !== null) clearTimeout(timer.current)
    },
    [],
  )
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
  useEffect(() => live.watch(setState), [])
  return state
}
