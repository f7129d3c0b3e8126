import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { createIds } from '../core/ids.ts'
import { openBlobs } from './blobs.ts'
import { openDatabase } from './database.ts'
import { createFaults } from './faults.ts'
import type { SandboxOptions } from './options.ts'
import { seeded } from './jobs.ts'
import { seedKeys } from './keys.ts'
import { createLedger } from './ledger.ts'
import { createLinks } from './links.ts'
import { createMedia } from './media/index.ts'
import { seedPuppets } from './primary/puppets.ts'
import { createRates } from './rates.ts'
import { seedSampleJobs } from './samples.ts'
import { openState, type State } from './state.ts'
import { VARIANTS } from './variants.ts'
import type { World } from './world.ts'

/** Puts together what every part of the sandbox works with. Throws when `speed` or the data folder cannot be. */
export const createWorld = (options: SandboxOptions, closing: AbortSignal): World => {
  const { clock, speed = 10, seed = 1, variant = 'standard', dataDir = null, media = {} } = options
  if (!(speed > 0)) throw new RangeError('speed must be more than 0.')
  const decisions = options.decisions ?? VARIANTS[variant].decisions
  const state = openState(openDatabase(dataDir))
  seedKeys(state)
  seedPuppets(state, clock.now(), decisions.primary.puppetIdPrefix)
  if (options.sampleJobs) seedSampleJobs(state, clock.now())
  return {
    clock,
    decisions,
    variant: options.decisions ? 'custom' : variant,
    speed,
    unlimited: { credits: options.unlimitedCredits ?? false, slots: options.unlimitedSlots ?? false },
    state,
    blobs: openBlobs(dataDir),
    newId: createIds(clock, options.random),
    random: seeded(seed),
    rates: createRates(clock, 60_000 / speed, options.unlimitedRate ?? false),
    ledger: createLedger(),
    faults: createFaults(),
    links: createLinks(linkSecret(state)),
    media: createMedia({ dir: dataDir === null ? null : join(dataDir, 'media'), ...media }),
    closing,
  }
}

/** Kept with the state: links signed before a restart stay good. */
const linkSecret = (state: State): string => {
  const kept = state.facts.get('links')?.value
  if (kept !== undefined) return kept
  const value = randomBytes(32).toString('base64url')
  state.facts.put('links', { value })
  return value
}
