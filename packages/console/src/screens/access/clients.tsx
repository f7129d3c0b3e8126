import { useState } from 'preact/hooks'
import { api, ask, type Schema } from '../../api.ts'
import { useAction, usePages } from '../../reads.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, Confirm } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Failure, toast, Badge, Status, Skeleton } from '../../ui/states.tsx'
import type { Client } from './keys.tsx'
import { Header } from '../../ui/header.tsx'
import { More, Table, type Column } from '../../ui/table.tsx'
import { UsageOfAll } from './usage.tsx'
import { doSoon, useIsWaiting } from '../../ui/undo.tsx'

interface Draft {
  description: string
  backends: string
  limits: Record<LimitName, string>
}
type LimitName = keyof Client['limits']

/** [name, label, hint, whether an empty field is "no limit"] */
const LIMITS = [
  ['requests_per_minute', 'Requests a minute', 'To the gateway.', false],
  ['videos_per_month', 'Videos a month', 'Empty: no limit.', true],
  ['credits_per_month', 'Credits a month', 'Empty: no limit.', true],
  ['queued_videos', 'Waiting videos', 'How many may wait in the gateway at the same time.', false],
  ['streams', 'Streams', 'How many may be open at the same time.', false],
] as const satisfies readonly (readonly [LimitName, string, string, boolean])[]

const DEFAULTS: Client['limits'] = {
  requests_per_minute: 600,
  videos_per_month: null,
  credits_per_month: null,
  queued_videos: 100,
  streams: 20,
}

const draftOf = ({ description, backends, limits }: Pick<Client, 'description' | 'backends' | 'limits'>): Draft => ({
  description: description ?? '',
  backends: backends?.join(', ') ?? '',
  limits: Object.fromEntries(LIMITS.map(([name]) => [name, String(limits[name] ?? '')])) as Draft['limits'],
})

const numberOr = <T,>(text: string, none: T): number | T => (text === '' ? none : Number(text))

const bodyOf = ({ description, backends, limits }: Draft): Schema<'UpdateClient'> => {
  const names = backends.split(/[\s,]+/).filter(Boolean)
  return {
    description: description || null,
    backends: names.length === 0 ? null : names,
    limits: {
      requests_per_minute: numberOr(limits.requests_per_minute, DEFAULTS.requests_per_minute),
      videos_per_month: numberOr(limits.videos_per_month, null),
      credits_per_month: numberOr(limits.credits_per_month, null),
      queued_videos: numberOr(limits.queued_videos, DEFAULTS.queued_videos),
      streams: numberOr(limits.streams, DEFAULTS.streams),
    },
  }
}

const Text = ({ label, hint, value, set, ...rest }: TextProps) => (
  <Field label={label} hint={hint}>
    {(id, described) => (
      <input
        id={id}
        aria-describedby={described}
        value={value}
        {...rest}
        onInput={(event) => set(event.currentTarget.value)}
      />
    )}
  </Field>
)
interface TextProps {
  label: string
  hint: string
  value: string
  set: (value: string) => void
  required?: boolean
  maxLength?: number
  pattern?: string
  inputMode?: 'numeric'
}

interface FormProps {
  start: Draft
  isNew: boolean
  submit: string
  act: (id: string, body: Schema<'UpdateClient'>) => Promise<unknown>
  onClose: () => void
}

const Form = ({ start, isNew, submit, act, onClose }: FormProps) => {
  const [id, setId] = useState('')
  const [draft, setDraft] = useState(start)
  const { run, isRunning, error } = useAction(async () => {
    await act(id, bodyOf(draft))
    onClose()
  })
  const setLimit = (name: LimitName) => (value: string) =>
    setDraft((before) => ({ ...before, limits: { ...before.limits, [name]: value } }))
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault()
        void run()
      }}
    >
      {isNew && (
        <Text
          label="Id"
          hint="Small letters, digits, _ and -. You cannot change it later."
          value={id}
          set={setId}
          required
          maxLength={63}
          pattern="[a-z0-9][a-z0-9_\-]*"
        />
      )}
      <Text
        label="Description"
        hint="A note for people."
        value={draft.description}
        set={(description) => setDraft({ ...draft, description })}
        maxLength={500}
      />
      <Text
        label="Backends"
        hint="Names, separated by commas. Empty: all of them."
        value={draft.backends}
        set={(backends) => setDraft({ ...draft, backends })}
      />
      <div class="filters">
        {LIMITS.map(([name, label, hint, isOptional]) => (
          <Text
            key={name}
            label={label}
            hint={hint}
            value={draft.limits[name]}
            set={setLimit(name)}
            required={!isOptional}
            pattern="[0-9]+"
            inputMode="numeric"
          />
        ))}
      </div>
      {error && <Failure error={error} />}
      <div class="actions">
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="primary" type="submit" isBusy={isRunning}>
          {submit}
        </Button>
      </div>
    </form>
  )
}

const CreateClient = ({ onDone, onClose }: { onDone: () => void; onClose: () => void }) => (
  <Dialog title="Create a client" onClose={onClose}>
    <Form
      start={draftOf({ description: null, backends: null, limits: DEFAULTS })}
      isNew
      submit="Create client"
      act={async (id, body) => {
        await ask(api.POST('/unified/v1/admin/clients', { body: { ...body, id } }))
        toast(`${id} is there. Issue a key for it.`)
        onDone()
      }}
      onClose={onClose}
    />
  </Dialog>
)

