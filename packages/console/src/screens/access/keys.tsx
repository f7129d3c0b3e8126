import { type Schema, api, ask } from '../../api.ts'
import { useState } from 'preact/hooks'
import { may, useSession } from '../../session.ts'
import { useRead, useFilters, usePages } from '../../reads.ts'
import { Button } from '../../ui/button.tsx'
import { Checks, Input, Select, TextFilter } from '../../ui/field.tsx'
import { SecretDialog, Confirm, Rotate } from '../../ui/dialog.tsx'
import { Status, Empty, Note } from '../../ui/states.tsx'
import { Header } from '../../ui/header.tsx'
import { Listed, type Column } from '../../ui/table.tsx'
import { absolute, Time } from '../../ui/time.tsx'

type Key = Schema<'Key'>
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
const USUAL: readonly Scope[] = ['voices:read', 'videos:read', 'videos:create', 'webhooks:read', 'webhooks:write']

const LIFETIMES = [
  ['', 'Never'],
  ['7', 'In 7 days'],
  ['30', 'In 30 days'],
  ['90', 'In 90 days'],
  ['365', 'In a year'],
] as const
const DAY_MS = 86_400_000

const keyName = ({ name, last_four: lastFour }: Pick<Key, 'name' | 'last_four'>): string =>
  name === null ? `…${lastFour}` : `${name} (…${lastFour})`

/** A key that is shown this once. */
interface Made {
  key: Schema<'KeyWithSecret'>
  use: string
}

interface DialogProps {
  onMade: (made: Made) => void
  onClose: () => void
}

const IssueKey = ({ client: start, onMade, onClose }: DialogProps & { client: string }) => {
  const session = useSession()
  const [client, setClient] = useState(start)
  const [name, setName] = useState('')
  const [scopes, setScopes] = useState<Scope[]>(USUAL.filter((scope) => may(session, scope)))
  const [days, setDays] = useState('')
  const clients = useRead('clients to choose', () =>
    ask(api.GET('/unified/v1/admin/clients', { params: { query: { limit: 100 } } })),
  )
  const act = async (): Promise<void> => {
    const expires = days === '' ? null : new Date(Date.now() + Number(days) * DAY_MS).toISOString()
    const body = { client, name: name || null, scopes, expires_at: expires }
    const key = await ask(api.POST('/unified/v1/admin/keys', { body }))
    onMade({ key, use: 'Give it to the people who run the app. If you lose it, rotate it.' })
  }
  return (
    <Confirm title="Issue a key" confirm="Issue key" act={act} onClose={onClose}>
      <Input
        label="Client"
        hint="The client that gets the key: from the configuration, or created here."
        required
        known={clients.data?.data.map(({ id }) => id) ?? []}
        value={client}
        set={setClient}
      />
      <Input
        label="Name"
        hint="What the key is for, such as: checkout service."
        maxLength={100}
        value={name}
        set={setName}
      />
      <Checks
        legend="What it may do"
        // Nobody gives out what their own key lacks.
        options={SCOPES.filter(([scope]) => may(session, scope))}
        chosen={scopes}
        onChange={setScopes}
        error={scopes.length === 0 ? 'Choose at least one.' : null}
      />
      <Select label="Expires" value={days} options={LIFETIMES} onChange={setDays} />
    </Confirm>
  )
}

const revoke = ({ id }: Key) => ask(api.POST('/unified/v1/admin/keys/{id}/revoke', { params: { path: { id } } }))

const RotateKey = ({ of: { id, client, ...of }, onMade, onClose }: DialogProps & { of: Key }) => {
  const act = async (seconds: number): Promise<void> => {
    const body = { overlap: `${seconds}s` }
    const key = await ask(api.POST('/unified/v1/admin/keys/{id}/rotate', { params: { path: { id } }, body }))
    const until = absolute(new Date(Date.now() + seconds * 1_000).toISOString())
    onMade({ key, use: seconds === 0 ? 'The old key is refused from now on.' : `The old key works until ${until}.` })
  }
  return (
    <Rotate title={`Rotate ${keyName(of)}`} confirm="Rotate key" label="key" act={act} onClose={onClose}>
      <p>
        <strong>{client}</strong> gets a new key with the same scopes. The old key works for a while, so that you can
        replace it.
      </p>
    </Rotate>
  )
}

const Ends = ({ of }: { of: Key }) => {
  if (of.revoked_at === null && of.expires_at === null) return <>never</>
  return (
    <>
      {of.revoked_at !== null && 'revoked '}
      <Time at={of.revoked_at ?? of.expires_at} />
      {of.rotated_to !== null && of.status === 'active' && (
        <span class="under small muted">rotated: both work until then</span>
      )}
    </>
  )
}

type Open = { what: 'issue' } | { what: 'rotate' | 'revoke'; key: Key } | null

const columnsFor = (open: (next: Open) => void): Column<Key>[] => [
  {
    title: 'Key',
    isText: true,
    cell: (one) => (
      <>
        {one.name ?? <span class="muted">no name</span>} <code>…{one.last_four}</code>
      </>
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

export function KeysScreen() {
  const { filters, set } = useFilters()
  const client = filters['client'] ?? ''
  const pages = usePages(`keys ${client}`, (cursor) =>
    api.GET('/unified/v1/admin/keys', {
      params: { query: { limit: 50, ...(cursor !== undefined && { cursor }), ...(client && { client }) } },
    }),
  )
  const [open, setOpen] = useState<Open>(filters['do'] === 'issue' ? { what: 'issue' } : null)
  const [made, setMade] = useState<Made | null>(null)
  const onClose = (): void => {
    set({ do: '' })
    setOpen(null)
  }
  const onMade = (key: Made): void => {
    setMade(key)
    pages.restart()
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
      <Listed caption="Keys" columns={columnsFor(setOpen)} pages={pages}>
        <Empty title={client === '' ? 'No keys yet' : 'No key of this client'}>
          <p>Issue one key for each app, with only the scopes that it needs.</p>
        </Empty>
      </Listed>
      {open?.what === 'issue' && <IssueKey client={client} onMade={onMade} onClose={onClose} />}
      {open?.what === 'rotate' && <RotateKey of={open.key} onMade={onMade} onClose={onClose} />}
      {open?.what === 'revoke' && (
        <Confirm
          title={`Revoke ${keyName(open.key)}?`}
          confirm="Revoke key"
          isDanger
          act={() => revoke(open.key)}
          said="The key is revoked"
          onDone={pages.restart}
          onClose={onClose}
        >
          <p>
            The gateway refuses every request of <strong>{open.key.client}</strong> with this key within a second, and
            its streams end. You cannot undo this.
          </p>
        </Confirm>
      )}
      {made && (
        <SecretDialog
          title={`The key of ${made.key.client}`}
          secret={made.key.key}
          label="the key"
          use={made.use}
          onClose={() => setMade(null)}
        />
      )}
    </>
  )
}
