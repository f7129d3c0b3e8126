import { z } from 'zod'
import { FAILOVER_REASONS, SURFACES } from '../core/vocabulary.ts'
import { didYouMean, nearest } from '../core/errors.ts'
import { dotted, isMapping, valueAt, type Fault, type Path } from './faults.ts'
import { duration, text, whole } from './fields.ts'

/** `routing`: which backend makes a video, and what becomes of one whose backend is down (docs/routing.md). */

const backendName = () => z.string().meta({ title: 'the name of a backend' })
const part = (least: 'above 0' | 'from 0', min: number) =>
  z
    .number()
    .min(min)
    .max(1)
    .meta({ title: `a number ${least} to 1` })

/** Every field that is given must match. */
const When = z.strictObject({
  client: z
    .string()
    .meta({ title: 'the id of a client' })
    .nullable()
    .default(null)
    .describe('Matches only videos of this client.'),
  surface: z.enum(SURFACES).nullable().default(null).describe('Matches only videos that were created on this surface.'),
  source: z
    .enum(['text', 'audio'])
    .nullable()
    .default(null)
    .describe('Matches only videos from this source: text or audio.'),
  metadata: z
    .record(z.string(), z.string())
    .meta({ title: 'a mapping of metadata keys to values' })
    .prefault({})
    .describe('Matches only videos whose metadata has these values.'),
})

const StopIf = z.strictObject({
  failure_rate: part('above 0', 0.001).describe('Stop if at least this share of the videos failed, from 0 to 1.'),
  of: whole(1, 1_000).describe('Stop only after at least this many videos.'),
  window: duration('1m', '30d').describe('Count videos that ended within this time.'),
})

const Rule = z.strictObject({
  when: When.prefault({}).describe('Which videos the rule is for. Every field must match. Empty: all videos.'),
  to: backendName().nullable().default(null).describe('The backend that makes these videos.'),
  /** The old side first, then the new one; per cent. */
  split: z
    .record(z.string(), whole(0, 100))
    .meta({ title: 'two backends and their weights, such as { main: 90, alt: 10 }' })
    .nullable()
    .default(null)
    .describe('Instead of `to`: two backends, the old side first, and their shares in percent.'),
  by: text('client or metadata.<key>', /^(client|metadata\..{1,40})$/su)
    .default('client')
    .describe('What stays on one side of a split: each client, or each value of metadata.<key>.'),
  stop_if: StopIf.nullable().default(null).describe('When a split returns to the old side by itself.'),
})

/** What must hold on the new side before `migrate step`, beside the old side. */
const Gates = z.strictObject({
  /** Finished videos on the new side since the last step. */
  least_videos: whole(1, 1_000_000).default(20),
  /** How much more often than the old side the new one may fail. */
  failure_rate: part('from 0', 0).default(0.02),
  /** Times the old side's. */
  p95: z.number().min(1).max(100).meta({ title: 'a number from 1 to 100' }).default(1.5),
  /** Times the old side's credits a video. */
  credits: z.number().min(1).max(100).meta({ title: 'a number from 1 to 100' }).default(1.5),
  /** The part of the new side's videos that lost an option. */
  warnings: part('from 0', 0).default(0.1),
})

export const OnDown = z.enum(['refuse', 'queue'])

export const Routing = z.strictObject({
  /** null: the only backend; with several it must be named. */
  default: backendName().nullable().default(null),
  rules: z.array(Rule).max(1_000).meta({ title: 'a list of rules' }).default([]),
  failover: z
    .record(z.string(), z.array(backendName()).min(1).meta({ title: 'a list of backend names' }))
    .meta({ title: 'a mapping of backends to lists of their stand-ins' })
    .prefault({}),
  failover_on: z
    .array(z.enum(FAILOVER_REASONS))
    .meta({ title: `a list of ${FAILOVER_REASONS.join(', ')}` })
    .default(['down']),
  on_down: OnDown.default('refuse'),
  gates: Gates.prefault({}),
  shadow: z
    .strictObject({
      from: backendName().describe('The backend whose videos are checked.'),
      to: backendName().describe('The backend that could make them instead.'),
      share: part('from 0', 0).describe('The share of videos that is checked, from 0 to 1.'),
    })
    .nullable()
    .default(null),
  /** null: the default if it speaks that interface, else the first backend that does. */
  dropin: z
    .strictObject({
      primary: backendName().nullable().default(null),
      alternate: backendName().nullable().default(null),
    })
    .prefault({}),
})

