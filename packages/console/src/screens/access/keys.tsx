import { useState } from 'preact/hooks'
import { api, ask } from '../../api.ts'
import { useFilters } from '../../use-filters.ts'
import { usePages } from '../../use-pages.ts'
import { Status } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { TextFilter } from '../../ui/filters.tsx'
import { Header } from '../../ui/header.tsx'
import { Empty, Failure, Note, Skeleton } from '../../ui/states.tsx'
import { More, Table, type Column } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toast.tsx'
import { IssueKey } from './issue-key.tsx'
import { keyName, type Key } from './model.ts'
import { RotateKey } from './rotate-key.tsx'
import './access.css'

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
    cell: (one) => (
      <span>
        {one.name ?? <span class="muted">no name</span>} <code>…{one.last_four}</code>
      </span>
    ),
  },
  { title: 'Client', cell: (one) => one.client },
  { title: 'Status', cell: (one) => <Status of={one.status} /> },
  { title: 'May', cell: (one) => <span class="small">{one.scopes.join(', ')}</span> },
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
  const [open, setOpen] = useState<Open>(null)
  const close = (): void => setOpen(null)
  return (
    <>
      <Header title="Keys">
        <Button kind="primary" onClick={() => setOpen({ what: 'issue' })}>
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
