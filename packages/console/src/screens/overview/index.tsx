import { may, useSession, type Session } from '../../session.ts'
import { Begin } from '../../ui/begin.tsx'
import { Cut, LinkButton } from '../../ui/button.tsx'
import { Empty, Badge, Loaded } from '../../ui/states.tsx'
import { type Schema, api, ask, pathFor } from '../../api.ts'
import { reasonOf, BackendBars } from '../../ui/backend.tsx'
import { DISABLED } from '../../ui/deliveries.tsx'
import { Card, Header, Views } from '../../ui/header.tsx'
import { Select } from '../../ui/field.tsx'
import { Time, durationOf } from '../../ui/time.tsx'
import { useLiveReload } from '../../live.ts'
import { Bars, Trend } from '../../ui/table.tsx'
import { queryOf, useFilters, useRead } from '../../reads.ts'
import { lazy } from 'preact-iso'
import './overview.css'

type Overview = Schema<'Overview'>
type Need = Overview['needs_you'][number]

const RANGES = ['1h', '24h', '7d', '30d'] as const
type Range = (typeof RANGES)[number]

/** What the figures are of. */
interface Of {
  range: Range
  client: string
  backend: string
}

const ofFilters = (filters: Readonly<Record<string, string>>, { isAdmin }: Session): Of => ({
  range: RANGES.find((one) => one === filters['range']) ?? '24h',
  client: isAdmin ? (filters['client'] ?? '') : '',
  backend: filters['backend'] ?? '',
})

/** A list of what a figure counts, and of nothing else. */
const videosAt = ({ client, backend }: Of, filters: Readonly<Record<string, string>>): string =>
  `/console/videos${queryOf({ ...filters, client, backend })}`
const deliveriesAt = ({ client }: Of, filters: Readonly<Record<string, string>>): string =>
  `/console/webhooks/deliveries${queryOf({ ...filters, client })}`

const percent = (part: number | null): string =>
  part === null ? '–' : `${(100 * part).toFixed(part > 0.995 && part < 1 ? 2 : 1)} %`
const seconds = (value: number | null | undefined): string =>
  value === null || value === undefined ? '–' : durationOf(value * 1_000)
const number = (value: number): string => value.toLocaleString('en', { maximumFractionDigits: 1 })
const numberOr = (value: number | null): string => (value === null ? '–' : number(value))

interface FigureProps {
  name: string
  value: string
  note: string
  /** The same of the range before. */
  before: string
  href: string
  trend: readonly (number | null)[]
  from?: number
}

const Figure = ({ name, value, note, before, href, trend, from }: FigureProps) => (
  <a class="figure card" href={href}>
    <span>{name}</span>
    <span class="figure-value">{value}</span>
    <span class="clip muted small">{note}</span>
    <span class="clip muted small">before: {before}</span>
    <Trend of={trend} from={from ?? null} />
  </a>
)

const Figures = ({ overview, of }: { overview: Overview; of: Of }) => {
  const { success, time_to_done: took, waiting, webhooks, credits, videos, ended, since, range } = overview
  const disabled = overview.needs_you.filter(({ type }) => type === 'endpoint_disabled').length
  return (
    <section class="cards figures" aria-label="Figures">
      <Figure
        name="Success"
        value={percent(success.value)}
        note={`${number(ended.completed)} done, ${number(ended.failed)} failed`}
        before={percent(success.before)}
        href={videosAt(of, { status: 'completed,failed', ended_since: since })}
        trend={success.trend}
      />
      <Figure
        name="Time to done"
        value={seconds(took.p50)}
        note={`half; 95 % in ${seconds(took.p95)}`}
        before={seconds(took.before?.p50)}
        href={videosAt(of, { status: 'completed', ended_since: since, sort: 'took' })}
        trend={took.trend}
        from={0}
      />
      <Figure
        name="Waiting"
        value={number(videos.waiting)}
        note={`${number(videos.running)} running`}
        before={numberOr(waiting.before)}
        href={videosAt(of, { phase: 'waiting' })}
        trend={waiting.trend}
        from={0}
      />
      <Figure
        name="Webhooks"
        value={percent(webhooks.value)}
        note={`${disabled > 0 ? `${disabled} disabled, ` : ''}${number(overview.deliveries.failed)} given up`}
        before={percent(webhooks.before)}
        href={deliveriesAt(of, { status: 'failed', ended_since: since })}
        trend={webhooks.trend}
      />
      <Figure
        name="Credits"
        value={numberOr(credits.value)}
        note={credits.by.map((one) => `${one.key} ${numberOr(one.credits)}`).join(' · ')}
        before={numberOr(credits.before)}
        href={`/console${queryOf({ view: 'charts', metric: 'credits', range })}`}
        trend={credits.trend}
        from={0}
      />
    </section>
  )
}

const HOOKS = '/console/webhooks/'
const BACKENDS = '/console/backends/'

/** [what the button says, where it leads, what it is about, the title, what happened] */
type Row = readonly [button: string, page: string, id: string | null, title: string, what: string | null]

