import { Badge, Status, Failure, Skeleton, toast, Empty } from '../../ui/states.tsx'
import { Code, Button, Id } from '../../ui/button.tsx'
import { Card, Facts, Header } from '../../ui/header.tsx'
import { durationOf, Time } from '../../ui/time.tsx'
import { type DeliveryDetail, isOwn, mayChange, ReadOnly, WebhookTabs } from './parts.tsx'
import { DELIVERIES, type Delivery, deliveryColumns, Target } from '../../ui/deliveries.tsx'
import { useState } from 'preact/hooks'
import { api, ask, type Page } from '../../api.ts'
import { useLiveReload } from '../../live.ts'
import { useSession, type Session } from '../../session.ts'
import { useRead, useFilters, usePages } from '../../reads.ts'
import { Confirm } from '../../ui/dialog.tsx'
import { Select, TextFilter } from '../../ui/field.tsx'
import { Fresh, More, Table } from '../../ui/table.tsx'

type Attempt = DeliveryDetail['attempts'][number]

const Outcome = ({ of: { status, error } }: { of: Attempt }) => (
  <Badge tone={error === null ? 'good' : 'bad'}>{status ?? 'no answer'}</Badge>
)

const Answer = ({ of, n }: { of: Attempt; n: number }) => {
  const body = of.response_body
  if (body === null && of.status === null) return null
  if (body === null) return <p class="small muted">Its answer is not kept: only the latest five are.</p>
  if (body === '') return <p class="small muted">The answer had no body.</p>
  return (
    <details>
      <summary>What it answered</summary>
      <Code text={body} label={`the answer to attempt ${n}`} isBody />
    </details>
  )
}

/** Oldest first, as they were made, and the one that is to come. */
const Attempts = ({ of }: { of: DeliveryDetail }) => {
  const { attempts, attempt_count: all } = of
  const before = all - attempts.length
  return (
    <Card title="Attempts">
      {all === 0 && of.next_attempt_at === null && <p class="muted">There was no attempt yet.</p>}
      {before > 0 && <p class="muted small">The {before} before the latest 100 are not kept.</p>}
      <ol class="attempts" start={before + 1}>
        {attempts.map((one, index) => (
          <li key={`${one.at} ${before + index}`} class={one.error === null ? 'good' : 'bad'}>
            <p>
              <strong>Attempt {before + index + 1}</strong> <Outcome of={one} />{' '}
              <span class="small muted">
                <Time at={one.at} />, took {durationOf(one.duration_ms)}
              </span>
            </p>
            {/* The badge says the status. */}
            {one.error !== null && one.error !== `status ${one.status ?? ''}` && <p class="small">{one.error}</p>}
            <Answer of={one} n={before + index + 1} />
          </li>
        ))}
        {of.next_attempt_at !== null && (
          <li key="next" class="next">
            <strong>Next attempt</strong> <Time at={of.next_attempt_at} />
          </li>
        )}
      </ol>
    </Card>
  )
}

const DELIVERY_EVERY_MS = 5_000
/** While attempts are to be made. */
const PENDING_MS = 1_000

const readDelivery = ({ isAdmin }: Session, id: string): Promise<DeliveryDetail> =>
  isAdmin
    ? ask(api.GET('/unified/v1/admin/deliveries/{id}', { params: { path: { id } } }))
    : ask(api.GET('/unified/v1/deliveries/{id}', { params: { path: { id } } }))

interface RedeliverProps {
  of: DeliveryDetail
  onDone: () => void
  onClose: () => void
}

const Redeliver = ({ of, onDone, onClose }: RedeliverProps) => {
  const session = useSession()
  const params = { path: { id: of.event_id } }
  const act = async (): Promise<void> => {
    const { deliveries } = await ask(
      mayChange(session, of)
        ? api.POST('/unified/v1/events/{id}/redeliver', { params })
        : api.POST('/unified/v1/admin/events/{id}/redeliver', { params }),
    )
    toast(deliveries.length === 0 ? 'No target wants it now' : `On its way to ${deliveries.length}`)
    onDone()
  }
  return (
    <Confirm title="Send this event again?" confirm="Redeliver" act={act} onClose={onClose}>
      <p>
        It goes to its first targets, and to the endpoints that subscribe to it now, under the same{' '}
        <code>webhook-id</code>: a receiver that remembers ids does nothing twice.
      </p>
      {!isOwn(session, of) && (
        <p>
          It belongs to the client <strong>{of.client}</strong>. The audit log records what you do.
        </p>
      )}
    </Confirm>
  )
}