const EditClient = ({ of, onDone, onClose }: { of: Client; onDone: () => void; onClose: () => void }) => (
  <Dialog title={`Edit ${of.id}`} onClose={onClose}>
    <Form
      start={draftOf(of)}
      isNew={false}
      submit="Save"
      act={async (_id, body) => {
        await ask(api.PATCH('/unified/v1/admin/clients/{id}', { params: { path: { id: of.id } }, body }))
        toast(`${of.id} is changed`)
        onDone()
      }}
      onClose={onClose}
    />
  </Dialog>
)

const LIMIT = 50

type Open = { what: 'create' } | { what: 'edit' | 'delete'; client: Client } | null

const limit = (n: number | null): string => (n === null ? 'no limit' : n.toLocaleString('en'))

const Limits = ({ of: { limits } }: { of: Client }) => (
  <span class="small">
    {limit(limits.requests_per_minute)} requests a minute · videos a month: {limit(limits.videos_per_month)} · credits a
    month: {limit(limits.credits_per_month)} · {limit(limits.queued_videos)} waiting · {limit(limits.streams)} streams
  </span>
)

interface ChangeProps {
  of: Client
  open: (next: Open) => void
  set: (of: Client, enabled: boolean) => Promise<unknown>
}

const Change = ({ of, open, set }: ChangeProps) => {
  const disable = { key: `disable ${of.id}`, text: `Disable ${of.id}: its keys are refused`, act: () => set(of, false) }
  const isWaiting = useIsWaiting(disable.key)
  if (of.source === 'configuration') return <span class="small muted">in the file only</span>
  return (
    <span class="actions">
      <Button aria-label={`Edit ${of.id}`} onClick={() => open({ what: 'edit', client: of })}>
        Edit
      </Button>
      {of.enabled ? (
        <Button aria-label={`Disable ${of.id}`} isBusy={isWaiting} onClick={() => doSoon(disable)}>
          Disable
        </Button>
      ) : (
        <Button aria-label={`Enable ${of.id}`} onClick={() => void set(of, true)}>
          Enable
        </Button>
      )}
      <Button kind="danger" aria-label={`Delete ${of.id}`} onClick={() => open({ what: 'delete', client: of })}>
        Delete
      </Button>
    </span>
  )
}

const columnsFor = ({ open, set }: Omit<ChangeProps, 'of'>): Column<Client>[] => [
  {
    title: 'Client',
    isText: true,
    cell: (one) => (
      <span>
        <a href={`/console/keys?client=${encodeURIComponent(one.id)}`}>{one.id}</a>{' '}
        {one.source === 'configuration' && <Badge>from the file</Badge>}
        {one.description !== null && <span class="under small muted">{one.description}</span>}
      </span>
    ),
  },
  { title: 'State', cell: (one) => <Status of={one.enabled ? 'enabled' : 'disabled'} /> },
  { title: 'Backends', isText: true, cell: (one) => one.backends?.join(', ') ?? 'all' },
  { title: 'Limits', isText: true, cell: (one) => <Limits of={one} /> },
  { title: 'Change', cell: (one) => <Change of={one} open={open} set={set} /> },
]

const setEnabled = async (id: string, enabled: boolean): Promise<void> => {
  await ask(api.PATCH('/unified/v1/admin/clients/{id}', { params: { path: { id } }, body: { enabled } }))
  toast(enabled ? `${id} is enabled` : `${id} is disabled`)
}

const Dialogs = ({ open, onDone, onClose }: { open: Open; onDone: () => void; onClose: () => void }) => {
  if (open === null) return null
  if (open.what === 'create') return <CreateClient onDone={onDone} onClose={onClose} />
  const { id } = open.client
  if (open.what === 'edit') return <EditClient of={open.client} onDone={onDone} onClose={onClose} />
  const remove = async (): Promise<void> => {
    await ask(api.DELETE('/unified/v1/admin/clients/{id}', { params: { path: { id } } }))
    toast(`${id} is deleted`)
    onDone()
  }
  return (
    <Confirm title={`Delete ${id}?`} confirm="Delete client" isDanger act={remove} onClose={onClose}>
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
      params: { query: { limit: LIMIT, ...(cursor !== undefined && { cursor }) } },
    }),
  )
  const [open, setOpen] = useState<Open>(null)
  const set = ({ id }: Client, enabled: boolean): Promise<void> => setEnabled(id, enabled).then(pages.restart)
  const enabling = useAction((of: Client) => set(of, true))
  return (
    <>
      <Header title="Clients">
        <Button kind="primary" data-key="c" onClick={() => setOpen({ what: 'create' })}>
          Create a client
        </Button>
      </Header>
      {pages.error && <Failure error={pages.error} retry={pages.refresh} />}
      {enabling.error && <Failure error={enabling.error} />}
      {pages.isLoading && <Skeleton what="clients" />}
      {pages.rows.length > 0 && (
        <Table
          caption="Clients"
          columns={columnsFor({ open: setOpen, set: (of, enabled) => (enabled ? enabling.run(of) : set(of, false)) })}
          rows={pages.rows}
          keyOf={({ id }) => id}
        />
      )}
      <More hasMore={pages.hasMore} isLoading={pages.isLoadingMore} load={pages.more} />
      <UsageOfAll />
      <Dialogs open={open} onDone={pages.restart} onClose={() => setOpen(null)} />
    </>
  )
}
