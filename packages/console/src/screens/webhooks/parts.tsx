import type { Schema, ApiError } from '../../api.ts'
import { may, type Session, useSession } from '../../session.ts'
import { Status, Badge, Note, Failure } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'
import { DELIVERIES } from '../../ui/deliveries.tsx'
import { Tabs } from '../../ui/header.tsx'
import './webhooks.css'
import { useState } from 'preact/hooks'
import { useAction } from '../../reads.ts'
import { Button } from '../../ui/button.tsx'
import { Checks, Field } from '../../ui/field.tsx'

/** An operator sees whose it is. */
export type Endpoint = Schema<'WebhookEndpoint'> & { client?: string }
export type EndpointDetail = Schema<'WebhookEndpointDetail'> & { client?: string }
export type DeliveryDetail = Schema<'DeliveryWithAttempts'> & { client?: string }
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

/** Operators read everybody's endpoints; changing one is up to its own client. */
export const isOwn = (session: Session, { client }: { client?: string }): boolean =>
  client === undefined || client === session.client
export const mayChange = (session: Session, of: { client?: string }): boolean =>
  isOwn(session, of) && may(session, 'webhooks:write')

const REASONS: Readonly<Record<NonNullable<Endpoint['disabled_reason']>, string>> = {
  client: 'its client disabled it',
  operator: 'an operator disabled it',
  gone: 'it answered 410',
  failures: '100 attempts failed in a row',
  failing: 'all attempts failed for 120 hours',
}
const whyDisabled = ({ disabled_reason: reason }: Endpoint): string => (reason === null ? '' : REASONS[reason])

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
export const Health = ({ of }: { of: Endpoint }) => {
  if (!of.enabled) {
    return (
      <span>
        <Status of="disabled" /> <span class="small muted">{whyDisabled(of)}</span>
      </span>
    )
  }
  if (of.failures > 0) {
    return (
      <span>
        <Badge tone="warn">failing</Badge>{' '}
        <span class="small muted">
          {of.failures} in a row, since <Time at={of.failing_since} />
        </span>
      </span>
    )
  }
  return <Status of="enabled" />
}

export const ReadOnly = () => (
  <Note>
    Your key may only read here: it does not have the scope <code>webhooks:write</code>.
  </Note>
)

/** In place of buttons that would only be refused. */
export const WhoMayChange = ({ of }: { of: Endpoint }) => {
  const session = useSession()
  if (isOwn(session, of)) return <ReadOnly />
  return (
    <Note>
      This belongs to the client <strong>{of.client}</strong>. Only a key of that client can change it, test it, or
      replay to it.
    </Note>
  )
}

interface EndpointDraft {
  url: string
  description: string | null
  events: EventType[]
}

interface EndpointFormProps {
  start: EndpointDraft
  /** What the button says. */
  submit: string
  act: (draft: EndpointDraft) => Promise<unknown>
  onCancel: () => void
}

/** Said beside its field where it is about one, else below. */
const errorAt = (error: ApiError | null, param: string): string | null =>
  error && error.param?.split('.')[0] === param ? error.message : null

export const EndpointForm = ({ start, submit, act, onCancel }: EndpointFormProps) => {
  const [draft, setDraft] = useState(start)
  const { run, isRunning, error } = useAction(act)
  const [urlError, eventsError, textError] = ['url', 'events', 'description'].map((name) => errorAt(error, name))
  const needsEvents = draft.events.length === 0 ? 'Choose at least one.' : null
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault()
        if (needsEvents === null) void run(draft)
      }}
    >
      <Field label="URL" hint="The https URL that receives events." error={urlError ?? null}>
        {(id, described) => (
          <input
            id={id}
            aria-describedby={described}
            type="url"
            required
            placeholder="https://app.example/hooks/talkbridge"
            value={draft.url}
            onInput={(event) => setDraft({ ...draft, url: event.currentTarget.value })}
          />
        )}
      </Field>
      <Field label="Description" hint="A note for people." error={textError ?? null}>
        {(id, described) => (
          <input
            id={id}
            aria-describedby={described}
            maxLength={500}
            value={draft.description ?? ''}
            onInput={(event) => setDraft({ ...draft, description: event.currentTarget.value || null })}
          />
        )}
      </Field>
      <Checks
        legend="Events"
        options={EVENT_TYPES}
        chosen={draft.events}
        onChange={(events) => setDraft({ ...draft, events })}
        error={needsEvents ?? eventsError ?? null}
      />
      {error && !urlError && !eventsError && !textError && <Failure error={error} />}
      <div class="actions">
        <Button onClick={onCancel}>Cancel</Button>
        <Button kind="primary" type="submit" isBusy={isRunning}>
          {submit}
        </Button>
      </div>
    </form>
  )
}
