import { type Schema, api, ask } from '../../api.ts'
import { useState } from 'preact/hooks'
import { may, useSession } from '../../session.ts'
import { useAction, useRead, useFilters, usePages } from '../../reads.ts'
import { Button } from '../../ui/button.tsx'
import { Checks, Field, Select, TextFilter } from '../../ui/field.tsx'
import { Dialog, SecretOnce, Confirm } from '../../ui/dialog.tsx'
import { Failure, Status, Empty, Note, Skeleton, toast } from '../../ui/states.tsx'
import { Header } from '../../ui/header.tsx'
import { More, Table, type Column } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'

type Key = Schema<'Key'>
export type Client = Schema<'Client'>
export type AuditEntry = Schema<'AuditEntry'>
type Scope = Key['scopes'][number]

/** What a key with it may do, in words. */
const SCOPES = [
  ['voices:read', 'voices:read', 'List voices'],
  ['videos:read', 'videos:read', 'Read and download videos, saved portraits, backends and usage'],
  ['videos:create', 'videos:create', 'Make and cancel videos: this spends credits'],
  ['tts:create', 'tts:create', 'Turn text into speech'],
  ['uploads:create', 'uploads:create', 'Upload audio files'],
  ['webhooks:read', 'webhooks:read', 'See endpoints, events and deliveries, and follow the stream'],
  ['webhooks:write', 'webhooks:write', 'Change endpoints, read the signing secret, resend events'],
  ['backends:import', 'backends:import', 'Import jobs that were made on the backends’ accounts without the gateway'],
  ['backends:read_all', 'backends:read_all', 'See all jobs of the backends’ accounts, also those of other clients'],
  ['admin', 'admin', 'Be an operator: see all clients, issue keys, change clients'],
  ['*', '* (everything)', 'All of these, and all that are added later'],
] as const satisfies readonly (readonly [Scope, string, string])[]

/** What an app needs that makes videos and learns of them. */
const USUAL_SCOPES: readonly Scope[] = [
  'voices:read',
  'videos:read',
  'videos:create',
  'webhooks:read',
  'webhooks:write',
]

const LIFETIMES = [
  ['', 'Never'],
  ['7', 'In 7 days'],
  ['30', 'In 30 days'],
  ['90', 'In 90 days'],
  ['365', 'In a year'],
] as const
const DAY_MS = 86_400_000
const expiryOf = (days: string): string | null =>
  days === '' ? null : new Date(Date.now() + Number(days) * DAY_MS).toISOString()

const keyName = ({ name, last_four: lastFour }: Key): string =>
  name === null ? `…${lastFour}` : `${name} (…${lastFour})`

/** `2026-11`, by UTC, so many months ago. */
export const monthAgo = (months: number): string => {
  const now = new Date()
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months, 1)).toISOString().slice(0, 7)
}

const MOST_CLIENTS = 100

interface IssueKeyProps {
  /** Whose keys are looked at. */
  client: string
  onIssued: () => void
  onClose: () => void
}

/** A name that is typed, with the clients that there are as suggestions: there may be more than a list can show. */
const ClientField = ({ value, set }: { value: string; set: (value: string) => void }) => {
  const { data } = useRead('clients to choose', () =>
    ask(api.GET('/unified/v1/admin/clients', { params: { query: { limit: MOST_CLIENTS } } })),
  )
  return (
    <Field label="Client" hint="The client that gets the key: from the configuration, or created here.">
      {(id, described) => (
        <>
          <input
            id={id}
            aria-describedby={described}
            list={`${id}-known`}
            required
            autocomplete="off"
            value={value}
            onInput={(event) => set(event.currentTarget.value)}
          />
          <datalist id={`${id}-known`}>
            {data?.data.map(({ id: known }) => (
              <option key={known} value={known} />
            ))}
          </datalist>
        </>
      )}
    </Field>
  )
}

