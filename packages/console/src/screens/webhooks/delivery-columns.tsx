import { Status } from '../../ui/badge.tsx'
import type { Column } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { deliveryPath, endpointPath, type Delivery } from './model.ts'

export const Target = ({ of: { target } }: { of: Pick<Delivery, 'target'> }) =>
  target.endpoint_id === null ? (
    <span>
      {target.url} <span class="small muted">(webhook_url)</span>
    </span>
  ) : (
    <a href={endpointPath(target.endpoint_id)}>{target.url}</a>
  )

interface Shown {
  isAdmin: boolean
  withTarget: boolean
}

export const deliveryColumns = ({ isAdmin, withTarget }: Shown): Column<Delivery>[] => [
  { title: 'Delivery', cell: (one) => <a href={deliveryPath(one.id)}>{one.event_type}</a> },
  { title: 'Status', cell: (one) => <Status of={one.status} /> },
  ...(isAdmin ? [{ title: 'Client', cell: (one: Delivery) => one.client }] : []),
  ...(withTarget ? [{ title: 'To', cell: (one: Delivery) => <Target of={one} /> }] : []),
  {
    title: 'Video',
    cell: (one) => one.video_id !== null && <a href={`/console/videos/${one.video_id}`}>{one.video_id}</a>,
  },
  { title: 'Attempts', cell: (one) => one.attempt_count, isNumber: true },
  { title: 'Happened', cell: (one) => <Time at={one.event_at} /> },
  { title: 'Next attempt', cell: (one) => <Time at={one.next_attempt_at} /> },
]
