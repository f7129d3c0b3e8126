/** What progress says about when a job ends. Times are milliseconds since the job was accepted. */
export interface Reading {
  elapsedMs: number
  /** 0..1, rounded down to some step by whoever tells it. */
  progress: number
}

/** When a job ends, as far as its progress tells. */
export interface EndRange {
  fromMs: number
  toMs: number
}

export const KEPT = 8
/** Readings closer than that say little about the pace. */
const BASELINE = 0.1
/** A backend may count progress from when a job left its queue: up to this part of the job may have passed by then. */
const QUEUED_SHARE = 0.2
/** Progress is told in steps of this many percent: the coarsest that fits all that was told. */
const STEPS = [10, 5, 1]

/**
 * The readings with one more. Progress that stands still is noted once, when it was first seen; progress that fell (a
 * job that started over) forgets what was before.
 */
export const noted = (readings: readonly Reading[], { elapsedMs, progress }: Reading): readonly Reading[] => {
  const last = readings.at(-1)
  if (!(elapsedMs > (last?.elapsedMs ?? 0) && progress > 0 && progress <= 1)) return readings
  if (progress === last?.progress) return readings
  const before = last && progress < last.progress ? [] : readings
  return [...before, { elapsedMs, progress }].slice(-KEPT)
}

const stepOf = (readings: readonly Reading[]): number =>
  (STEPS.find((step) => readings.every(({ progress }) => isMultiple(progress * 100, step))) ?? 1) / 100

const isMultiple = (percent: number, step: number): boolean =>
  Math.abs(percent / step - Math.round(percent / step)) < 1e-6

/**
 * When a job ends if its progress keeps its pace; null while progress says nothing. From one reading, remaining =
 * elapsed · (1 − p) / p bounds it from above, and a job that waited first ends sooner; from two, their pace tells.
 */
export const endRange = (readings: readonly Reading[]): EndRange | null => {
  const last = readings.at(-1)
  if (!last) return null
  const { elapsedMs } = last
  const step = stepOf(readings)
  // 100 %, and it still runs: the backend rounds up, or the job is about to end.
  const progress = Math.min(last.progress, 1 - step / 2)
  const first = readings.findLast((reading) => progress - reading.progress >= BASELINE) ?? readings[0] ?? last
  const spanMs = elapsedMs - first.elapsedMs
  const gained = progress - first.progress
  if (gained < 2 * step) {
    const least = Math.min(1, progress + step) * (1 - QUEUED_SHARE) + QUEUED_SHARE
    return { fromMs: elapsedMs / least, toMs: elapsedMs / progress }
  }
  return {
    fromMs: elapsedMs + (Math.max(0, 1 - progress - step) * spanMs) / (gained + step),
    toMs: elapsedMs + ((1 - progress) * spanMs) / (gained - step),
  }
}

/**
 * How often a reading contradicted what the ones before it foretold, up to the last poll `lastPollMs`, which told
 * what the last reading did: such progress is no clock.
 */
export const contradictions = (readings: readonly Reading[], lastPollMs: number): number => {
  const last = readings.at(-1)
  if (!last) return 0
  return [...readings, { ...last, elapsedMs: lastPollMs }].filter((reading, i, all) => {
    const before = all.slice(0, i)
    const previous = before.at(-1)
    const range = endRange(before)
    return previous && range ? contradicts(reading, previous, range, stepOf(readings)) : false
  }).length
}

const contradicts = (now: Reading, last: Reading, { fromMs, toMs }: EndRange, step: number): boolean => {
  // It runs, past the latest end that was foretold.
  if (now.elapsedMs > toMs) return true
  const part = (endMs: number): number =>
    Math.min(1, (now.elapsedMs - last.elapsedMs) / Math.max(1, endMs - last.elapsedMs))
  const least = last.progress + (1 - last.progress) * part(toMs)
  const most = last.progress + step + Math.max(0, 1 - last.progress - step) * part(fromMs)
  return now.progress + step < least - 1e-9 || now.progress > most + step
}
