import { api, type Page } from '../../api.ts'
import { useFilters, usePages } from '../../reads.ts'
import { Button, Id } from '../../ui/button.tsx'
import { Select, TextFilter } from '../../ui/field.tsx'
import { Header } from '../../ui/header.tsx'
import { Empty, Failure, Skeleton } from '../../ui/states.tsx'
import { Fresh, More, Table, type Column } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import type { AuditEntry } from './keys.tsx'

const EVERY_MS = 5_000
const LIMIT = 50

/** All that there are: one that is missing here breaks the build. */
const KNOWN: Readonly<Record<AuditEntry['action'], true>> = {
  'key.create': true,
  'key.rotate': true,
  'key.revoke': true,
  'client.create': true,
  'client.update': true,
  'client.delete': true,
  'video.resolve': true,
  'video.cancel': true,
  'event.redeliver': true,
  'split.step': true,
  'split.rollback': true,
  'split.resume': true,
  'split.stop': true,
  'endpoint.disable': true,
  'endpoint.enable': true,
  'endpoint.test': true,
  'endpoint.replay': true,
  'backend.pause': true,
  'backend.resume': true,
}
const ACTIONS = Object.keys(KNOWN) as AuditEntry['action'][]

const NAMES = ['actor', 'action', 'subject', 'since'] as const
type Filters = Readonly<Record<string, string>>

const read = (filters: Filters, cursor: string | undefined): Promise<{ data?: Page<AuditEntry> }> => {
  const { actor, subject, since } = filters
  const action = ACTIONS.find((one) => one === filters['action'])
  return api.GET('/unified/v1/admin/audit', {
    params: {
      query: {
        limit: LIMIT,
        ...(cursor !== undefined && { cursor }),
        ...(actor && { actor }),
        ...(action && { action }),
        ...(subject && { subject }),
        ...(since && { since: `${since}T00:00:00Z` }),
      },
    },
  })
}

/** Where one can look at what it was done to. */
const Subject = ({ of: { subject, action } }: { of: AuditEntry }) => {
  if (action.startsWith('video.')) return <Id isShort of={subject} href={`/console/videos/${subject}`} />
  if (action.startsWith('client.')) return <a href={`/console/keys?client=${encodeURIComponent(subject)}`}>{subject}</a>
  return <Id isShort of={subject} />
}

const words = (value: unknown): string => {
  if (value === null) return '–'
  if (Array.isArray(value)) return value.map(words).join(', ')
  if (typeof value === 'string') return value
  if (typeof value !== 'object') return JSON.stringify(value)
  return Object.entries(value)
    .map(([name, inner]) => `${name}: ${words(inner)}`)
    .join(', ')
}

const Details = ({ of }: { of: AuditEntry['detail'] }) => (
  <>
    {Object.entries(of).map(([name, value]) => (
      <span key={name} class="under small">
        <span class="muted">{name}</span> {words(value)}
      </span>
    ))}
  </>
)

const COLUMNS: Column<AuditEntry>[] = [
  { title: 'When', cell: ({ at }) => <Time at={at} /> },
  {
    title: 'Who',
    cell: (one) => (
      <span>
        {one.actor}
        {one.actor_key !== null && (
          <span class="under small">
            <Id isShort of={one.actor_key} label="key id" />
          </span>
        )}
      </span>
    ),
  },
  { title: 'Did', cell: ({ action }) => <code>{action}</code> },
  { title: 'To', cell: (one) => <Subject of={one} /> },
  { title: 'Details', isText: true, cell: ({ detail }) => <Details of={detail} /> },
  {
    title: 'From',
    cell: (one) => (
      <span>
        {one.address ?? '–'}
        {one.request_id !== null && (
          <span class="under small">
            <Id isShort of={one.request_id} label="request id" />
          </span>
        )}
      </span>
    ),
  },
]

const FilterRow = ({ filters, set }: { filters: Filters; set: (changes: Filters) => void }) => (
  <div class="filters" role="search" aria-label="Audit log">
    <TextFilter label="Who" value={filters['actor'] ?? ''} onChange={(actor) => set({ actor })} />
    <Select
      label="Did"
      value={filters['action'] ?? ''}
      options={[['', 'Anything'], ...ACTIONS.map((one) => [one, one] as const)]}
      onChange={(action) => set({ action })}
    />
    <TextFilter label="To" value={filters['subject'] ?? ''} onChange={(subject) => set({ subject })} />
    <TextFilter
      label="Since (UTC)"
      placeholder="2026-11-20"
      value={filters['since'] ?? ''}
      onChange={(since) => set({ since })}
    />
  </div>
)

export function AuditScreen() {
  const { filters, set, clear } = useFilters()
  const key = NAMES.map((name) => `${name}=${filters[name] ?? ''}`).join('&')
  const pages = usePages(`audit ${key}`, (cursor) => read(filters, cursor), EVERY_MS)
  const isFiltered = NAMES.some((name) => filters[name])
  return (
    <>
      <Header title="Audit log" />
      <FilterRow filters={filters} set={set} />
      <Fresh count={pages.fresh} one="new entry" many="new entries" show={pages.show} />
      {pages.error && <Failure error={pages.error} retry={pages.refresh} />}
      {pages.isLoading && <Skeleton what="the audit log" />}
      {!pages.isLoading && !pages.error && pages.rows.length === 0 && (
        <Empty title={isFiltered ? 'No entry matches' : 'No changes yet'}>
          {isFiltered ? (
            <Button onClick={clear}>Clear the filters</Button>
          ) : (
            <p>Every change by an operator appears here: keys, clients, doubts, splits.</p>
          )}
        </Empty>
      )}
      {pages.rows.length > 0 && (
        <Table caption="Audit log" columns={COLUMNS} rows={pages.rows} keyOf={({ id }) => id} />
      )}
      <More hasMore={pages.hasMore} isLoading={pages.isLoadingMore} load={pages.more} />
    </>
  )
}