const headersOf = ({ request }: DeliveryDetail): string =>
  [
    `${request.method} ${request.url}`,
    ...Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`),
  ].join('\n')

const Sent = ({ of }: { of: DeliveryDetail }) => (
  <Card title="What is sent">
    <p class="muted small">
      Signatures are masked. Times and signatures are from the latest attempt. The body is the same in every attempt.
    </p>
    <Code text={headersOf(of)} label="the head of the request" />
    <Code text={of.request.body} label="the body of the request" isBody />
  </Card>
)

const Told = ({ of }: { of: DeliveryDetail }) => (
  <Card title="Delivery">
    <Facts
      rows={[
        ['Status', <Status of={of.status} />],
        ['To', <Target of={of} />],
        ['Event', <Id of={of.event_id} label="the event’s id" />],
        ['Happened', <Time at={of.event_at} />],
        [
          'Video',
          of.video_id && <Id of={of.video_id} href={`/console/videos/${of.video_id}`} label="the video’s id" />,
        ],
        of.client !== undefined && ['Client', of.client],
        ['Attempts', of.attempt_count],
        ['Next attempt', <Time at={of.next_attempt_at} />],
        ['Id', <Id of={of.id} />],
      ]}
    />
  </Card>
)

export function DeliveryScreen({ id = '' }: { id?: string }) {
  const session = useSession()
  const { data, error, isLoading, reload } = useRead(
    `delivery ${id}`,
    () => readDelivery(session, id),
    (of) => (of?.status === 'pending' ? PENDING_MS : DELIVERY_EVERY_MS),
  )
  useLiveReload(reload, ({ type }) => type === 'endpoint.disabled')
  const [isAsking, setAsking] = useState(false)
  const canSend = data !== null && (session.isAdmin || mayChange(session, data))
  return (
    <>
      <Header title={data?.event_type ?? 'Delivery'} back={{ href: DELIVERIES, text: 'Deliveries' }}>
        {canSend && (
          <Button kind="primary" onClick={() => setAsking(true)}>
            Redeliver
          </Button>
        )}
      </Header>
      {error && <Failure error={error} retry={reload} />}
      {isLoading && <Skeleton what="the delivery" />}
      {data && !canSend && <ReadOnly />}
      {data && (
        <>
          <div class="pair">
            <Told of={data} />
            <Attempts of={data} />
          </div>
          <Sent of={data} />
        </>
      )}
      {data && isAsking && <Redeliver of={data} onDone={reload} onClose={() => setAsking(false)} />}
    </>
  )
}

/** Nothing on the stream of events says that an attempt was made. */
const EVERY_MS = 2_000
const LIMIT = 25

const STATUSES = ['pending', 'delivered', 'failed', 'held'] as const satisfies readonly Delivery['status'][]
const NAMES = ['status', 'endpoint', 'video', 'event'] as const

type Filters = Readonly<Record<string, string>>

const queryFor = (filters: Filters, cursor: string | undefined) => {
  const status = STATUSES.find((one) => one === filters['status'])
  return {
    limit: LIMIT,
    ...(cursor !== undefined && { cursor }),
    ...(status && { status }),
    ...(filters['endpoint'] && { endpoint: filters['endpoint'] }),
    ...(filters['video'] && { video: filters['video'] }),
    ...(filters['event'] && { event: filters['event'] }),
  }
}

const readDeliveries = (
  session: Session,
  filters: Filters,
  cursor: string | undefined,
): Promise<{ data?: Page<Delivery> }> => {
  const query = queryFor(filters, cursor)
  const client = filters['client']
  return session.isAdmin
    ? api.GET('/unified/v1/admin/deliveries', { params: { query: { ...query, ...(client && { client }) } } })
    : api.GET('/unified/v1/deliveries', { params: { query } })
}

interface FilterRowProps {
  filters: Filters
  isAdmin: boolean
  set: (changes: Filters) => void
}

const FilterRow = ({ filters, isAdmin, set }: FilterRowProps) => (
  <div class="filters" role="search" aria-label="Deliveries">
    <Select
      label="Status"
      value={filters['status'] ?? ''}
      options={[['', 'Any'], ...STATUSES.map((one) => [one, one] as const)]}
      onChange={(status) => set({ status })}
    />
    {isAdmin && <TextFilter label="Client" value={filters['client'] ?? ''} onChange={(client) => set({ client })} />}
    <TextFilter
      label="Endpoint"
      placeholder="we_…"
      value={filters['endpoint'] ?? ''}
      onChange={(endpoint) => set({ endpoint })}
    />
    <TextFilter label="Video" placeholder="vid_…" value={filters['video'] ?? ''} onChange={(video) => set({ video })} />
    <TextFilter label="Event" placeholder="evt_…" value={filters['event'] ?? ''} onChange={(event) => set({ event })} />
  </div>
)

const Nothing = ({ isFiltered, clear }: { isFiltered: boolean; clear: () => void }) =>
  isFiltered ? (
    <Empty title="No delivery matches">
      <Button onClick={clear}>Clear the filters</Button>
    </Empty>
  ) : (
    <Empty title="Nothing was sent yet">
      <p>
        Events go to <a href="/console/webhooks">your endpoints</a> and to the <code>webhook_url</code> of a video.
      </p>
    </Empty>
  )

export function DeliveriesScreen() {
  const session = useSession()
  const { filters, set, clear } = useFilters()
  const names = session.isAdmin ? [...NAMES, 'client'] : NAMES
  const key = names.map((name) => `${name}=${filters[name] ?? ''}`).join('&')
  const pages = usePages(`deliveries ${key}`, (cursor) => readDeliveries(session, filters, cursor), EVERY_MS)
  useLiveReload(pages.refresh, () => true)
  const isFiltered = names.some((name) => filters[name])
  return (
    <>
      <Header title="Deliveries" />
      <WebhookTabs at="deliveries" />
      <FilterRow filters={filters} isAdmin={session.isAdmin} set={set} />
      <Fresh count={pages.fresh} one="new delivery" many="new deliveries" show={pages.restart} />
      {pages.error && <Failure error={pages.error} retry={pages.refresh} />}
      {pages.isLoading && <Skeleton what="deliveries" />}
      {!pages.isLoading && !pages.error && pages.rows.length === 0 && <Nothing isFiltered={isFiltered} clear={clear} />}
      {pages.rows.length > 0 && (
        <Table
          caption="Deliveries"
          columns={session.isAdmin ? deliveryColumns() : deliveryColumns('Client')}
          rows={pages.rows}
          keyOf={({ id }) => id}
        />
      )}
      <More hasMore={pages.hasMore} isLoading={pages.isLoadingMore} load={pages.more} />
    </>
  )
}
