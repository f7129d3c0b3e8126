import { useState } from 'preact/hooks'
import { api, ask, type Schema } from '../../api.ts'
import { Badge, Meter } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { Card, Facts } from '../../ui/header.tsx'
import { Note } from '../../ui/states.tsx'
import { Table, type Column } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toast.tsx'
import { outcomeColumns, type Outcome } from './outcome.tsx'

type Split = Schema<'Split'>
type Gate = Split['gates'][number]
type Done = Split['audit'][number]
type Sides = Schema<'Migration'>['outcomes']['splits'][number]

const GATES: readonly Column<Gate>[] = [
  { title: 'Gate', cell: ({ name }) => name.replaceAll('_', ' ') },
  {
    title: 'State',
    cell: ({ held }) => <Badge tone={held ? 'good' : 'warn'}>{held ? 'holds' : 'does not hold'}</Badge>,
  },
  { title: 'Why', cell: ({ why }) => why },
]

const AUDIT: readonly Column<Done>[] = [
  { title: 'When', cell: ({ at }) => <Time at={at} /> },
  { title: 'Who', cell: ({ actor }) => actor },
  { title: 'What', cell: ({ action }) => action.replace('split.', '') },
  { title: 'Detail', cell: ({ detail }) => (typeof detail['to'] === 'number' ? `to ${detail['to']} %` : '–') },
]

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

const act = async (deed: Deed, { rule }: Split): Promise<Split> => {
  switch (deed) {
    case 'step':
      return ask(api.POST('/unified/v1/admin/migration/step', { body: { rule } }))
    case 'force':
      return ask(api.POST('/unified/v1/admin/migration/step', { body: { rule, force: true } }))
    case 'rollback':
      return ask(api.POST('/unified/v1/admin/migration/rollback', { body: { rule } }))
    case 'resume':
      return ask(api.POST('/unified/v1/admin/migration/resume', { body: { rule } }))
  }
}

interface Question {
  title: string
  confirm: string
  text: string
}

const questionOf = (deed: Deed, { old, new: fresh, next_weight: next, ramp_weight: weight }: Split): Question => {
  switch (deed) {
    case 'step':
      return {
        title: 'Take the next step?',
        confirm: `Send ${next} % to ${fresh}`,
        text: `${fresh} gets ${next} % of new videos instead of ${weight} %, on every replica within two seconds.`,
      }
    case 'force':
      return {
        title: 'Step even if gates do not hold?',
        confirm: `Send ${next} % to ${fresh} anyway`,
        text: `Not every gate holds. ${fresh} gets ${next} % of new videos instead of ${weight} %.`,
      }
    case 'rollback':
      return {
        title: 'Roll back?',
        confirm: `Send everything to ${old}`,
        text: `All new videos go to ${old} immediately. Jobs on ${fresh} run to their end there.`,
      }
    case 'resume':
      return {
        title: 'Resume the split?',
        confirm: `Send ${weight} % to ${fresh} again`,
        text: `${fresh} gets ${weight} % of new videos again. Earlier outcomes no longer count.`,
      }
  }
}

const Ask = ({
  deed,
  split,
  onClose,
  onDone,
}: {
  deed: Deed
  split: Split
  onClose: () => void
  onDone: () => void
}) => {
  const { title, confirm, text } = questionOf(deed, split)
  return (
    <Confirm
      title={title}
      confirm={confirm}
      isDanger={deed === 'rollback' || deed === 'force'}
      onClose={onClose}
      act={async () => {
        const now = await act(deed, split)
        toast(`${now.new} now gets ${now.weight} % of new videos`)
        onDone()
      }}
    >
      <p>{text}</p>
    </Confirm>
  )
}

const Deeds = ({ split, ask: open }: { split: Split; ask: (deed: Deed) => void }) => (
  <div class="actions">
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

type Side = Outcome & { side: string }

const Compared = ({ split, sides }: { split: Split; sides: Sides }) => (
  <Table<Side>
    caption={`Both sides of the split ${split.rule}`}
    columns={[{ title: 'Side', cell: ({ side }) => side }, ...outcomeColumns<Side>()]}
    rows={[
      { ...sides.old, side: `${split.old} (old)` },
      { ...sides.new, side: `${split.new} (new)` },
    ]}
    keyOf={({ side }) => side}
  />
)

/** One split: its share, its guards, and what may be done to it. */
export const SplitCard = ({ split, sides, onDone }: { split: Split; sides: Sides | null; onDone: () => void }) => {
  const [deed, setDeed] = useState<Deed | null>(null)
  return (
    <Card title={`${split.old} → ${split.new}`} actions={<Deeds split={split} ask={setDeed} />}>
      {deed && <Ask deed={deed} split={split} onClose={() => setDeed(null)} onDone={onDone} />}
      <Stopped split={split} />
      <div class="measure">
        <div class="measure-words">
          <span>Share of {split.new}</span>
          <span>
            {split.weight} %{split.weight !== split.ramp_weight && ` (${split.ramp_weight} % when it is resumed)`}
          </span>
        </div>
        <Meter used={split.weight} limit={100} label={`Share of ${split.new} in percent`} />
      </div>
      <Facts
        rows={[
          ['For', whenOf(split)],
          ['Stops', stopOf(split)],
          ['Rule', `${split.rule}, ${split.path}`],
          [
            'Last step',
            split.stepped_at === null ? (
              'never: as in the configuration'
            ) : (
              <>
                <Time at={split.stepped_at} /> by {split.stepped_by}
              </>
            ),
          ],
        ]}
      />
      {sides && <Compared split={split} sides={sides} />}
      <Table
        caption={`Gates of the split ${split.rule}`}
        columns={GATES}
        rows={split.gates}
        keyOf={({ name }) => name}
      />
      {split.audit.length > 0 && (
        <details>
          <summary class="small">What was done to it</summary>
          <Table
            caption={`What was done to the split ${split.rule}`}
            columns={AUDIT}
            rows={split.audit}
            keyOf={({ id }) => id}
          />
        </details>
      )}
    </Card>
  )
}
