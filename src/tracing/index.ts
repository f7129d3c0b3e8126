import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Ports } from '../core/ports.ts'
import { createPassing, type Tracing } from '../core/tracing.ts'

/** The versions that the tests run with. package.json has the ranges of its optional peers. */
const NEEDED = ['api@1.9.1', 'exporter-trace-otlp-proto@0.223.1', 'resources@2.12.1', 'sdk-trace@2.12.1']

/** `npm install -g` puts a package into a folder that belongs to no project. */
const isGlobal = (): boolean => {
  const modules = resolve(fileURLToPath(new URL('../..', import.meta.url)), '..')
  return basename(modules) === 'node_modules' && !existsSync(join(dirname(modules), 'package.json'))
}

/** Why spans for the collector at `endpoint` cannot be recorded here; null: they can. Loads nothing. */
export const tracingFault = (endpoint: string | null): string | null => {
  if (endpoint === null) return null
  const names = NEEDED.map((name) => `@opentelemetry/${name}`)
  const { resolve: find } = createRequire(import.meta.url)
  try {
    for (const name of names) find(name.slice(0, name.lastIndexOf('@')))
    return null
  } catch {
    const install = isGlobal() ? 'npm install -g' : 'npm install'
    return `needs packages that are not installed. Install them beside talkbridge: ${install} ${names.join(' ')}`
  }
}

/** Spans for the collector at `endpoint`; null: none. OpenTelemetry's packages are loaded only here, and only then. */
export const openTracing = async (endpoint: string | null, ports: Pick<Ports, 'clock' | 'log'>): Promise<Tracing> => {
  if (endpoint === null) return createPassing()
  const fault = tracingFault(endpoint)
  if (fault !== null) throw new Error(`tracing.otlp_endpoint ${fault}`)
  return (await import('./sdk.ts')).recordTo(endpoint, ports)
}