const noSuch = (what: string, name: unknown, names: readonly string[], path: Path): Fault[] => {
  // Without any, that is the fault to report.
  if (typeof name !== 'string' || names.length === 0 || names.includes(name)) return []
  return [{ path: dotted(path), message: `there is no ${what} with this name${didYouMean(nearest(name, names))}` }]
}

/** A name that no backend has, where one is named. */
export const noSuchBackend = (name: unknown, backends: readonly string[], path: Path): Fault[] =>
  noSuch('backend', name, backends, path)

const keysOf = (tree: unknown): string[] => (isMapping(tree) ? Object.keys(tree) : [])

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** Keys that objects keep before all others, wherever they stood in the file. */
const ORDERLESS = /^(0|[1-9]\d*)$/

const splitFaults = (split: unknown, backends: readonly string[], path: Path): Fault[] => {
  if (!isMapping(split)) return []
  const names = Object.keys(split)
  const unknown = names.flatMap((name) => noSuchBackend(name, backends, [...path, name]))
  if (unknown.length > 0) return unknown
  const fault = (message: string): Fault[] => [{ path: dotted(path), message }]
  if (names.length !== 2) return fault('expected two backends: the old side first, then the new one')
  const digits = names.find((name) => ORDERLESS.test(name))
  if (digits !== undefined)
    return fault(`the order of the two sides is lost if a backend’s name is a number: rename ${digits}`)
  const sum = names.reduce((before, name) => before + Number(split[name]), 0)
  return sum === 100 || Number.isNaN(sum) ? [] : fault(`the weights must add up to 100; they add up to ${sum}`)
}

const ruleFaults = (rule: unknown, backends: readonly string[], clients: readonly string[], path: Path): Fault[] => {
  if (!isMapping(rule)) return []
  const [to, split] = [rule['to'] ?? null, rule['split'] ?? null]
  const target: Fault[] =
    (to === null) === (split === null) ? [{ path: dotted(path), message: 'expected either to or split' }] : []
  const ofSplits = ['stop_if', 'by'].filter((key) => split === null && (rule[key] ?? null) !== null)
  return [
    ...target,
    ...ofSplits.map((key) => ({ path: dotted([...path, key]), message: 'has no effect without split' })),
    ...noSuchBackend(to, backends, [...path, 'to']),
    ...splitFaults(split, backends, [...path, 'split']),
    ...noSuch('client', valueAt(rule, ['when', 'client']), clients, [...path, 'when', 'client']),
  ]
}

const failoverFaults = (failover: unknown, backends: readonly string[]): Fault[] =>
  keysOf(failover).flatMap((from) => {
    const path = ['routing', 'failover', from]
    const itself = { path: dotted(path), message: 'a backend cannot stand in for itself' }
    const others = listOf(valueAt(failover, [from]))
    return [
      ...noSuchBackend(from, backends, path),
      ...others.flatMap((to, i) => (to === from ? [itself] : noSuchBackend(to, backends, [...path, i]))),
    ]
  })

/** What of `routing` names something that is not there, or contradicts itself. */
export const routingFaults = (tree: unknown, backends: readonly string[], clients: readonly string[]): Fault[] => {
  const at = (...path: Path): unknown => valueAt(tree, ['routing', ...path]) ?? null
  const preset = at('default')
  const [from, to] = [at('shadow', 'from'), at('shadow', 'to')]
  const isUnsettled = preset === null && backends.length > 1
  return [
    ...(isUnsettled
      ? [{ path: 'routing.default', message: 'required: with several backends, name the default one' }]
      : noSuchBackend(preset, backends, ['routing', 'default'])),
    ...listOf(at('rules')).flatMap((rule, i) => ruleFaults(rule, backends, clients, ['routing', 'rules', i])),
    ...failoverFaults(at('failover'), backends),
    ...noSuchBackend(from, backends, ['routing', 'shadow', 'from']),
    ...(from !== null && from === to
      ? [{ path: 'routing.shadow.to', message: 'must not be the same backend as from' }]
      : noSuchBackend(to, backends, ['routing', 'shadow', 'to'])),
    ...SURFACES.flatMap((surface) => noSuchBackend(at('dropin', surface), backends, ['routing', 'dropin', surface])),
  ]
}