/** By type; what a newer gateway reports besides is shown by its name. */
const NEEDS: Readonly<Record<string, (need: Need) => Row>> = {
  backend_unwell: ({ backend, code, message }) => [
    'Look',
    BACKENDS,
    backend,
    `Backend is ${message ?? 'unwell'}`,
    code && reasonOf(code),
  ],
  backend_paused: ({ backend, message }) => ['Resume', BACKENDS, backend, 'Backend is paused', message],
  split_stopped: ({ rule }) => [
    'Resume',
    '/console/backends?view=migration#',
    rule,
    'Split stopped itself',
    'Its new side failed too often',
  ],
  create_in_doubt: ({ video_id: video, backend }) => [
    'Decide',
    '/console/videos/',
    video,
    'Create in doubt',
    `Nobody knows whether ${backend ?? 'its backend'} accepted it`,
  ],
  endpoint_disabled: ({ endpoint_id: endpoint, code, message, count }) => [
    'Enable',
    HOOKS,
    endpoint,
    'Endpoint disabled',
    [code && (DISABLED[code] ?? code), message, count > 0 && `${number(count)} held`].filter(Boolean).join(', '),
  ],
  endpoint_failing: ({ endpoint_id: endpoint, message, count }) => [
    'Look',
    HOOKS,
    endpoint,
    'Endpoint failing',
    [`${number(count)} attempts failed in a row`, message].filter(Boolean).join(', '),
  ],
  deliveries_given_up: ({ endpoint_id: endpoint, message, count }) => [
    endpoint === null ? 'Look' : 'Replay',
    endpoint === null ? `${HOOKS}deliveries?status=failed` : HOOKS,
    endpoint,
    'Deliveries given up',
    [`${number(count)} given up`, message].filter(Boolean).join(', the last: '),
  ],
}

const NeedRow = ({ need }: { need: Need }) => {
  const row: Row = NEEDS[need.type]?.(need) ?? ['Look', BACKENDS, need.backend, need.type, need.message]
  const [button, page, id, title, what] = row
  const href = page + encodeURIComponent(id ?? '')
  return (
    <li>
      <Badge tone={need.type === 'deliveries_given_up' ? 'warn' : 'bad'}>{title}</Badge>
      <span class="clip" title={what ?? ''}>
        {id !== null && (
          <a class="id" href={href}>
            <Cut of={id} />
          </a>
        )}{' '}
        {need.client !== null && <strong>{need.client}</strong>} {what}
      </span>
      <span class="muted small">
        <Time at={need.at} />
      </span>
      <LinkButton href={href}>{button}</LinkButton>
    </li>
  )
}

/** As many as leave room for the rest on the first screen. */
const FIRST = 7

/** What does not end by itself, with the way to the button that ends it. */
const NeedsYou = ({ needs }: { needs: readonly Need[] }) => {
  const row = (need: Need) => (
    <NeedRow
      key={`${need.type} ${need.video_id ?? need.endpoint_id ?? need.rule ?? need.backend ?? need.client}`}
      need={need}
    />
  )
  return (
    <Card title={needs.length === 0 ? 'Nothing needs you' : `Needs you (${needs.length})`}>
      {needs.length > 0 && <ul class="plain lines needs">{needs.slice(0, FIRST).map(row)}</ul>}
      {needs.length > FIRST && (
        <details>
          <summary>{needs.length - FIRST} more</summary>
          <ul class="plain lines needs">{needs.slice(FIRST).map(row)}</ul>
        </details>
      )}
    </Card>
  )
}

const Failures = ({ overview: { failures, since }, of }: { overview: Overview; of: Of }) => (
  <Card title="Failures">
    {failures.length === 0 && <p class="muted">No video failed in this time.</p>}
    <ul class="plain lines failures">
      {failures.map(({ code, videos, backends, trend, last_at: last }) => (
        <li key={code}>
          <strong>{number(videos)}</strong>
          <a class="clip" href={videosAt(of, { status: 'failed', error_code: code, ended_since: since })}>
            {code}
          </a>
          <span class="clip muted small">
            {backends.map((one) => `${one.backend} ${number(one.videos)}`).join(' · ')}
          </span>
          <Trend of={trend} from={0} />
          <span class="muted small">
            <Time at={last} />
          </span>
        </li>
      ))}
    </ul>
  </Card>
)

const HOUR = { hour: '2-digit', minute: '2-digit', hour12: false } as const
const hourWords = new Intl.DateTimeFormat('en', HOUR)
const dayWords = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric', ...HOUR })

const ENDS = [
  ['completed', 'good', 'done'],
  ['failed', 'bad', 'failed'],
  ['canceled', 'calm', 'canceled'],
] as const

