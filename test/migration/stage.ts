import { rm } from 'node:fs/promises'
import { onTestFinished } from 'vitest'
import { createSystemClock, type ProcessClock } from '../../src/core/time/clock.ts'
import { buildDeps, type Deps } from '../../src/deps.ts'
import { createLog } from '../../src/log.ts'
import { startSandbox, type Sandbox } from '@talkbridge/sandbox'
import { layEmptyStore } from '../fakes/empty-store.ts'
import { gatewayConfig, SECRET_KEY, temporaryFolder, type ConfigDraft } from '../fakes/gateway.ts'
import { backendOrPool } from '../../src/migration/verdict.ts'
import { must } from '../fakes/must.ts'
import { seededRandom } from '../fakes/random.ts'
import { NO_DEFAULTS } from '../../src/core/access.ts'
import type { Creator } from '../../src/engine/index.ts'

export interface MigrationStage {
  deps: Deps
  sandbox: Sandbox
  creator: Creator
}

/** A gateway before a sandbox of both services without limits. Its engine stands still: only creates ask anything. */
export const migrationStage = async (
  config: ConfigDraft = {},
  clock: ProcessClock = createSystemClock(),
): Promise<MigrationStage> => {
  const dir = await temporaryFolder()
  onTestFinished(() => rm(dir, { recursive: true, force: true }))
  const sandbox = await startSandbox({
    clock: createSystemClock(),
    speed: 1,
    unlimitedRate: true,
    unlimitedCredits: true,
    unlimitedSlots: true,
  })
  onTestFinished(() => sandbox.close())
  const backends = {
    main: { api_key: sandbox.primaryKey, ...config.backends?.['main'] },
    alt: { api_key: sandbox.alternateKey, ...config.backends?.['alt'] },
  }
  const urls = { main: sandbox.primaryUrl, alt: sandbox.alternateUrl }
  const read = gatewayConfig(dir, urls, { ...config, backends: { ...config.backends, ...backends } })
  layEmptyStore(read.store.path)
  const log = createLog({ level: 'silent', format: 'json' }, { write: () => undefined }, false)
  const deps = await buildDeps({ config: read, clock, log, secretKey: SECRET_KEY, random: seededRandom(1) })
  onTestFinished(async () => {
    await deps.videos.stop()
    await deps.lifecycle.close()
  })
  const limits = { queuedVideos: 100_000, videosPerMonth: null, creditsPerMonth: null }
  return { deps, sandbox, creator: { client: 'anna', visible: deps.backends, limits, defaults: NO_DEFAULTS } }
}

export const sideOf = (deps: Deps, name: string) => must(backendOrPool(name, deps.backends))
export const backendOf = (deps: Deps, name: string) => must(deps.backends.get(name))
