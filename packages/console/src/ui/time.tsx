import { useEffect, useState } from 'preact/hooks'
import { createPreference } from '../preference.ts'
import { Field } from './field.tsx'

/** How times are shown. */
export const times = createPreference('talkbridge-times', ['relative', 'local', 'UTC'])

const UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
]
const DAY_MS = 86_400_000
const words = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' })
const zoned = (options: Intl.DateTimeFormatOptions) => {
  const make = (timeZone?: 'UTC') => new Intl.DateTimeFormat('en-GB', { ...options, timeZone })
  return { local: make(), UTC: make('UTC') }
}
const CLOCK = { hour: '2-digit', minute: '2-digit', second: '2-digit' } as const
const clock = zoned(CLOCK)
const day = zoned({ dateStyle: 'short' })
const near = zoned({ day: 'numeric', month: 'short', ...CLOCK })
const far = zoned({ dateStyle: 'medium', timeStyle: 'short' })
const full = zoned({ dateStyle: 'medium', timeStyle: 'medium' })

/** "3 min. ago", "in 2 hr."; of another day "26 Nov, 19:50:12". */
export const relative = (atMs: number, nowMs: number): string => {
  if (Math.abs(atMs - nowMs) >= DAY_MS) return shortOf(atMs, nowMs, 'local')
  const [unit, unitMs] = UNITS.find(([, ms]) => Math.abs(atMs - nowMs) >= ms) ?? ['second', 1_000]
  return words.format(Math.trunc((atMs - nowMs) / unitMs), unit)
}

const HALF_YEAR_MS = 180 * DAY_MS

/** "19:50:12" of today, "26 Nov, 19:50:12", and with the year what is far away. */
const shortOf = (atMs: number, nowMs: number, zone: 'local' | 'UTC'): string => {
  if (day[zone].format(atMs) === day[zone].format(nowMs)) return clock[zone].format(atMs)
  return (Math.abs(atMs - nowMs) < HALF_YEAR_MS ? near : far)[zone].format(atMs)
}

/** The time of day. */
export const clockOf = (atMs: number): string => clock[times.now() === 'UTC' ? 'UTC' : 'local'].format(atMs)

/** As it was chosen, to the second. */
export const absolute = (at: string): string =>
  times.now() === 'UTC' ? `${full.UTC.format(Date.parse(at))} UTC` : full.local.format(Date.parse(at))

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

/** As it was chosen, and exact on hover; null is a dash. */
export const Time = ({ at }: { at: string | null | undefined }) => {
  const now = useNow()
  const chosen = times.use()
  if (!at) return <>–</>
  const atMs = Date.parse(at)
  return (
    <time dateTime={at} title={`${full.local.format(atMs)} here\n${at}`}>
      {chosen === 'relative' ? relative(atMs, now) : shortOf(atMs, now, chosen)}
    </time>
  )
}

/** As the control writes it: local, to the minute. */
const localOf = (at: string): string => {
  if (at === '') return ''
  const ms = Date.parse(at)
  return new Date(ms - new Date(ms).getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

interface InstantProps {
  label: string
  /** ISO 8601, or empty. */
  value: string
  onChange: (value: string) => void
  required?: boolean
}

/** A time, in the zone of who looks. */
export const Instant = ({ label, value, onChange, required = false }: InstantProps) => (
  <Field label={label}>
    {(id) => (
      <input
        id={id}
        type="datetime-local"
        required={required}
        value={localOf(value)}
        onChange={({ currentTarget: { value: local } }) => onChange(local === '' ? '' : new Date(local).toISOString())}
      />
    )}
  </Field>
)

/** What is copied has the exact times in place of "3 min. ago". */
export const copyExactTimes = (): void =>
  document.addEventListener('copy', (event) => {
    const selection = getSelection()
    let rest = selection?.toString() ?? ''
    let copied = ''
    for (const time of document.querySelectorAll('time')) {
      const shown = time.textContent
      const at = selection?.containsNode(time, true) ? rest.indexOf(shown) : -1
      if (at === -1) continue
      copied += rest.slice(0, at) + time.dateTime
      rest = rest.slice(at + shown.length)
    }
    if (copied === '') return
    event.clipboardData?.setData('text/plain', copied + rest)
    event.preventDefault()
  })
