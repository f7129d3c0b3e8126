import { useState } from 'preact/hooks'
import { api, ask, type Schema } from '../../api.ts'
import { useAction, usePages } from '../../reads.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { Input } from '../../ui/field.tsx'
import { Failure, toast, Badge, Status } from '../../ui/states.tsx'
import { Header } from '../../ui/header.tsx'
import { Listed, type Column } from '../../ui/table.tsx'
import { UsageOfAll } from './usage.tsx'
import { doSoon, useIsWaiting } from '../../ui/undo.tsx'

type Client = Schema<'Client'>
type LimitName = keyof Client['limits']

/** [name, label, hint, what a new client gets]. Where that is null, an empty field is "no limit". */
const LIMITS = [
  ['requests_per_minute', 'Requests a minute', 'To the gateway.', 600],
  ['videos_per_month', 'Videos a month', 'Empty: no limit.', null],
  ['credits_per_month', 'Credits a month', 'Empty: no limit.', null],
  ['queued_videos', 'Waiting videos', 'How many may wait in the gateway at the same time.', 100],
  ['streams', 'Streams', 'How many may be open at the same time.', 20],
] as const satisfies readonly (readonly [LimitName, string, string, number | null])[]

type Draft = Record<'id' | 'description' | 'backends' | LimitName, string>

const draftOf = (client: Client | null): Draft => ({
  id: client?.id ?? '',
  description: client?.description ?? '',
  backends: client?.backends?.join(', ') ?? '',
  ...(Object.fromEntries(
    LIMITS.map(([name, , , first]) => [name, String((client ? client.limits[name] : first) ?? '')]),
  ) as Record<LimitName, string>),
})

const bodyOf = ({ description, backends, ...draft }: Draft): Schema<'UpdateClient'> => {
  const names = backends.split(/[\s,]+/).filter(Boolean)
  const limits = LIMITS.map(([name]) => [name, draft[name] === '' ? null : Number(draft[name])])
  return {
    description: description || null,
    backends: names.length === 0 ? null : names,
    limits: Object.fromEntries(limits) as Client['limits'],
  }
}

interface EditProps {
  /** Null: a new one. */
  of: Client | null
  onDone: () => void
  onClose: () => void
}

const EditClient = ({ of, ...end }: EditProps) => {
  const [draft, setDraft] = useState(draftOf(of))
  const field = (name: keyof Draft, label: string, hint: string) => ({
    label,
    hint,
    value: draft[name],
    set: (value: string) => setDraft((before) => ({ ...before, [name]: value })),
  })
  const { id } = draft
  const act = (): Promise<unknown> => {
    const body = bodyOf(draft)
    return of
      ? ask(api.PATCH('/unified/v1/admin/clients/{id}', { params: { path: { id } }, body }))
      : ask(api.POST('/unified/v1/admin/clients', { body: { ...body, id } }))
  }
  const [title, confirm, said] = of
    ? [`Edit ${id}`, 'Save', `${id} is changed`]
    : ['Create a client', 'Create client', `${id} is there. Issue a key for it.`]
  return (
    <Confirm title={title} confirm={confirm} act={act} said={said} {...end}>
      {of === null && (
        <Input
          {...field('id', 'Id', 'Small letters, digits, _ and -. You cannot change it later.')}
          required
          maxLength={63}
          pattern="[a-z0-9][a-z0-9_\-]*"
        />
      )}
      <Input {...field('description', 'Description', 'A note for people.')} maxLength={500} />
      <Input {...field('backends', 'Backends', 'Names, separated by commas. Empty: all of them.')} />
      <div class="filters">
        {LIMITS.map(([name, label, hint, first]) => (
          <Input
            key={name}
            {...field(name, label, hint)}
            required={first !== null}
            pattern="[0-9]+"
            inputMode="numeric"
          />
        ))}
      </div>
    </Confirm>
  )
}

const limit = (n: number | null): string => (n === null ? 'no limit' : n.toLocaleString('en'))

const limitsOf = ({ limits }: Client): string =>
  [
    `${limit(limits.requests_per_minute)} requests a minute`,
    `videos a month: ${limit(limits.videos_per_month)}`,
    `credits a month: ${limit(limits.credits_per_month)}`,
    `${limit(limits.queued_videos)} waiting`,
    `${limit(limits.streams)} streams`,
  ].join(' · ')