const Form = ({ client: start, onMade, onClose }: FormProps) => {
  const session = useSession()
  const [client, setClient] = useState(start)
  const [name, setName] = useState('')
  const [scopes, setScopes] = useState<Scope[]>([...USUAL_SCOPES].filter((scope) => may(session, scope)))
  const [days, setDays] = useState('')
  const { run, isRunning, error } = useAction(async () => {
    const body = { client, name: name || null, scopes, expires_at: expiryOf(days) }
    onMade(await ask(api.POST('/unified/v1/admin/keys', { body })))
  })
  const needs = scopes.length === 0 ? 'Choose at least one.' : null
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault()
        if (needs === null) void run()
      }}
    >
      <ClientField value={client} set={setClient} />
      <Field label="Name" hint="What the key is for, such as: checkout service.">
        {(id, described) => (
          <input
            id={id}
            aria-describedby={described}
            maxLength={100}
            value={name}
            onInput={(event) => setName(event.currentTarget.value)}
          />
        )}
      </Field>
      <Checks
        legend="What it may do"
        // Nobody gives out what their own key lacks.
        options={SCOPES.filter(([scope]) => may(session, scope))}
        chosen={scopes}
        onChange={setScopes}
        error={needs}
      />
      <Select label="Expires" value={days} options={LIFETIMES} onChange={setDays} />
      {error && <Failure error={error} />}
      <div class="actions">
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="primary" type="submit" isBusy={isRunning}>
          Issue key
        </Button>
      </div>
    </form>
  )
}

interface FormProps {
  client: string
  onMade: (made: Schema<'KeyWithSecret'>) => void
  onClose: () => void
}

const IssueKey = ({ client, onIssued, onClose }: IssueKeyProps) => {
  const [made, setMade] = useState<Schema<'KeyWithSecret'> | null>(null)
  if (made)
    return (
      <NewKey of={made} use="Give it to the people who run the app. If you lose it, rotate it." onClose={onClose} />
    )
  return (
    <Dialog key="form" title="Issue a key" onClose={onClose}>
      <Form
        client={client}
        onMade={(key) => {
          setMade(key)
          onIssued()
        }}
        onClose={onClose}
      />
    </Dialog>
  )
}

/** The key itself, this once. */
const NewKey = ({ of, use, onClose }: { of: Schema<'KeyWithSecret'>; use: string; onClose: () => void }) => (
  <Dialog key="made" title={`The key of ${of.client}`} onClose={onClose}>
    <SecretOnce secret={of.key} label="the key" use={use} />
    <div class="actions">
      <Button kind="primary" onClick={onClose}>
        I have copied it
      </Button>
    </div>
  </Dialog>
)

const OVERLAPS = [
  ['0', 'Ends immediately'],
  ['1h', 'One hour'],
  ['24h', 'One day'],
  ['7d', 'Seven days'],
  ['30d', '30 days'],
] as const
const WORDS: Readonly<Record<string, string>> = Object.fromEntries(OVERLAPS)

const RotateKey = ({ of, onRotated, onClose }: { of: Key; onRotated: () => void; onClose: () => void }) => {
  const [overlap, setOverlap] = useState('24h')
  const [made, setMade] = useState<Schema<'KeyWithSecret'> | null>(null)
  const { run, isRunning, error } = useAction(async () => {
    const params = { path: { id: of.id } }
    setMade(await ask(api.POST('/unified/v1/admin/keys/{id}/rotate', { params, body: { overlap } })))
    onRotated()
  })
  if (made) {
    const use =
      overlap === '0'
        ? 'The gateway refuses the old key from now on.'
        : `The old key works for: ${WORDS[overlap] ?? ''}.`
    return <NewKey of={made} use={use} onClose={onClose} />
  }
  return (
    <Dialog key="form" title={`Rotate ${keyName(of)}`} onClose={onClose}>
      <p>
        <strong>{of.client}</strong> gets a new key with the same scopes. The old key works for a while, so that you can
        replace it.
      </p>
      <Select label="The old key works for" value={overlap} options={OVERLAPS} onChange={setOverlap} />
      {error && <Failure error={error} />}
      <div class="actions">
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="primary" isBusy={isRunning} onClick={() => void run()}>
          Rotate key
        </Button>
      </div>
    </Dialog>
  )
}

const LIMIT = 50

type Open = { what: 'issue' } | { what: 'rotate' | 'revoke'; key: Key } | null

