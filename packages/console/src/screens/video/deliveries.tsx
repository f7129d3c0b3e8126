import { api, ask, type Page } from '../../api.ts'
import { may, useSession } from '../../session.ts'
import { Status } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Copy } from '../../ui/copy.tsx'
import { Card } from '../../ui/header.tsx'
import { Failure, Skeleton } from '../../ui/states.tsx'
import { Table } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toast.tsx'
import { useAction, type Read } from '../../use-read.ts'
import type { Delivery } from './use-video.ts'

const Again = ({ delivery, onDone }: { delivery: Delivery; onDone: () => void }) => {
  const { isAdmin } = useSession()
  const params = { path: { id: delivery.event_id } }
  const { run, isRunning, error } = useAction(() =>
    ask(
      isAdmin
        ? api.POST('/unified/v1/admin/events/{id}/redeliver', { params })
        : api.POST('/unified/v1/events/{id}/redeliver', { params }),
    ).then(({ deliveries }) => {
      toast(deliveries.length === 0 ? 'No target wants this event now' : 'The event is sent again')
      onDone()
    }),
  )
  return (
    <div class="again">
      <Button isBusy={isRunning} onClick={() => void run()} aria-label={`Send again: ${delivery.event_type}`}>
        Send again
      </Button>
      {error && <Failure error={error} />}
    </div>
  )
}

const Rows = ({ page, reload }: { page: Page<Delivery>; reload: () => void }) => {
  const session = useSession()
  const mayWrite = session.isAdmin || may(session, 'webhooks:write')
  return (
    <>
      <Table
        caption="Deliveries of the events of this video"
        rows={page.data}
        keyOf={({ id }) => id}
        columns={[
          {
            title: 'Event',
            cell: ({ id, event_type: type }) => (
              <span class="with-copy">
                <a href={`/console/webhooks/deliveries/${encodeURIComponent(id)}`}>{type}</a>
                <Copy text={id} label="delivery id" />
              </span>
            ),
          },
          { title: 'Receiver', cell: ({ target }) => target.url },
          { title: 'Status', cell: ({ status }) => <Status of={status} /> },
          { title: 'Attempts', cell: ({ attempt_count: count }) => count, isNumber: true },
          { title: 'Next', cell: ({ next_attempt_at: at }) => <Time at={at} /> },
          ...(mayWrite
            ? [{ title: 'Again', cell: (delivery: Delivery) => <Again delivery={delivery} onDone={reload} /> }]
            : []),
        ]}
      />
      {page.has_more && (
        <p class="muted">
          These are the newest {page.data.length}. <a href="/console/webhooks/deliveries">All deliveries</a>
        </p>
      )}
    </>
  )
}

/** Who was told of it, and whether it arrived. `null`: the key may not read that. */
export const Deliveries = ({ read }: { read: Read<Page<Delivery>> | null }) => (
  <Card title="Deliveries">
    {read === null && (
      <p class="muted">
        Your key may not read deliveries: it lacks the scope <code>webhooks:read</code>.
      </p>
    )}
    {read?.isLoading && <Skeleton rows={2} what="deliveries" />}
    {read?.error && <Failure error={read.error} retry={read.reload} />}
    {read?.data &&
      (read.data.data.length === 0 ? (
        <p class="muted">
          No event of this video was sent yet: a create with <code>webhook_url</code>, or an{' '}
          <a href="/console/webhooks">endpoint</a>, gets its end.
        </p>
      ) : (
        <Rows page={read.data} reload={read.reload} />
      ))}
  </Card>
)
