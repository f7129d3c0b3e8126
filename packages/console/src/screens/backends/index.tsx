import { api, ask, type Schema } from '../../api.ts'
import { may, type Session, type ScreenProps, useSession } from '../../session.ts'
import { useRead, useFilters } from '../../reads.ts'
import { Bars, Table, type Column } from '../../ui/table.tsx'
import { Id } from '../../ui/button.tsx'
import { Card, Facts, Header, Views } from '../../ui/header.tsx'
import { Note, Badge, Failure, Skeleton, Empty } from '../../ui/states.tsx'
import { durationOf, Time } from '../../ui/time.tsx'
import { useLiveReload } from '../../live.ts'
import { Health, SlotsBar, WindowBar, BackendBars } from '../../ui/backend-bars.tsx'
import { Pause, Paused } from '../../ui/pause.tsx'
import './backends.css'
import { MigrationView } from './migration.tsx'

type Usage = Schema<'Usage'>

/** It may ask the backends. */
const CREDITS_EVERY_MS = 60_000

/** What the accounts have left; null while it is unknown, and where the key may not read it. */
const useCredits = (session: Session): Usage | null => {
  const mayRead = may(session, 'videos:read')
  const { data } = useRead(
    'credits',
    async () => (mayRead ? ask(api.GET('/unified/v1/usage')) : null),
    CREDITS_EVERY_MS,
  )
  return data
}

const creditsOf = (usage: Usage | null, backend: string): string | null => {
  const { credits_remaining: left = null, credits_included: included = null } =
    usage?.backends.find((one) => one.backend === backend) ?? {}
  if (left === null) return null
  return included === null
    ? left.toLocaleString('en')
    : `${left.toLocaleString('en')} of ${included.toLocaleString('en')}`
}

type Learned = Schema<'BackendDetail'>['learned'][number]
type Poll = Learned['polls'][number]

const span = (seconds: number): string => durationOf(seconds * 1_000)
const percent = (part: number): string => `${(100 * part).toFixed(part < 0.1 ? 1 : 0)} %`

const rangeOf = ({ from, to }: Learned['histogram'][number]): string =>
  to === null ? `${span(from)} or longer` : `${span(from)} to ${span(to)}`

const POLLS: readonly Column<Poll>[] = [
  { title: 'Poll after', cell: ({ after }) => span(after) },
  { title: 'Still running then', isNumber: true, cell: ({ running }) => percent(running) },
]

const MARKS = 8

/** Where in the picture the first polls are: more would hide the bars. All are in the table. */
const marksOf = ({ histogram, polls }: Learned) => {
  const first = histogram[0]
  const width = first && first.to !== null ? first.to - first.from : null
  if (!first || width === null) return []
  const whole = width * histogram.length
  return polls
    .map(({ after }) => ({ at: (after - first.from) / whole, title: `poll after ${span(after)}` }))
    .filter(({ at }) => at >= 0 && at <= 1)
    .slice(0, MARKS)
}

const Histogram = ({ learned }: { learned: Learned }) => {
  const { histogram, videos, source } = learned
  const last = histogram.at(-1)
  return (
    <Bars
      label={`How long ${videos} jobs from ${source} ran, and when the gateway polls the next one`}
      ends={[span(histogram[0]?.from ?? 0), last ? (last.to === null ? `${span(last.from)} +` : span(last.to)) : '']}
      marks={marksOf(learned)}
      bars={histogram.map((bar) => ({
        key: String(bar.from),
        title: rangeOf(bar),
        parts: [{ name: 'videos', value: bar.videos, tone: 'busy' }],
      }))}
    />
  )
}

const Source = ({ learned }: { learned: Learned }) => {
  const { source, videos, seconds, polls, lateness } = learned
  return (
    <section class="learned" aria-label={`From ${source}`}>
      <h3>From {source}</h3>
      {videos === 0 ? (
        <p class="muted">Nothing learned yet: the gateway polls as for a new backend.</p>
      ) : (
        <Histogram learned={learned} />
      )}
      <Facts
        rows={[
          ['Half ran at most', seconds && span(seconds.p50)],
          ['95 % ran at most', seconds && span(seconds.p95)],
          ['Learned from', `${videos} ${videos === 1 ? 'video' : 'videos'}`],
          ['A poll is made', `when its expected lateness reaches ${span(lateness)}`],
        ]}
      />
      <details>
        <summary class="small">The {polls.length} polls of a job that starts now</summary>
        <Table
          caption={`Polls of a job from ${source}`}
          columns={POLLS}
          rows={polls}
          keyOf={({ after }) => String(after)}
        />
      </details>
    </section>
  )
}

