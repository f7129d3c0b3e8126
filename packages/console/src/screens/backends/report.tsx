import { useState } from 'preact/hooks'
import { api, ask, type Schema } from '../../api.ts'
import { useAction } from '../../use-read.ts'
import { Button } from '../../ui/button.tsx'
import { Code } from '../../ui/copy.tsx'
import { Select } from '../../ui/field.tsx'
import { Card, Facts } from '../../ui/header.tsx'
import { Failure } from '../../ui/states.tsx'
import { Table, type Column } from '../../ui/table.tsx'

type MigrationReport = Schema<'MigrationReport'>
type Loss = MigrationReport['losses'][number]
type Lacking = MigrationReport['lacking'][number]

const part = (count: number, of: number): string =>
  `${count.toLocaleString('en')}${of > 0 ? ` (${((100 * count) / of).toFixed(1)} %)` : ''}`

const LOSSES: readonly Column<Loss>[] = [
  { title: 'What', cell: ({ code, field }) => (field === null ? code : `${code}: ${field}`) },
  { title: 'Then', cell: ({ verdict }) => verdict.replaceAll('_', ' ') },
  { title: 'Videos', isNumber: true, cell: ({ videos }) => videos.toLocaleString('en') },
  { title: 'Example', cell: ({ example }) => <a href={`/console/videos/${example}`}>{example}</a> },
]

const LACKING: readonly Column<Lacking>[] = [
  { title: 'What', cell: ({ kind }) => kind },
  { title: 'Old id', cell: ({ id, name }) => (name === null ? <code>{id}</code> : `${name} (${id})`) },
  { title: 'Videos', isNumber: true, cell: ({ videos }) => videos.toLocaleString('en') },
  {
    title: 'Most similar there',
    cell: ({ candidates: [best] }) => (best ? `${best.name ?? best.id}: ${best.why}` : 'nothing similar'),
  },
]

const Told = ({ report }: { report: MigrationReport }) => {
  const { videos, verdicts, losses, lacking, imported, aliases, from, to } = report
  return (
    <>
      <Facts
        rows={[
          ['Judged', `${videos.toLocaleString('en')} videos of ${from}, for ${to}`],
          ['As they are', part(verdicts.untouched, videos)],
          ['With a warning', part(verdicts.warnings, videos)],
          ['Not at all', part(verdicts.not_at_all, videos)],
          ['Unverified', part(verdicts.unverified, videos)],
          ['Imported', `${imported.toLocaleString('en')}, which have no request to check`],
        ]}
      />
      {losses.length > 0 && (
        <Table
          caption="What would be lost"
          columns={LOSSES}
          rows={losses}
          keyOf={({ code, field, verdict }) => JSON.stringify([code, field, verdict])}
        />
      )}
      {lacking.length > 0 && (
        <Table
          caption="Voices and portraits that the new backend lacks"
          columns={LACKING}
          rows={lacking}
          keyOf={({ kind, id }) => `${kind} ${id}`}
        />
      )}
      {lacking.length > 0 && (
        <details>
          <summary class="small">The section aliases of the configuration, to paste</summary>
          <Code label="aliases" text={aliases} />
        </details>
      )}
    </>
  )
}

/** What a move would lose: asked for, since it goes through all that is recorded. */
export const Report = ({ backends }: { backends: readonly string[] }) => {
  const [from, setFrom] = useState(backends[0] ?? '')
  const [to, setTo] = useState(backends[1] ?? '')
  const [report, setReport] = useState<MigrationReport | null>(null)
  const { run, isRunning, error } = useAction(async () => {
    const query = { from, to }
    const answer = await ask(api.GET('/unified/v1/migration/report', { params: { query } }))
    // It may be asked for as a table, too.
    if (typeof answer !== 'string') setReport(answer)
  })
  const options = backends.map((name) => [name, name] as const)
  return (
    <Card title="What a move would lose">
      <p class="muted">
        The gateway checks every recorded request of one backend against another. It sends nothing, and you pay nothing.
      </p>
      <form
        class="filters"
        onSubmit={(event) => {
          event.preventDefault()
          void run()
        }}
      >
        <Select label="From" value={from} options={options} onChange={setFrom} />
        <Select label="To" value={to} options={options} onChange={setTo} />
        <Button type="submit" isBusy={isRunning} disabled={from === to}>
          Make the report
        </Button>
      </form>
      {from === to && <p class="muted small">Choose two backends.</p>}
      {error && <Failure error={error} />}
      {report && <Told report={report} />}
    </Card>
  )
}
