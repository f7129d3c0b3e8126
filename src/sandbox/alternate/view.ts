import { Refusal } from '../http/answer.ts'
import { videoPath, videoSeconds } from '../media/routes.ts'
import type { Job } from '../state.ts'
import { after, phaseNow, type World } from '../world.ts'

/** The alternate has no `queued` ("States and transitions"). */
export const statusOf = (world: World, job: Job): 'processing' | 'completed' | 'failed' => {
  const { status } = phaseNow(world, job)
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
  new Refusal(404, { code: decisions.alternate.codes[`${what}NotFound`] }, `No such ${what}.`)

/** "Signed download URL expires after 1 hour" (alternate, "Limits"), divided by the speed. */
export const downloadUrl = (world: World, job: Job, origin: string): { url: string; expiresAtMs: number } => {
  const expiresAtMs = after(world, world.decisions.alternate.downloadLinkMs)
  return { url: `${origin}${world.links.sign(videoPath(job.id), expiresAtMs)}`, expiresAtMs }
}
