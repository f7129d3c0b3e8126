import { useEffect, useState } from 'preact/hooks'

const UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
]
const words = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' })
const full = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'medium' })

/** "3 min. ago", "in 2 hr.". */
export const relative = (atMs: number, nowMs: number): string => {
  const [unit, unitMs] = UNITS.find(([, ms]) => Math.abs(atMs - nowMs) >= ms) ?? ['second', 1_000]
  return words.format(Math.trunc((atMs - nowMs) / unitMs), unit)
}

/** "850 ms", "4.2 s", "3 min 5 s", "2 h 10 min". */
export const durationOf = (ms: number): string => {
  if (ms < 1_000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${(ms / 1_000).toFixed(ms < 10_000 ? 1 : 0)} s`
  const minutes = Math.floor(ms / 60_000)
  if (minutes < 60) return `${minutes} min ${Math.round((ms % 60_000) / 1_000)} s`
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

const TICK_MS = 1_000
const hearers = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | null = null

/** The time, again every second: one timer for all that show one. */
export const useNow = (): number => {
  const [now, setNow] = useState(Date.now())
  useEffect(() => {
    const hear = (): void => setNow(Date.now())
    hearers.add(hear)
    timer ??= setInterval(() => {
      if (document.visibilityState === 'visible') for (const tell of hearers) tell()
    }, TICK_MS)
    return () => {
      hearers.delete(hear)
      if (hearers.size > 0 || timer === null) return
      clearInterval(timer)
      timer = null
    }
  }, [])
  return now
}

/** Relative, with the absolute time on hover; null is a dash. */
export const Time = ({ at }: { at: string | null | undefined }) => {
  const now = useNow()
  if (!at) return <>–</>
  const atMs = Date.parse(at)
  return (
    <time dateTime={at} title={full.format(atMs)}>
      {relative(atMs, now)}
    </time>
  )
}

export const absolute = (at: string): string => full.format(Date.parse(at))