type Open = { what: 'create' } | { what: 'edit' | 'delete'; client: Client } | null

interface ChangeProps {
  of: Client
  open: (next: Open) => void
  set: (of: Client, enabled: boolean) => Promise<unknown>
}

const Change = ({ of, open, set }: ChangeProps) => {
  const disable = { key: `disable ${of.id}`, text: `Disable ${of.id}: its keys are refused`, act: () => set(of, false) }
  const isWaiting = useIsWaiting(disable.key)
  if (of.source === 'configuration') return <span class="small muted">in the file only</span>
  const word = of.enabled ? 'Disable' : 'Enable'
  return (
    <span class="actions">
      <Button aria-label={`Edit ${of.id}`} onClick={() => open({ what: 'edit', client: of })}>
        Edit
      </Button>
      <Button
        aria-label={`${word} ${of.id}`}
        isBusy={isWaiting}
        onClick={() => (of.enabled ? doSoon(disable) : void set(of, true))}
      >
        {word}
      </Button>
      <Button kind="danger" aria-label={`Delete ${of.id}`} onClick={() => open({ what: 'delete', client: of })}>
        Delete
      </Button>
    </span>
  )
}

const columnsFor = (change: Omit<ChangeProps, 'of'>): Column<Client>[] => [
  {
    title: 'Client',
    isText: true,
    cell: (one) => (
      <>
        <a href={`/console/keys?client=${encodeURIComponent(one.id)}`}>{one.id}</a>{' '}
        {one.source === 'configuration' && <Badge>from the file</Badge>}
        {one.description !== null && <span class="under small muted">{one.description}</span>}
      </>
    ),
  },
  { title: 'State', cell: (one) => <Status of={one.enabled ? 'enabled' : 'disabled'} /> },
  { title: 'Backends', isText: true, cell: (one) => one.backends?.join(', ') ?? 'all' },
  { title: 'Limits', isText: true, cell: (one) => <span class="small">{limitsOf(one)}</span> },
  { title: 'Change', cell: (one) => <Change of={one} {...change} /> },
]

const DeleteClient = ({ id, ...end }: { id: string; onDone: () => void; onClose: () => void }) => {
  const act = () => ask(api.DELETE('/unified/v1/admin/clients/{id}', { params: { path: { id } } }))
  return (
    <Confirm title={`Delete ${id}?`} confirm="Delete client" isDanger act={act} said={`${id} is deleted`} {...end}>
      <p>
        You cannot undo this. Its keys are refused, and no other client can have the id <strong>{id}</strong> later. The
        gateway follows its open videos to their end.
      </p>
    </Confirm>
  )
}

export function ClientsScreen() {
  const pages = usePages('clients', (cursor) =>
    api.GET('/unified/v1/admin/clients', {
      params: { query: { limit: 50, ...(cursor !== undefined && { cursor }) } },
    }),
  )
  const [open, setOpen] = useState<Open>(null)
  const done = { onDone: pages.restart, onClose: () => setOpen(null) }
  const set = async ({ id }: Client, enabled: boolean): Promise<void> => {
    await ask(api.PATCH('/unified/v1/admin/clients/{id}', { params: { path: { id } }, body: { enabled } }))
    toast(enabled ? `${id} is enabled` : `${id} is disabled`)
    pages.restart()
  }
  const enabling = useAction((of: Client) => set(of, true))
  const change = {
    open: setOpen,
    set: (of: Client, enabled: boolean) => (enabled ? enabling.run(of) : set(of, false)),
  }
  return (
    <>
      <Header title="Clients">
        <Button kind="primary" data-key="c" onClick={() => setOpen({ what: 'create' })}>
          Create a client
        </Button>
      </Header>
      {enabling.error && <Failure error={enabling.error} />}
      <Listed caption="Clients" columns={columnsFor(change)} pages={pages} />
      <UsageOfAll />
      {open?.what === 'create' && <EditClient of={null} {...done} />}
      {open?.what === 'edit' && <EditClient of={open.client} {...done} />}
      {open?.what === 'delete' && <DeleteClient id={open.client.id} {...done} />}
    </>
  )
}
