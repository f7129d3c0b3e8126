/** What is open beside what is measured. */
export interface Backlog {
  running: number
  waiting: number
  /** Deliveries that failed once and are tried again later, when all of this is over. */
  retries: number
}
export interface Setup {
  folder: string
  backlog: Backlog
  config: Readonly<Record<string, unknown>>
}

/** `collect`: the garbage, so that what is kept can be told. */
export const WORKS = ['reads', 'creates', 'turns', 'retries', 'collect'] as const
export type Work = (typeof WORKS)[number]
/** Pieces of work that are begun at once: creates share commits, as clients' do. */
export const AT_ONCE: Record<Work, number> = { reads: 1, creates: 10, turns: 1, retries: 500, collect: 1 }
export interface Order {
  work: Work
  count: number
}
export interface Measured {
  /** Of the whole process, per piece of work, in microseconds. */
  cpuUs: number
  /** The longest that the main thread was at work without looking at anything else, in milliseconds of CPU. */
  heldMs: number
  rssBytes: number
  /** The main thread's heap and buffers: after `collect`, what is kept. */
  heapBytes: number
}

export const CLIENTS = 100
export const clientOf = (n: number): string => `client-${n % CLIENTS}`
export const keyOf = (client: string): string => `tb_bench_${client}_0123456789abcdef0123456789abcdef`
/** In the order of their making, as the gateway's own ids are. */
export const idOf = (n: number): string => `vid_00${String(n).padStart(24, '0')}`
/** The first of those that wait. */
export const WAITING_FROM = 1_000_000
/** The next attempt at a delivery: from half an hour on, so that none comes while anything is measured. */
export const retryInMs = (n: number): number => 1_800_000 + (n % 3_600_000)
