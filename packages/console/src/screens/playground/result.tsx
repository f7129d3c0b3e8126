import { useEffect, useRef } from 'preact/hooks'
import { useSession } from '../../session.ts'
import { Progress, Status } from '../../ui/badge.tsx'
import { LinkButton } from '../../ui/button.tsx'
import { Id } from '../../ui/copy.tsx'
import { Card } from '../../ui/header.tsx'
import { Failure, Skeleton } from '../../ui/states.tsx'
import { Failed } from '../video/failed.tsx'
import { Film } from '../video/film.tsx'
import { useVideo, type Shown } from '../video/use-video.ts'

const percent = (value: number): string => `${Math.round(value * 100)} %`

const stateOf = ({ status, progress, queue }: Shown): string => {
  if (queue) return `place ${queue.position} in the queue: ${queue.reason.replaceAll('_', ' ')}`
  if (status !== 'processing') return ''
  return progress === null ? 'The backend reports no progress' : percent(progress)
}

/** What became of the create: how far it is, live, and then the film. */
export const Result = ({ id }: { id: string }) => {
  const { video: read } = useVideo(id, useSession())
  const { data: video, error, isLoading, reload } = read
  const title = useRef<HTMLDivElement>(null)
  // Whoever pressed the button reads on here.
  useEffect(() => title.current?.focus(), [id])
  return (
    <div ref={title} tabIndex={-1} role="region" aria-label="Your video" class="stack">
      <Card
        title="Your video"
        actions={<LinkButton href={`/console/videos/${encodeURIComponent(id)}`}>Open the video</LinkButton>}
      >
        <Id of={id} label="video id" />
        {isLoading && <Skeleton rows={2} what="the video" />}
        {error && !video && <Failure error={error} retry={reload} />}
        {video && (
          <div class="play-state" role="status">
            <Status of={video.status} />
            {video.status === 'processing' && <Progress value={video.progress} label="Progress" />}
            <span>{stateOf(video)}</span>
          </div>
        )}
      </Card>
      {video && <Failed video={video} />}
      {video?.status === 'completed' && <Film video={video} />}
    </div>
  )
}
