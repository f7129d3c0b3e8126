import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { z } from 'zod'
import { seedExamples } from '../../src/cli/serve-sandbox.ts'
import { sandboxConfig } from '../../src/cli/config-file.ts'
import { createSystemClock } from '../../src/core/time/clock.ts'
import { startGateway } from '../../src/gateway.ts'
import { createLifecycle } from '../../src/core/log.ts'
import { createLog } from '../../src/log.ts'
import { startSandbox, type Sandbox } from '@talkbridge/sandbox'

type Env = Readonly<Record<string, string>>

/** Three accounts of the primary under one name, as docs/pools.md has them. */
export const poolOf = async ({ primaryUrl, primaryKey }: Sandbox): Promise<Env> => {
  const body = JSON.stringify({ interface: 'primary' })
  const asked = { method: 'POST', headers: { 'content-type': 'application/json' }, body }
  const issue = async () =>
    z.object({ key: z.string() }).parse(await (await fetch(`${primaryUrl}/sandbox/keys`, asked)).json())
  const [second, third] = [await issue(), await issue()]
  const member = (api_key: string) => ({ interface: 'primary', base_url: primaryUrl, api_key })
  return {
    TALKBRIDGE_BACKENDS: JSON.stringify({
      'main-a': member(primaryKey),
      'main-b': member(second.key),
      'main-c': { ...member(third.key), slots: 4 },
    }),
    TALKBRIDGE_ROUTING: JSON.stringify({ pools: { main: ['main-a', 'main-b', 'main-c'] }, default: 'main' }),
  }
}

/** What `npm start` runs, on ports that are free; `envOf`: `TALKBRIDGE_…` variables beside it. */
export const startProfile = async (envOf: (sandbox: Sandbox) => Promise<Env> | Env = () => ({})) => {
  const log = createLog({ level: 'silent', format: 'json' }, pino.destination({ fd: 1, sync: false }), false)
  const closers = createLifecycle(log)
  const dataDir = await mkdtemp(join(tmpdir(), 'talkbridge-guide-data-'))
  closers.onClose('folder', () => rm(dataDir, { recursive: true, force: true }))
  const sandbox = await startSandbox({ clock: createSystemClock(), dataDir: `${dataDir}/sandbox`, sampleJobs: true })
  closers.onClose('sandbox', () => sandbox.close())
  const config = sandboxConfig({ ...sandbox, port: 0, dataDir, logLevel: 'silent' }, await envOf(sandbox))
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
