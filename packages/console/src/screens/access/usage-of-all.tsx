import { api, ask, type Schema } from '../../api.ts'
import { useFilters } from '../../use-filters.ts'
import { useRead } from '../../use-read.ts'
import { LinkButton } from '../../ui/button.tsx'
import { Select } from '../../ui/field.tsx'
import { Card } from '../../ui/header.tsx'
import { Failure, Skeleton } from '../../ui/states.tsx'
import { Table, type Column } from '../../ui/table.tsx'
import { monthAgo } from './model.ts'

type Row = Schema<'ClientUsageList'>['data'][number]

const LIMIT = 100
const MONTHS = 12

const sum = (videos: Row['videos']): number => Object.values(videos).reduce((all, n) => all + n, 0)
const count = (n: number | null): string => (n === null ? '–' : n.toLocaleString('en'))

const COLUMNS: Column<Row>[] = [
  { title: 'Client', cell: ({ client }) => client },
  { title: 'Backend', cell: ({ backend }) => backend ?? <span class="muted">of none</span> },
  { title: 'Videos', cell: ({ videos }) => count(sum(videos)), isNumber: true },
  { title: 'Completed', cell: ({ videos }) => count(videos.completed ?? 0), isNumber: true },
  { title: 'Failed', cell: ({ videos }) => count(videos.failed ?? 0), isNumber: true },
  { title: 'Credits', cell: ({ credits_charged: credits }) => count(credits), isNumber: true },
  { title: 'Requests', cell: ({ requests }) => count(requests), isNumber: true },
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
          columns={COLUMNS}
          rows={rows}
          keyOf={({ client, backend }) => `${client} ${backend ?? ''}`}
        />
      )}
      {data?.has_more === true && <p class="muted">There are more rows: the CSV has all.</p>}
    </Card>
  )
}
