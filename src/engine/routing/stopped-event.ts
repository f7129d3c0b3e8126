import { createHash } from 'node:crypto'
import type { RoutingStoppedView } from '../../core/api/migration.ts'
import type { SplitState, Stopped } from '../../core/store/routing.ts'
import { iso } from '../../core/time/clock.ts'
import type { EventRecord } from '../../core/video.ts'
import type { Split } from './rules.ts'

/** Names the write, so that one stop is one event of a client. */
const idOf = (client: string, { key, version }: SplitState): string =>
  `evt_${createHash('sha256')
    .update(JSON.stringify([client, 'routing.stopped', key, version]))
    .digest('hex')
    .slice(0, 26)}`

/** What an operator's endpoints and history are told of a canary that stopped itself. Pure. */
export const stoppedEvent = (
  client: string,
  split: Split,
  state: SplitState,
  { atMs, sinceMs, ...counts }: Stopped,
  weight: number,
): EventRecord => {
  const body: RoutingStoppedView = {
    type: 'routing.stopped',
    timestamp: iso(atMs),
    data: {
      rule: split.key,
      old: split.old,
      new: split.new,
      weight,
      outcomes_since: iso(sinceMs),
      outcomes: counts,
      stopped_at: iso(atMs),
    },
  }
  return {
    id: idOf(client, state),
    type: 'routing.stopped',
    client,
    videoId: null,
    sequence: 1,
    atMs,
    body: JSON.stringify(body),
  }
}