interface LearnedProps {
  learned: readonly Learned[]
  isHere: boolean
  heldBy: string | null
}

/** How long jobs ran, and the polls that a job of now would get. */
const LearnedCard = ({ learned, isHere, heldBy }: LearnedProps) => (
  <Card title="How long its jobs run">
    <p class="muted">Bars: how long jobs ran. Dashed lines: when the gateway would poll a job that starts now.</p>
    {!isHere && (
      <Note>
        Replica {heldBy ?? 'none'} polls for this backend. It may know up to 10 more videos than this page, and another
        price of a poll.
      </Note>
    )}
    <div class="cards">
      {learned.map((one) => (
        <Source key={one.source} learned={one} />
      ))}
    </div>
  </Card>
)

type Detail = Schema<'BackendDetail'>
type Queued = Detail['queue'][number]
type Drift = Detail['drift']['latest'][number]

const ONE_EVERY_MS = 2_000

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
  backend_paused: 'the end of a pause',
}

const QUEUE: readonly Column<Queued>[] = [
  { title: 'Place', isNumber: true, cell: ({ position }) => position },
  { title: 'Video', cell: ({ video_id: id }) => <Id isShort of={id} href={`/console/videos/${id}`} /> },
  { title: 'Waits for', isText: true, cell: ({ reason }) => WAITS[reason] ?? reason },
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
  { title: 'Value', isText: true, cell: ({ value }) => <code>{value}</code> },
  { title: 'In', cell: ({ operation }) => operation },
  { title: 'Sample', isText: true, cell: ({ sample }) => (sample === null ? '–' : <code>{sample}</code>) },
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
  const { data, error, reload } = useRead(`backend ${name}`, () => readOne(session, name), ONE_EVERY_MS)
  const credits = useCredits(session)
  useLiveReload(reload, ({ type }) => type.startsWith('video.'))
  return (
    <>
      <Header title={name} back={{ href: '/console/backends', text: 'Backends' }}>
        {data && <Pause backend={data} onDone={reload} />}
      </Header>
      {error && <Failure error={error} retry={reload} />}
      {!data && !error && <Skeleton what="the backend" rows={8} />}
      {data && (
        <div class="page">
          <Paused backend={data} onDone={reload} />
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
      <One key={id} name={id} />
    </>
  )
}

type Backend = Schema<'Backend'>

/** Budgets move without an event. */
const ALL_EVERY_MS = 2_000

const readBackends = async ({ isAdmin }: Session): Promise<Backend[]> => {
  const { data } = await (isAdmin ? ask(api.GET('/unified/v1/admin/backends')) : ask(api.GET('/unified/v1/backends')))
  return data
}

interface BackendCardProps {
  backend: Backend
  credits: string | null
  onDone: () => void
}

const BackendCard = ({ backend, credits, onDone }: BackendCardProps) => (
  <BackendBars backend={backend} onDone={onDone}>
    <Facts
      rows={[
        ['Waiting', backend.queue_depth],
        ['Credits left', credits],
        ['Interface', backend.interface],
        ['Held by', backend.held_by ?? 'no replica'],
      ]}
    />
    <Pause backend={backend} onDone={onDone} />
  </BackendBars>
)

const All = ({ session }: { session: Session }) => {
  const { data, error, reload } = useRead('backends', () => readBackends(session), ALL_EVERY_MS)
  const credits = useCredits(session)
  useLiveReload(reload, ({ type }) => type.startsWith('video.'))
  return (
    <>
      {error && <Failure error={error} retry={reload} />}
      {!data && !error && <Skeleton what="the backends" rows={6} />}
      {data?.length === 0 && (
        <Empty title="Your key may use no backend">
          <p>Ask your operator: the configuration gives each client its backends.</p>
        </Empty>
      )}
      {data && data.length > 0 && (
        <div class="cards">
          {data.map((backend) => (
            <BackendCard
              key={backend.name}
              backend={backend}
              credits={creditsOf(credits, backend.name)}
              onDone={reload}
            />
          ))}
        </div>
      )}
    </>
  )
}

export function BackendsScreen() {
  const session = useSession()
  const { filters } = useFilters()
  const isMigration = session.isAdmin && filters['view'] === 'migration'
  return (
    <>
      <Header title={isMigration ? 'Backends, side by side' : 'Backends'} />
      {session.isAdmin && (
        <Views
          label="Backends"
          views={[
            ['', 'Now'],
            ['migration', 'Side by side'],
          ]}
        />
      )}
      {isMigration && <MigrationView />}
      {!isMigration && (session.isAdmin || may(session, 'videos:read')) && <All session={session} />}
    </>
  )
}
