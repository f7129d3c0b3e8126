import { type ApiError, curlOf } from '../../api.ts'
import { may, useSession, type ScreenProps } from '../../session.ts'
import { Badge, Progress, Status, Empty, Failure, Note, Skeleton } from '../../ui/states.tsx'
import { Button, LinkButton, Copy, Id } from '../../ui/button.tsx'
import { Doubt } from '../../ui/doubt.tsx'
import { Card, Facts, Header } from '../../ui/header.tsx'
import { durationOf, Time, useNow } from '../../ui/time.tsx'
import { doSoon, useIsWaiting } from '../../ui/undo.tsx'
import { cancel, MakeAgain, SendEvents } from './again.tsx'
import { sharesOf } from './timeline/moments.ts'
import { Deliveries, Failed, Film, Request, Routing } from './parts.tsx'
import { Timeline } from './timeline/index.tsx'
import { isOver, useVideo, type Shown, type VideoReads } from './use-video.ts'
import './video.css'

const BACK = { href: '/console/videos', text: 'Videos' }

const Cancel = ({ video, onDone }: { video: Shown; onDone: (video: Shown) => void }) => {
  const session = useSession()
  const key = `cancel ${video.id}`
  const isWaiting = useIsWaiting(key)
  if (video.queue === null || !(session.isAdmin || may(session, 'videos:create'))) return null
  const act = async (): Promise<void> => onDone(await cancel(video.id, session))
  return (
    <Button
      kind="danger"
      data-key="e"
      isBusy={isWaiting}
      onClick={() => doSoon({ key, text: `Cancel ${video.id}: nothing is paid for it yet`, act })}
    >
      Cancel the video
    </Button>
  )
}

const Shares = ({ video }: { video: Shown }) => {
  const now = useNow()
  const shares = sharesOf(video.timeline ?? [], now)
  const endMs = video.completed_at === null ? now : Date.parse(video.completed_at)
  return (
    <span>
      {isOver(video) ? 'took' : 'for'} <strong>{durationOf(Math.max(0, endMs - Date.parse(video.created_at)))}</strong>
      {shares.length > 0 && (
        <span class="muted"> ({shares.map(({ what, ms }) => `${durationOf(ms)} ${what}`).join(' · ')})</span>
      )}
    </span>
  )
}

/** What became of it, and where its time went, in one line. */
const State = ({ video }: { video: Shown }) => (
  <p class="row video-state" role="status">
    {video.doubt?.open ? <Badge tone="warn">in doubt</Badge> : <Status of={video.status} />}
    {video.error && <code>{video.error.code}</code>}
    {video.status === 'processing' && (
      <>
        <Progress value={video.progress} label="Progress" />
        <span>
          {video.progress === null ? 'The backend reports no progress' : `${Math.round(video.progress * 100)} %`}
        </span>
      </>
    )}
    {video.queue && (
      <span>
        place {video.queue.position} in the queue: {video.queue.reason.replaceAll('_', ' ')}
      </span>
    )}
    <Shares video={video} />
  </p>
)

const About = ({ video }: { video: Shown }) => (
  <Card title="Record">
    <Facts
      rows={[
        video.client !== undefined && ['Client', <ClientLink of={video.client} />],
        ['Created', <Time at={video.created_at} />],
        ['Create sent', <Time at={video.dispatched_at} />],
        isOver(video) ? ['Ended', <Time at={video.completed_at} />] : ['Next poll', <Time at={video.next_poll_at} />],
        video.duration_seconds !== null && ['Length', `${video.duration_seconds.toFixed(1)} s`],
        video.replaces !== null && ['Replaces', <Id of={video.replaces} href={`/console/videos/${video.replaces}`} />],
      ]}
    />
  </Card>
)

const ClientLink = ({ of }: { of: string }) => (
  <a href={`/console/videos?client=${encodeURIComponent(of)}`} title="All videos of this client">
    {of}
  </a>
)

const Whole = ({ video, reads }: { video: Shown; reads: VideoReads }) => {
  const { doubt } = video
  const done = (after: Partial<Shown>): void => {
    reads.video.set({ ...video, ...after })
    reads.video.reload()
  }
  return (
    <>
      <div class="video-columns">
        <div class="stack">
          <Failed video={video} />
          {doubt && (
            <Card title="Doubt">
              <Doubt
                video={{ ...video, doubt }}
                onDone={(after) => (after.id === video.id ? done(after) : reads.video.reload())}
              />
            </Card>
          )}
          {video.status === 'completed' && <Film video={video} />}
          <About video={video} />
        </div>
        <div class="stack">
          <Request video={video} />
          <Routing video={video} />
        </div>
      </div>
      <Timeline entries={video.timeline ?? []} deliveries={reads.deliveries?.data?.data ?? []} />
      <Deliveries read={reads.deliveries} />
    </>
  )
}

const NotThere = ({ error, id, retry }: { error: ApiError; id: string; retry: () => void }) =>
  error.code === 'video_not_found' ? (
    <Empty title="There is no such video">
      <p>
        <code>{id}</code> does not exist, or your key may not see it. The gateway removes videos some time after their
        end (<code>retention_days</code>).
      </p>
      <p class="muted small">
        request <code>{error.requestId}</code>
      </p>
      <LinkButton href="/console/videos">All videos</LinkButton>
    </Empty>
  ) : (
    <Failure error={error} retry={retry} />
  )

/** One video: what was asked, what became of it, who was informed. */
export function VideoScreen({ id = '' }: ScreenProps) {
  const reads = useVideo(id, useSession())
  const { data: video, error, isLoading, reload } = reads.video
  const curl = video && curlOf(video, location.origin)
  return (
    <>
      <Header title={<Id of={id} label="id" />} back={BACK}>
        {video && (
          <>
            <span class="beside">
              {curl && (
                <>
                  curl <Copy text={curl} label="as curl" />
                </>
              )}
              JSON <Copy text={JSON.stringify(video, null, 2)} label="as JSON" />
            </span>
            <MakeAgain video={video} />
            <SendEvents video={video} onDone={() => reads.deliveries?.reload()} />
            <Cancel video={video} onDone={(after) => reads.video.set({ ...video, ...after })} />
          </>
        )}
      </Header>
      {video && <State video={video} />}
      {isLoading && <Skeleton rows={8} what="the video" />}
      {error && !video && <NotThere error={error} id={id} retry={reload} />}
      {error && video && (
        <Note kind="warn">
          What you see may be old: {error.message} {error.requestId !== null && <code>{error.requestId}</code>}{' '}
          <Button onClick={reload}>Try again</Button>
        </Note>
      )}
      {video && <Whole video={video} reads={reads} />}
    </>
  )
}
