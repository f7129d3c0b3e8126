import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { until } from './until.ts'
import { hexIn, messagesIn, numberIn, readMessage, textIn, type Message } from './protobuf.ts'

/** A span as it came (opentelemetry-proto, trace/v1/trace.proto). */
export interface ReadSpan {
  name: string
  kind: 'internal' | 'server' | 'client' | 'other'
  traceId: string
  spanId: string
  /** Empty: none. */
  parentId: string
  state: string
  attributes: Record<string, string | number>
  links: { traceId: string; spanId: string }[]
  failed: boolean
}

export interface Collector {
  /** What `tracing.otlp_endpoint` is set to. */
  url: string
  spans: ReadSpan[]
  /** Of the process that sent, as its spans say. */
  resource: Record<string, string | number>
  /** All that came, for what must not be in it. */
  raw(): string
  /** Every path that was asked for. */
  paths: Set<string>
  /** Answers so from now on; a status from 400 on is no success. */
  answer(status: number): void
  /** Resolves with the spans once these are there. */
  until(holds: (spans: readonly ReadSpan[]) => boolean): Promise<readonly ReadSpan[]>
  close(): Promise<void>
}

const KINDS = ['other', 'internal', 'server', 'client'] as const
const ERROR = 2

const attributesIn = (message: Message, field: number): ReadSpan['attributes'] =>
  Object.fromEntries(
    messagesIn(message, field).map((pair) => {
      const value = messagesIn(pair, 2)[0] ?? new Map()
      return [textIn(pair, 1), value.has(3) ? (numberIn(value, 3) ?? 0) : textIn(value, 1)]
    }),
  )

const spanFrom = (message: Message): ReadSpan => ({
  traceId: hexIn(message, 1),
  spanId: hexIn(message, 2),
  state: textIn(message, 3),
  parentId: hexIn(message, 4),
  name: textIn(message, 5),
  kind: KINDS[numberIn(message, 6) ?? 0] ?? 'other',
  attributes: attributesIn(message, 9),
  links: messagesIn(message, 13).map((link) => ({ traceId: hexIn(link, 1), spanId: hexIn(link, 2) })),
  failed: messagesIn(message, 15).some((status) => numberIn(status, 3) === ERROR),
})

/** Takes OTLP by HTTP, in protobuf, on a free port of loopback. Reads it with nothing of OpenTelemetry's. */
export const startCollector = async (): Promise<Collector> => {
  const spans: ReadSpan[] = []
  const resource: Collector['resource'] = {}
  const bodies: Buffer[] = []
  const paths = new Set<string>()
  let status = 200
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      paths.add(request.url ?? '')
      const body = Buffer.concat(chunks)
      if (status < 400) {
        bodies.push(body)
        for (const group of messagesIn(readMessage(body), 1)) {
          for (const one of messagesIn(group, 1)) Object.assign(resource, attributesIn(one, 1))
          spans.push(...messagesIn(group, 2).flatMap((scope) => messagesIn(scope, 2).map(spanFrom)))
        }
      }
      response.writeHead(status, { 'content-type': 'application/x-protobuf' }).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    resource,
    raw: () => Buffer.concat(bodies).toString('latin1'),
    paths,
    answer: (next) => (status = next),
    async until(holds) {
      await until(() => holds(spans))
      return spans
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
