import { api, ask, type Schema } from '../../api.ts'
import { useLiveReload } from '../../live.ts'
import type { ScreenProps } from '../../screen-props.ts'
import { useSession, type Session } from '../../session.ts'
import { useRead } from '../../use-read.ts'
import { Badge } from '../../ui/badge.tsx'
import { Health, SlotsBar, WindowBar } from '../../ui/backend-bars.tsx'
import { Card, Facts, Header } from '../../ui/header.tsx'
import { Failure, Skeleton } from '../../ui/states.tsx'
import { Table, type Column } from '../../ui/table.tsx'
import { durationOf, Time } from '../../ui/time.tsx'
import { creditsOf, useCredits } from './credits.ts'
import { LearnedCard } from './learned.tsx'
import './backends.css'

type Detail = Schema<'BackendDetail'>
type Queued = Detail['queue'][number]
type Drift = Detail['drift']['latest'][number]

const EVERY_MS = 2_000

const readOne = ({ isAdmin }: Session, name: string): Promise<Detail> => {
  const params = { params: { path: { name } } }
  return isAdmin
    ? ask(api.GET('/unified/v1/admin/backends/{name}', params))
    : ask(api.GET('/unified/v1/backends/{name}', params))
}

const Budget = ({ detail: { budget, slots, window } }: { detail: Detail }) => (
  <Card title="Requests and slots">
    <WindowBar budget={budget} />
    <SlotsBar slots={slots} />
    <Facts
      rows={[
        ['A window lasts', durationOf(window.seconds * 1_000)],
        ['Next request', window.next_request_at === null ? 'now' : <Time at={window.next_request_at} />],
        ['Next create', window.next_create_at === null ? 'now' : <Time at={window.next_create_at} />],
      ]}
    />
  </Card>
)

const State = ({ detail, credits }: { detail: Detail; credits: string | null }) => (
  <Card title="State">
    <Facts
      rows={[
        ['Health', <Health health={detail.health} />],
        [
          'Breaker',
          detail.breaker.open ? (
            <>
              <Badge tone="bad">open</Badge> one request tries <Time at={detail.breaker.retry_at} />
            </>
          ) : (
            <Badge tone="good">closed</Badge>
          ),
        ],
        ['Credits left', credits],
        ['Interface', detail.interface],
        ['Held by', detail.held_by ?? 'no replica'],
      ]}
    />
  </Card>
)

const WAITS: Readonly<Record<string, string>> = {
  no_free_slot: 'a free slot',
  no_budget: 'a request of the window',
  backend_rate_limited: 'the end of a rate limit',
  backend_unavailable: 'the backend',
  audio_transfer: 'its audio',
}

const QUEUE: readonly Column<Queued>[] = [
  { title: 'Place', isNumber: true, cell: ({ position }) => position },
  { title: 'Video', cell: ({ video_id: id }) => <a href={`/console/videos/${id}`}>{id}</a> },
  { title: 'Waits for', cell: ({ reason }) => WAITS[reason] ?? reason },
  { title: 'Since', cell: ({ created_at: at }) => <Time at={at} /> },
]
const WITH_CLIENT = QUEUE.toSpliced(2, 0, { title: 'Client', cell: ({ client }) => client })

const Queue = ({ detail: { queue, queue_depth: depth }, isAdmin }: { detail: Detail; isAdmin: boolean }) => (
  <Card title="Queue">
    <p class="muted">
      {depth === 0 ? 'No video waits.' : `${depth} ${depth === 1 ? 'video waits' : 'videos wait'} in all.`}
      {depth > queue.length && queue.length > 0 && ` The first ${queue.length}${isAdmin ? '' : ' of yours'}:`}
      {depth > 0 && queue.length === 0 && ' None is yours.'}
    </p>
    {queue.length > 0 && (
      <Table
        caption="Videos that wait"
        columns={isAdmin ? WITH_CLIENT : QUEUE}
        rows={queue}
        keyOf={({ video_id: id }) => id}
      />
    )}
  </Card>
)

const DRIFT: readonly Column<Drift>[] = [
  { title: 'Kind', cell: ({ kind }) => kind.replaceAll('_', ' ') },
  { title: 'Value', cell: ({ value }) => <code>{value}</code> },
  { title: 'In', cell: ({ operation }) => operation },
  { title: 'Sample', cell: ({ sample }) => (sample === null ? '–' : <code>{sample}</code>) },
  { title: 'Times', isNumber: true, cell: ({ count }) => count },
  { title: 'First', cell: ({ first_seen: at }) => <Time at={at} /> },
  { title: 'Last', cell: ({ last_seen: at }) => <Time at={at} /> },
]

const DriftCard = ({ drift: { kinds, latest } }: { drift: Detail['drift'] }) => (
  <Card title="Drift">
    <p class="muted">
      {kinds === 0
        ? 'It sent nothing outside its contract.'
        : `${kinds} ${kinds === 1 ? 'thing' : 'things'} outside its contract. Nothing fails because of them.`}
    </p>
    {latest.length > 0 && (
      <Table
        caption="What it sent outside its contract"
        columns={DRIFT}
        rows={latest}
        keyOf={({ kind, operation, value }) => JSON.stringify([kind, operation, value])}
      />
    )}
  </Card>
)

const One = ({ name }: { name: string }) => {
  const session = useSession()
  const { data, error, reload } = useRead(`backend ${name}`, () => readOne(session, name), EVERY_MS)
  const credits = useCredits(session)
  useLiveReload(reload, ({ type }) => type.startsWith('video.'))
  return (
    <>
      {error && <Failure error={error} retry={reload} />}
      {!data && !error && <Skeleton what="the backend" rows={8} />}
      {data && (
        <div class="page">
          <div class="cards">
            <Budget detail={data} />
            <State detail={data} credits={creditsOf(credits, name)} />
          </div>
          <Queue detail={data} isAdmin={session.isAdmin} />
          <LearnedCard learned={data.learned} isHere={data.learned_here} heldBy={data.held_by} />
          <DriftCard drift={data.drift} />
        </div>
      )}
    </>
  )
}

export function BackendScreen({ id = '' }: ScreenProps) {
  return (
    <>
      <Header title={id} back={{ href: '/console/backends', text: 'Backends' }} />
      <One key={id} name={id} />
    </>
  )
}
