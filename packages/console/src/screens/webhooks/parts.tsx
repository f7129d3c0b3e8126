import { useSession } from '../../session.ts'
import { Badge, Status } from '../../ui/badge.tsx'
import { Note } from '../../ui/states.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { Time } from '../../ui/time.tsx'
import { DELIVERIES, isOwn, whyDisabled, type Endpoint } from './model.ts'
import './webhooks.css'

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
