import { z } from 'zod'
import { FAILOVER_REASONS, SURFACES } from '../core/vocabulary.ts'
import { didYouMean, dotted, isMapping, nearest, valueAt, type Fault, type Path } from './faults.ts'
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
  client: z.string().meta({ title: 'the id of a client' }).nullable().default(null),
  surface: z.enum(SURFACES).nullable().default(null),
  source: z.enum(['text', 'audio']).nullable().default(null),
  metadata: z.record(z.string(), z.string()).meta({ title: 'a mapping of metadata keys to values' }).prefault({}),
})

const StopIf = z.strictObject({
  failure_rate: part('above 0', 0.001),
  of: whole(1, 1_000),
  window: duration('1m', '30d'),
})

const Rule = z.strictObject({
  when: When.prefault({}),
  to: backendName().nullable().default(null),
  /** The old side first, then the new one; per cent. */
  split: z
    .record(z.string(), whole(0, 100))
    .meta({ title: 'two backends and their weights, such as { main: 90, alt: 10 }' })
    .nullable()
    .default(null),
  by: text('client or metadata.<key>', /^(client|metadata\..{1,40})$/su).default('client'),
  stop_if: StopIf.nullable().default(null),
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
    .meta({ title: 'a mapping of backends to those that stand in for them' })
    .prefault({}),
  failover_on: z
    .array(z.enum(FAILOVER_REASONS))
    .meta({ title: `a list of ${FAILOVER_REASONS.join(', ')}` })
    .default(['down']),
  on_down: OnDown.default('refuse'),
  gates: Gates.prefault({}),
  shadow: z
    .strictObject({ from: backendName(), to: backendName(), share: part('from 0', 0) })
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
  return [{ path: dotted(path), message: `no ${what} of that name${didYouMean(nearest(name, names))}` }]
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
    return fault(`which side is the new one cannot be told where a backend’s name is a number: rename ${digits}`)
  const sum = names.reduce((before, name) => before + Number(split[name]), 0)
  return sum === 100 || Number.isNaN(sum) ? [] : fault(`expected weights that are 100 together; they are ${sum}`)
}

const ruleFaults = (rule: unknown, backends: readonly string[], clients: readonly string[], path: Path): Fault[] => {
  if (!isMapping(rule)) return []
  const [to, split] = [rule['to'] ?? null, rule['split'] ?? null]
  const target: Fault[] =
    (to === null) === (split === null) ? [{ path: dotted(path), message: 'expected either to or split' }] : []
  const ofSplits = ['stop_if', 'by'].filter((key) => split === null && (rule[key] ?? null) !== null)
  return [
    ...target,
    ...ofSplits.map((key) => ({ path: dotted([...path, key]), message: 'has no meaning without split' })),
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
      ? [{ path: 'routing.shadow.to', message: 'must be another backend than from' }]
      : noSuchBackend(to, backends, ['routing', 'shadow', 'to'])),
    ...SURFACES.flatMap((surface) => noSuchBackend(at('dropin', surface), backends, ['routing', 'dropin', surface])),
  ]
}
