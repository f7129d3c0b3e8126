import { may, useSession, type Session } from '../../session.ts'
import { LinkButton, Code } from '../../ui/button.tsx'
import { Empty, Badge, Failure, Skeleton } from '../../ui/states.tsx'
import { type Schema, api, ask } from '../../api.ts'
import { reasonOf, BackendBars } from '../../ui/backend-bars.tsx'
import { Card, Facts, Header } from '../../ui/header.tsx'
import { Time, durationOf } from '../../ui/time.tsx'
import { useLiveReload } from '../../live.ts'
import { Bars } from '../../ui/table.tsx'
import { useRead } from '../../reads.ts'
import './overview.css'

const curl = (): string =>
  `curl ${location.origin}/unified/v1/videos --oauth2-bearer "$KEY" \\
  --json '{"image_url": "https://example.com/anna.png", "text": "Hello from Talkbridge."}'`

/** What to do where nothing happens yet. */
const Begin = () => {
  const canCreate = may(useSession(), 'videos:create')
  return (
    <Empty title="No videos in the last 24 hours">
      {canCreate && (
        <>
          <p>Make one on this page, or from your program. It appears here immediately.</p>
          <LinkButton href="/console/playground">Open the playground</LinkButton>
          <div class="begin-code">
            <Code label="a command that makes a video" text={curl()} />
          </div>
        </>
      )}
      <p>
        <a href="/console/videos">All videos</a>
      </p>
    </Empty>
  )
}

type Need = Schema<'Overview'>['needs_you'][number]

interface Told {
  title: string
  href: string | null
  /** What it is about, in the type of code. */
  id: string | null
  what: string | null
}

const DISABLED: Readonly<Record<string, string>> = {
  gone: 'it answered 410',
  failures: 'it failed 100 times in a row',
  failing: 'it failed for 120 hours',
}

const path = (to: string, id: string | null): string | null =>
  id === null ? null : `/console/${to}/${encodeURIComponent(id)}`

const both = (code: string | null, message: string | null): string | null =>
  [code, message].filter((text) => text !== null && text !== '').join(': ') || null

const told = (need: Need): Told => {
  const {
    type,
    count,
    backend,
    video_id: video,
    delivery_id: delivery,
    endpoint_id: endpoint,
    rule,
    code,
    message,
  } = need
  switch (type) {
    case 'backend_unwell':
      return {
        title: `Backend is ${message ?? 'unwell'}`,
        href: path('backends', backend),
        id: backend,
        what: code && reasonOf(code),
      }
    case 'split_stopped':
      return {
        title: 'Split stopped itself',
        href: '/console/backends?view=migration',
        id: rule,
        what: 'Its new side failed too often',
      }
    case 'create_in_doubt':
      return {
        title: 'Create in doubt',
        href: path('videos', video),
        id: video,
        what: `Nobody knows whether ${backend ?? 'its backend'} accepted it`,
      }
    case 'endpoint_disabled':
      return {
        title: 'Endpoint disabled',
        href: path('webhooks', endpoint),
        id: endpoint,
        what: both(code && (DISABLED[code] ?? code), message),
      }
    case 'deliveries_given_up':
      return {
        title: count === 1 ? 'Delivery given up' : `${count} deliveries given up`,
        href: path('webhooks/deliveries', delivery),
        id: delivery,
        what: message,
      }
  }
}

const keyOf = ({ type, backend, video_id, delivery_id, endpoint_id, rule }: Need): string =>
  [type, delivery_id ?? endpoint_id ?? video_id ?? rule ?? backend].join(' ')

const Row = ({ need }: { need: Need }) => {
  const { title, href, id, what } = told(need)
  return (
    <li>
      <Badge tone={need.type === 'deliveries_given_up' ? 'warn' : 'bad'}>{title}</Badge>
      <span class="trouble-words">
        {href === null ? <code>{id}</code> : <a href={href}>{id}</a>}
        {what !== null && <span>{what}</span>}
        {need.client !== null && <span class="muted small">client {need.client}</span>}
      </span>
      <span class="muted small">
        <Time at={need.at} />
      </span>
    </li>
  )
}

/** Each with the way to it. */
const Needs = ({ needs }: { needs: readonly Need[] }) => (
  <Card title="Needs you">
    {needs.length === 0 ? (
      <p class="muted">Nothing.</p>
    ) : (
      <ul class="troubles">
        {needs.map((need) => (
          <Row key={keyOf(need)} need={need} />
        ))}
      </ul>
    )}
  </Card>
)

const Failures = ({ failures }: { failures: Schema<'Overview'>['failures'] }) => (
  <Card title="Failures in the last 24 hours">
    <ul class="troubles">
      {failures.map(({ code, videos, backends, last_at }) => (
        <li key={code}>
          <Badge tone="warn">{videos}</Badge>
          <span class="trouble-words">
            <code>{code}</code>
            <span>{backends.map(({ backend, videos: own }) => `${backend} ${own}`).join(' · ')}</span>
          </span>
          <span class="muted small">
            <Time at={last_at} />
          </span>
        </li>
      ))}
    </ul>
  </Card>
)

type Overview = Schema<'Overview'>
type Backend = Schema<'Backend'>

/** Budgets move without an event. */
const EVERY_MS = 3_000

const readAll = async ({ isAdmin }: Session): Promise<{ overview: Overview; backends: Backend[] }> => {
  const [overview, { data: backends }] = await Promise.all([
    isAdmin ? ask(api.GET('/unified/v1/admin/overview')) : ask(api.GET('/unified/v1/overview')),
    isAdmin ? ask(api.GET('/unified/v1/admin/backends')) : ask(api.GET('/unified/v1/backends')),
  ])
  return { overview, backends }
}

