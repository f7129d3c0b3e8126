import type { Schema } from '../../api.ts'
import { Badge } from '../../ui/badge.tsx'
import { reasonOf } from '../../ui/backend-bars.tsx'
import { Card } from '../../ui/header.tsx'
import { Time } from '../../ui/time.tsx'

type Trouble = Schema<'Overview'>['troubles'][number]

interface Told {
  title: string
  href: string | null
  /** What it is about, in the type of code. */
  id: string | null
  what: string | null
}

const DISABLED: Readonly<Record<string, string>> = {
  gone: 'it answered 410',
  failures: 'it failed 100 times in a row',
  failing: 'it failed for 120 hours',
}

const path = (to: string, id: string | null): string | null =>
  id === null ? null : `/console/${to}/${encodeURIComponent(id)}`

const both = (code: string | null, message: string | null): string | null =>
  [code, message].filter((text) => text !== null && text !== '').join(': ') || null

const told = (trouble: Trouble): Told => {
  const { type, backend, video_id: video, delivery_id: delivery, endpoint_id: endpoint, rule, code, message } = trouble
  switch (type) {
    case 'backend_unwell':
      return {
        title: `Backend is ${message ?? 'unwell'}`,
        href: path('backends', backend),
        id: backend,
        what: code && reasonOf(code),
      }
    case 'split_stopped':
      return {
        title: 'Split stopped itself',
        href: '/console/backends?view=migration',
        id: rule,
        what: 'Its new side failed too often',
      }
    case 'create_in_doubt':
      return {
        title: 'Create in doubt',
        href: path('videos', video),
        id: video,
        what: `Nobody knows whether ${backend ?? 'its backend'} accepted it`,
      }
    case 'endpoint_disabled':
      return {
        title: 'Endpoint disabled',
        href: path('webhooks', endpoint),
        id: endpoint,
        what: both(code && (DISABLED[code] ?? code), message),
      }
    case 'video_failed':
      return { title: 'Video failed', href: path('videos', video), id: video, what: both(code, message) }
    case 'delivery_failed':
      return {
        title: 'Delivery given up',
        href: path('webhooks/deliveries', delivery),
        id: delivery,
        what: both(code, message),
      }
  }
}

const keyOf = ({ type, backend, video_id, delivery_id, endpoint_id, rule }: Trouble): string =>
  [type, delivery_id ?? endpoint_id ?? video_id ?? rule ?? backend].join(' ')

const Row = ({ trouble }: { trouble: Trouble }) => {
  const { title, href, id, what } = told(trouble)
  return (
    <li>
      <Badge tone={trouble.standing ? 'bad' : 'warn'}>{title}</Badge>
      <span class="trouble-words">
        {href === null ? <code>{id}</code> : <a href={href}>{id}</a>}
        {what !== null && <span>{what}</span>}
        {trouble.client !== null && <span class="muted small">client {trouble.client}</span>}
      </span>
      <span class="muted small">
        <Time at={trouble.at} />
      </span>
    </li>
  )
}

/** What lasts, then what happened; each with the way to it. */
export const Troubles = ({ troubles }: { troubles: readonly Trouble[] }) => (
  <Card title="Last problems">
    {troubles.length === 0 ? (
      <p class="muted">None in the last 7 days.</p>
    ) : (
      <ul class="troubles">
        {troubles.map((trouble) => (
          <Row key={keyOf(trouble)} trouble={trouble} />
        ))}
      </ul>
    )}
  </Card>
)
