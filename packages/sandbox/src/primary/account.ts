import { iso } from '../clock.ts'
import { type Hint, type Operation, Refusal } from '../http/answer.ts'
import { isOver } from '../jobs.ts'
import type { Job, Key, Quota } from '../state.ts'
import { hint, type World } from '../world.ts'
import { hintFields, hintHeaders } from './dialect.ts'

/** Primary, "Limits". */
const CREDITS_PER_MONTH = 10
const SLOTS = 2
const CHARACTERS_PER_MONTH = 100_000
const UPLOADS_PER_MONTH = 250
const STORAGE_BYTES = 2 * 1024 ** 3

/** What the account has used in the current UTC month. */
const spentBy = ({ state, clock }: World, account: string): Quota => {
  const month = iso(clock.now()).slice(0, 7)
  return state.quotas.get(`${account} ${month}`) ?? { account, month, credits: 0, characters: 0, uploads: 0 }
}

/** Adds to what the account has used; less than nothing gives it back. */
export const spend = (
  world: World,
  account: string,
  { credits = 0, characters = 0, uploads = 0 }: Partial<Pick<Quota, 'credits' | 'characters' | 'uploads'>>,
): void => {
  const spent = spentBy(world, account)
  world.state.quotas.put(`${account} ${spent.month}`, {
    ...spent,
    credits: spent.credits + credits,
    characters: spent.characters + characters,
    uploads: spent.uploads + uploads,
  })
}

const activeJobs = ({ state, clock }: World, account: string): number =>
  state.jobs
    .values()
    .filter((job) => job.interface === 'primary' && job.account === account && !isOver(job, clock.now())).length

/** Credits left; a full month's when they are unlimited. */
const creditsLeft = (world: World, account: string): number =>
  world.unlimited.credits ? CREDITS_PER_MONTH : Math.max(0, CREDITS_PER_MONTH - spentBy(world, account).credits)

type Blocker = 'credits' | 'slots' | null

/** Can a video be created now, and in every spelling (primary, "Error body fields", video_generation). */
const readinessOf = (
  world: World,
  account: string,
  forced: Blocker = null,
): { blockedBy: Blocker; wait: Hint | null; fields: Record<string, unknown> } => {
  const active = activeJobs(world, account)
  const free = Math.max(0, SLOTS - active)
  const broke = creditsLeft(world, account) < world.decisions.primary.creditsPerVideo
  const busy = !world.unlimited.slots && free === 0
  const blockedBy = forced ?? (broke ? 'credits' : busy ? 'slots' : null)
  const wait = blockedBy === 'slots' ? hint(world, world.decisions.primary.slotRetryMs) : null
  const readiness = {
    can_create: blockedBy === null,
    canCreate: blockedBy === null,
    ...(blockedBy && {
      reason: blockedBy === 'slots' ? SLOTS_FULL : world.decisions.primary.codes.insufficientCredits,
    }),
    active_jobs: active,
    activeJobs: active,
    available_slots: free,
    availableSlots: free,
    ...(wait && hintFields(wait)),
  }
  return { blockedBy, wait, fields: { video_generation: readiness, videoGeneration: readiness } }
}

const SLOTS_FULL = 'concurrent_job_limit_reached'

const creditHeaders = ({ decisions }: World, remaining: number): Record<string, string> => ({
  'X-Service-Credits-Required': String(decisions.primary.creditsPerVideo),
  'X-Service-Credits-Remaining': String(remaining),
})

/** The debit of a job, told on its create, replays and status reads ("when debit data is available"). */
export const debitHeaders = (world: World, job: Job): Record<string, string> =>
  job.creditsRemaining === null ? {} : creditHeaders(world, job.creditsRemaining)

/** Throws 402 when the month's credits are gone, 429 `concurrent_job_limit_reached` when both slots are busy. */
export const checkReadiness = (world: World, key: Key, forced: Blocker = null): void => {
  const { blockedBy, wait, fields } = readinessOf(world, key.account, forced)
  if (blockedBy === 'credits') {
    const headers = creditHeaders(world, forced ? 0 : creditsLeft(world, key.account))
    const code = world.decisions.primary.codes.insufficientCredits
    throw new Refusal(402, { code }, 'Not enough video credits.', { headers, details: fields })
  }
  if (blockedBy === 'slots') {
    const extras = { retryable: true, retryAfter: wait, details: fields }
    throw new Refusal(429, { code: SLOTS_FULL }, `All ${SLOTS} active job slots are in use.`, extras)
  }
}

/** Debits one video; the answer is the balance afterwards (a full one when credits are unlimited). */
export const charge = (world: World, key: Key, jobId: string): number => {
  const { creditsPerVideo: credits } = world.decisions.primary
  spend(world, key.account, { credits })
  const debit = { jobId, keyId: key.id, account: key.account, credits, atMs: world.clock.now() }
  world.state.charges.put(jobId, debit)
  return creditsLeft(world, key.account)
}

const exceeded = (world: World, what: string): Refusal =>
  new Refusal(429, { code: world.decisions.primary.codes.quotaExceeded }, `The quota is used up: ${what}.`)

const storedBytes = (world: World, account: string): number =>
  world.state.audio.values().reduce((sum, audio) => sum + (audio.account === account ? audio.sizeBytes : 0), 0)

/** Takes room for one hosted file; throws 429 beyond 2 GB, 250 uploads or 100,000 characters ("Limits"). */
export const reserve = (
  world: World,
  account: string,
  wanted: { sizeBytes: number; characters?: number; uploads?: number },
): void => {
  const { characters = 0, uploads = 0, sizeBytes } = wanted
  if (!world.unlimited.credits) {
    const spent = spentBy(world, account)
    if (spent.characters + characters > CHARACTERS_PER_MONTH)
      throw exceeded(world, `${CHARACTERS_PER_MONTH} voice characters a month`)
    if (spent.uploads + uploads > UPLOADS_PER_MONTH) throw exceeded(world, `${UPLOADS_PER_MONTH} audio uploads a month`)
    if (storedBytes(world, account) + sizeBytes > STORAGE_BYTES)
      throw exceeded(world, `${STORAGE_BYTES} bytes of hosted audio`)
  }
  spend(world, account, { characters, uploads })
}

/** getDeveloperApiUsage (primary, "GET /api/v1/usage"): read-only; hints only while the slots are full. */
export const usageOperations = (world: World): Operation[] => [
  {
    method: 'get',
    path: '/api/v1/usage',
    name: 'getDeveloperApiUsage',
    scope: 'videos:read',
    run: ({ key }) => {
      const { wait, fields } = readinessOf(world, key.account)
      const { credits, month } = spentBy(world, key.account)
      const body = world.decisions.primary.usage({
        balance: creditsLeft(world, key.account),
        included: CREDITS_PER_MONTH,
        purchased: 0,
        usedThisMonth: credits,
        month,
        checkoutAvailable: false,
        packs: world.decisions.primary.creditPacks,
        readiness: fields,
      })
      return { status: 200, body, ...(wait && { headers: hintHeaders(wait) }) }
    },
  },
]
