import { api, type Page } from '../../api.ts'
import { useLiveReload } from '../../live.ts'
import { useSession, type Session } from '../../session.ts'
import { useFilters } from '../../use-filters.ts'
import { usePages } from '../../use-pages.ts'
import { Button } from '../../ui/button.tsx'
import { Select } from '../../ui/field.tsx'
import { TextFilter } from '../../ui/filters.tsx'
import { Header } from '../../ui/header.tsx'
import { Empty, Failure, Skeleton } from '../../ui/states.tsx'
import { Fresh, More, Table } from '../../ui/table.tsx'
import { deliveryColumns } from './delivery-columns.tsx'
import type { Delivery } from './model.ts'
import { WebhookTabs } from './parts.tsx'

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

const read = (session: Session, filters: Filters, cursor: string | undefined): Promise<{ data?: Page<Delivery> }> => {
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
  const pages = usePages(`deliveries ${key}`, (cursor) => read(session, filters, cursor), EVERY_MS)
  useLiveReload(pages.refresh, () => true)
  const isFiltered = names.some((name) => filters[name])
  return (
    <>
      <Header title="Deliveries" />
      <WebhookTabs at="deliveries" />
      <FilterRow filters={filters} isAdmin={session.isAdmin} set={set} />
      <Fresh count={pages.fresh} one="new delivery" many="new deliveries" show={pages.show} />
      {pages.error && <Failure error={pages.error} retry={pages.refresh} />}
      {pages.isLoading && <Skeleton what="deliveries" />}
      {!pages.isLoading && !pages.error && pages.rows.length === 0 && <Nothing isFiltered={isFiltered} clear={clear} />}
      {pages.rows.length > 0 && (
        <Table
          caption="Deliveries"
          columns={deliveryColumns({ isAdmin: session.isAdmin, withTarget: true })}
          rows={pages.rows}
          keyOf={({ id }) => id}
        />
      )}
      <More hasMore={pages.hasMore} isLoading={pages.isLoadingMore} load={pages.more} />
    </>
  )
}
