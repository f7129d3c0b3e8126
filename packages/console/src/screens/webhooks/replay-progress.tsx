import type { Schema } from '../../api.ts'
import { Progress } from '../../ui/badge.tsx'
import { Card } from '../../ui/header.tsx'
import { absolute, Time } from '../../ui/time.tsx'

type Replay = NonNullable<Schema<'WebhookEndpoint'>['replay']>

const count = (n: number): string => n.toLocaleString('en')

/**
 * How many of its events are surely out: those that were made due, without all that still waits for this endpoint. Other
 * deliveries may be among what waits, so it is never too many.
 */
const sentOf = ({ queued }: Replay, pending: number): number => Math.max(0, queued - pending)

const stateOf = (of: Replay, pending: number): string => {
  if (of.ended_at === null) return `${count(of.queued)} of ${count(of.events)} are queued.`
  if (of.queued < of.events)
    return `It ended with ${count(of.queued)} of ${count(of.events)}: the endpoint was disabled, or events are not kept any more.`
  return pending === 0 ? `All ${count(of.events)} were sent.` : `All ${count(of.events)} are queued.`
}

/** Of the replay that was asked for last. */
export const ReplayProgress = ({ of, pending }: { of: Replay; pending: number }) => {
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
