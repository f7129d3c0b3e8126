import { api, ask, type Schema } from '../../api.ts'
import { useLiveReload } from '../../live.ts'
import { useSession } from '../../session.ts'
import { useRead } from '../../use-read.ts'
import { Meter } from '../../ui/badge.tsx'
import { Card, Facts, Header } from '../../ui/header.tsx'
import { Failure, Skeleton } from '../../ui/states.tsx'
import { Table, type Column } from '../../ui/table.tsx'

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
