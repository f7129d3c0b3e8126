import { api, ask, type Schema } from '../../api.ts'
import { useLiveReload } from '../../live.ts'
import { useFilters } from '../../use-filters.ts'
import { useRead } from '../../use-read.ts'
import { Select } from '../../ui/field.tsx'
import { Card } from '../../ui/header.tsx'
import { Empty, Failure, Skeleton } from '../../ui/states.tsx'
import { Table } from '../../ui/table.tsx'
import { outcomeColumns } from './outcome.tsx'
import { Report } from './report.tsx'
import { SplitCard } from './split.tsx'

type Migration = Schema<'Migration'>
const EVERY_MS = 10_000
const SINCE = [
  ['1h', 'the last hour'],
  ['24h', 'the last 24 hours'],
  ['7d', 'the last 7 days'],
  ['30d', 'the last 30 days'],
] as const
const PRESET = '24h'

type OfBackend = Migration['outcomes']['backends'][number]

const Backends = ({ migration: { outcomes, counted } }: { migration: Migration }) => (
  <Card title="How videos ended">
    {outcomes.backends.every(({ videos }) => videos === 0) ? (
      <p class="muted">No video ended in this time. Choose a longer time, or make a video.</p>
    ) : (
      <Table<OfBackend>
        caption="How videos ended on each backend"
        columns={[{ title: 'Backend', cell: ({ backend }) => backend }, ...outcomeColumns<OfBackend>()]}
        rows={outcomes.backends}
        keyOf={({ backend }) => backend}
      />
    )}
    <p class="muted small">
      The brackets show the 95 % interval of the rate.
      {!counted.complete && ` Only the latest ${counted.limit.toLocaleString('en')} videos count. There were more.`}
    </p>
  </Card>
)

const Splits = ({ migration, reload }: { migration: Migration; reload: () => void }) =>
  migration.splits.length === 0 ? (
    <Empty title="No rule splits videos between two backends">
      <p>
        A split sends a part of the videos to another backend, and stops itself if they fail there. Put it in
        <code> routing.rules</code> of the configuration, as <code>docs/migration.md</code> shows.
      </p>
    </Empty>
  ) : (
    <>
      {migration.splits.map((split) => (
        <SplitCard
          key={split.rule}
          split={split}
          sides={migration.outcomes.splits.find(({ rule }) => rule === split.rule) ?? null}
          onDone={reload}
        />
      ))}
    </>
  )

/** Backends side by side, the splits between them, and what a move would lose. */
export const MigrationView = () => {
  const { filters, set } = useFilters()
  const since = filters['since'] ?? PRESET
  const { data, error, reload } = useRead(
    `migration ${since}`,
    () => ask(api.GET('/unified/v1/migration', { params: { query: { since } } })),
    EVERY_MS,
  )
  useLiveReload(
    reload,
    ({ type }) => type === 'routing.stopped' || /^video\.(completed|failed|canceled)$/.test(type),
    900,
  )
  return (
    <div class="page compared">
      <div class="filters">
        <Select
          label="Videos of"
          value={since}
          options={SINCE}
          onChange={(value) => set({ since: value === PRESET ? '' : value })}
        />
      </div>
      {error && <Failure error={error} retry={reload} />}
      {!data && !error && <Skeleton what="the backends side by side" rows={8} />}
      {data && (
        <>
          <Backends migration={data} />
          <Splits migration={data} reload={reload} />
          <Report backends={data.outcomes.backends.map(({ backend }) => backend)} />
        </>
      )}
    </div>
  )
}
