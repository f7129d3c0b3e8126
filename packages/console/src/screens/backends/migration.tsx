import { type Schema, api, ask } from '../../api.ts'
import { type Column, Table } from '../../ui/table.tsx'
import { durationOf, Time } from '../../ui/time.tsx'
import { useState } from 'preact/hooks'
import { type Action, useAction, useFilters, useRead } from '../../reads.ts'
import { Button, Code, Id } from '../../ui/button.tsx'
import { Select } from '../../ui/field.tsx'
import { Card, Facts } from '../../ui/header.tsx'
import { Failure, Badge, Loaded, Meter, Note, toast, Empty } from '../../ui/states.tsx'
import { Measure } from '../../ui/backend.tsx'
import { Chart } from '../../ui/chart.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { useLiveReload } from '../../live.ts'

/** How the videos of a backend, or of one side of a split, ended. */
type Outcome = Schema<'Migration'>['outcomes']['splits'][number]['old']

const percent = (part: number): string => `${(100 * part).toFixed(1)} %`

const successOf = ({ success }: Outcome) =>
  success === null ? (
    '–'
  ) : (
    <span>
      {percent(success.rate)}{' '}
      <span class="muted small">
        ({percent(success.low)} to {percent(success.high)})
      </span>
    </span>
  )

const secondsOf = (outcome: Outcome, part: 'p50' | 'p95') =>
  outcome.seconds === null ? '–' : durationOf(outcome.seconds[part] * 1_000)

type Range = readonly [low: number, high: number]

/** A tenth more or less may be chance. */
const around = (value: number | null | undefined): Range | null =>
  typeof value === 'number' ? [0.9 * value, 1.1 * value] : null

/** What is compared. `range`: where the figure may be; less is better. */
const FIGURES: readonly (Column<Outcome> & { range?: (of: Outcome) => Range | null })[] = [
  { title: 'Ended', isNumber: true, cell: ({ videos }) => videos },
  {
    title: 'Succeeded (95 % interval)',
    isText: true,
    cell: successOf,
    range: ({ success }) => success && [1 - success.high, 1 - success.low],
  },
  { title: 'Half done in', isNumber: true, cell: (of) => secondsOf(of, 'p50'), range: (of) => around(of.seconds?.p50) },
  { title: '95 % done in', isNumber: true, cell: (of) => secondsOf(of, 'p95'), range: (of) => around(of.seconds?.p95) },
  {
    title: 'Credits each',
    isNumber: true,
    cell: ({ credits: { each } }) => each?.toFixed(2),
    range: ({ credits: { each } }) => around(each),
  },
  {
    title: 'Lost an option',
    isNumber: true,
    cell: ({ warned }) => (warned === null ? null : percent(warned)),
    range: ({ warned }) => around(warned),
  },
]

/** Whether the new side is better; where both figures may be the same, nobody knows. */
const verdictOf = (was: Range | null, now: Range | null) => {
  if (!was || !now) return null
  if (now[1] < was[0]) return <Badge tone="good">better</Badge>
  return now[0] > was[1] ? <Badge tone="bad">worse</Badge> : <Badge>no clear difference</Badge>
}

type MigrationReport = Schema<'MigrationReport'>
type Loss = MigrationReport['losses'][number]
type Lacking = MigrationReport['lacking'][number]

const part = (count: number, of: number): string =>
  `${count.toLocaleString('en')}${of > 0 ? ` (${percent(count / of)})` : ''}`

const LOSSES: readonly Column<Loss>[] = [
  { title: 'What', isText: true, cell: ({ code, field }) => (field === null ? code : `${code}: ${field}`) },
  { title: 'Then', cell: ({ verdict }) => verdict.replaceAll('_', ' ') },
  { title: 'Videos', isNumber: true, cell: ({ videos }) => videos },
  { title: 'Example', cell: ({ example }) => <Id isShort of={example} href={`/console/videos/${example}`} /> },
]

const LACKING: readonly Column<Lacking>[] = [
  { title: 'What', cell: ({ kind }) => kind },
  { title: 'Old id', isText: true, cell: ({ id, name }) => (name === null ? <code>{id}</code> : `${name} (${id})`) },
  { title: 'Videos', isNumber: true, cell: ({ videos }) => videos },
  {
    title: 'Most similar there',
    isText: true,
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
      {losses.length > 0 && <Table caption="What would be lost" columns={LOSSES} rows={losses} />}
      {lacking.length > 0 && (
        <>
          <Table caption="Voices and portraits that the new backend lacks" columns={LACKING} rows={lacking} />
          <details>
            <summary class="small">The section aliases of the configuration, to paste</summary>
            <Code label="aliases" text={aliases} />
          </details>
        </>
      )}
    </>
  )
}

