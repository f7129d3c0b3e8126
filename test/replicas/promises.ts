import type { VideoView } from '../../src/core/api/videos.ts'
import type { LedgerView } from '@talkbridge/sandbox'
import type { Received } from '../fakes/receiver.ts'

/** What holds whatever happens to processes and servers. Pure: from what both sides saw to what is broken, in words. */

export type Backend = LedgerView['jobs'][number]['interface']

/** The part of the backends' ledger that counts. */
export interface Ledger extends Pick<LedgerView, 'jobs' | 'requests_total'> {
  requests: readonly Pick<LedgerView['requests'][number], 'interface' | 'operation' | 'at' | 'status'>[]
}

export interface Seen {
  /** Ids of the videos that clients were told were accepted. */
  accepted: readonly string[]
  /** The same videos, as they were read at the end. */
  videos: readonly Pick<VideoView, 'id' | 'status' | 'backend_job_id' | 'error'>[]
  /** All that the receiver got. */
  deliveries: readonly Delivery[]
  ledger: Ledger
  /** Of each account. */
  slots: Readonly<Record<Backend, number>>
}

export interface Delivery {
  event: string
  type: string
  video: string
}

export const ENDS = ['video.completed', 'video.failed', 'video.canceled']

export const deliveryOf = ({ headers, body }: Received): Delivery => ({
  event: String(headers['webhook-id']),
  type: /"type":"([^"]+)"/.exec(body)?.[1] ?? '',
  video: /"id":"([^"]+)"/.exec(body)?.[1] ?? '',
})

const grouped = <T>(items: readonly T[], key: (item: T) => string): Map<string, T[]> => {
  const groups = new Map<string, T[]>()
  for (const item of items) groups.set(key(item), [...(groups.get(key(item)) ?? []), item])
  return groups
}

export const videosFaults = ({ accepted, videos }: Seen): string[] => {
  const twice = accepted.length - new Set(accepted).size
  return [
    ...(twice > 0 ? [`${twice} orders share a video with another`] : []),
    ...(videos.length === accepted.length ? [] : [`${accepted.length} were accepted, ${videos.length} can be read`]),
    ...videos.flatMap(({ id, status, error }) =>
      status === 'completed' ? [] : [`video ${id} is ${status}: ${error?.code ?? 'no error'}`],
    ),
  ]
}

export const jobsFaults = ({ videos, ledger }: Seen): string[] => {
  const owners = grouped(videos, ({ backend_job_id }) => backend_job_id ?? '')
  const made = new Set(ledger.jobs.map(({ id }) => id))
  return [
    ...videos.flatMap(({ id, backend_job_id: job }) =>
      job === null || !made.has(job) ? [`video ${id} has a job that nobody made: ${job}`] : [],
    ),
    ...[...owners].flatMap(([job, all]) =>
      all.length > 1 ? [`job ${job} is that of ${all.map(({ id }) => id).join(' and ')}`] : [],
    ),
    ...ledger.jobs.flatMap(({ id, interface: from, created_at }) =>
      owners.has(id) ? [] : [`job ${id} (${from}, of ${created_at}) is no video's: it was paid for nobody`],
    ),
  ]
}

export const eventsFaults = ({ accepted, deliveries }: Seen): string[] => {
  const ends = deliveries.filter(({ type }) => ENDS.includes(type))
  const ids = grouped(ends, ({ video, type }) => `${video} ${type}`)
  const told = grouped(ends, ({ video }) => video)
  const known = new Set(accepted)
  return [
    ...[...ids].flatMap(([what, all]) => {
      const events = new Set(all.map(({ event }) => event)).size
      return events > 1 ? [`${what} was told under ${events} ids`] : []
    }),
    ...[...told].flatMap(([video, all]) => {
      const types = [...new Set(all.map(({ type }) => type))]
      return types.length > 1 ? [`video ${video} was told to end as ${types.join(' and ')}`] : []
    }),
    ...accepted.flatMap((id) => (told.has(id) ? [] : [`the end of video ${id} was told nobody`])),
    ...[...told.keys()].flatMap((id) => (known.has(id) ? [] : [`video ${id} was told, and accepted for nobody`])),
  ]
}

const mostOfAccount = (jobs: Ledger['jobs']): number => {
  const moments = jobs
    .flatMap(({ created_at, ends_at }) => [
      { atMs: Date.parse(created_at), change: 1 },
      { atMs: ends_at === null ? Infinity : Date.parse(ends_at), change: -1 },
    ])
    // What ends at the moment another begins makes room for it.
    .toSorted((a, b) => a.atMs - b.atMs || a.change - b.change)
  let running = 0
  return moments.reduce((most, { change }) => {
    running += change
    return Math.max(most, running)
  }, 0)
}

/** How many jobs of one account of this interface ran at the same time, at most. */
export const mostAtOnce = ({ jobs }: Pick<Ledger, 'jobs'>, backend: Backend): number => {
  const accounts = grouped(
    jobs.filter((job) => job.interface === backend),
    ({ account }) => account,
  )
  return Math.max(0, ...[...accounts.values()].map(mostOfAccount))
}

export const upstreamFaults = ({ ledger, slots }: Seen): string[] => {
  const refused = ledger.requests.filter(({ status }) => status === 429)
  const heard = ledger.requests.length
  return [
    ...refused.map(({ interface: from, operation, at }) => `${from} refused ${operation} with 429 at ${at}`),
    ...(heard < ledger.requests_total ? [`only ${heard} of ${ledger.requests_total} requests can be checked`] : []),
    ...(['primary', 'alternate'] as const).flatMap((backend) => {
      const most = mostAtOnce(ledger, backend)
      return most > slots[backend] ? [`${most} jobs ran on ${backend} at once: there are ${slots[backend]} slots`] : []
    }),
  ]
}

/** Everything that is not as it was promised; empty: all is. */
export const broken = (seen: Seen): string[] => [
  ...videosFaults(seen),
  ...jobsFaults(seen),
  ...eventsFaults(seen),
  ...upstreamFaults(seen),
]
