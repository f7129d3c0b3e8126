import { api, ask, pathFor, type Schema } from '../../api.ts'
import { may, type Session, type ScreenProps, useSession } from '../../session.ts'
import { useRead, useFilters } from '../../reads.ts'
import { Bars, Table, type Column } from '../../ui/table.tsx'
import { Id } from '../../ui/button.tsx'
import { Card, Facts, Header, Views } from '../../ui/header.tsx'
import { Note, Badge, Empty, Loaded, waitsFor } from '../../ui/states.tsx'
import { durationOf, Time } from '../../ui/time.tsx'
import { useLiveReload } from '../../live.ts'
import { Health, Spent, BackendBars, Pause, Paused } from '../../ui/backend.tsx'
import { MigrationView } from './migration.tsx'

/** It may ask the backends. */
const CREDITS_EVERY_MS = 60_000

/** What its account has left; null while it is unknown, and where the key may not read it. */
const useCredits = (session: Session) => {
  const mayRead = may(session, 'videos:read')
  const { data } = useRead(
    'credits',
    async () => (mayRead ? ask(api.GET('/unified/v1/usage')) : null),
    CREDITS_EVERY_MS,
  )
  return (backend: string): string | null => {
    const { credits_remaining: left = null, credits_included: included = null } =
      data?.backends.find((one) => one.backend === backend) ?? {}
    if (left === null) return null
    return [left, included].flatMap((one) => one?.toLocaleString('en') ?? []).join(' of ')
  }
}

type Detail = Schema<'BackendDetail'>
type Learned = Detail['learned'][number]
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

/** With the first polls: more would hide the bars. All are in the table. */
const Histogram = ({ learned: { histogram, polls, videos, source } }: { learned: Learned }) => {
  const [first, last] = [histogram[0], histogram.at(-1)]
  if (!first || !last) return null
  const wholeS = ((first.to ?? first.from) - first.from) * histogram.length
  const marks = polls
    .map(({ after }) => ({ at: (after - first.from) / wholeS, title: `poll after ${span(after)}` }))
    .filter(({ at }) => at >= 0 && at <= 1)
  return (
    <Bars
      label={`How long ${videos} jobs from ${source} ran, and when the gateway polls the next one`}
      ends={[span(first.from), last.to === null ? `${span(last.from)} +` : span(last.to)]}
      marks={marks.slice(0, MARKS)}
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
    <section class="stack" aria-label={`From ${source}`}>
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
        <Table caption={`Polls of a job from ${source}`} columns={POLLS} rows={polls} />
      </details>
    </section>
  )
}

/** How long jobs ran, and the polls that a job of now would get. */
const LearnedCard = ({ detail: { learned, learned_here: isHere, held_by: heldBy } }: { detail: Detail }) => (
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

type Queued = Detail['queue'][number]
type Drift = Detail['drift']['latest'][number]

/** Budgets move without an event. */
const EVERY_MS = 2_000

const readOne = ({ isAdmin }: Session, name: string): Promise<Detail> =>
  ask(api.GET(pathFor(isAdmin, 'backends/{name}'), { params: { path: { name } } }))

const nowOr = (at: string | null) => (at === null ? 'now' : <Time at={at} />)

const Budget = ({ detail }: { detail: Detail }) => (
  <Card title="Requests and slots">
    <Spent backend={detail} />
    <Facts
      rows={[
        ['A window lasts', span(detail.window.seconds)],
        ['Next request', nowOr(detail.window.next_request_at)],
        ['Next create', nowOr(detail.window.next_create_at)],
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

const QUEUE: readonly Column<Queued>[] = [
  { title: 'Place', isNumber: true, cell: ({ position }) => position },
  { title: 'Video', cell: ({ video_id: id }) => <Id isShort of={id} href={`/console/videos/${id}`} /> },
  { title: 'Waits for', isText: true, cell: ({ reason }) => waitsFor(reason) },
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
    {latest.length > 0 && <Table caption="What it sent outside its contract" columns={DRIFT} rows={latest} />}
  </Card>
)

const One = ({ name }: { name: string }) => {
  const session = useSession()
  const read = useRead(`backend ${name}`, () => readOne(session, name), EVERY_MS)
  const credits = useCredits(session)
  useLiveReload(read.reload, ({ type }) => type.startsWith('video.'))
  return (
    <>
      <Header title={name} back={{ href: '/console/backends', text: 'Backends' }}>
        {read.data && <Pause backend={read.data} onDone={read.reload} />}
      </Header>
      <Loaded read={read} what="the backend" rows={8}>
        {(detail) => (
          <div class="page">
            <Paused backend={detail} onDone={read.reload} />
            <div class="cards">
              <Budget detail={detail} />
              <State detail={detail} credits={credits(name)} />
            </div>
            <Queue detail={detail} isAdmin={session.isAdmin} />
            <LearnedCard detail={detail} />
            <DriftCard drift={detail.drift} />
          </div>
        )}
      </Loaded>
    </>
  )
}

export const BackendScreen = ({ id = '' }: ScreenProps) => <One key={id} name={id} />

const readAll = ({ isAdmin }: Session) => ask(api.GET(pathFor(isAdmin, 'backends')))

const All = ({ session }: { session: Session }) => {
  const read = useRead('backends', () => readAll(session), EVERY_MS)
  const credits = useCredits(session)
  useLiveReload(read.reload, ({ type }) => type.startsWith('video.'))
  return (
    <Loaded read={read} what="the backends" rows={6}>
      {({ data: backends }) => (
        <div class="cards">
          {backends.length === 0 && (
            <Empty title="Your key may use no backend">
              <p>Ask your operator: the configuration gives each client its backends.</p>
            </Empty>
          )}
          {backends.map((backend) => (
            <BackendBars key={backend.name} backend={backend} onDone={read.reload}>
              <Facts
                rows={[
                  ['Waiting', backend.queue_depth],
                  ['Credits left', credits(backend.name)],
                  ['Interface', backend.interface],
                  ['Held by', backend.held_by ?? 'no replica'],
                ]}
              />
              <Pause backend={backend} onDone={read.reload} />
            </BackendBars>
          ))}
        </div>
      )}
    </Loaded>
  )
}

export function BackendsScreen() {
  const session = useSession()
  const { filters } = useFilters()
  const isMigration = session.isAdmin && filters['view'] === 'migration'
  return (
    <>
      <Header title={isMigration ? 'Backends, side by side' : 'Backends'} />
      {session.isAdmin && <Views label="Backends" views={{ '': 'Now', migration: 'Side by side' }} />}
      {isMigration && <MigrationView />}
      {!isMigration && (session.isAdmin || may(session, 'videos:read')) && <All session={session} />}
    </>
  )
}
