import { videoPath } from '../media/routes.ts'
import type { Job } from '../state.ts'
import { after, type World } from '../world.ts'

/** "Signed download URL expires after 1 hour" (alternate, "Limits"), divided by the speed. */
export const downloadUrl = (world: World, job: Job, origin: string): { url: string; expiresAtMs: number } => {
  const expiresAtMs = after(world, world.decisions.alternate.downloadLinkMs)
  return { url: `${origin}${world.links.sign(videoPath(job.id), expiresAtMs)}`, expiresAtMs }
}
