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

/** One stream for the whole page. */
const createLive = () => {
  const listeners = new Set<Listener>()
  const watchers = new Set<(state: LiveState) => void>()
  const gaps = new Set<() => void>()
  let state: LiveState = 'off'
  let stop = (): void => {}
  let leave = (): void => {}

  const tell = (next: LiveState): void => {
    state = next
    for (const watch of watchers) watch(next)
  }

  const open = (path: string, isMissed = false): void => {
    let timer: ReturnType<typeof setTimeout> | undefined
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
      if (source.readyState !== EventSource.CLOSED) return
      timer = setTimeout(() => {
        // EventSource does not tell what it was answered: 401, or that there is no place just now.
        void hasEnded().then((isOver) => {
          if (isStopped) return
          if (isOver) tellSignedOut()
          else open(path, true)
        })
      }, AGAIN_MS)
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
      source.close()
    }
  }

  return {
    state: () => state,
    start(session: Session): void {
      leave()
      stop()
      if (!session.isAdmin && !may(session, 'webhooks:read')) return
      const path = `/console/api/unified/v1/${session.isAdmin ? 'admin/' : ''}events/stream`
      // A browser opens six connections to a host: a tab that nobody sees keeps none of them.
      const follow = (): void => {
        if (document.visibilityState === 'visible') open(path, true)
        else stop()
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

export const useLiveState = (): LiveState => {
  const [state, setState] = useState(live.state())
  useEffect(() => live.watch(setState), [])
  return state
}
