/** Loaded before the gateway in its own process: tells what that costs, when asked. It imports nothing. */
export interface Reading {
  /** CPU of the whole process since it began, its threads and its kernel time included. */
  cpuUs: number
  /** CPU of the main thread. */
  mainUs: number
  /** The most CPU that the main thread spent between two of its timers of a millisecond, since the last reading. */
  heldMs: number
  rssBytes: number
  /** Of the main thread, what waits to be collected included. */
  heapBytes: number
  externalBytes: number
}

const sumOf = ({ user, system }: NodeJS.CpuUsage): number => user + system

/** Of the thread alone, Linux tells what it knew at the last tick of four milliseconds; to count the process brings that up to date. */
const mainUs = (): number => {
  process.cpuUsage()
  return sumOf(process.threadCpuUsage())
}

let sinceUs = mainUs()
let worstUs = 0
const beat = (): void => {
  const nowUs = mainUs()
  worstUs = Math.max(worstUs, nowUs - sinceUs)
  sinceUs = nowUs
  setTimeout(beat, 1).unref()
}
/** A thousand timers a second are CPU that the gateway does not spend: asked for where it is wanted. */
if (process.env['BENCH_BEAT'] === '1') beat()
delete process.env['BENCH_BEAT']

process.on('message', () => {
  const { rss: rssBytes, heapUsed: heapBytes, external: externalBytes } = process.memoryUsage()
  const reading: Reading = {
    cpuUs: sumOf(process.cpuUsage()),
    mainUs: mainUs(),
    heldMs: worstUs / 1_000,
    rssBytes,
    heapBytes,
    externalBytes,
  }
  worstUs = 0
  process.send?.(reading)
})
process.channel?.unref()
