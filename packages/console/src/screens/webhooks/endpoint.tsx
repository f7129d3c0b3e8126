import { type Schema, api, ask } from '../../api.ts'
import { Progress, Failure, Note, toast, Badge, Skeleton } from '../../ui/states.tsx'
import { Card, Facts, Header } from '../../ui/header.tsx'
import { absolute, Instant, Time, durationOf } from '../../ui/time.tsx'
import { useState } from 'preact/hooks'
import { useAction, useRead } from '../../reads.ts'
import { Button, Code, Id, LinkButton } from '../../ui/button.tsx'
import { Dialog, SecretOnce, Confirm } from '../../ui/dialog.tsx'
import { Select } from '../../ui/field.tsx'
import { useLocation } from 'preact-iso'
import { EndpointForm, type EndpointDetail, nameOf, mayChange, Health, WhoMayChange } from './parts.tsx'
import { useLiveReload } from '../../live.ts'
import { useSession, type Session } from '../../session.ts'
import { Table } from '../../ui/table.tsx'
import { DELIVERIES, type Delivery, deliveryColumns } from '../../ui/deliveries.tsx'

type ReplayState = NonNullable<Schema<'WebhookEndpoint'>['replay']>

const count = (n: number): string => n.toLocaleString('en')

/**
 * How many of its events are surely out: those that were made due, without all that still waits for this endpoint. Other
 * deliveries may be among what waits, so it is never too many.
 */
const sentOf = ({ queued }: ReplayState, pending: number): number => Math.max(0, queued - pending)

const stateOf = (of: ReplayState, pending: number): string => {
  if (of.ended_at === null) return `${count(of.queued)} of ${count(of.events)} are queued.`
  if (of.queued < of.events)
    return `It ended with ${count(of.queued)} of ${count(of.events)}: the endpoint was disabled, or events are not kept any more.`
  return pending === 0 ? `All ${count(of.events)} were sent.` : `All ${count(of.events)} are queued.`
}

/** Of the replay that was asked for last. */
const ReplayProgress = ({ of, pending }: { of: ReplayState; pending: number }) => {
  const sent = sentOf(of, pending)
  return (
    <Card title="Replay">
      <p>
        {of.only_failed ? 'Only failed events' : 'All events'} from {absolute(of.since)} to {absolute(of.until)}. Asked
        for <Time at={of.asked_at} />.
      </p>
      <Progress value={sent / Math.max(1, of.events)} label="Sent of the replay" />
      <p>
        {stateOf(of, pending)} {pending > 0 && `${count(pending)} deliveries to this endpoint wait for an attempt.`}
      </p>
    </Card>
  )
}

const HOUR_MS = 3_600_000
const OWN = 'own'
const RANGES = [
  [String(HOUR_MS), 'The last hour'],
  [String(24 * HOUR_MS), 'The last 24 hours'],
  [String(7 * 24 * HOUR_MS), 'The last 7 days'],
  [OWN, 'Another time'],
] as const

interface ReplayProps {
  id: string
  onAsked: () => void
  onClose: () => void
}

/** What the form says, as the API takes it. */
const bodyOf = (range: string, since: string, until: string, onlyFailed: boolean) => {
  const [from, to] =
    range === OWN ? [Date.parse(since), Date.parse(until)] : [Date.now() - Number(range), Date.now() + HOUR_MS]
  return { since: new Date(from).toISOString(), until: new Date(to).toISOString(), only_failed: onlyFailed }
}

