import { api, ask, type Schema } from '../../api.ts'
import { useFilters, useRead } from '../../reads.ts'
import { LinkButton } from '../../ui/button.tsx'
import { Select } from '../../ui/field.tsx'
import { Card, Facts, Header } from '../../ui/header.tsx'
import { Failure, Skeleton, Meter } from '../../ui/states.tsx'
import { Table, type Column } from '../../ui/table.tsx'
import { monthAgo } from './keys.tsx'
import { useLiveReload } from '../../live.ts'
import { useSession } from '../../session.ts'

type Row = Schema<'ClientUsageList'>['data'][number]

const LIMIT = 100
const MONTHS = 12

const sum = (videos: Row['videos']): number => Object.values(videos).reduce((all, n) => all + n, 0)
const countOrDash = (n: number | null): string => (n === null ? '–' : n.toLocaleString('en'))

const COLUMNS_OF_ALL: Column<Row>[] = [
  { title: 'Client', cell: ({ client }) => client },
  { title: 'Backend', cell: ({ backend }) => backend ?? <span class="muted">of none</span> },
  { title: 'Videos', cell: ({ videos }) => countOrDash(sum(videos)), isNumber: true },
  { title: 'Completed', cell: ({ videos }) => countOrDash(videos.completed ?? 0), isNumber: true },
  { title: 'Failed', cell: ({ videos }) => countOrDash(videos.failed ?? 0), isNumber: true },
  { title: 'Credits', cell: ({ credits_charged: credits }) => countOrDash(credits), isNumber: true },
  { title: 'Requests', cell: ({ requests }) => countOrDash(requests), isNumber: true },
]

/** The document knows the CSV, too: which of them it is says the request. */
const readMonth = async (month: string): Promise<Schema<'ClientUsageList'>> => {
  const answer = await ask(api.GET('/unified/v1/admin/usage', { params: { query: { month, limit: LIMIT } } }))
  if (typeof answer === 'string') throw new Error('a list was asked for')
  return answer
}

/** What all clients did in a month, by UTC. The whole of it is the CSV. */
export const UsageOfAll = () => {
  const { filters, set } = useFilters()
  const month = /^\d{4}-\d{2}$/.test(filters['month'] ?? '') ? (filters['month'] ?? '') : monthAgo(0)
  const { data, error, isLoading, reload } = useRead(`usage ${month}`, () => readMonth(month))
  const rows = data?.data ?? []
  return (
    <Card
      title="Usage"
      actions={
        <LinkButton href={`/console/api/unified/v1/admin/usage?month=${month}&format=csv`} file={`usage-${month}.csv`}>
          Download as CSV
        </LinkButton>
      }
    >
      <div class="filters">
        <Select
          label="Month"
          value={month}
          options={Array.from({ length: MONTHS }, (_, n) => [monthAgo(n), monthAgo(n)] as const)}
          onChange={(value) => set({ month: value })}
        />
      </div>
      {error && <Failure error={error} retry={reload} />}
      {isLoading && <Skeleton what="usage" />}
      {data && rows.length === 0 && <p class="muted">No client did anything in this month.</p>}
      {rows.length > 0 && (
        <Table
          caption={`Usage in ${month}`}
          columns={COLUMNS_OF_ALL}
          rows={rows}
          keyOf={({ client, backend }) => `${client} ${backend ?? ''}`}
        />
      )}
      {data?.has_more === true && <p class="muted">There are more rows: the CSV has all.</p>}
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

const Limit = ({ title, used, limit }: { title: string; used: number; limit: number | null }) =>
  limit === null ? (
    <>{count(used)}</>
  ) : (
    <>
      {count(used)} of {count(limit)}
      <Meter used={used} limit={limit} label={title} />
    </>
  )

const Own = ({ of }: { of: Usage['client'] }) => {
  const videos = Object.values(of.videos).reduce((all, n) => all + n, 0)
  return (
    <Card title={`Your client in ${of.month}`}>
      <Facts
        rows={[
          ['Videos', <Limit title="Videos of the month" used={videos} limit={of.limits.videos_per_month} />],
          ...Object.entries(of.videos).map(([status, n]) => [`… ${status}`, count(n)] as const),
          [
            'Credits',
            <Limit title="Credits of the month" used={of.credits_charged} limit={of.limits.credits_per_month} />,
          ],
          ['Requests', count(of.requests)],
        ]}
      />
      <p class="muted small">Months are in UTC. Requests may be 10 seconds late.</p>
    </Card>
  )
}

export function UsageScreen() {
  const { client } = useSession()
  const { data, error, isLoading, reload } = useRead(`usage of ${client}`, () => ask(api.GET('/unified/v1/usage')))
  useLiveReload(reload, ({ type }) => type.startsWith('video.') && type !== 'video.progress', 2_000)
  return (
    <>
      <Header title="Usage" />
      {error && <Failure error={error} retry={reload} />}
      {isLoading && <Skeleton what="usage" />}
      {data && (
        <>
          <Own of={data.client} />
          <Card title="Backends">
            <Table caption="Backends" columns={COLUMNS} rows={data.backends} keyOf={({ backend }) => backend} />
          </Card>
        </>
      )}
    </>
  )
}
