import { api, type Schema } from '../../api.ts'
import { useFilters, usePages } from '../../reads.ts'
import { Button, Id } from '../../ui/button.tsx'
import { Select, TextFilter } from '../../ui/field.tsx'
import { Header } from '../../ui/header.tsx'
import { Empty } from '../../ui/states.tsx'
import { Fresh, Listed, type Column } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'

type AuditEntry = Schema<'AuditEntry'>

const EVERY_MS = 5_000

/** All that there are: one that is missing here breaks the build. */
const KNOWN: Readonly<Record<AuditEntry['action'], true>> = {
  'key.create': true,
  'key.rotate': true,
  'key.revoke': true,
  'client.create': true,
  'client.update': true,
  'client.delete': true,
  'client.erase': true,
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

/** Where one can look at what it was done to. */
const PAGES: Readonly<Record<string, string>> = {
  video: '/console/videos/',
  client: '/console/keys?client=',
  endpoint: '/console/webhooks/',
  backend: '/console/backends/',
}

const pageOf = ({ action, subject }: AuditEntry): string | undefined => {
  const page = PAGES[action.split('.')[0] ?? '']
  return page && page + encodeURIComponent(subject)
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

const COLUMNS: Column<AuditEntry>[] = [
  { title: 'When', cell: ({ at }) => <Time at={at} /> },
  {
    title: 'Who',
    cell: ({ actor, actor_key: key, actor_key_name: name }) => (
      <>
        {actor}
        {key !== null && (
          <span class="under small">
            <Id isShort of={key} name={name} label="key id" />
          </span>
        )}
      </>
    ),
  },
  { title: 'Did', cell: ({ action }) => <code>{action}</code> },
  {
    title: 'To',
    cell: (one) => <Id isShort of={one.subject} name={one.subject_name} href={pageOf(one)} />,
  },
  {
    title: 'Details',
    isText: true,
    cell: ({ detail }) =>
      Object.entries(detail).map(([name, value]) => (
        <span key={name} class="under small">
          <span class="muted">{name}</span> {words(value)}
        </span>
      )),
  },
  {
    title: 'From',
    cell: ({ address, request_id: request }) => (
      <>
        {address ?? '–'}
        {request !== null && (
          <span class="under small">
            <Id isShort of={request} label="request id" />
          </span>
        )}
      </>
    ),
  },
]

export function AuditScreen() {
  const { filters, set, clear } = useFilters()
  const { actor = '', action = '', subject = '', since = '' } = filters
  const query = {
    limit: 50,
    ...(actor && { actor }),
    ...(action && { action: action as AuditEntry['action'] }),
    ...(subject && { subject }),
    ...(since && { since: `${since}T00:00:00Z` }),
  }
  const key = `audit ${JSON.stringify(query)}`
  const pages = usePages(
    key,
    (cursor) => api.GET('/unified/v1/admin/audit', { params: { query: { ...query, ...(cursor && { cursor }) } } }),
    EVERY_MS,
  )
  return (
    <>
      <Header title="Audit log" />
      <div class="filters" role="search" aria-label="Audit log">
        <TextFilter label="Who" value={actor} onChange={(to) => set({ actor: to })} />
        <Select
          label="Did"
          value={action}
          options={[['', 'Anything'], ...ACTIONS]}
          onChange={(to) => set({ action: to })}
        />
        <TextFilter label="To" value={subject} onChange={(to) => set({ subject: to })} />
        <TextFilter label="Since (UTC)" placeholder="2026-11-20" value={since} onChange={(to) => set({ since: to })} />
      </div>
      <Fresh count={pages.fresh} one="new entry" many="new entries" show={pages.restart} />
      <Listed caption="Audit log" columns={COLUMNS} pages={pages}>
        {actor || action || subject || since ? (
          <Empty title="No entry matches">
            <Button onClick={clear}>Clear the filters</Button>
          </Empty>
        ) : (
          <Empty title="No changes yet">
            <p>Every change by an operator appears here: keys, clients, doubts, splits.</p>
          </Empty>
        )}
      </Listed>
    </>
  )
}
