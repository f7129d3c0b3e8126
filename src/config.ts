import type { z } from 'zod'
import {
  applyOverrides,
  overDefaults,
  replacedValues,
  type Replaced,
  withProxies,
  readText,
  type Format,
  resolveReferences,
  type Sources,
} from './config/sources.ts'
import { CONSOLE_CLIENT } from './config/rules.ts'
import { firstPerPath, type Fault, issueFaults, withOrigin, located, type Locate } from './config/faults.ts'
import { Client, ConfigSchema } from './config/schema.ts'

/** What `interface:` may be. */
export { INTERFACES } from './adapters/index.ts'
export type { Fault } from './config/faults.ts'
export { configWarnings } from './config/rules.ts'
export { configJsonSchema } from './config/json-schema.ts'
export { MAX_BYTES as MAX_CONFIG_BYTES } from './config/sources.ts'

type DeepReadonly<T> = T extends object ? { readonly [K in keyof T]: DeepReadonly<T[K]> } : T
type Parsed = z.output<typeof ConfigSchema>

/**
 * A configuration that holds together: deeply frozen, durations in **milliseconds**, URLs without trailing slash,
 * `routing.default` always the name of a backend. Keys are named as in the file.
 */
export type Config = DeepReadonly<Omit<Parsed, 'routing'> & { routing: Parsed['routing'] & { default: string } }>
export type BackendConfig = Config['backends'][string]

export type ParsedConfig =
  | { readonly ok: true; readonly config: Config; readonly locate: Locate; readonly replaced: readonly Replaced[] }
  | { readonly ok: false; readonly faults: readonly Fault[] }

export interface ConfigInput extends Sources {
  /** The file's content. */
  readonly text: string
  /** Default `yaml`, which reads JSON too, less strictly. */
  readonly format?: Format
  /** YAML that ranks below the file, and above the defaults of the schema. */
  readonly defaults?: string
}

/**
 * Reads a configuration: text → defaults → references → `TALKBRIDGE_…` overrides → proxies → schema, with the rules
 * over several keys. Pure but for `readFile`. It never throws: bad input answers *all* its faults. A fault names paths,
 * kinds, variables and files, never a value but a number or a duration that is out of range.
 */
export const parseConfig = ({ text, format = 'yaml', defaults = '', env, readFile }: ConfigInput): ParsedConfig => {
  const read = readText(text, format)
  const { locate } = read
  if (read.tree === null) return { ok: false, faults: nonEmpty(read.faults) }
  const below = readText(defaults, 'yaml')
  const whole = overDefaults(below.tree, read.tree)
  const resolved = resolveReferences(whole, ConfigSchema, { env, readFile })
  const written = [...below.faults, ...read.faults, ...resolved.faults].map((fault) => located(fault, locate))
  const overridden = applyOverrides({ ...resolved, faults: written }, ConfigSchema, env)
  const { tree, origins, faults } = withProxies(overridden, env)
  const parsed = ConfigSchema.safeParse(tree)
  const invalid = parsed.success ? [] : issueFaults(parsed.error.issues, tree, ConfigSchema)
  const all = firstPerPath([...faults, ...invalid.map((fault) => withOrigin(fault, origins, locate))])
  if (!parsed.success || all.length > 0) return { ok: false, faults: nonEmpty(all) }
  const replaced = replacedValues(read.tree, below.tree, env)
  return { ok: true, config: finish(parsed.data), locate, replaced }
}

/** `ok: false` always says why. */
const nonEmpty = (faults: readonly Fault[]): readonly Fault[] =>
  faults.length > 0 ? faults : [{ path: '', message: 'expected a mapping' }]

const finish = ({ clients, console, backends, routing, ...parsed }: Parsed): Config =>
  deepFreeze({
    ...parsed,
    console,
    // One with every right: anyone who holds the key is an operator.
    clients:
      console.enabled && console.admin_key
        ? [...clients, Client.parse({ id: CONSOLE_CLIENT, key: console.admin_key, scopes: ['*'] })]
        : clients,
    // Names come from requests: `constructor` must find nothing.
    backends: Object.assign<Parsed['backends'], Parsed['backends']>(Object.create(null), backends),
    // Where it is not named, there is only one.
    routing: { ...routing, default: routing.default ?? Object.keys(backends)[0] ?? '' },
  })

const deepFreeze = <T>(value: T): T => {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(deepFreeze)
  return value
}
