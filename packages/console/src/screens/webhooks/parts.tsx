import { useState } from 'preact/hooks'
import { api, ask, type Schema } from '../../api.ts'
import { useAction } from '../../reads.ts'
import { may, type Session } from '../../session.ts'
import { Button } from '../../ui/button.tsx'
import { DELIVERIES, DISABLED } from '../../ui/deliveries.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Checks, Input } from '../../ui/field.tsx'
import { Tabs } from '../../ui/header.tsx'
import { Badge, Failure, Note, Status } from '../../ui/states.tsx'
import { Trend } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import './webhooks.css'

/** An operator sees whose it is. */
export type Endpoint = Schema<'WebhookEndpoint'> & { client?: string }
export type EndpointDetail = Schema<'WebhookEndpointDetail'> & { client?: string }
type EventType = Endpoint['events'][number]

const EVENT_TYPES = [
  ['video.queued', 'video.queued', 'The gateway accepted it'],
  ['video.processing', 'video.processing', 'The backend is making it'],
  ['video.progress', 'video.progress', 'It made progress; at most one event in five seconds'],
  ['video.completed', 'video.completed', 'It is done'],
  ['video.failed', 'video.failed', 'It failed'],
  ['video.canceled', 'video.canceled', 'You canceled it'],
  ['quota.warning', 'quota.warning', 'You used 80 or 100 % of a monthly limit'],
] as const satisfies readonly (readonly [EventType, string, string])[]
export const USUAL_EVENTS: readonly EventType[] = ['video.completed', 'video.failed', 'video.canceled']

/** Its own client may do all, an operator what ends an incident; null: only read. */
export type Role = 'owner' | 'operator' | null
export const roleOf = (session: Session, { client }: { client?: string }): Role => {
  const isOwn = client === undefined || client === session.client
  if (isOwn && may(session, 'webhooks:write')) return 'owner'
  return session.isAdmin ? 'operator' : null
}

export const nameOf = ({ description, url }: Endpoint): string => description ?? url

export const endpointPath = (id: string): string => `/console/webhooks/${id}`

export const WebhookTabs = ({ at }: { at: 'endpoints' | 'deliveries' }) => (
  <Tabs
    label="Webhooks"
    tabs={[
      { href: '/console/webhooks', text: 'Endpoints', isHere: at === 'endpoints' },
      { href: DELIVERIES, text: 'Deliveries', isHere: at === 'deliveries' },
    ]}
  />
)

/** Whether it works, in one badge and a few words. */
export const Health = ({
  of: { enabled, disabled_reason: reason, failures, failing_since: since },
}: {
  of: Endpoint
}) => (
  <span>
    {enabled && failures > 0 ? <Badge tone="warn">failing</Badge> : <Status of={enabled ? 'enabled' : 'disabled'} />}{' '}
    <span class="small muted">
      {!enabled && reason !== null && DISABLED[reason]}
      {enabled && failures > 0 && (
        <>
          {failures} in a row, since <Time at={since} />
        </>
      )}
    </span>
  </span>
)

interface Rate {
  /** A share; null: nothing was sent in this time. */
  success: number | null
  /** Milliseconds, of 95 % of the attempts. */
  p95Ms: number | null
  trend: readonly (number | null)[]
}
export type Rates = ReadonlyMap<string, Rate>

type Point = Schema<'OverviewSeries'>['series'][number]['points'][number]

const rateOf = (points: readonly Point[]): Rate => {
  const count = points.reduce((sum, point) => sum + (point.count ?? 0), 0)
  const delivered = points.reduce((sum, point) => sum + (point.count ?? 0) * (point.success ?? 0), 0)
  const p95 = Math.max(0, ...points.map((point) => point.p95 ?? 0))
  return {
    success: count === 0 ? null : delivered / count,
    p95Ms: p95 === 0 ? null : p95 * 1_000,
    trend: points.map((point) => point.success ?? null),
  }
}

const STEP_S = 7_200
/** The API has them of one client at a time. */
const MOST_CLIENTS = 10
export const RATES_EVERY_MS = 60_000

/** How deliveries of the last 24 hours went, by the id of the endpoint. `clients`: for operators. */
export const readRates = async (session: Session, clients: readonly string[]): Promise<Rates> => {
  const query = { metric: 'deliveries', by: 'endpoint', step: STEP_S } as const
  if (!session.isAdmin && !may(session, 'videos:read')) return new Map()
  const answers = await Promise.all(
    session.isAdmin
      ? clients
          .slice(0, MOST_CLIENTS)
          .map((client) =>
            ask(api.GET('/unified/v1/admin/overview/series', { params: { query: { ...query, client } } })),
          )
      : [ask(api.GET('/unified/v1/overview/series', { params: { query } }))],
  )
  return new Map(answers.flatMap(({ series }) => series.map(({ key, points }) => [key, rateOf(points)] as const)))
}

export const Success = ({ of }: { of: Rate | undefined }) =>
  of === undefined || of.success === null ? (
    <>–</>
  ) : (
    <span class="beside">
      {(100 * of.success).toFixed(1)} % <Trend of={of.trend} from={0} />
    </span>
  )

/** In place of buttons that would only be refused, and of some of them. */
export const WhatYouMay = ({ role, client }: { role: Role; client: string | undefined }) => {
  if (role === 'owner') return null
  return (
    <Note>
      {role === null ? (
        <>
          Your key may only read here: it does not have the scope <code>webhooks:write</code>.
        </>
      ) : (
        <>
          This belongs to the client <strong>{client}</strong>. The audit log records what you do here.
        </>
      )}
    </Note>
  )
}

interface EndpointDraft {
  url: string
  description: string | null
  events: EventType[]
}

interface EndpointFormProps {
  title: string
  start: EndpointDraft
  /** What the button says. */
  submit: string
  act: (draft: EndpointDraft) => Promise<unknown>
  onClose: () => void
}

export const EndpointForm = ({ title, start, submit, act, onClose }: EndpointFormProps) => {
  const [draft, setDraft] = useState(start)
  const { run, isRunning, error } = useAction(act)
  /** Said beside its field where it is about one, else below. */
  const at = (param: string): string | null => (error?.param?.split('.')[0] === param ? error.message : null)
  const [urlError, textError, eventsError] = [at('url'), at('description'), at('events')]
  const needsEvents = draft.events.length === 0 ? 'Choose at least one.' : null
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          if (needsEvents === null) void run(draft)
        }}
      >
        <Input
          label="URL"
          hint="The https URL that receives events."
          error={urlError}
          type="url"
          required
          placeholder="https://app.example/hooks/talkbridge"
          value={draft.url}
          set={(url) => setDraft({ ...draft, url })}
        />
        <Input
          label="Description"
          hint="A note for people."
          error={textError}
          maxLength={500}
          value={draft.description ?? ''}
          set={(text) => setDraft({ ...draft, description: text || null })}
        />
        <Checks
          legend="Events"
          options={EVENT_TYPES}
          chosen={draft.events}
          onChange={(events) => setDraft({ ...draft, events })}
          error={needsEvents ?? eventsError}
        />
        {error && !urlError && !textError && !eventsError && <Failure error={error} />}
        <div class="actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" isBusy={isRunning}>
            {submit}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
