import { PerformanceObserver } from 'node:perf_hooks'
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'

/**
 * How large V8 lets the heap of a gateway become. By itself it lets young objects fill 64 MB, and lets the rest double
 * before it collects. Both can only be set for a whole process, and V8 reads these two flags whenever it decides.
 * Measured in docs/benchmarks.md ("memory"): smaller ones cost CPU, because more of what a request needs is moved.
 */
const YOUNG_BYTES = 16 * 1024 * 1024
const GROWING_PERCENT = 25

const youngBytes = (): number =>
  getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')?.space_size ?? 0

/** V8 doubles the space of young objects when much of it survives, and gives it back when little is made. */
const limitYoung = (): void => {
  let mayGrow: boolean | null = null
  const decide = (): void => {
    const next = youngBytes() < YOUNG_BYTES
    if (next === mayGrow) return
    mayGrow = next
    setFlagsFromString(`--semi-space-growth-factor=${mayGrow ? 2 : 1}`)
  }
  decide()
  // After each collection, where V8 resizes it.
  new PerformanceObserver(decide).observe({ type: 'gc' })
}

/** Which limits are left to set: sizes that Node was started with are the operator's. Pure. */
export const limitsLeft = (options: readonly string[]): { young: boolean; growing: boolean } => {
  const isSet = (word: string): boolean => options.some((option) => option.replaceAll('_', '-').includes(word))
  return { young: !isSet('semi-space'), growing: !isSet('heap-growing-percent') }
}

/** Keeps the heap of this process small. `options`: what Node was started with. */
export const keepHeapSmall = (options: readonly string[]): void => {
  const { young, growing } = limitsLeft(options)
  if (young) limitYoung()
  if (growing) setFlagsFromString(`--heap-growing-percent=${GROWING_PERCENT}`)
}

/** Who presses Ctrl-C in front of npm sends it twice: the terminal does, and npm hands it on. */
const SAME_PRESS_MS = 1_000

/** The first signal asks (`signal` is aborted with its name), one that comes after a second insists. */
export const createStopping = (nowMs: () => number, insist: (signal: 'SIGINT' | 'SIGTERM') => void) => {
  const asked = new AbortController()
  let askedAtMs = 0
  return {
    signal: asked.signal,
    ask(signal: 'SIGINT' | 'SIGTERM'): void {
      if (asked.signal.aborted) {
        if (nowMs() - askedAtMs >= SAME_PRESS_MS) insist(signal)
        return
      }
      askedAtMs = nowMs()
      asked.abort(signal)
    },
  }
}
