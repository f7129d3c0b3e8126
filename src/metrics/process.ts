import { readdirSync } from 'node:fs'
import { createHistogram, performance } from 'node:perf_hooks'
import { Counter, Gauge, type Registry } from '@prometheus-io/client'
import { PROCESS } from './gauges.ts'

const OPEN_FILES = '/proc/self/fd'
/** Milliseconds between two measurements of how late the event loop is. */
const MEASURED_EVERY_MS = 50
const NS_PER_MS = 1e6
const NS_PER_S = 1e9

const openFiles = (): number | null => {
  try {
    return readdirSync(OPEN_FILES).length
  } catch {
    return null
  }
}

/**
 * How late a timer of the event loop comes, in nanoseconds. Node's own monitor of that makes each request a tenth more
 * expensive (`npm run bench -- metrics`).
 */
const watchLoop = () => {
  const delay = createHistogram()
  let dueMs = performance.now() + MEASURED_EVERY_MS
  const timer = setInterval(() => {
    const nowMs = performance.now()
    // The least that a histogram takes is 1.
    delay.record(Math.max(1, Math.round((nowMs - dueMs) * NS_PER_MS)))
    dueMs = nowMs + MEASURED_EVERY_MS
  }, MEASURED_EVERY_MS).unref()
  return { delay, unwatch: () => clearInterval(timer) }
}

/**
 * How the process itself fares. The library's own set is not taken: it uses node's own monitor, watches every
 * collection of garbage and cannot be ended.
 */
export const watchProcess = (registry: Registry): (() => void) => {
  const { delay, unwatch } = watchLoop()
  const gauge = (one: keyof Omit<typeof PROCESS, 'cpu'>, read: () => number | null): void => {
    const { name, help } = PROCESS[one]
    const gauge = new Gauge<string>({
      name,
      help,
      registers: [],
      collect() {
        const value = read()
        if (value === null) this.remove({})
        else this.set(value)
      },
    })
    registry.registerMetric(gauge)
  }

  let countedS = 0
  const { name, help } = PROCESS.cpu
  const cpu = new Counter({
    name,
    help,
    registers: [],
    collect() {
      const { user, system } = process.cpuUsage()
      const seconds = (user + system) / 1e6
      this.inc(Math.max(0, seconds - countedS))
      countedS = seconds
    },
  })
  registry.registerMetric(cpu)
  const startedS = (Date.now() - performance.now()) / 1_000
  gauge('started', () => startedS)
  gauge('memory', () => process.memoryUsage.rss())
  gauge('heap', () => process.memoryUsage().heapUsed)
  gauge('files', openFiles)

  // Nothing measured since the scrape before: its mean would be NaN.
  gauge('lag_mean', () => (delay.count === 0 ? 0 : delay.mean / NS_PER_S))
  gauge('lag_p99', () => (delay.count === 0 ? 0 : delay.percentile(99) / NS_PER_S))
  gauge('lag_max', () => {
    const max = delay.count === 0 ? 0 : delay.max / NS_PER_S
    delay.reset()
    return max
  })
  let before = performance.eventLoopUtilization()
  gauge('utilization', () => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, before)
    before = now
    return utilization
  })
  return unwatch
}
