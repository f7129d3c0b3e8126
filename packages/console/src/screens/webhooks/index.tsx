import { useState } from 'preact/hooks'
import { api, ask, type Schema, type Page } from '../../api.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, SecretOnce } from '../../ui/dialog.tsx'
import { EndpointForm, USUAL_EVENTS, endpointPath, type Endpoint, Health, WebhookTabs } from './parts.tsx'
import { useLocation } from 'preact-iso'
import { may, useSession, type Session } from '../../session.ts'
import { useFilters, usePages, useRead } from '../../reads.ts'
import { Header } from '../../ui/header.tsx'
import { Failure, Note, Skeleton, Empty } from '../../ui/states.tsx'
import { Address, More, Table, type Column, Trend } from '../../ui/table.tsx'
import { durationOf, Time } from '../../ui/time.tsx'
import { TextFilter } from '../../ui/field.tsx'

interface CreateEndpointProps {
  onCreated: () => void
  /** The secret was seen. */
  onDone: (id: string) => void
  onClose: () => void
}

const CreateEndpoint = ({ onCreated, onDone, onClose }: CreateEndpointProps) => {
  const [made, setMade] = useState<Schema<'WebhookEndpointWithSecret'> | null>(null)
  if (made) {
    return (
      <Dialog key="made" title="The endpoint is ready" onClose={onClose}>
        <SecretOnce
          secret={made.secret}
          label="the signing secret"
          use="Your receiver checks signatures with it. If you lose it, rotate it."
        />
        <div class="actions">
          <Button
            kind="primary"
            onClick={() => {
              onClose()
              onDone(made.id)
            }}
          >
            I have copied it
          </Button>
        </div>
      </Dialog>
    )
  }
  return (
    <Dialog key="form" title="Add an endpoint" onClose={onClose}>
      <EndpointForm
        start={{ url: '', description: null, events: [...USUAL_EVENTS] }}
        submit="Add endpoint"
        onCancel={onClose}
        act={async (body) => {
          setMade(await ask(api.POST('/unified/v1/webhook_endpoints', { body })))
          onCreated()
        }}
      />
    </Dialog>
  )
}

const EVERY_MS = 5_000
const RATES_EVERY_MS = 60_000
const LIMIT = 50

const read = (
  { isAdmin }: Session,
  client: string | undefined,
  cursor: string | undefined,
): Promise<{ data?: Page<Endpoint> }> => {
  const page = { limit: LIMIT, ...(cursor !== undefined && { cursor }) }
  return isAdmin
    ? api.GET('/unified/v1/admin/endpoints', { params: { query: { ...page, ...(client && { client }) } } })
    : api.GET('/unified/v1/webhook_endpoints', { params: { query: page } })
}

interface Rate {
  /** A share; null: nothing was sent in this time. */
  success: number | null
  p95: number
  trend: (number | null)[]
}

const STEP_S = 7_200

/** How deliveries of the last 24 hours went, by the id of the endpoint. The API has them of one client. */
const readRates = async (session: Session, client: string | undefined): Promise<Map<string, Rate>> => {
  const query = { metric: 'deliveries', by: 'endpoint', step: STEP_S } as const
  if (!session.isAdmin && !may(session, 'videos:read')) return new Map()
  const { series } = await (client === undefined
    ? ask(api.GET('/unified/v1/overview/series', { params: { query } }))
    : ask(api.GET('/unified/v1/admin/overview/series', { params: { query: { ...query, client } } })))
  return new Map(
    series.map(({ key, points }) => {
      const count = points.reduce((sum, point) => sum + (point.count ?? 0), 0)
      const delivered = points.reduce((sum, point) => sum + (point.count ?? 0) * (point.success ?? 0), 0)
      return [
        key,
        {
          success: count === 0 ? null : delivered / count,
          p95: Math.max(0, ...points.map((point) => point.p95 ?? 0)),
          trend: points.map((point) => point.success ?? null),
        },
      ]
    }),
  )
}