/** Each bar is a link to the videos that it counts. */
const Ended = ({ overview, of }: { overview: Overview; of: Of }) => {
  const { ended, step_seconds: step, range } = overview
  const words = range === '1h' || range === '24h' ? hourWords : dayWords
  const legend = ENDS.map(([status, tone, name]) => (
    <span key={status} class={tone}>
      {number(ended[status])} {name}
    </span>
  ))
  return (
    <Card
      title={`Ended, in steps of ${durationOf(step * 1_000).replace(/ 0 (min|s)$/, '')}`}
      actions={<span class="row small muted legend">{legend}</span>}
    >
      <Bars
        label="Videos that ended"
        ends={[words.format(Date.parse(ended.steps[0]?.from ?? overview.since)), 'now']}
        bars={ended.steps.map((one) => ({
          key: one.from,
          title: words.format(Date.parse(one.from)),
          parts: ENDS.map(([status, tone, name]) => ({ name, value: one[status], tone })),
          href: videosAt(of, {
            ended_since: one.from,
            ended_before: new Date(Date.parse(one.from) + step * 1_000).toISOString(),
          }),
        }))}
      />
      {!ended.complete && <p class="muted small">There were more: only the newest are counted.</p>}
    </Card>
  )
}

/** Budgets move without an event. A long range moves little, and is much to count. */
const EVERY_MS = { '1h': 5_000, '24h': 5_000, '7d': 30_000, '30d': 60_000 } as const

const readAll = async ({ isAdmin }: Session, { range, client, backend }: Of) => {
  const query = { range, ...(backend && { backend }), ...(client && { client }) }
  const [overview, backends, clients] = await Promise.all([
    ask(api.GET(pathFor(isAdmin, 'overview'), { params: { query } })),
    ask(api.GET(pathFor(isAdmin, 'backends'))),
    isAdmin ? ask(api.GET('/unified/v1/admin/clients', { params: { query: { limit: 100 } } })) : null,
  ])
  return { overview, ...backends, clients: clients?.data.map(({ id }) => id) ?? [] }
}
type All = Awaited<ReturnType<typeof readAll>>

const isQuiet = ({ videos, ended, deliveries }: Overview): boolean =>
  videos.waiting + videos.running + videos.in_doubt + ended.completed + ended.failed + ended.canceled === 0 &&
  deliveries.delivered + deliveries.failed + deliveries.pending + deliveries.held === 0

const Content = ({ all: { overview, data: backends }, of, reload }: { all: All; of: Of; reload: () => void }) => (
  <div class="page">
    {(!isQuiet(overview) || overview.needs_you.length > 0) && <NeedsYou needs={overview.needs_you} />}
    {isQuiet(overview) ? (
      <Empty title="No videos in this time">
        <Begin />
        <p>
          <a href="/console/videos">All videos</a>
        </p>
      </Empty>
    ) : (
      <Figures overview={overview} of={of} />
    )}
    {!isQuiet(overview) && (
      <div class="pair">
        <Failures overview={overview} of={of} />
        <Ended overview={overview} of={of} />
      </div>
    )}
    <div class="cards">
      {backends.map((backend) => (
        <BackendBars key={backend.name} backend={backend} onDone={reload}>
          <p class="muted small">{backend.queue_depth} waiting for it</p>
        </BackendBars>
      ))}
    </div>
  </div>
)

const choices = (all: string, names: readonly string[], now: string) =>
  [['', all] as const, ...new Set([...names, ...(now === '' ? [] : [now])])] as const

const ChartsView = lazy(() => import('./charts.tsx').then((charts) => charts.ChartsView))

const VIEWS = <Views label="Overview" views={{ '': 'Now', charts: 'Over time' }} />

const Live = ({ session }: { session: Session }) => {
  const { filters, set } = useFilters()
  const of = ofFilters(filters, session)
  const everyMs = EVERY_MS[of.range]
  const read = useRead(`overview ${JSON.stringify(of)}`, () => readAll(session, of), everyMs)
  const { data } = read
  const names = [...(data?.pools ?? []), ...(data?.data ?? [])].map(({ name }) => name)
  useLiveReload(read.reload, () => true, everyMs / 10)
  return (
    <>
      <Header title="Overview">
        {VIEWS}
        <div class="row overview-of" role="search" aria-label="Overview">
          <Select
            label="Time"
            value={of.range}
            options={RANGES.map((range) => [range, range.replace(/(\d+)/, '$1 ')] as const)}
            onChange={(range) => set({ range: range === '24h' ? '' : range })}
          />
          {session.isAdmin && (
            <Select
              label="Client"
              value={of.client}
              options={choices('All clients', data?.clients ?? [], of.client)}
              onChange={(client) => set({ client })}
            />
          )}
          <Select
            label="Backend"
            value={of.backend}
            options={choices('All backends', names, of.backend)}
            onChange={(backend) => set({ backend })}
          />
        </div>
      </Header>
      <Loaded read={read} what="the overview" rows={8}>
        {(all) => <Content all={all} of={of} reload={read.reload} />}
      </Loaded>
    </>
  )
}

export function OverviewScreen() {
  const session = useSession()
  const isCharts = useFilters().filters['view'] === 'charts'
  if (!session.isAdmin && !may(session, 'videos:read'))
    return (
      <>
        <Header title="Overview" />
        <Empty title="Your key may not read videos">
          <p>
            An overview needs the scope <code>videos:read</code>. Ask your operator for a key that has it.
          </p>
        </Empty>
      </>
    )
  if (!isCharts) return <Live session={session} />
  return (
    <>
      <Header title="Overview">{VIEWS}</Header>
      <ChartsView />
    </>
  )
}
