const moment = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short', hour12: false })
/** Each line has its own, in their order. */
const COLOURS = ['busy', 'good', 'bad', 'warn', 'text', 'muted']

const WIDE = 1_000
const HIGH = 240

interface ChartProps {
  /** What it shows, in a sentence. */
  label: string
  fromMs: number
  toMs: number
  stepMs: number
  /** Where a value is missing there is no line. */
  lines: readonly { key: string; points: readonly { atMs: number; value: number | null | undefined }[] }[]
  words: (value: number) => string
  /** The top of the picture is at least this. */
  least?: number
}

/** Lines over time. Each moment says all of its values. */
export const Chart = ({ label, fromMs, toMs, stepMs, lines, words, least = 0 }: ChartProps) => {
  const drawn = lines.map(({ key, points }, n) => ({
    key,
    style: { color: `var(--${COLOURS[n] ?? 'muted'})` },
    points: points.flatMap(({ atMs, value }) => (typeof value === 'number' ? [{ atMs, value }] : [])),
  }))
  const all = drawn.flatMap(({ points }) => points)
  const most = Math.max(...all.map(({ value }) => value), least) || 1
  const x = (atMs: number): number => (WIDE * (atMs - fromMs)) / (toMs - fromMs)
  const y = (value: number): number => HIGH - (HIGH * value) / most
  const told = (at: number): string =>
    drawn
      .flatMap(({ key, points }) => points.flatMap(({ atMs, value }) => (atMs === at ? `${key} ${words(value)}` : [])))
      .join(', ')
  return (
    <figure class="chart">
      <div class="small muted">{words(most)}</div>
      <svg viewBox={`0 0 ${WIDE} ${HIGH}`} preserveAspectRatio="none" role="img" aria-label={label}>
        <path class="middle" d={`M0 ${HIGH / 2}H${WIDE}`} />
        {drawn.map(({ key, style, points }) => (
          <path
            key={key}
            style={style}
            d={points
              .map(({ atMs, value }, at) => {
                const isBegin = atMs - (points[at - 1]?.atMs ?? -Infinity) > 1.5 * stepMs
                return `${isBegin ? 'M' : 'L'}${x(atMs)} ${y(value)}${isBegin ? 'h.1' : ''}`
              })
              .join('')}
          />
        ))}
        {[...new Set(all.map(({ atMs }) => atMs))].map((atMs) => (
          <rect key={atMs} x={x(atMs - stepMs / 2)} width={x(fromMs + stepMs)} y={0} height={HIGH}>
            <title>{`${moment.format(atMs)}: ${told(atMs)}`}</title>
          </rect>
        ))}
      </svg>
      <div class="row between small muted">
        <span>{moment.format(fromMs)}</span>
        <span>{moment.format(toMs)}</span>
      </div>
      <ul class="plain row">
        {drawn.map(({ key, style, points }) => (
          <li key={key} style={style}>
            <strong>{key}</strong> <span class="muted small">last {words(points.at(-1)?.value ?? 0)}</span>
          </li>
        ))}
      </ul>
    </figure>
  )
}
