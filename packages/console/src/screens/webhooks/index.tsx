import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { api, ask, type Page, type Schema } from '../../api.ts'
import { useFilters, usePages, useRead } from '../../reads.ts'
import { may, type Session, useSession } from '../../session.ts'
import { Button } from '../../ui/button.tsx'
import { SecretDialog } from '../../ui/dialog.tsx'
import { TextFilter } from '../../ui/field.tsx'
import { Header } from '../../ui/header.tsx'
import { Empty, Note } from '../../ui/states.tsx'
import { Address, type Column, Listed } from '../../ui/table.tsx'
import { durationOf, Time } from '../../ui/time.tsx'
import {
  type Endpoint,
  EndpointForm,
  endpointPath,
  Health,
  type Rates,
  RATES_EVERY_MS,
  readRates,
  Success,
  USUAL_EVENTS,
  WebhookTabs,
} from './parts.tsx'

interface CreateEndpointProps {
  onCreated: () => void
  onClose: () => void
}

const CreateEndpoint = ({ onCreated, onClose }: CreateEndpointProps) => {
  const { route } = useLocation()
  const [made, setMade] = useState<Schema<'WebhookEndpointWithSecret'> | null>(null)
  if (made)
    return (
      <SecretDialog
        title="The endpoint is ready"
        secret={made.secret}
        label="the signing secret"
        use="Your receiver checks signatures with it. If you lose it, rotate it."
        onClose={() => {
          onClose()
          route(endpointPath(made.id))
        }}
      />
    )
  return (
    <EndpointForm
      title="Add an endpoint"
      start={{ url: '', description: null, events: [...USUAL_EVENTS] }}
      submit="Add endpoint"
      onClose={onClose}
      act={async (body) => {
        setMade(await ask(api.POST('/unified/v1/webhook_endpoints', { body })))
        onCreated()
      }}
    />
  )
}

const EVERY_MS = 5_000
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

const columnsFor = ({ isAdmin }: Session, rates: Rates): Column<Endpoint>[] => [
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
  { title: 'Delivered in 24 h', isNumber: true, cell: ({ id }) => <Success of={rates.get(id)} /> },
  {
    title: '95 % within',
    isNumber: true,
    cell: ({ id }) => {
      const ms = rates.get(id)?.p95Ms ?? null
      return ms === null ? '–' : durationOf(ms)
    },
  },
  { title: 'Last success', cell: (one) => <Time at={one.last_delivered_at} /> },
  { title: 'Last failure', cell: (one) => <Time at={one.last_failed_at} /> },
  { title: 'Held', cell: (one) => one.held, isNumber: true },
]

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
  const { filters, set } = useFilters()
  const client = session.isAdmin ? filters['client'] : undefined
  const pages = usePages(`endpoints ${client ?? ''}`, (cursor) => read(session, client, cursor), EVERY_MS)
  const clients = [...new Set(pages.rows.flatMap((one) => one.client ?? []))]
  const rates = useRead(`rates ${clients.join(' ')}`, () => readRates(session, clients), RATES_EVERY_MS)
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
          <Note>
            You see the endpoints of all clients. You can change those of your own, <strong>{session.client}</strong>;
            those of others you can disable, enable, test and replay to.
          </Note>
          <div class="filters">
            <TextFilter label="Client" value={client ?? ''} onChange={(value) => set({ client: value })} />
          </div>
        </>
      )}
      <Listed pages={pages} caption="Endpoints" columns={columnsFor(session, rates.data ?? new Map())}>
        <Nothing client={client} add={add} />
      </Listed>
      {isAdding && <CreateEndpoint onClose={() => setAdding(false)} onCreated={pages.restart} />}
    </>
  )
}
