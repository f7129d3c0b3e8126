import type { Ports } from '../core/ports.ts'
import { createPassing, type Tracing } from '../core/tracing/tracing.ts'

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND'

/** As in package.json, of whose optional peers they are. */
const NEEDED = ['api@1.9.1', 'exporter-trace-otlp-proto@0.223.1', 'resources@2.12.1', 'sdk-trace@2.12.1']

const HOW =
  'tracing.otlp_endpoint needs packages that are not installed. Install them beside talkbridge: ' +
  `npm install ${NEEDED.map((name) => `@opentelemetry/${name}`).join(' ')}`

/** Spans for the collector at `endpoint`; null: none. OpenTelemetry's packages are loaded here alone, and then only. */
export const openTracing = async (endpoint: string | null, ports: Pick<Ports, 'clock' | 'log'>): Promise<Tracing> => {
  if (endpoint === null) return createPassing()
  const { recordTo } = await import('./sdk.ts').catch((cause: unknown) => {
    throw isMissing(cause) ? new Error(HOW, { cause }) : cause
  })
  return recordTo(endpoint, ports)
}