const Ends = ({ of }: { of: Key }) => {
  if (of.revoked_at !== null) {
    return (
      <>
        revoked <Time at={of.revoked_at} />
      </>
    )
  }
  if (of.expires_at === null) return <>never</>
  return (
    <>
      <Time at={of.expires_at} />
      {of.rotated_to !== null && of.status === 'active' && (
        <span class="under small muted">rotated: both work until then</span>
      )}
    </>
  )
}

const columnsFor = (open: (next: Open) => void): Column<Key>[] => [
  {
    title: 'Key',
    isText: true,
    cell: (one) => (
      <span>
        {one.name ?? <span class="muted">no name</span>} <code>…{one.last_four}</code>
      </span>
    ),
  },
  { title: 'Client', cell: (one) => one.client },
  { title: 'Status', cell: (one) => <Status of={one.status} /> },
  { title: 'May', isText: true, cell: (one) => <span class="small">{one.scopes.join(', ')}</span> },
  { title: 'Last used', cell: (one) => (one.last_used_at === null ? 'not yet' : <Time at={one.last_used_at} />) },
  { title: 'Ends', cell: (one) => <Ends of={one} /> },
  {
    title: 'Change',
    cell: (one) =>
      one.status === 'active' && (
        <span class="actions">
          {one.rotated_to === null && (
            <Button aria-label={`Rotate ${keyName(one)}`} onClick={() => open({ what: 'rotate', key: one })}>
              Rotate
            </Button>
          )}
          <Button
            kind="danger"
            aria-label={`Revoke ${keyName(one)}`}
            onClick={() => open({ what: 'revoke', key: one })}
          >
            Revoke
          </Button>
        </span>
      ),
  },
]

const Revoke = ({ of, onDone, onClose }: { of: Key; onDone: () => void; onClose: () => void }) => (
  <Confirm
    title={`Revoke ${keyName(of)}?`}
    confirm="Revoke key"
    isDanger
    act={async () => {
      await ask(api.POST('/unified/v1/admin/keys/{id}/revoke', { params: { path: { id: of.id } } }))
      toast('The key is revoked')
      onDone()
    }}
    onClose={onClose}
  >
    <p>
      The gateway refuses every request of <strong>{of.client}</strong> with this key within a second, and its streams
      end. You cannot undo this.
    </p>
  </Confirm>
)

export function KeysScreen() {
  const { filters, set } = useFilters()
  const client = filters['client'] ?? ''
  const pages = usePages(`keys ${client}`, (cursor) =>
    api.GET('/unified/v1/admin/keys', {
      params: { query: { limit: LIMIT, ...(cursor !== undefined && { cursor }), ...(client && { client }) } },
    }),
  )
  const [open, setOpen] = useState<Open>(filters['do'] === 'issue' ? { what: 'issue' } : null)
  const close = (): void => {
    set({ do: '' })
    setOpen(null)
  }
  return (
    <>
      <Header title="Keys">
        <Button kind="primary" data-key="c" onClick={() => setOpen({ what: 'issue' })}>
          Issue a key
        </Button>
      </Header>
      <Note>Keys of the configuration are not listed here. Change them in the configuration.</Note>
      <div class="filters">
        <TextFilter label="Client" value={client} onChange={(value) => set({ client: value })} />
      </div>
      {pages.error && <Failure error={pages.error} retry={pages.refresh} />}
      {pages.isLoading && <Skeleton what="keys" />}
      {!pages.isLoading && !pages.error && pages.rows.length === 0 && (
        <Empty title={client === '' ? 'No keys yet' : 'No key of this client'}>
          <p>Issue one key for each app, with only the scopes that it needs.</p>
        </Empty>
      )}
      {pages.rows.length > 0 && (
        <Table caption="Keys" columns={columnsFor(setOpen)} rows={pages.rows} keyOf={({ id }) => id} />
      )}
      <More hasMore={pages.hasMore} isLoading={pages.isLoadingMore} load={pages.more} />
      {open?.what === 'issue' && <IssueKey client={client} onIssued={pages.restart} onClose={close} />}
      {open?.what === 'rotate' && <RotateKey of={open.key} onRotated={pages.restart} onClose={close} />}
      {open?.what === 'revoke' && <Revoke of={open.key} onDone={pages.restart} onClose={close} />}
    </>
  )
}
