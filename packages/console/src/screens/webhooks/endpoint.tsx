import { useState } from 'preact/hooks'
import { api, ask, pathFor, type Schema } from '../../api.ts'
import { useLiveReload } from '../../live.ts'
import { useRead } from '../../reads.ts'
import { type ScreenProps, type Session, useSession } from '../../session.ts'
import { Button, Code, Id, LinkButton } from '../../ui/button.tsx'
import { DELIVERIES, type Delivery, deliveryColumns } from '../../ui/deliveries.tsx'
import { Card, Facts, Header } from '../../ui/header.tsx'
import { Badge, Loaded, Progress } from '../../ui/states.tsx'
import { Table } from '../../ui/table.tsx'
import { absolute, durationOf, Time } from '../../ui/time.tsx'
import { EndpointActions } from './actions.tsx'
import {
  type EndpointDetail,
  Health,
  nameOf,
  RATES_EVERY_MS,
  readRates,
  roleOf,
  Success,
  WhatYouMay,
} from './parts.tsx'

type ReplayState = NonNullable<EndpointDetail['replay']>

const count = (n: number): string => n.toLocaleString('en')

const stateOf = (of: ReplayState, pending: number): string => {
  if (of.ended_at === null) return `${count(of.queued)} of ${count(of.events)} are queued.`
  if (of.queued < of.events)
    return `It ended with ${count(of.queued)} of ${count(of.events)}: the endpoint was disabled, or events are not kept any more.`
  return pending === 0 ? `All ${count(of.events)} were sent.` : `All ${count(of.events)} are queued.`
}

/**
 * Of the replay that was asked for last. What is surely out are those that were made due, without all that still waits
 * for this endpoint: other deliveries may be among these, so it is never too many.
 */
const ReplayProgress = ({ of, pending }: { of: ReplayState; pending: number }) => (
  <Card title="Replay">
    <p>
      {of.only_failed ? 'Only failed events' : 'All events'} from {absolute(of.since)} to {absolute(of.until)}. Asked
      for <Time at={of.asked_at} />.
    </p>
    <Progress value={Math.max(0, of.queued - pending) / Math.max(1, of.events)} label="Sent of the replay" />
    <p>
      {stateOf(of, pending)} {pending > 0 && `${count(pending)} deliveries to this endpoint wait for an attempt.`}
    </p>
  </Card>
)

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
    {of.response_body === '' && <p class="muted">The answer had no body.</p>}
    {of.response_body && <Code text={of.response_body} label="the answer" isBody />}
  </Card>
)

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
  const page = await ask(api.GET(pathFor(isAdmin, 'deliveries'), { params: { query } }))
  return page.data
}

const Told = ({ of }: { of: EndpointDetail }) => {
  const session = useSession()
  const { data } = useRead(
    `rates ${of.client ?? ''}`,
    () => readRates(session, of.client ? [of.client] : []),
    RATES_EVERY_MS,
  )
  const rate = data?.get(of.id)
  const p95Ms = rate?.p95Ms ?? null
  return (
    <Card title="Health">
      <Facts
        rows={[
          ['State', <Health of={of} />],
          ['Delivered in 24 h', <Success of={rate} />],
          ['95 % within', p95Ms === null ? null : durationOf(p95Ms)],
          ['Last success', <Time at={of.last_delivered_at} />],
          ['Last failure', <Time at={of.last_failed_at} />],
          ['To be sent', of.pending >= 10_000 ? '10,000 or more' : count(of.pending)],
          ['Held', `${count(of.held)}${of.held > 0 ? ' (sent, ten a second, once it is enabled)' : ''}`],
        ]}
      />
    </Card>
  )
}

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

const isBusy = ({ pending, replay, enabled, held }: EndpointDetail): boolean =>
  pending > 0 || (replay !== null && replay.ended_at === null) || (enabled && held > 0)

/** Nothing of one is left on the page of another. */
export const EndpointScreen = ({ id = '' }: ScreenProps) => <Endpoint key={id} id={id} />

const Endpoint = ({ id }: { id: string }) => {
  const session = useSession()
  const read = useRead(
    `endpoint ${id}`,
    async () => {
      const [endpoint, recent] = await Promise.all([readEndpoint(session, id), readRecent(session, id)])
      return { endpoint, recent }
    },
    (data) => (data && isBusy(data.endpoint) ? BUSY_MS : EVERY_MS),
  )
  const [test, setTest] = useState<Schema<'WebhookTest'> | null>(null)
  useLiveReload(read.reload, ({ type }) => type.startsWith('video.') || type === 'endpoint.disabled')
  const endpoint = read.data?.endpoint
  const role = endpoint ? roleOf(session, endpoint) : null
  return (
    <>
      <Header title={endpoint ? nameOf(endpoint) : 'Endpoint'} back={{ href: '/console/webhooks', text: 'Webhooks' }}>
        {endpoint && role && (
          <EndpointActions endpoint={endpoint} role={role} onChanged={read.reload} onTested={setTest} />
        )}
      </Header>
      <Loaded read={read} what="the endpoint">
        {({ endpoint: of, recent }) => (
          <>
            <WhatYouMay role={role} client={of.client} />
            {test && <TestResult of={test} onClose={() => setTest(null)} />}
            {of.replay && <ReplayProgress of={of.replay} pending={of.pending} />}
            <div class="pair">
              <Told of={of} />
              <Settings of={of} />
            </div>
            <Recent rows={recent} id={id} />
          </>
        )}
      </Loaded>
    </>
  )
}