const Replay = ({ id, onAsked, onClose }: ReplayProps) => {
  const [range, setRange] = useState<string>(RANGES[0][0])
  const [since, setSince] = useState('')
  const [until, setUntil] = useState('')
  const [onlyFailed, setOnlyFailed] = useState(true)
  const [isNone, setNone] = useState(false)
  const { run, isRunning, error } = useAction(async () => {
    setNone(false)
    const body = bodyOf(range, since, until, onlyFailed)
    const { events } = await ask(
      api.POST('/unified/v1/webhook_endpoints/{id}/replay', { params: { path: { id } }, body }),
    )
    if (events === 0) {
      setNone(true)
      return
    }
    toast(`${events.toLocaleString('en')} events will be sent`)
    onAsked()
    onClose()
  })
  return (
    <Dialog title="Replay events to this endpoint" onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          void run()
        }}
      >
        <p>
          The gateway sends each event again, under its own id, in the order in which they happened. At most 10,000 at a
          time.
        </p>
        <Select label="Events from" value={range} options={RANGES} onChange={setRange} />
        {range === OWN && (
          <>
            <Instant label="From" value={since} onChange={setSince} required />
            <Instant label="Until" value={until} onChange={setUntil} required />
          </>
        )}
        <label>
          <input
            type="checkbox"
            checked={onlyFailed}
            onChange={(event) => setOnlyFailed(event.currentTarget.checked)}
          />{' '}
          Only events that the gateway gave up
        </label>
        {isNone && <Note kind="warn">There is no event in this time. Nothing is sent.</Note>}
        {error && <Failure error={error} />}
        <div class="actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" isBusy={isRunning}>
            Replay
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

const OVERLAPS = [
  ['0', 'Ends immediately'],
  ['3600', 'One hour'],
  ['86400', 'One day'],
  ['604800', 'Seven days'],
  ['2592000', '30 days'],
] as const

interface RotateProps {
  id: string
  onRotated: () => void
  onClose: () => void
}

const overlapOf = ({ old_secret_expires_at: until }: Schema<'WebhookEndpointWithSecret'>): string =>
  until === null
    ? 'The old secret no longer signs: put this one into your receiver now.'
    : `Until ${absolute(until)} the old secret also signs events.`

const Rotate = ({ id, onRotated, onClose }: RotateProps) => {
  const [seconds, setSeconds] = useState('86400')
  const [made, setMade] = useState<Schema<'WebhookEndpointWithSecret'> | null>(null)
  const { run, isRunning, error } = useAction(async () => {
    const body = { expire_old_in_seconds: Number(seconds) }
    setMade(await ask(api.POST('/unified/v1/webhook_endpoints/{id}/rotate_secret', { params: { path: { id } }, body })))
    onRotated()
  })
  if (made) {
    return (
      <Dialog key="made" title="The new secret" onClose={onClose}>
        <SecretOnce secret={made.secret} label="the signing secret" use={overlapOf(made)} />
        <div class="actions">
          <Button kind="primary" onClick={onClose}>
            I have copied it
          </Button>
        </div>
      </Dialog>
    )
  }
  return (
    <Dialog key="form" title="Rotate the secret" onClose={onClose}>
      <p>
        A new secret signs events from now on. The old one also signs for a while, so that you can change your receiver.
      </p>
      <Select label="The old secret works for" value={seconds} options={OVERLAPS} onChange={setSeconds} />
      {error && <Failure error={error} />}
      <div class="actions">
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="primary" isBusy={isRunning} onClick={() => void run()}>
          Rotate
        </Button>
      </div>
    </Dialog>
  )
}

/** What came back of a test. */
const TestResult = ({ of, onClose }: { of: Schema<'WebhookTest'>; onClose: () => void }) => (
  <Card
    title="The result of the test"
    actions={
      <Button kind="quiet" onClick={onClose}>
        Close
      </Button>
    }
  >
    <Facts
      rows={[
        ['Outcome', of.delivered ? <Badge tone="good">delivered</Badge> : <Badge tone="bad">not delivered</Badge>],
        ['Status', of.status ?? 'No answer'],
        ['Took', durationOf(of.duration_ms)],
        of.error !== null && ['Why not', of.error],
      ]}
    />
    {of.response_body !== null &&
      (of.response_body === '' ? (
        <p class="muted">The answer had no body.</p>
      ) : (
        <Code text={of.response_body} label="the answer" />
      ))}
  </Card>
)

interface EndpointActionsProps {
  endpoint: EndpointDetail
  onChanged: () => void
  onTested: (result: Schema<'WebhookTest'>) => void
}

type Open = 'edit' | 'disable' | 'rotate' | 'replay' | 'delete' | null

