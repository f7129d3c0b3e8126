import { subscribe } from 'node:diagnostics_channel'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { pino } from 'pino'
import { parseConfig } from '../../src/config.ts'
import { createSystemClock } from '../../src/core/time/clock.ts'
import { startGateway } from '../../src/gateway.ts'
import type { Requests, State, Told } from './process.ts'

/** A whole gateway in a process of its own, so that what an attack costs it can be measured. Spoken to over IPC only. */
const folder = process.argv[2] ?? ''
const tell = (told: Told): void => void process.send?.(told)

const requests = new Map<string, Requests>()
const requestsOf = (message: unknown): Requests => {
  const { url = '' } = (message as { request: IncomingMessage }).request
  const known = requests.get(url) ?? { begun: 0, answered: 0, mostOpen: 0 }
  requests.set(url, known)
  return known
}
subscribe('http.server.request.start', (message) => {
  const counts = requestsOf(message)
  counts.begun += 1
  counts.mostOpen = Math.max(counts.mostOpen, counts.begun - counts.answered)
})
subscribe('http.server.response.finish', (message) => void (requestsOf(message).answered += 1))

const sockets: Socket[] = []
subscribe('net.server.socket', (message) => void sockets.push((message as { socket: Socket }).socket))

const readFile = (): string => {
  throw new Error('this configuration names no file')
}
const document = {
  server: { port: 0 },
  store: { path: join(folder, 'talkbridge.db') },
  // Nobody is there, and nobody is asked.
  backends: { main: { interface: 'primary', base_url: 'http://127.0.0.1:9', api_key: 'upstream_0123456789' } },
  clients: [{ id: 'anna', key: 'tb_anna_0123456789abcdef' }],
  routing: { default: 'main' },
  // What a test has otherwise.
  ...JSON.parse(process.argv[3] ?? '{}'),
}
const parsed = parseConfig({ text: JSON.stringify(document), format: 'json', env: {}, readFile })
if (!parsed.ok) throw new Error(parsed.faults.map(({ path, message }) => `${path}: ${message}`).join('\n'))

const gateway = await startGateway({
  config: parsed.config,
  clock: createSystemClock(),
  log: pino({ level: 'silent' }),
  secretKey: null,
  random: Math.random,
})

const state = (): State => {
  const { rss, arrayBuffers } = process.memoryUsage()
  const writtenBytes = sockets.map((socket) => socket.bytesWritten)
  return { rssBytes: rss, bufferBytes: arrayBuffers, writtenBytes, requests: Object.fromEntries(requests) }
}
process.on('message', (asked) => {
  if (asked === 'state') tell({ kind: 'state', state: state() })
  else void gateway.close().then(() => process.disconnect?.())
})
tell({ kind: 'serving', url: gateway.url })
