import { api, ask, type Schema } from '../../api.ts'
import { useFilters, useRead } from '../../reads.ts'
import { LinkButton } from '../../ui/button.tsx'
import { Select } from '../../ui/field.tsx'
import { Card, Facts, Header } from '../../ui/header.tsx'
import { Loaded, Meter } from '../../ui/states.tsx'
import { Table, type Column } from '../../ui/table.tsx'
import { useLiveReload } from '../../live.ts'
import { useSession } from '../../session.ts'

type Row = Schema<'ClientUsageList'>['data'][number]

const sum = (videos: Row['videos']): number => Object.values(videos).reduce((all, n) => all + n, 0)

const total = (rows: readonly Row[], of: (row: Row) => number): number => rows.reduce((all, row) => all + of(row), 0)
const creditsOf = (rows: readonly Row[]): number => total(rows, (row) => row.credits_charged)

/** "main 302 · alt none reported" */
const shares = (rows: readonly Row[]): string =>
  rows
    .filter(({ videos }) => sum(videos) > 0)
    .map(({ backend, credits_charged: credits }) => `${backend ?? 'unknown'} ${count(credits || null)}`)
    .join(' · ')

/** The rows of one client. */
const COLUMNS_OF_ALL: Column<Row[]>[] = [
  { title: 'Client', cell: ([row]) => row?.client },
  { title: 'Credits', cell: (rows) => count(creditsOf(rows)), isNumber: true },
  { title: 'By backend', cell: (rows) => <span class="small muted">{shares(rows)}</span>, isText: true },
  { title: 'Videos', cell: (rows) => total(rows, ({ videos }) => sum(videos)), isNumber: true },
  { title: 'Completed', cell: (rows) => total(rows, ({ videos }) => videos.completed ?? 0), isNumber: true },
  { title: 'Failed', cell: (rows) => total(rows, ({ videos }) => videos.failed ?? 0), isNumber: true },
  { title: 'Requests', cell: (rows) => total(rows, ({ requests }) => requests ?? 0), isNumber: true },
]

/** What costs most is first. */
const byClient = (rows: readonly Row[]): Row[][] =>
  [...Map.groupBy(rows, ({ client }) => client).values()].toSorted((a, b) => creditsOf(b) - creditsOf(a))

/** The document knows the CSV, too: which of them it is says the request. */
const readMonth = async (month: string): Promise<Schema<'ClientUsageList'>> => {
  const answer = await ask(api.GET('/unified/v1/admin/usage', { params: { query: { month, limit: 100 } } }))
  if (typeof answer === 'string') throw new Error('a list was asked for')
  return answer
}

/** `2026-11`, by UTC: this month and those before. */
const months = (): string[] => {
  const now = new Date()
  return Array.from({ length: 12 }, (_, n) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - n, 1)).toISOString().slice(0, 7),
  )
}

/** What all clients did in a month, by UTC. The whole of it is the CSV. */
export const UsageOfAll = () => {
  const { filters, set } = useFilters()
  const known = months()
  const month = known.find((one) => one === filters['month']) ?? known[0] ?? ''
  const read = useRead(`usage ${month}`, () => readMonth(month))
  const actions = (
    <>
      <a href="/console?view=charts&metric=credits&range=7d">The last 7 days</a>
      <LinkButton href={`/console/api/unified/v1/admin/usage?month=${month}&format=csv`} file={`usage-${month}.csv`}>
        Download as CSV
      </LinkButton>
    </>
  )
  return (
    <Card title="Usage" actions={actions}>
      <div class="filters">
        <Select label="Month" value={month} options={known} onChange={(value) => set({ month: value })} />
      </div>
      <Loaded read={read} what="usage">
        {({ data: rows, has_more: hasMore }) => (
          <>
            {rows.length === 0 ? (
              <p class="muted">No client did anything in this month.</p>
            ) : (
              <Table caption={`Usage in ${month}`} columns={COLUMNS_OF_ALL} rows={byClient(rows)} />
            )}
            {hasMore && <p class="muted">There are more rows: the CSV has all.</p>}
          </>
        )}
      </Loaded>
    </Card>
  )
}

type Usage = Schema<'Usage'>

const count = (n: number | null): string => (n === null ? 'not reported' : n.toLocaleString('en'))

const COLUMNS: Column<Usage['backends'][number]>[] = [
  { title: 'Backend', cell: ({ backend }) => backend },
  { title: 'Credits left', cell: (one) => count(one.credits_remaining), isNumber: true },
  { title: 'Credits used this month', cell: (one) => count(one.credits_used_month), isNumber: true },
  {
    title: 'Requests left',
    cell: ({ requests }) => `${count(requests.remaining)} of ${count(requests.limit)}`,
    isNumber: true,
  },
]

const Limit = ({ title, used, limit }: { title: string; used: number; limit: number | null }) => (
  <>
    {count(used)} {limit !== null && `of ${count(limit)}`}
    {limit !== null && <Meter used={used} limit={limit} label={title} />}
  </>
)

const Own = ({ of: { month, videos, limits, credits_charged: credits, requests } }: { of: Usage['client'] }) => (
  <Card title={`Your client in ${month}`}>
    <Facts
      rows={[
        ['Videos', <Limit title="Videos of the month" used={sum(videos)} limit={limits.videos_per_month} />],
        ...Object.entries(videos).map(([status, n]) => [`… ${status}`, count(n)] as const),
        ['Credits', <Limit title="Credits of the month" used={credits} limit={limits.credits_per_month} />],
        ['Requests', count(requests)],
      ]}
    />
    <p class="muted small">Months are in UTC. Requests may be 10 seconds late.</p>
  </Card>
)

export function UsageScreen() {
  const { client } = useSession()
  const read = useRead(`usage of ${client}`, () => ask(api.GET('/unified/v1/usage')))
  useLiveReload(read.reload, ({ type }) => type.startsWith('video.') && type !== 'video.progress', 2_000)
  return (
    <>
      <Header title="Usage" />
      <Loaded read={read} what="usage">
        {(usage) => (
          <>
            <Own of={usage.client} />
            <Card title="Backends">
              <Table caption="Backends" columns={COLUMNS} rows={usage.backends} />
            </Card>
          </>
        )}
      </Loaded>
    </>
  )
}
