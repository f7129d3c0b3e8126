import { iso } from '../../core/clock.ts'
import { Refusal } from '../http/answer.ts'
import { isOver } from '../jobs.ts'
import type { Job, Key } from '../state.ts'
import { hint, type Hint, type World } from '../world.ts'
import { hintFields } from './dialect.ts'

/** Limits of the primary contract. */
export const CREDITS_PER_MONTH = 10
export const SLOTS = 2
const CREDITS_PER_VIDEO = 1

const quotaOf = ({ state, clock }: World, account: string) => {
  const month = iso(clock.now()).slice(0, 7)
  const id = `${account} ${month}`
  return { id, quota: state.quotas.get(id) ?? { account, month, credits: 0 } }
}

export const activeJobs = ({ state, clock }: World, account: string): number =>
  state.jobs
    .values()
    .filter((job) => job.interface === 'primary' && job.account === account && !isOver(job, clock.now())).length

const videoGeneration = (world: World, account: string, reason: string, wait?: Hint): Record<string, unknown> => {
  const active = activeJobs(world, account)
  const free = Math.max(0, SLOTS - active)
  const readiness = {
    can_create: false,
    canCreate: false,
    reason,
    active_jobs: active,
    activeJobs: active,
    available_slots: free,
    availableSlots: free,
    ...(wait && hintFields(wait)),
  }
  return { video_generation: readiness, videoGeneration: readiness }
}

const creditHeaders = (remaining: number): Record<string, string> => ({
  'X-Service-Credits-Required': String(CREDITS_PER_VIDEO),
  'X-Service-Credits-Remaining': String(remaining),
})

/** The debit of a job, told on its create, replays and status reads ("when debit data is available"). */
export const debitHeaders = (job: Job): Record<string, string> =>
  job.creditsRemaining === null ? {} : creditHeaders(job.creditsRemaining)

/** Throws 402 when the month's credits are gone, 429 `concurrent_job_limit_reached` when both slots are busy. */
export const checkReadiness = (world: World, key: Key, noCredits: boolean): void => {
  const left = CREDITS_PER_MONTH - quotaOf(world, key.account).quota.credits
  if (noCredits || (!world.unlimited.credits && left < CREDITS_PER_VIDEO)) {
    const code = world.decisions.primary.codes.insufficientCredits
    throw new Refusal({
      status: 402,
      reason: { code },
      message: 'Not enough video credits.',
      headers: creditHeaders(noCredits ? 0 : Math.max(0, left)),
      details: videoGeneration(world, key.account, code),
    })
  }
  if (world.unlimited.slots || activeJobs(world, key.account) < SLOTS) return
  const code = 'concurrent_job_limit_reached'
  const retryAfter = hint(world, world.decisions.primary.slotRetryMs)
  throw new Refusal({
    status: 429,
    reason: { code },
    message: `All ${SLOTS} active job slots are in use.`,
    retryable: true,
    retryAfter,
    details: videoGeneration(world, key.account, code, retryAfter),
  })
}

/** Debits one video; the answer is the balance afterwards (a full one when credits are unlimited). */
export const charge = (world: World, key: Key, jobId: string): number => {
  const { id, quota } = quotaOf(world, key.account)
  const credits = quota.credits + CREDITS_PER_VIDEO
  world.state.quotas.put(id, { ...quota, credits })
  world.state.charges.put(jobId, {
    jobId,
    keyId: key.id,
    account: key.account,
    credits: CREDITS_PER_VIDEO,
    atMs: world.clock.now(),
  })
  return world.unlimited.credits ? CREDITS_PER_MONTH : CREDITS_PER_MONTH - credits
}
