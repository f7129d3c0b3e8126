import { useState } from 'preact/hooks'
import { api, ask } from '../../api.ts'
import { useAction } from '../../use-read.ts'
import { usePages } from '../../use-pages.ts'
import { Badge, Status } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { Header } from '../../ui/header.tsx'
import { Failure, Skeleton } from '../../ui/states.tsx'
import { More, Table, type Column } from '../../ui/table.tsx'
import { toast } from '../../ui/toast.tsx'
import { CreateClient, EditClient } from './client-form.tsx'
import type { Client } from './model.ts'
import { UsageOfAll } from './usage-of-all.tsx'
import './access.css'

const LIMIT = 50

type Open = { what: 'create' } | { what: 'edit' | 'disable' | 'delete'; client: Client } | null

const limit = (n: number | null): string => (n === null ? 'no limit' : n.toLocaleString('en'))

const Limits = ({ of: { limits } }: { of: Client }) => (
  <span class="small">
    {limit(limits.requests_per_minute)} requests a minute · videos a month: {limit(limits.videos_per_month)} · credits a
    month: {limit(limits.credits_per_month)} · {limit(limits.queued_videos)} waiting · {limit(limits.streams)} streams
  </span>
)

const Change = ({ of, open, enable }: { of: Client; open: (next: Open) => void; enable: (of: Client) => void }) => {
  if (of.source === 'configuration') return <span class="small muted">in the file only</span>
  return (
    <span class="actions">
      <Button aria-label={`Edit ${of.id}`} onClick={() => open({ what: 'edit', client: of })}>
        Edit
      </Button>
      {of.enabled ? (
        <Button aria-label={`Disable ${of.id}`} onClick={() => open({ what: 'disable', client: of })}>
          Disable
        </Button>
      ) : (
        <Button aria-label={`Enable ${of.id}`} onClick={() => enable(of)}>
          Enable
        </Button>
      )}
      <Button kind="danger" aria-label={`Delete ${of.id}`} onClick={() => open({ what: 'delete', client: of })}>
        Delete
      </Button>
    </span>
  )
}

const columnsFor = (open: (next: Open) => void, enable: (of: Client) => void): Column<Client>[] => [
  {
    title: 'Client',
    cell: (one) => (
      <span>
        <a href={`/console/keys?client=${encodeURIComponent(one.id)}`}>{one.id}</a>{' '}
        {one.source === 'configuration' && <Badge>from the file</Badge>}
        {one.description !== null && <span class="under small muted">{one.description}</span>}
      </span>
    ),
  },
  { title: 'State', cell: (one) => <Status of={one.enabled ? 'enabled' : 'disabled'} /> },
  { title: 'Backends', cell: (one) => one.backends?.join(', ') ?? 'all' },
  { title: 'Limits', cell: (one) => <Limits of={one} /> },
  { title: 'Change', cell: (one) => <Change of={one} open={open} enable={enable} /> },
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
  if (open.what === 'disable') {
    const act = () => setEnabled(id, false).then(onDone)
    return (
      <Confirm title={`Disable ${id}?`} confirm="Disable client" act={act} onClose={onClose}>
        <p>The gateway refuses all of its keys until you enable it. Its videos continue.</p>
      </Confirm>
    )
  }
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
  const enabling = useAction(async ({ id }: Client) => {
    await setEnabled(id, true)
    pages.restart()
  })
  const enable = (of: Client): void => void enabling.run(of)
  return (
    <>
      <Header title="Clients">
        <Button kind="primary" onClick={() => setOpen({ what: 'create' })}>
          Create a client
        </Button>
      </Header>
      {pages.error && <Failure error={pages.error} retry={pages.refresh} />}
      {enabling.error && <Failure error={enabling.error} />}
      {pages.isLoading && <Skeleton what="clients" />}
      {pages.rows.length > 0 && (
        <Table caption="Clients" columns={columnsFor(setOpen, enable)} rows={pages.rows} keyOf={({ id }) => id} />
      )}
      <More hasMore={pages.hasMore} isLoading={pages.isLoadingMore} load={pages.more} />
      <UsageOfAll />
      <Dialogs open={open} onDone={pages.restart} onClose={() => setOpen(null)} />
    </>
  )
}
