/**
 * Where a time is on the picture. It is to scale, except where nothing happened for so long that everything else
 * would be squashed: there the axis is broken, and says for how long. Pure.
 */
export interface Scale {
  /** Per cent from the left. Times outside are at the ends. */
  x: (atMs: number) => number
  breaks: readonly { fromX: number; toX: number; ms: number }[]
  ticks: readonly { x: number; offsetMs: number }[]
}

export interface Span {
  fromMs: number
  toMs: number
}

/** A gap is cut if it is this many times as long as all the rest, and no shorter than this. */
const CUT_TIMES = 3
const CUT_LEAST_MS = 10_000
/** Per cent of the width. */
const BREAK_WIDTH = 7
const TICK_LEAST = 14

const gapsOf = (times: readonly number[]): Span[] => {
  const sorted = [...new Set(times)].toSorted((a, b) => a - b)
  return sorted.slice(1).map((toMs, n) => ({ fromMs: sorted[n] ?? toMs, toMs }))
}
const lengthOf = ({ fromMs, toMs }: Span): number => toMs - fromMs
const around = (spans: readonly Span[]): Span => ({
  fromMs: Math.min(...spans.map(({ fromMs }) => fromMs)),
  toMs: Math.max(...spans.map(({ toMs }) => toMs)),
})

/** A longer wait would leave no room for the work. */
const LONGEST_KEPT = 20

/** What is always to scale: from the create to the end, or, after a very long wait, only the backend's work. */
export const keptOf = (stages: readonly Span[], runs: readonly Span[]): Span | null => {
  if (runs.length === 0) return null
  const [whole, made] = [around(stages), around(runs)]
  return lengthOf(whole) <= LONGEST_KEPT * lengthOf(made) ? whole : made
}

/** The gaps to cut, longest first, while one is out of proportion to what is left. */
const cutsOf = (gaps: readonly Span[], isKept: (gap: Span) => boolean): Set<Span> => {
  const cuts = new Set<Span>()
  let total = gaps.reduce((sum, gap) => sum + lengthOf(gap), 0)
  for (const gap of gaps.filter((one) => !isKept(one)).toSorted((a, b) => lengthOf(b) - lengthOf(a))) {
    const rest = total - lengthOf(gap)
    if (lengthOf(gap) < CUT_LEAST_MS || lengthOf(gap) <= CUT_TIMES * rest) break
    cuts.add(gap)
    total = rest
  }
  return cuts
}

const STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 14_400, 28_800, 43_200, 86_400]
const stepFor = (totalMs: number): number => {
  const wanted = (totalMs * TICK_LEAST) / 100 / 1_000
  if (wanted >= 1) return (STEPS.find((step) => step >= wanted) ?? Math.ceil(wanted / 86_400) * 86_400) * 1_000
  const size = 10 ** Math.floor(Math.log10(Math.max(wanted, 0.001)))
  return Math.max(1, Math.ceil(wanted / size) * size * 1_000)
}

interface Part extends Span {
  fromX: number
  toX: number
  isCut: boolean
}

/** `kept`: the part that is never cut, because its length is what one looks for. */
export const scaleOf = (times: readonly number[], kept: Span | null): Scale => {
  const isKept = (gap: Span): boolean => kept !== null && gap.fromMs >= kept.fromMs && gap.toMs <= kept.toMs
  const gaps = gapsOf(times)
  const cuts = cutsOf(gaps, isKept)
  const totalMs = gaps.reduce((sum, gap) => sum + (cuts.has(gap) ? 0 : lengthOf(gap)), 0)
  const perMs = totalMs === 0 ? 0 : (100 - cuts.size * BREAK_WIDTH) / totalMs
  const parts: Part[] = []
  for (const gap of gaps) {
    const fromX = parts.at(-1)?.toX ?? 0
    const isCut = cuts.has(gap)
    parts.push({ ...gap, fromX, isCut, toX: fromX + (isCut ? BREAK_WIDTH : lengthOf(gap) * perMs) })
  }
  const x = (atMs: number): number => {
    const part = parts.find(({ toMs }) => atMs <= toMs)
    if (!part) return parts.at(-1)?.toX ?? 0
    const share = Math.max(0, atMs - part.fromMs) / lengthOf(part)
    return part.fromX + share * (part.toX - part.fromX)
  }
  const breaks = parts.filter(({ isCut }) => isCut).map((part) => ({ ...part, ms: lengthOf(part) }))
  return { x, breaks, ticks: ticksOf(parts, x, stepFor(totalMs)) }
}

/** Round offsets from the beginning, where the axis is not broken, not too close to each other or to the end. */
const ticksOf = (parts: readonly Part[], x: Scale['x'], stepMs: number): Scale['ticks'] => {
  const startMs = parts[0]?.fromMs ?? 0
  const ticks: { x: number; offsetMs: number }[] = []
  for (const part of parts.filter(({ isCut }) => !isCut)) {
    const first = Math.ceil((part.fromMs - startMs) / stepMs) * stepMs
    for (let offsetMs = first; offsetMs <= part.toMs - startMs; offsetMs += stepMs) {
      const at = x(startMs + offsetMs)
      if (at - (ticks.at(-1)?.x ?? -TICK_LEAST) >= TICK_LEAST - 0.5 && at <= 86) ticks.push({ x: at, offsetMs })
    }
  }
  return ticks
}
