import type { Used } from '../../../resources/usage.ts'

/**
 * Usage where the backend behind tells none ("Names of the usage response fields: not shown"): what the gateway knows
 * itself, null for the rest. Pure.
 */
export const ownUsage = ({ backends, client }: Used): Record<string, unknown> => {
  const [backend] = backends
  const activeJobs = backend?.active_jobs ?? null
  const freeSlots = backend?.free_slots ?? null
  const canCreate = backend?.can_create ?? null
  const readiness = {
    can_create: canCreate,
    canCreate,
    reason: backend?.blocked_reason ?? null,
    active_jobs: activeJobs,
    activeJobs,
    available_slots: freeSlots,
    availableSlots: freeSlots,
  }
  return {
    object: 'usage',
    credits: {
      balance: backend?.credits_remaining ?? null,
      included: backend?.credits_included ?? null,
      purchased: backend?.credits_purchased ?? null,
      used_this_month: client.credits_charged,
      month: client.month,
    },
    checkout_available: backend?.checkout_available ?? null,
    credit_packs: backend?.credit_packs ?? null,
    video_generation: readiness,
    videoGeneration: readiness,
  }
}
