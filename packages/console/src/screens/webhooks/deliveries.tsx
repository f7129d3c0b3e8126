import { useState } from 'preact/hooks'
import { api, ask, pathFor, type Page, type Schema } from '../../api.ts'
import { useLiveReload } from '../../live.ts'
import { useFilters, usePages, useRead } from '../../reads.ts'
import { type ScreenProps, type Session, useSession } from '../../session.ts'
import { Button, Code, Id } from '../../ui/button.tsx'
import { DELIVERIES, type Delivery, deliveryColumns, redeliver, Target } from '../../ui/deliveries.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { Select, TextFilter } from '../../ui/field.tsx'
import { Card, Facts, Header } from '../../ui/header.tsx'
import { Badge, Empty, Loaded, Status, toast } from '../../ui/states.tsx'
import { Fresh, Listed } from '../../ui/table.tsx'
import { durationOf, Instant, Time } from '../../ui/time.tsx'
import { Replay } from './actions.tsx'
import { type Role, roleOf, WebhookTabs, WhatYouMay } from './parts.tsx'

type DeliveryDetail = Schema<'DeliveryWithAttempts'> & { client?: string }
type Attempt = DeliveryDetail['attempts'][number]

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
const Attempts = ({ of: { attempts, attempt_count: all, next_attempt_at: next } }: { of: DeliveryDetail }) => {
  const before = all - attempts.length
  return (
    <Card title="Attempts">
      {all === 0 && next === null && <p class="muted">There was no attempt yet.</p>}
      {before > 0 && <p class="muted small">The {before} before the latest 100 are not kept.</p>}
      <ol class="attempts" start={before + 1}>
        {attempts.map((one, index) => {
          const [n, tone] = [before + index + 1, one.error === null ? 'good' : 'bad'] as const
          return (
            <li key={`${one.at} ${n}`} class={tone}>
              <p>
                <strong>Attempt {n}</strong> <Badge tone={tone}>{one.status ?? 'no answer'}</Badge>{' '}
                <span class="small muted">
                  <Time at={one.at} />, took {durationOf(one.duration_ms)}
                </span>
              </p>
              {/* The badge says the status. */}
              {one.error !== null && one.error !== `status ${one.status ?? ''}` && <p class="small">{one.error}</p>}
              <Answer of={one} n={n} />
            </li>
          )
        })}
        {next !== null && (
          <li key="next" class="next">
            <strong>Next attempt</strong> <Time at={next} />
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
  ask(api.GET(pathFor(isAdmin, 'deliveries/{id}'), { params: { path: { id } } }))

interface RedeliverProps {
  of: DeliveryDetail
  role: Role
  onDone: () => void
  onClose: () => void
}

const Redeliver = ({ of, role, onDone, onClose }: RedeliverProps) => {
  const act = async (): Promise<void> => {
    const { deliveries } = await redeliver(of.event_id, role === 'operator')
    toast(deliveries.length === 0 ? 'No target wants it now' : `On its way to ${deliveries.length}`)
    onDone()
  }
  return (
    <Confirm title="Send this event again?" confirm="Redeliver" act={act} onClose={onClose}>
      <p>
        It goes to its first targets, and to the endpoints that subscribe to it now, under the same{' '}
        <code>webhook-id</code>: a receiver that remembers ids does nothing twice.
      </p>
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

export function DeliveryScreen({ id = '' }: ScreenProps) {
  const session = useSession()
  const read = useRead(
    `delivery ${id}`,
    () => readDelivery(session, id),
    (of) => (of?.status === 'pending' ? PENDING_MS : DELIVERY_EVERY_MS),
  )
  const { data, reload } = read
  useLiveReload(reload, ({ type }) => type === 'endpoint.disabled')
  const [isAsking, setAsking] = useState(false)
  const role = data && roleOf(session, data)
  return (
    <>
      <Header title={data?.event_type ?? 'Delivery'} back={{ href: DELIVERIES, text: 'Deliveries' }}>
        {role && (
          <Button kind="primary" onClick={() => setAsking(true)}>
            Redeliver
          </Button>
        )}
      </Header>
      <Loaded read={read} what="the delivery">
        {(of) => (
          <>
            <WhatYouMay role={role} client={of.client} />
            <div class="pair">
              <Told of={of} />
              <Attempts of={of} />
            </div>
            <Sent of={of} />
            {isAsking && <Redeliver of={of} role={role} onDone={reload} onClose={() => setAsking(false)} />}
          </>
        )}
      </Loaded>
    </>
  )
}

/** Nothing on the stream of events says that an attempt was made. */
const EVERY_MS = 2_000
const LIMIT = 25

const STATUSES = ['pending', 'delivered', 'failed', 'held'] as const satisfies readonly Delivery['status'][]
/** These filter by the end: they exclude open deliveries, and cannot be combined with a video or an event. */
const OF_END = ['http_status', 'ended_since', 'ended_before'] as const
const NAMES = ['status', 'endpoint', 'video', 'event', ...OF_END] as const

type Filters = Readonly<Record<string, string>>

const readDeliveries = (
  { isAdmin }: Session,
  filters: Filters,
  cursor: string | undefined,
): Promise<{ data?: Page<Delivery> }> => {
  const names = isAdmin ? [...NAMES, 'client'] : NAMES
  const asked = Object.fromEntries(names.flatMap((name) => (filters[name] ? [[name, filters[name]]] : [])))
  const query = { limit: LIMIT, ...(cursor !== undefined && { cursor }), ...asked }
  return api.GET(pathFor(isAdmin, 'deliveries'), { params: { query } })
}

/** With a change of one, what cannot be asked together with it goes. Pure. */
const changed = (filters: Filters, changes: Filters): Filters => {
  const isSet = (names: readonly string[]): boolean => names.some((name) => changes[name])
  const isOpen = ['pending', 'held'].includes(changes['status'] ?? filters['status'] ?? '')
  if (isSet(['video', 'event']) || (isSet(['status']) && isOpen))
    return { ...changes, http_status: '', ended_since: '', ended_before: '' }
  if (isSet(['http_status'])) return { ...changes, status: 'failed', video: '', event: '' }
  if (isSet(OF_END)) return { ...changes, ...(isOpen && { status: '' }), video: '', event: '' }
  return changes
}

const LISTED = [
  ['endpoint', 'Endpoint', 'we_…'],
  ['video', 'Video', 'vid_…'],
  ['event', 'Event', 'evt_…'],
  ['http_status', 'Given up with', '503, 5xx, none'],
] as const

interface FilterRowProps {
  filters: Filters
  isAdmin: boolean
  set: (changes: Filters) => void
}

const FilterRow = ({ filters, isAdmin, set }: FilterRowProps) => {
  const of = (name: string): string => filters[name] ?? ''
  return (
    <div class="filters" role="search" aria-label="Deliveries">
      <Select
        label="Status"
        value={of('status')}
        options={[['', 'Any'], ...STATUSES]}
        onChange={(status) => set({ status })}
      />
      {isAdmin && <TextFilter label="Client" value={of('client')} onChange={(client) => set({ client })} />}
      {LISTED.map(([name, label, placeholder]) => (
        <TextFilter
          key={name}
          label={label}
          placeholder={placeholder}
          value={of(name)}
          onChange={(value) => set({ [name]: value })}
        />
      ))}
      <Instant label="Ended after" value={of('ended_since')} onChange={(at) => set({ ended_since: at })} />
      <Instant label="Ended before" value={of('ended_before')} onChange={(at) => set({ ended_before: at })} />
    </div>
  )
}

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
  const [isReplaying, setReplaying] = useState(false)
  const names = session.isAdmin ? [...NAMES, 'client'] : NAMES
  const key = names.map((name) => `${name}=${filters[name] ?? ''}`).join('&')
  const pages = usePages(`deliveries ${key}`, (cursor) => readDeliveries(session, filters, cursor), EVERY_MS)
  useLiveReload(pages.refresh, () => true)
  const endpoint = filters['endpoint']
  return (
    <>
      <Header title="Deliveries">
        {endpoint && roleOf(session, {}) && (
          <Button onClick={() => setReplaying(true)}>Replay all that failed since…</Button>
        )}
      </Header>
      <WebhookTabs at="deliveries" />
      <FilterRow filters={filters} isAdmin={session.isAdmin} set={(changes) => set(changed(filters, changes))} />
      <Fresh count={pages.fresh} one="new delivery" many="new deliveries" show={pages.restart} />
      <Listed
        pages={pages}
        caption="Deliveries"
        columns={session.isAdmin ? deliveryColumns() : deliveryColumns('Client')}
      >
        <Nothing isFiltered={names.some((name) => filters[name])} clear={clear} />
      </Listed>
      {endpoint && isReplaying && (
        <Replay
          id={endpoint}
          isOperator={session.isAdmin}
          from={filters['ended_since'] ?? ''}
          onAsked={pages.refresh}
          onClose={() => setReplaying(false)}
        />
      )}
    </>
  )
}
