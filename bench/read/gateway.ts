import { openSync } from 'node:fs'
import { join } from 'node:path'
import { parseConfig } from '../../src/config.ts'
import { createSystemClock } from '../../src/core/time/clock.ts'
import { startGateway } from '../../src/gateway.ts'
import { createLog, batchedTo } from '../../src/log.ts'
import { serve } from '../servers/serve.ts'

export interface GatewaySetup {
  /** Where it keeps its store and its log. */
  folder: string
  /** What an operator would write, but for the store's place. */
  config: Readonly<Record<string, unknown>> & { store?: Readonly<Record<string, unknown>> }
  /** The same for all processes over one store; default: one of its own. */
  secretKey?: string
}

/** The whole gateway as `serve` runs it: engine, sender and a log line a request, into a file. */
const { folder, config, secretKey = null } = JSON.parse(process.argv[2] ?? '') as GatewaySetup
const readFile = (): string => {
  throw new Error('this configuration names no file')
}
const text = JSON.stringify({ ...config, store: { path: join(folder, 'talkbridge.db'), ...config.store } })
const parsed = parseConfig({ text, format: 'json', env: {}, readFile })
if (!parsed.ok) throw new Error(parsed.faults.map(({ path, message }) => `${path}: ${message}`).join('\n'))

const gateway = await startGateway({
  config: parsed.config,
  clock: createSystemClock(),
  log: createLog(parsed.config.log, batchedTo(openSync(join(folder, 'log'), 'a')), false),
  secretKey,
  random: Math.random,
  backendsAreLocal: true,
})
serve(gateway.url, () => gateway.close())
