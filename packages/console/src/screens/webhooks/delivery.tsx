import { useState } from 'preact/hooks'
import { api, ask } from '../../api.ts'
import { useLiveReload } from '../../live.ts'
import { useSession, type Session } from '../../session.ts'
import { useRead } from '../../use-read.ts'
import { Status } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Code, Id } from '../../ui/copy.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { Card, Facts, Header } from '../../ui/header.tsx'
import { Failure, Skeleton } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toast.tsx'
import { Attempts } from './attempts.tsx'
import { Target } from './delivery-columns.tsx'
import { DELIVERIES, isOwn, mayChange, type DeliveryDetail } from './model.ts'
import { ReadOnly } from './parts.tsx'

const EVERY_MS = 5_000
/** While attempts are to be made. */
const PENDING_MS = 1_000

const read = ({ isAdmin }: Session, id: string): Promise<DeliveryDetail> =>
  isAdmin
    ? ask(api.GET('/unified/v1/admin/deliveries/{id}', { params: { path: { id } } }))
    : ask(api.GET('/unified/v1/deliveries/{id}', { params: { path: { id } } }))

interface RedeliverProps {
  of: DeliveryDetail
  onDone: () => void
  onClose: () => void
}

const Redeliver = ({ of, onDone, onClose }: RedeliverProps) => {
  const session = useSession()
  const params = { path: { id: of.event_id } }
  const act = async (): Promise<void> => {
    const { deliveries } = await ask(
      mayChange(session, of)
        ? api.POST('/unified/v1/events/{id}/redeliver', { params })
        : api.POST('/unified/v1/admin/events/{id}/redeliver', { params }),
    )
    toast(deliveries.length === 0 ? 'No target wants it now' : `On its way to ${deliveries.length}`)
    onDone()
  }
  return (
    <Confirm title="Send this event again?" confirm="Redeliver" act={act} onClose={onClose}>
      <p>
        It goes to its first targets, and to the endpoints that subscribe to it now, under the same{' '}
        <code>webhook-id</code>: a receiver that remembers ids does nothing twice.
      </p>
      {!isOwn(session, of) && (
        <p>
          It belongs to the client <strong>{of.client}</strong>. The audit log records what you do.
        </p>
      )}
    </Confirm>
  )
}

const headersOf = ({ request }: DeliveryDetail): string =>
  [
    `${request.method} ${request.url}`,
    ...Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`),
  ].join('\n')

const Sent = ({ of }: { of: DeliveryDetail }) => (
  <Card title="What is sent">
    <p class="muted small">
      Signatures are masked. Times and signatures are from the latest attempt. The body is the same in every attempt.
    </p>
    <Code text={headersOf(of)} label="the head of the request" />
    <Code text={of.request.body} label="the body of the request" />
  </Card>
)

const Told = ({ of }: { of: DeliveryDetail }) => (
  <Card title="Delivery">
    <Facts
      rows={[
        ['Status', <Status of={of.status} />],
        ['To', <Target of={of} />],
        ['Event', <Id of={of.event_id} label="the event’s id" />],
        ['Happened', <Time at={of.event_at} />],
        [
          'Video',
          of.video_id === null ? null : (
            <Id of={of.video_id} href={`/console/videos/${of.video_id}`} label="the video’s id" />
          ),
        ],
        ...(of.client === undefined ? [] : [['Client', of.client] as const]),
        ['Attempts', of.attempt_count],
        ['Next attempt', <Time at={of.next_attempt_at} />],
        ['Id', <Id of={of.id} />],
      ]}
    />
  </Card>
)

export function DeliveryScreen({ id = '' }: { id?: string }) {
  const session = useSession()
  const [everyMs, setEvery] = useState(PENDING_MS)
  const { data, error, isLoading, reload } = useRead(
    `delivery ${id}`,
    async () => {
      const found = await read(session, id)
      setEvery(found.status === 'pending' ? PENDING_MS : EVERY_MS)
      return found
    },
    everyMs,
  )
  useLiveReload(reload, ({ type }) => type === 'endpoint.disabled')
  const [isAsking, setAsking] = useState(false)
  const canSend = data !== null && (session.isAdmin || mayChange(session, data))
  return (
    <>
      <Header title={data?.event_type ?? 'Delivery'} back={{ href: DELIVERIES, text: 'Deliveries' }}>
        {canSend && (
          <Button kind="primary" onClick={() => setAsking(true)}>
            Redeliver
          </Button>
        )}
      </Header>
      {error && <Failure error={error} retry={reload} />}
      {isLoading && <Skeleton what="the delivery" />}
      {data && !canSend && <ReadOnly />}
      {data && (
        <>
          <div class="pair">
            <Told of={data} />
            <Attempts of={data} />
          </div>
          <Sent of={data} />
        </>
      )}
      {data && isAsking && <Redeliver of={data} onDone={reload} onClose={() => setAsking(false)} />}
    </>
  )
}