const Dialogs = ({ endpoint, open, onChanged, onClose }: EndpointDialogs) => {
  const { route } = useLocation()
  const { id, url, description, events } = endpoint
  const path = { params: { path: { id } } }
  const patch = async (body: Schema<'UpdateWebhookEndpoint'>): Promise<void> => {
    await ask(api.PATCH('/unified/v1/webhook_endpoints/{id}', { ...path, body }))
    onChanged()
  }
  if (open === 'edit') {
    return (
      <Dialog title="Edit the endpoint" onClose={onClose}>
        <EndpointForm
          start={{ url, description, events }}
          submit="Save"
          onCancel={onClose}
          act={async (draft) => {
            await patch(draft)
            onClose()
          }}
        />
      </Dialog>
    )
  }
  if (open === 'disable') {
    return (
      <Confirm
        title={`Disable ${nameOf(endpoint)}?`}
        confirm="Disable endpoint"
        act={() => patch({ enabled: false })}
        onClose={onClose}
      >
        <p>
          The gateway sends it nothing. It holds the events of ended videos, at most 10,000, until you enable the
          endpoint.
        </p>
      </Confirm>
    )
  }
  if (open === 'delete') {
    return (
      <Confirm
        title={`Delete ${nameOf(endpoint)}?`}
        confirm="Delete endpoint"
        isDanger
        act={async () => {
          await ask(api.DELETE('/unified/v1/webhook_endpoints/{id}', path))
          toast('The endpoint is deleted')
          route('/console/webhooks')
        }}
        onClose={onClose}
      >
        <p>
          The gateway sends nothing more to <strong>{url}</strong>. Deliveries that still wait for it fail. You cannot
          undo this.
        </p>
      </Confirm>
    )
  }
  if (open === 'rotate') return <Rotate id={id} onRotated={onChanged} onClose={onClose} />
  if (open === 'replay') return <Replay id={id} onAsked={onChanged} onClose={onClose} />
  return null
}

interface EndpointDialogs {
  endpoint: EndpointDetail
  open: Open
  onChanged: () => void
  onClose: () => void
}

const EndpointActions = ({ endpoint, onChanged, onTested }: EndpointActionsProps) => {
  const [open, setOpen] = useState<Open>(null)
  const params = { path: { id: endpoint.id } }
  const test = useAction(async () => {
    onTested(await ask(api.POST('/unified/v1/webhook_endpoints/{id}/test', { params })))
  })
  const enable = useAction(async () => {
    await ask(api.PATCH('/unified/v1/webhook_endpoints/{id}', { params, body: { enabled: true } }))
    onChanged()
  })
  const failed = test.error ?? enable.error
  return (
    <>
      <Button kind="primary" isBusy={test.isRunning} onClick={() => void test.run()}>
        Send a test
      </Button>
      <Button onClick={() => setOpen('edit')}>Edit</Button>
      {endpoint.enabled ? (
        <Button onClick={() => setOpen('disable')}>Disable</Button>
      ) : (
        <Button isBusy={enable.isRunning} onClick={() => void enable.run()}>
          Enable
        </Button>
      )}
      <Button onClick={() => setOpen('rotate')}>Rotate secret</Button>
      {endpoint.enabled && <Button onClick={() => setOpen('replay')}>Replay</Button>}
      <Button kind="danger" onClick={() => setOpen('delete')}>
        Delete
      </Button>
      {failed && <Failure error={failed} />}
      <Dialogs endpoint={endpoint} open={open} onChanged={onChanged} onClose={() => setOpen(null)} />
    </>
  )
}

const RECENT = 10
const EVERY_MS = 5_000
/** While something is on its way. */
const BUSY_MS = 1_000

const readEndpoint = ({ isAdmin }: Session, id: string): Promise<EndpointDetail> =>
  isAdmin
    ? ask(api.GET('/unified/v1/admin/endpoints/{id}', { params: { path: { id } } }))
    : ask(api.GET('/unified/v1/webhook_endpoints/{id}', { params: { path: { id } } }))

