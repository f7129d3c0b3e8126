import { durationOf } from '../../../ui/time.tsx'
import type { Bar, History, Moment } from './moments.ts'
import { scaleOf, type Scale } from './scale.ts'

const at = (x: number): { left: string } => ({ left: `${x.toFixed(3)}%` })

const Axis = ({ scale }: { scale: Scale }) => (
  <div class="tl-row tl-axis">
    <span class="tl-name" />
    <div class="tl-track">
      {scale.ticks.map(({ x, offsetMs }) => (
        <span key={offsetMs} class="tl-tick" style={at(x)}>
          {offsetMs === 0 ? '0 s' : durationOf(offsetMs)}
        </span>
      ))}
    </div>
  </div>
)

const Lane = ({ name, bars, moments, scale }: { name: string; bars: Bar[]; moments: Moment[]; scale: Scale }) => (
  <div class="tl-row" data-lane={name}>
    <span class="tl-name">{name}</span>
    <div class="tl-track">
      {scale.breaks.map(({ fromX, toX, ms }) => (
        <span
          key={fromX}
          class="tl-break"
          title={`${durationOf(ms)} are left out here`}
          style={{ ...at(fromX), width: `${(toX - fromX).toFixed(3)}%` }}
        />
      ))}
      {bars.map(({ fromMs, toMs, what, tone }) => (
        <span
          key={`${fromMs} ${what}`}
          class={`tl-bar ${tone}`}
          title={`${what}: ${durationOf(toMs - fromMs)}`}
          style={{ ...at(scale.x(fromMs)), width: `${(scale.x(toMs) - scale.x(fromMs)).toFixed(3)}%` }}
        />
      ))}
      {moments.map(({ key, atMs, what, detail, tone }) => (
        <span
          key={key}
          class={`tl-mark ${tone}`}
          data-at={atMs}
          title={detail === null ? what : `${what}: ${detail}`}
          style={at(scale.x(atMs))}
        />
      ))}
    </div>
  </div>
)

/**
 * Drawn to scale, one lane for each stage and each receiver. Whoever cannot see it has the same in the list below, so it is
 * one picture to them.
 */
export const Picture = ({ history }: { history: History }) => {
  const { moments, bars, lanes, made } = history
  const times = [...moments.map(({ atMs }) => atMs), ...bars.flatMap(({ fromMs, toMs }) => [fromMs, toMs])]
  const scale = scaleOf(times, made)
  const first = Math.min(...times)
  const label = `Timeline, drawn to scale over ${durationOf(Math.max(...times) - first)}; the list below has the same`
  return (
    <div class="tl" role="img" aria-label={label}>
      <Axis scale={scale} />
      {lanes.map((lane) => (
        <Lane
          key={lane}
          name={lane}
          scale={scale}
          bars={bars.filter((one) => one.lane === lane)}
          moments={moments.filter((one) => one.lane === lane)}
        />
      ))}
      {scale.breaks.length > 0 && (
        <p class="tl-note">
          Nothing happened in the hatched parts, for {scale.breaks.map(({ ms }) => durationOf(ms)).join(', ')}: they are
          not to scale.
        </p>
      )}
    </div>
  )
}
