import { useState } from 'preact/hooks'
import { api, ask, type Schema } from '../../api.ts'
import { useLiveReload } from '../../live.ts'
import { useSession, type Session } from '../../session.ts'
import { useRead } from '../../use-read.ts'
import { Id } from '../../ui/copy.tsx'
import { LinkButton } from '../../ui/button.tsx'
import { Card, Facts, Header } from '../../ui/header.tsx'
import { Failure, Skeleton } from '../../ui/states.tsx'
import { Table } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { deliveryColumns } from './delivery-columns.tsx'
import { EndpointActions } from './endpoint-actions.tsx'
import { DELIVERIES, mayChange, nameOf, type Delivery, type EndpointDetail } from './model.ts'
import { Health, WhoMayChange } from './parts.tsx'
import { ReplayProgress } from './replay-progress.tsx'
import { TestResult } from './test-result.tsx'

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
        ...(of.client === undefined ? [] : [['Client', of.client] as const]),
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
        columns={deliveryColumns({ isAdmin: false, withTarget: false })}
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
  const [everyMs, setEvery] = useState(EVERY_MS)
  const { data, error, isLoading, reload } = useRead(
    `endpoint ${id}`,
    async () => {
      const [endpoint, recent] = await Promise.all([readEndpoint(session, id), readRecent(session, id)])
      setEvery(isBusy(endpoint) ? BUSY_MS : EVERY_MS)
      return { endpoint, recent }
    },
    everyMs,
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
