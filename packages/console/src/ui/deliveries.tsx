import { api, ask, pathFor, type Schema } from '../api.ts'
import { Copy, Id } from './button.tsx'
import { Status } from './states.tsx'
import { Address, type Column } from './table.tsx'
import { Time } from './time.tsx'

/** An operator sees whose it is. */
export type Delivery = Schema<'Delivery'> & { client?: string }

export const DELIVERIES = '/console/webhooks/deliveries'

/** Why an endpoint is disabled. */
export const DISABLED: Readonly<Record<string, string>> = {
  client: 'its client disabled it',
  operator: 'an operator disabled it',
  gone: 'it answered 410',
  failures: '100 attempts failed in a row',
  failing: 'all attempts failed for 120 hours',
}

/** Sends an event again to all who want it, under the same id. */
export const redeliver = (event: string, isOperator: boolean): Promise<{ deliveries: readonly unknown[] }> =>
  ask(api.POST(pathFor(isOperator, 'events/{id}/redeliver'), { params: { path: { id: event } } }))

export const Target = ({ of: { target } }: { of: Pick<Delivery, 'target'> }) =>
  target.endpoint_id === null ? (
    <>
      <Address of={target.url} />
      <span class="small muted">(webhook_url)</span>
    </>
  ) : (
    <Address of={target.url} href={`/console/webhooks/${target.endpoint_id}`} />
  )

/** `without`: columns that say the same in each row. Where there is no other id, that of the delivery can be copied. */
export const deliveryColumns = (...without: ('Client' | 'To' | 'Video')[]): Column<Delivery>[] => {
  const columns: Column<Delivery>[] = [
    {
      title: 'Delivery',
      cell: ({ id, event_type: type }) => (
        <span class="beside">
          <a href={`${DELIVERIES}/${encodeURIComponent(id)}`}>{type}</a>
          {without.includes('Video') && <Copy text={id} label="delivery id" />}
        </span>
      ),
    },
    { title: 'Client', cell: ({ client }) => client },
    { title: 'To', isText: true, cell: (one) => <Target of={one} /> },
    { title: 'Status', cell: ({ status }) => <Status of={status} /> },
    { title: 'Attempts', cell: ({ attempt_count: count }) => count, isNumber: true },
    {
      title: 'Video',
      cell: ({ video_id: id }) => id && <Id isShort of={id} href={`/console/videos/${id}`} label="video id" />,
    },
    { title: 'Happened', cell: ({ event_at: at }) => <Time at={at} /> },
    { title: 'Next attempt', cell: ({ next_attempt_at: at }) => <Time at={at} /> },
  ]
  return columns.filter(({ title }) => !without.some((name) => name === title))
}