const readRecent = async ({ isAdmin }: Session, endpoint: string): Promise<Delivery[]> => {
  const query = { endpoint, limit: RECENT }
  const page = await (isAdmin
    ? ask(api.GET('/unified/v1/admin/deliveries', { params: { query } }))
    : ask(api.GET('/unified/v1/deliveries', { params: { query } })))
  return page.data
}

const Told = ({ of }: { of: EndpointDetail }) => (
  <Card title="Health">
    <Facts
      rows={[
        ['State', <Health of={of} />],
        ['Last success', <Time at={of.last_delivered_at} />],
        ['Last failure', <Time at={of.last_failed_at} />],
        ['To be sent', of.pending >= 10_000 ? '10,000 or more' : of.pending.toLocaleString('en')],
        ['Held', `${of.held.toLocaleString('en')}${of.held > 0 ? ' (sent, ten a second, once it is enabled)' : ''}`],
      ]}
    />
  </Card>
)

const Settings = ({ of }: { of: EndpointDetail }) => (
  <Card title="Settings">
    <Facts
      rows={[
        ['Id', <Id of={of.id} />],
        of.client !== undefined && ['Client', of.client],
        ['URL', of.url],
        ['Description', of.description],
        ['Events', of.events.join(', ')],
        [
          'Secret',
          of.old_secret_expires_at === null ? (
            'One secret signs'
          ) : (
            <>
              Two sign: the old one ends <Time at={of.old_secret_expires_at} />
            </>
          ),
        ],
        ['Created', <Time at={of.created_at} />],
      ]}
    />
  </Card>
)

const Recent = ({ rows, id }: { rows: readonly Delivery[]; id: string }) => (
  <Card
    title="Latest deliveries"
    actions={<LinkButton href={`${DELIVERIES}?endpoint=${encodeURIComponent(id)}`}>All deliveries to it</LinkButton>}
  >
    {rows.length === 0 ? (
      <p class="muted">Nothing was sent yet. Send a test to check that it works.</p>
    ) : (
      <Table
        caption="Latest deliveries"
        columns={deliveryColumns('Client', 'To')}
        rows={rows}
        keyOf={(one) => one.id}
      />
    )}
  </Card>
)

const isBusy = (of: EndpointDetail | null): boolean =>
  of !== null && (of.pending > 0 || (of.replay !== null && of.replay.ended_at === null) || (of.enabled && of.held > 0))

/** Nothing of one is left on the page of another. */
export function EndpointScreen({ id = '' }: { id?: string }) {
  return <Endpoint key={id} id={id} />
}

const Endpoint = ({ id }: { id: string }) => {
  const session = useSession()
  const { data, error, isLoading, reload } = useRead(
    `endpoint ${id}`,
    async () => {
      const [endpoint, recent] = await Promise.all([readEndpoint(session, id), readRecent(session, id)])
      return { endpoint, recent }
    },
    (read) => (isBusy(read?.endpoint ?? null) ? BUSY_MS : EVERY_MS),
  )
  const [test, setTest] = useState<Schema<'WebhookTest'> | null>(null)
  useLiveReload(reload, ({ type }) => type.startsWith('video.') || type === 'endpoint.disabled')
  const endpoint = data?.endpoint ?? null
  const back = { href: '/console/webhooks', text: 'Webhooks' }
  return (
    <>
      <Header title={endpoint ? nameOf(endpoint) : 'Endpoint'} back={back}>
        {endpoint && mayChange(session, endpoint) && (
          <EndpointActions endpoint={endpoint} onChanged={reload} onTested={setTest} />
        )}
      </Header>
      {error && <Failure error={error} retry={reload} />}
      {isLoading && <Skeleton what="the endpoint" />}
      {endpoint && !mayChange(session, endpoint) && <WhoMayChange of={endpoint} />}
      {test && <TestResult of={test} onClose={() => setTest(null)} />}
      {endpoint?.replay && <ReplayProgress of={endpoint.replay} pending={endpoint.pending} />}
      {data && (
        <>
          <div class="pair">
            <Told of={data.endpoint} />
            <Settings of={data.endpoint} />
          </div>
          <Recent rows={data.recent} id={id} />
        </>
      )}
    </>
  )
}