const Figure = ({ name, value, href, note }: { name: string; value: number; href: string; note: string }) => (
  <a class="figure card" href={href}>
    <span class="figure-name">{name}</span>
    <span class="figure-value">{value.toLocaleString('en')}</span>
    <span class="muted small">{note}</span>
  </a>
)

const Figures = ({ overview: { videos, ended } }: { overview: Overview }) => (
  <section class="figures" aria-label="Videos">
    <Figure name="Waiting" value={videos.waiting} href="/console/videos?status=queued" note="in the gateway" />
    <Figure
      name="Running"
      value={videos.queued + videos.processing}
      href="/console/videos?status=processing"
      note={`${videos.processing} processing, ${videos.queued} queued there`}
    />
    <Figure name="Done" value={ended.completed} href="/console/videos?status=completed" note="in 24 hours" />
    <Figure
      name="Failed"
      value={ended.failed}
      href="/console/videos?status=failed"
      note={`in 24 hours; ${ended.canceled} canceled`}
    />
  </section>
)

const hourWords = new Intl.DateTimeFormat('en', { hour: 'numeric', minute: '2-digit' })
const hourOf = (from: string): string => hourWords.format(Date.parse(from))

const Day = ({ ended, since }: Pick<Overview, 'ended' | 'since'>) => (
  <Card title="Ended in the last 24 hours">
    <Bars
      label={`Videos that ended, by the hour: ${ended.completed} completed, ${ended.failed} failed, ${ended.canceled} canceled`}
      each="Hour from"
      ends={[hourOf(since), 'now']}
      bars={ended.steps.map(({ from, completed, failed, canceled }) => ({
        key: from,
        title: hourOf(from),
        parts: [
          { name: 'completed', value: completed, tone: 'good' },
          { name: 'failed', value: failed, tone: 'bad' },
          { name: 'canceled', value: canceled, tone: 'calm' },
        ],
      }))}
    />
    {!ended.complete && <p class="muted small">There were more: only the newest are counted.</p>}
  </Card>
)

const seconds = (value: number | undefined): string | null => (value === undefined ? null : durationOf(value * 1_000))

const Detection = ({ detection: { videos, seconds: found } }: { detection: Overview['detection'] }) => (
  <Card title="How late the gateway noticed ends">
    <Facts
      rows={[
        ['Half within', seconds(found?.p50)],
        ['95 % within', seconds(found?.p95)],
        ['Measured on', `${videos} ${videos === 1 ? 'video' : 'videos'} of 24 hours`],
      ]}
    />
  </Card>
)

const deliveriesAt = (status: string): string => `/console/webhooks/deliveries?status=${status}`

const Deliveries = ({ deliveries }: { deliveries: Overview['deliveries'] }) => {
  const { delivered, failed, pending, held, complete } = deliveries
  return (
    <Card title="Webhook deliveries">
      <Facts
        rows={[
          ['Delivered', `${delivered} in 24 hours`],
          ['Given up', failed === 0 ? '0 in 24 hours' : <a href={deliveriesAt('failed')}>{failed} in 24 hours</a>],
          ['Pending', pending === 0 ? 0 : <a href={deliveriesAt('pending')}>{pending}</a>],
          ['Held', held === 0 ? 0 : <a href={deliveriesAt('held')}>{held}</a>],
        ]}
      />
      {!complete && <p class="muted small">There were more: only the latest are counted.</p>}
    </Card>
  )
}

const BackendCard = ({ backend }: { backend: Backend }) => (
  <BackendBars backend={backend}>
    <p class="muted small">{backend.queue_depth} waiting for it</p>
  </BackendBars>
)

const isQuiet = ({ videos, ended, deliveries }: Overview): boolean =>
  videos.waiting + videos.queued + videos.processing + ended.completed + ended.failed + ended.canceled === 0 &&
  deliveries.delivered + deliveries.failed + deliveries.pending + deliveries.held === 0

const Content = ({ overview, backends }: { overview: Overview; backends: readonly Backend[] }) => (
  <div class="page">
    {isQuiet(overview) ? <Begin /> : <Figures overview={overview} />}
    {(!isQuiet(overview) || overview.needs_you.length > 0) && <Needs needs={overview.needs_you} />}
    {overview.failures.length > 0 && <Failures failures={overview.failures} />}
    <div class="cards">
      {backends.map((backend) => (
        <BackendCard key={backend.name} backend={backend} />
      ))}
    </div>
    {!isQuiet(overview) && (
      <>
        <Day ended={overview.ended} since={overview.since} />
        <div class="cards">
          <Detection detection={overview.detection} />
          <Deliveries deliveries={overview.deliveries} />
        </div>
      </>
    )}
  </div>
)

const Live = ({ session }: { session: Session }) => {
  const { data, error, reload } = useRead('overview', () => readAll(session), EVERY_MS)
  useLiveReload(reload, () => true)
  return (
    <>
      {error && <Failure error={error} retry={reload} />}
      {!data && !error && <Skeleton what="the overview" rows={8} />}
      {data && <Content {...data} />}
    </>
  )
}

export function OverviewScreen() {
  const session = useSession()
  return (
    <>
      <Header title="Overview" />
      {session.isAdmin || may(session, 'videos:read') ? (
        <Live session={session} />
      ) : (
        <Empty title="Your key may not read videos">
          <p>
            An overview needs the scope <code>videos:read</code>. Ask your operator for a key that has it.
          </p>
        </Empty>
      )}
    </>
  )
}
