import { describe, expect, test } from 'vitest'
import { curlOf } from '../src/api.ts'
import { keptOf, scaleOf } from '../src/screens/video/timeline/scale.ts'
import { COMPLETED } from '../../../src/routes/openapi/examples.ts'

/** What a picture of a video's history is drawn by, and what is copied of its create. */

const SECOND = 1_000
const HOUR = 3_600 * SECOND
const T0 = Date.parse('2026-11-20T12:00:00.000Z')
const at = (...seconds: number[]): number[] => seconds.map((s) => T0 + s * SECOND)

describe('a timeline', () => {
  test('is to scale from its first moment to its last', () => {
    const { x, breaks } = scaleOf(at(0, 1, 5, 10), null)
    expect(breaks).toEqual([])
    expect([0, 1, 2.5, 5, 10].map((s) => Math.round(x(T0 + s * SECOND)))).toEqual([0, 10, 25, 50, 100])
    expect([x(T0 - SECOND), x(T0 + HOUR)]).toEqual([0, 100])
  })

  test('is broken where nothing happened for so long that the rest would be squashed, and to scale beside that', () => {
    const { x, breaks } = scaleOf(at(0, 3_600, 3_605, 3_610, 3_610 + 36_000, 3_610 + 36_010), null)
    expect(breaks.map(({ ms }) => ms)).toEqual([HOUR, 10 * HOUR])
    const [before = 0, middle = 0, after = 0] = at(3_600, 3_605, 3_610).map(x)
    expect(middle - before).toBeCloseTo(after - middle)
    const [sent = 0, last = 0] = at(3_610 + 36_000, 3_610 + 36_010).map(x)
    expect(last - sent).toBeCloseTo(after - before)
    expect(last).toBeCloseTo(100)
    const [first] = breaks
    expect((first?.toX ?? 0) - (first?.fromX ?? 0)).toBe(7)
  })

  test('is never broken while the video was made, however little happened', () => {
    const [from = 0, to = 0] = at(1, 1_201)
    const times = [...at(0), from, to, ...at(1_202)]
    expect(scaleOf(times, { fromMs: from, toMs: to }).breaks).toEqual([])
    expect(scaleOf(times, null).breaks).toHaveLength(1)
  })

  test('has a wait to scale beside the work, unless it is more than twenty times as long', () => {
    const kept = (waitedS: number) => {
      const [start = 0, sent = 0, end = 0] = at(0, waitedS, waitedS + 30)
      const run = { fromMs: sent, toMs: end }
      return keptOf([{ fromMs: start, toMs: sent }, run], [run])
    }
    expect(kept(200)).toEqual({ fromMs: T0, toMs: T0 + 230 * SECOND })
    expect(kept(2_000)).toEqual({ fromMs: T0 + 2_000 * SECOND, toMs: T0 + 2_030 * SECOND })
    expect(keptOf([{ fromMs: T0, toMs: T0 }], [])).toBeNull()
  })

  test('of one moment, or of none, is a place', () => {
    expect(scaleOf(at(0), null)).toMatchObject({ breaks: [], ticks: [] })
    expect(scaleOf(at(0), null).x(T0)).toBe(0)
    expect(scaleOf([], null).x(T0)).toBe(0)
  })

  test.each([0.02, 0.9, 12, 95, 7_300, 260_000, 3_000_000])(
    'of %d s has a few round labels that do not touch',
    (seconds) => {
      const { ticks } = scaleOf(at(0, seconds / 2, seconds), null)
      expect(ticks.length).toBeGreaterThan(2)
      expect(ticks.length).toBeLessThan(9)
      expect(ticks[0]).toEqual({ x: 0, offsetMs: 0 })
      for (const [n, tick] of ticks.entries()) if (n > 0) expect(tick.x - (ticks[n - 1]?.x ?? 0)).toBeGreaterThan(13)
      const [, step = { offsetMs: 0 }] = ticks
      expect(ticks.every(({ offsetMs }) => offsetMs % step.offsetMs === 0)).toBe(true)
    },
  )
})

describe('the create as curl', () => {
  const bodyOf = (command: string | null): unknown =>
    JSON.parse(/--data-raw '([^]*)'$/.exec(command ?? '')?.[1]?.replaceAll(String.raw`'\''`, "'") ?? '')

  test('says what was asked for, under a key that the shell knows', () => {
    const command = curlOf({ ...COMPLETED, metadata: { order: '1001' } }, 'https://talk.example')
    expect(command).toContain(`'https://talk.example/unified/v1/videos'`)
    expect(command).toContain('"authorization: Bearer $KEY"')
    const { input } = COMPLETED
    const asked = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null))
    expect(bodyOf(command)).toMatchObject({ ...asked, metadata: { order: '1001' } })
  })

  test('has nothing in it that a shell would run', () => {
    const text = `it's $(reboot) \`reboot\` "quoted" ' ; reboot '`
    const command = curlOf({ ...COMPLETED, input: { ...COMPLETED.input, text } }, 'https://talk.example')
    expect(bodyOf(command)).toMatchObject({ text })
    expect(
      command
        ?.split(String.raw`'\''`)
        .join('')
        .match(/'/g),
    ).toHaveLength(6)
  })

  test('is none of a job that was made elsewhere', () => {
    expect(curlOf({ ...COMPLETED, source: 'import' }, 'https://talk.example')).toBeNull()
  })
})
