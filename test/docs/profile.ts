import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { seedExamples } from '../../src/cli/serve-sandbox.ts'
import { sandboxConfig } from '../../src/cli/config-file.ts'
import { createSystemClock } from '../../src/core/time/clock.ts'
import { startGateway } from '../../src/gateway.ts'
import { createLifecycle } from '../../src/core/log.ts'
import { createLog } from '../../src/log.ts'
import { startSandbox } from '@talkbridge/sandbox'

/** What `npm start` runs, on ports that are free; `env`: `TALKBRIDGE_…` variables beside it. */
export const startProfile = async (env: Readonly<Record<string, string>> = {}) => {
  const log = createLog({ level: 'silent', format: 'json' }, pino.destination({ fd: 1, sync: false }), false)
  const closers = createLifecycle(log)
  const dataDir = await mkdtemp(join(tmpdir(), 'talkbridge-guide-data-'))
  closers.onClose('folder', () => rm(dataDir, { recursive: true, force: true }))
  const sandbox = await startSandbox({ clock: createSystemClock(), dataDir: `${dataDir}/sandbox`, sampleJobs: true })
  closers.onClose('sandbox', () => sandbox.close())
  const config = sandboxConfig({ ...sandbox, port: 0, dataDir, logLevel: 'silent' }, env)
  await seedExamples(config, { clock: createSystemClock(), log, secretKey: null })
  const gateway = await startGateway({
    config,
    clock: createSystemClock(),
    log,
    secretKey: null,
    random: Math.random,
    backendsAreLocal: true,
    silentTimeoutMs: 0,
  })
  closers.onClose('gateway', async () => void (await gateway.close()))
  const addresses = {
    'http://127.0.0.1:8080': gateway.url,
    'http://127.0.0.1:4010': sandbox.primaryUrl,
    'http://127.0.0.1:4020': sandbox.alternateUrl,
  }
  return { addresses, close: () => closers.close() }
}
export type Profile = Awaited<ReturnType<typeof startProfile>>