const RateCell = ({ of }: { of: Rate | undefined }) =>
  of === undefined || of.success === null ? (
    <>–</>
  ) : (
    <span class="with-copy">
      {(100 * of.success).toFixed(1)} % <Trend of={of.trend} from={0} />
    </span>
  )

const columnsFor = ({ isAdmin }: Session, rates: ReadonlyMap<string, Rate>): Column<Endpoint>[] => [
  {
    title: 'Endpoint',
    isText: true,
    cell: (one) => (
      <span>
        <Address of={one.url} href={endpointPath(one.id)} />
        {one.description !== null && <span class="under small muted">{one.description}</span>}
      </span>
    ),
  },
  ...(isAdmin ? [{ title: 'Client', cell: (one: Endpoint) => one.client }] : []),
  { title: 'State', isText: true, cell: (one) => <Health of={one} /> },
  { title: 'Delivered in 24 h', isNumber: true, cell: (one) => <RateCell of={rates.get(one.id)} /> },
  {
    title: '95 % within',
    isNumber: true,
    cell: (one) => {
      const p95 = rates.get(one.id)?.p95
      return p95 === undefined ? '–' : durationOf(p95 * 1_000)
    },
  },
  { title: 'Last success', cell: (one) => <Time at={one.last_delivered_at} /> },
  { title: 'Last failure', cell: (one) => <Time at={one.last_failed_at} /> },
  { title: 'Held', cell: (one) => one.held, isNumber: true },
]

const WhatOperatorsMay = ({ client }: { client: string }) => (
  <Note>
    You see the endpoints of all clients. You can change those of your own, <strong>{client}</strong>. Other clients
    change theirs with their own keys.
  </Note>
)

const Nothing = ({ client, add }: { client: string | undefined; add: (() => void) | null }) =>
  client === undefined ? (
    <Empty title="No endpoints yet">
      <p>An endpoint is your URL that receives events when something happens to a video.</p>
      {add ? (
        <Button kind="primary" onClick={add}>
          Add your first endpoint
        </Button>
      ) : (
        <p>A key with the scope webhooks:write can add one.</p>
      )}
    </Empty>
  ) : (
    <Empty title="No endpoints of this client">
      <p>
        <a href="/console/webhooks">Show those of all clients</a>
      </p>
    </Empty>
  )

export function WebhooksScreen() {
  const session = useSession()
  const { route } = useLocation()
  const { filters, set } = useFilters()
  const client = session.isAdmin ? filters['client'] : undefined
  const pages = usePages(`endpoints ${client ?? ''}`, (cursor) => read(session, client, cursor), EVERY_MS)
  const rates = useRead(`rates ${client ?? ''}`, () => readRates(session, client), RATES_EVERY_MS)
  const [isAdding, setAdding] = useState(false)
  const add = may(session, 'webhooks:write') ? () => setAdding(true) : null
  return (
    <>
      <Header title="Webhooks">
        {add && (
          <Button kind="primary" onClick={add}>
            Add endpoint
          </Button>
        )}
      </Header>
      <WebhookTabs at="endpoints" />
      {session.isAdmin && (
        <>
          <WhatOperatorsMay client={session.client} />
          <div class="filters">
            <TextFilter label="Client" value={client ?? ''} onChange={(value) => set({ client: value })} />
          </div>
        </>
      )}
      {pages.error && <Failure error={pages.error} retry={pages.refresh} />}
      {pages.isLoading && <Skeleton what="endpoints" />}
      {!pages.isLoading && pages.rows.length === 0 && !pages.error && <Nothing client={client} add={add} />}
      {pages.rows.length > 0 && (
        <Table
          caption="Endpoints"
          columns={columnsFor(session, rates.data ?? new Map())}
          rows={pages.rows}
          keyOf={({ id }) => id}
        />
      )}
      <More hasMore={pages.hasMore} isLoading={pages.isLoadingMore} load={pages.more} />
      {isAdding && (
        <CreateEndpoint
          onClose={() => setAdding(false)}
          onCreated={pages.restart}
          onDone={(id) => route(endpointPath(id))}
        />
      )}
    </>
  )
}
