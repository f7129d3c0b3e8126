import { useEffect, useRef } from 'preact/hooks'
import { api, ask, type Page, pathFor, type Schema } from '../../api.ts'
import { useLiveReload } from '../../live.ts'
import { may, type Session } from '../../session.ts'
import { useRead, type Read } from '../../reads.ts'
import type { DoubtOf } from '../../ui/doubt.tsx'

/** What an operator sees of it, and the less that its own client does. */
export type Shown = Schema<'VideoWithTimeline'> & { client?: string; doubt?: DoubtOf | null }
export type Delivery = Schema<'Delivery'>

const TERMINAL = ['completed', 'failed', 'canceled']
export const isOver = ({ status }: Pick<Shown, 'status'>): boolean => TERMINAL.includes(status)

/** So many of the newest deliveries are shown. */
const DELIVERIES = 100
const PENDING_MS = 2_000
/** A poll that learned nothing is no event. */
const RUNNING_MS = 5_000

const readVideo = (id: string, { isAdmin }: Session): Promise<Shown> => {
  const params = { path: { id }, query: { expand: 'timeline' } } as const
  return ask(api.GET(pathFor(isAdmin, 'videos/{id}'), { params }))
}

export const readDeliveries = (video: string, { isAdmin }: Session): Promise<Page<Delivery>> => {
  const params = { query: { video, expand: 'attempts', limit: DELIVERIES } } as const
  return ask(api.GET(pathFor(isAdmin, 'deliveries'), { params }))
}

/** Calls `onChange` with each visible change, until the video is over. */
const useStream = (id: string, isOpen: boolean, { isAdmin }: Session, onChange: (view: Schema<'Video'>) => void) => {
  const latest = useRef(onChange)
  latest.current = onChange
  useEffect(() => {
    if (!isOpen) return undefined
    const path = `/console/api/unified/v1/${isAdmin ? 'admin/' : ''}videos/${encodeURIComponent(id)}/events`
    const source = new EventSource(path)
    const hear = ({ data }: MessageEvent<string>): void => latest.current(JSON.parse(data) as Schema<'Video'>)
    for (const status of ['queued', 'processing', 'progress', ...TERMINAL])
      source.addEventListener(`video.${status}`, hear)
    return () => source.close()
  }, [id, isOpen, isAdmin])
}

/**
 * What a change of it adds to the timeline. What waits is sent and refused again and again: that is read now and then.
 */
const TOLD = ['status', 'progress', 'backend_job_id', 'backend_status', 'error', 'video_url'] as const

const isNews = (before: Shown, view: Schema<'Video'>): boolean =>
  TOLD.some((field) => JSON.stringify(before[field]) !== JSON.stringify(view[field]))

export interface VideoReads {
  video: Read<Shown>
  /** Null: the key may not read them. */
  deliveries: Read<Page<Delivery>> | null
}

const NONE: Page<Delivery> = { data: [], has_more: false, next_cursor: null }

/** One video and its deliveries, as they are now: two reads, and a stream while it is not over. */
export const useVideo = (id: string, session: Session): VideoReads => {
  const mayHear = session.isAdmin || may(session, 'webhooks:read')
  const video = useRead(
    `video ${id}`,
    () => readVideo(id, session),
    (of) => (of && isOver(of) ? undefined : RUNNING_MS),
  )
  const deliveries = useRead(
    `deliveries ${id}`,
    () => (mayHear ? readDeliveries(id, session) : Promise.resolve(NONE)),
    (of) => (of?.data.some(({ status }) => status === 'pending') ? PENDING_MS : undefined),
  )
  const before = video.data
  useStream(id, before !== null && !isOver(before), session, (view) => {
    if (!before) return
    video.set({ ...before, ...view })
    // The first thing that it reports is what was just read.
    if (isNews(before, view)) video.reload()
    if (isOver(view)) deliveries.reload()
  })
  useLiveReload(deliveries.reload, ({ data }) => data['id'] === id)
  return { video, deliveries: mayHear ? deliveries : null }
}
