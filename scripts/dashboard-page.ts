import type { Panel } from '../test/metrics/dashboard.ts'

export interface Series {
  name: string
  /** Seconds and values. */
  points: readonly (readonly [atS: number, value: number])[]
}

const COLUMN = 60
const ROW = 24
const COLORS = [
  '#3b6fd4',
  '#e0752d',
  '#3f9b46',
  '#c4162a',
  '#8f3bb8',
  '#b8860b',
  '#0f8f8f',
  '#7d7d7d',
  '#d44a9c',
  '#5a7d1f',
]
const MOST_NAMED = 8

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

const rounded = (value: number): string =>
  value === 0 ? '0' : Math.abs(value) >= 100 ? value.toFixed(0) : String(Number(value.toPrecision(3)))

const shown = (value: number, unit: string): string => {
  if (unit === 's') return value !== 0 && value < 1 ? `${rounded(value * 1_000)} ms` : `${rounded(value)} s`
  if (unit === 'bytes') return value >= 1e9 ? `${rounded(value / 2 ** 30)} GiB` : `${rounded(value / 2 ** 20)} MiB`
  return unit === 'reqps' ? `${rounded(value)}/s` : rounded(value)
}

/** To the next step of an axis. */
const roundUp = (value: number): number => {
  if (value <= 0) return 1
  const step = 10 ** Math.floor(Math.log10(value))
  return step * ([1, 1.5, 2, 3, 4, 5, 6, 8, 10].find((one) => one * step >= value * 1.02) ?? 15)
}

interface Span {
  start: number
  end: number
}

const plot = (panel: Panel, series: readonly Series[], { start, end }: Span, width: number, height: number): string => {
  const unit = panel.fieldConfig?.defaults.unit ?? 'short'
  const most = roundUp(Math.max(...series.flatMap(({ points }) => points.map(([, value]) => value)), 0))
  const [left, bottom] = [58, 18]
  const x = (at: number): number => left + ((at - start) / (end - start)) * (width - left - 6)
  const y = (value: number): number => 6 + (1 - value / most) * (height - bottom - 6)
  const grid = [0, 0.5, 1].map((part) => {
    const at = y(most * part).toFixed(1)
    return `<line x1="${left}" x2="${width}" y1="${at}" y2="${at}"/><text x="${left - 5}" y="${Number(at) + 3}" text-anchor="end">${shown(most * part, unit)}</text>`
  })
  const times = [0.25, 0.5, 0.75].map((part) => {
    const passedS = Math.round(((end - start) * part) / 5) * 5
    return `<text x="${x(start + passedS)}" y="${height - 3}" text-anchor="middle">${passedS} s</text>`
  })
  const lines = series.map(({ points }, n) => {
    const path = points.map(([at, value], i) => {
      const isGap = i === 0 || at - (points[i - 1]?.[0] ?? 0) > 5
      return `${isGap ? 'M' : 'L'}${x(at).toFixed(1)} ${y(value).toFixed(1)}`
    })
    return `<path d="${path.join('')}" stroke="${COLORS[n % COLORS.length]}"/>`
  })
  return `<svg width="${width}" height="${height}">${grid.join('')}${times.join('')}${lines.join('')}</svg>`
}

const legendOf = (series: readonly Series[]): string => {
  const named = series
    .slice(0, MOST_NAMED)
    .map(({ name }, n) => `<span><i style="background:${COLORS[n % COLORS.length]}"></i>${escaped(name)}</span>`)
  const more = series.length > MOST_NAMED ? `<span>and ${series.length - MOST_NAMED} more</span>` : ''
  return `<div class="legend">${named.join('')}${more}</div>`
}

const CSS = `body{margin:0;background:#f4f5f5;font:12px sans-serif;color:#24292e}
.panel{position:absolute;box-sizing:border-box;background:#fff;border:1px solid #dcdfe2;border-radius:3px;padding:7px 9px;overflow:hidden}
.row{position:absolute;font-weight:bold;padding:4px 2px}b{display:block;margin-bottom:3px;font-weight:600}
.legend{position:absolute;left:9px;right:9px;bottom:5px;font-size:11px;line-height:15px;max-height:30px;overflow:hidden}
.legend span{margin-right:10px;white-space:nowrap}.legend i{display:inline-block;width:10px;height:3px;margin:0 4px 3px 0}
svg line{stroke:#eceeef}svg text{fill:#6c7680;font-size:10px}svg path{fill:none;stroke-width:1.3}
.none{color:#8e9aa5;padding-top:55px;text-align:center}h1{position:absolute;left:10px;top:2px;font-size:16px;margin:6px 0}`

/** The dashboard as one page that needs nothing else. Pure. */
export const pageOf = (title: string, drawn: readonly { panel: Panel; series: readonly Series[] }[], span: Span) => {
  const top = 36
  const boxes = drawn.map(({ panel, series }) => {
    const { x, y, w, h } = panel.gridPos
    const place = `left:${x * COLUMN + 4}px;top:${top + y * ROW}px;width:${w * COLUMN - 8}px;height:${h * ROW - 6}px`
    if (panel.type === 'row') return `<div class="row" style="${place}">${escaped(panel.title)}</div>`
    const body =
      series.length === 0
        ? '<div class="none">nothing in this time</div>'
        : plot(panel, series, span, w * COLUMN - 30, h * ROW - 70) + legendOf(series)
    return `<div class="panel" style="${place}"><b>${escaped(panel.title)}</b>${body}</div>`
  })
  const height = top + Math.max(...drawn.map(({ panel: { gridPos } }) => gridPos.y + gridPos.h)) * ROW + 4
  const html = `<!doctype html><style>${CSS}</style><h1>${escaped(title)}</h1>${boxes.join('')}`
  return { html, width: 24 * COLUMN, height }
}
