import { Refusal } from '../http/answer.ts'
import { phaseOf, type Phase } from '../jobs.ts'
import { videoSeconds } from '../media/routes.ts'
import type { Job } from '../state.ts'
import type { World } from '../world.ts'

export const phase = (world: World, job: Job): Phase =>
  phaseOf(job, world.clock.now(), world.decisions.timing.stuckProgress)

/** The alternate has no `queued` ("States and transitions"). */
export const statusOf = (world: World, job: Job): 'processing' | 'completed' | 'failed' => {
  const { status } = phase(world, job)
  return status === 'queued' ? 'processing' : status
}

/** What a create and a detail both show (alternate, "Resources and their fields"). */
export const shared = (world: World, job: Job): Record<string, unknown> => ({
  id: job.id,
  status: statusOf(world, job),
  puppet_id: job.puppetId,
  voice_id: job.voiceId,
  resolution: job.resolution,
})

export const durationOf = (world: World, job: Job): number | null =>
  statusOf(world, job) === 'completed' ? videoSeconds(world, job) : null

export const notFound = ({ decisions }: World, what: 'video' | 'puppet' | 'voice'): Refusal =>
  new Refusal({
    status: 404,
    reason: { code: decisions.alternate.codes[`${what}NotFound`] },
    message: `No such ${what}.`,
  })