/** What a move would lose: asked for, since it goes through all that is recorded. */
const Report = ({ backends }: { backends: readonly string[] }) => {
  const [from, setFrom] = useState(backends[0] ?? '')
  const [to, setTo] = useState(backends[1] ?? '')
  const [report, setReport] = useState<MigrationReport | null>(null)
  const { run, isRunning, error } = useAction(async () => {
    const query = { from, to }
    const answer = await ask(api.GET('/unified/v1/migration/report', { params: { query } }))
    // It may be asked for as a table, too.
    if (typeof answer !== 'string') setReport(answer)
  })
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
        <Select label="From" value={from} options={backends} onChange={setFrom} />
        <Select label="To" value={to} options={backends} onChange={setTo} />
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

type Split = Schema<'Split'>
type Gate = Split['gates'][number]
type Sides = Schema<'Migration'>['outcomes']['splits'][number]

/** What the share counts: not videos, but what stays together on one side. */
const ofWhat = ({ by }: Split): string => (by === 'client' ? 'clients' : `the values of ${by}`)

const progressOf = (name: Gate['name'], now: number, limit: number): string =>
  name === 'least_videos'
    ? `${now} of ${limit} videos`
    : `${name.replaceAll('_', ' ')}: ${now.toPrecision(3)}, at most ${limit.toPrecision(3)}`

/** Checks, with how near to its limit each is. */
const Gates = ({ gates }: { gates: readonly Gate[] }) => (
  <ul class="plain stack tight" aria-label="Gates">
    {gates.map(({ name, held, new: now, limit, why }) => (
      <li key={name} class="row">
        <Badge tone={held ? 'good' : 'warn'}>{held ? 'holds' : 'does not hold'}</Badge>
        <strong>{name.replaceAll('_', ' ')}</strong>
        <span class="muted">{why}</span>
        {now !== null && limit !== null && (
          <Meter used={now} limit={limit} label={progressOf(name, now, limit)} isAim={name === 'least_videos'} />
        )}
      </li>
    ))}
  </ul>
)

/** How both sides did from the step up to each moment: a share of few videos would leap. */
const SinceStep = ({ split: { curve, old, new: fresh, gates_since: since } }: { split: Split }) => {
  const [first, second] = curve
  const untilMs = Date.now()
  const stepMs = (second ? Date.parse(second.from) : untilMs) - Date.parse(first?.from ?? '')
  const sides = [[old, 'old'] as const, [fresh, 'new'] as const]
  return (
    <>
      <h3>
        {since === null ? 'Until now' : 'Since the step, '}
        {since && <Time at={since} />}
      </h3>
      {curve.some((step) => step.old.videos + step.new.videos > 0) && (
        <Chart
          label={`Success of ${old} and ${fresh} since the step`}
          fromMs={Date.parse(first?.from ?? '')}
          toMs={untilMs}
          stepMs={stepMs}
          words={percent}
          least={1}
          lines={sides.map(([key, side]) => ({
            key,
            points: curve.map(({ from }, n) => {
              const [videos, failed] = (['videos', 'failed'] as const).map((what) =>
                curve.slice(0, n + 1).reduce((sum, step) => sum + step[side][what], 0),
              )
              return { atMs: Date.parse(from), value: videos ? 1 - (failed ?? 0) / videos : null }
            }),
          }))}
        />
      )}
    </>
  )
}

/** Without this, a split that moves nobody looks like one that waits for videos. */
const NotMoved = ({ split: { new: fresh, not_moved: kinds, gates, weight } }: { split: Split }) => {
  const all = Object.values(kinds).reduce((sum, count) => sum + count, 0)
  if (all === 0) return null
  const isIdle = weight > 0 && gates.some(({ name, new: ended }) => name === 'least_videos' && ended === 0)
  return (
    <Note kind="warn">
      <strong>
        {isIdle && 'This split moves nobody. '}
        {fresh} did not get {all.toLocaleString('en')} {all === 1 ? 'create' : 'creates'} of its share
      </strong>
      <ul class="plain">
        {Object.entries(kinds).map(([kind, count]) => (
          <li key={kind}>
            {count.toLocaleString('en')} <code>{kind}</code>
          </li>
        ))}
      </ul>
      <p>Waiting does not help: {fresh} cannot make them as they are. Change the requests, or narrow the rule.</p>
    </Note>
  )
}

const whenOf = ({ when: { client, surface, source, metadata } }: Split): string =>
  [
    client !== null && `client ${client}`,
    surface !== null && `surface ${surface}`,
    source !== null && `from ${source}`,
    ...Object.entries(metadata).map(([key, value]) => `${key} = ${value}`),
  ]
    .filter((one) => one !== false)
    .join(', ') || 'every video'

const stopOf = ({ stop_if: guard }: Split): string =>
  guard === null
    ? 'never by itself'
    : `when ${(100 * guard.failure_rate).toFixed(0)} % of ${guard.of} fail within ${Math.round(guard.window_seconds / 60)} min`

type Deed = 'step' | 'force' | 'rollback' | 'resume'

const act = (deed: Deed, { rule }: Split): Promise<Split> => {
  const body = { body: { rule } }
  if (deed === 'rollback') return ask(api.POST('/unified/v1/admin/migration/rollback', body))
  if (deed === 'resume') return ask(api.POST('/unified/v1/admin/migration/resume', body))
  return ask(api.POST('/unified/v1/admin/migration/step', { body: { rule, force: deed === 'force' } }))
}

/** What is asked, what the button says, and what follows. */
const questionOf = (deed: Deed, split: Split): readonly [title: string, confirm: string, text: string] => {
  const { old, new: fresh, next_weight: next, ramp_weight: weight } = split
  const [of, stays] = [ofWhat(split), 'Each of them stays on one side.']
  const moves = `${fresh} gets the new videos of ${next} % of ${of} instead of ${weight} %`
  const questions: Readonly<Record<Deed, readonly [string, string, string]>> = {
    step: [
      'Take the next step?',
      `Send ${next} % to ${fresh}`,
      `${moves}, on every replica within two seconds. ${stays}`,
    ],
    force: [
      'Step even if gates do not hold?',
      `Send ${next} % to ${fresh} anyway`,
      `${moves}. ${stays} These gates do not hold:`,
    ],
    rollback: [
      'Roll back?',
      `Send everything to ${old}`,
      `All new videos go to ${old} immediately. Jobs on ${fresh} run to their end there.`,
    ],
    resume: [
      'Resume the split?',
      `Send ${weight} % to ${fresh} again`,
      `${fresh} gets the new videos of ${weight} % of ${of} again. Earlier outcomes no longer count.`,
    ],
  }
  return questions[deed]
}

interface DeedsProps {
  split: Split
  ask: (deed: Deed) => void
  undo: Action<[]>
}

const Deeds = ({ split, ask: open, undo }: DeedsProps) => (
  <div class="actions">
    {split.rolled_back_from !== null && (
      <Button kind="primary" isBusy={undo.isRunning} onClick={() => void undo.run()}>
        Undo the rollback: {split.rolled_back_from} % again
      </Button>
    )}
    {split.stopped !== null && (
      <Button kind="primary" onClick={() => open('resume')}>
        Resume
      </Button>
    )}
    {split.stopped === null && split.next_weight !== null && (
      <Button kind={split.ready ? 'primary' : 'plain'} onClick={() => open(split.ready ? 'step' : 'force')}>
        Step to {split.next_weight} %
      </Button>
    )}
    {split.ramp_weight > 0 && (
      <Button kind="danger" onClick={() => open('rollback')}>
        Roll back
      </Button>
    )}
  </div>
)

const Stopped = ({ split }: { split: Split }) =>
  split.stopped && (
    <Note kind="warn">
      <strong>It stopped itself.</strong>
      <p>
        <Time at={split.stopped.at} />: {split.stopped.outcomes.new.failed} of {split.stopped.outcomes.new.videos}{' '}
        failed on {split.new}, {split.stopped.outcomes.old.failed} of {split.stopped.outcomes.old.videos} on {split.old}
        . New videos go to {split.old} until it is resumed.
      </p>
    </Note>
  )

/** One split: its share, its guards, and what may be done to it. */
const SplitCard = ({ split, sides, onDone }: { split: Split; sides: Sides | null; onDone: () => void }) => {
  const [deed, setDeed] = useState<Deed | null>(null)
  const run = async (what: Deed): Promise<void> => {
    const now = await act(what, split)
    toast(`${now.new} now gets ${now.weight} % of ${ofWhat(now)}`)
    onDone()
  }
  const [title = '', confirm = '', text] = deed ? questionOf(deed, split) : []
  // What was in force before needs no question.
  const undo = useAction(() => run('resume'))
  return (
    <Card title={`${split.old} → ${split.new}`} actions={<Deeds split={split} ask={setDeed} undo={undo} />}>
      {deed && (
        <Confirm
          title={title}
          confirm={confirm}
          isDanger={deed === 'rollback' || deed === 'force'}
          onClose={() => setDeed(null)}
          act={() => run(deed)}
        >
          <p>{text}</p>
          {deed === 'force' && <Gates gates={split.gates.filter(({ held }) => !held)} />}
        </Confirm>
      )}
      {undo.error && <Failure error={undo.error} />}
      <Stopped split={split} />
      {sides && (
        <Table
          caption={`Is ${split.new} better than ${split.old}?`}
          columns={[
            { title: 'Figure', isText: true, cell: ({ title }) => title },
            { title: `${split.old} (old)`, isText: true, cell: ({ cell }) => cell(sides.old) },
            { title: `${split.new} (new)`, isText: true, cell: ({ cell }) => cell(sides.new) },
            { title: `${split.new} is`, cell: ({ range }) => range && verdictOf(range(sides.old), range(sides.new)) },
          ]}
          rows={FIGURES}
        />
      )}
      <Measure
        name={`Share of ${split.new}`}
        used={split.weight}
        limit={100}
        label={`Share of ${split.new} in percent`}
        isAim
      >
        {split.weight} % of {ofWhat(split)}
        {split.weight !== split.ramp_weight && ` (${split.ramp_weight} % when it is resumed)`}
      </Measure>
      <Facts
        rows={[
          ['For', whenOf(split)],
          ['Stops', stopOf(split)],
          ['Rule', `${split.rule}, ${split.path}`],
          ['Last step', split.stepped_at ? <Time at={split.stepped_at} /> : 'never: as in the configuration'],
          split.stepped_by !== null && ['Stepped by', split.stepped_by],
        ]}
      />
      <SinceStep split={split} />
      <NotMoved split={split} />
      <h3>Gates of the next step</h3>
      {split.ramp_weight === 0 && split.stopped === null && <p class="muted">The first step needs no gate.</p>}
      <Gates gates={split.gates} />
      <a href={`/console/audit?subject=${encodeURIComponent(split.rule)}`}>What was done to it</a>
    </Card>
  )
}

type Migration = Schema<'Migration'>
const EVERY_MS = 10_000
const SINCE = [
  ['1h', 'the last hour'],
  ['24h', 'the last 24 hours'],
  ['7d', 'the last 7 days'],
  ['30d', 'the last 30 days'],
] as const
const PRESET = '24h'

const Backends = ({ migration: { outcomes, counted } }: { migration: Migration }) => {
  const all = outcomes.backends.reduce((sum, { videos }) => sum + videos, 0)
  // Where every video is of one split, its own table says the same.
  if (all > 0 && counted.complete && outcomes.splits.some((split) => split.old.videos + split.new.videos === all))
    return null
  return (
    <Card title="How all videos ended">
      {all === 0 ? (
        <p class="muted">No video ended in this time. Choose a longer time, or make a video.</p>
      ) : (
        <Table
          caption="How videos ended on each backend"
          columns={[{ title: 'Backend', cell: ({ name }) => name }, ...FIGURES]}
          rows={outcomes.backends.map((one) => ({ ...one, name: one.backend }))}
        />
      )}
      {!counted.complete && (
        <p class="muted small">Only the latest {counted.limit.toLocaleString('en')} videos count. There were more.</p>
      )}
    </Card>
  )
}

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
  const read = useRead(
    `migration ${since}`,
    () => ask(api.GET('/unified/v1/migration', { params: { query: { since } } })),
    EVERY_MS,
  )
  useLiveReload(
    read.reload,
    ({ type }) => type === 'routing.stopped' || /^video\.(completed|failed|canceled)$/.test(type),
    900,
  )
  return (
    <div class="page">
      <div class="filters">
        <Select
          label="Videos of"
          value={since}
          options={SINCE}
          onChange={(value) => set({ since: value === PRESET ? '' : value })}
        />
      </div>
      <Loaded read={read} what="the backends side by side" rows={8}>
        {(migration) => (
          <>
            <Splits migration={migration} reload={read.reload} />
            <Backends migration={migration} />
            <Report backends={migration.outcomes.backends.map(({ backend }) => backend)} />
          </>
        )}
      </Loaded>
    </div>
  )
}
