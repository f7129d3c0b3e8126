import { newVideo, NO_INPUT, NO_ORDER, type VideoInput, type VideoRecord } from '../../src/core/video.ts'
import type { Store } from '../../src/core/store/index.ts'
import type { Backend } from '../../src/engine/index.ts'
import { ended } from '../fakes/records.ts'

const ROOMY = { queue: 1_000_000, client: 1_000_000, videosPerMonth: null, creditsPerMonth: null }

/** A video of this request that was completed on the backend, as the store has it. */
export const completed = (
  id: string,
  { name, interface: kind, account }: Backend,
  input: Partial<VideoInput>,
  given: Partial<VideoRecord> = {},
): VideoRecord => {
  const fresh = newVideo({
    id,
    client: 'anna',
    account: account.id,
    backend: name,
    interface: kind,
    input: { ...NO_INPUT, ...input },
    order: {
      ...NO_ORDER,
      text: input.text ?? null,
      imageUrl: input.image_url ?? null,
      voiceId: input.voice_id ?? null,
    },
    routing: { chosen_by: 'default', rule: null, pool: null, considered: [] },
    createdAtMs: Date.parse('2026-11-20T10:00:00Z'),
  })
  const { phase, status, told, attempt, waitReason, dueAtMs, endedAtMs } = ended()
  return {
    ...fresh,
    phase,
    status,
    told,
    attempt,
    waitReason,
    dueAtMs,
    endedAtMs,
    backendJobId: `job_of_${id}`,
    ...given,
  }
}

/** Puts it there. */
export const record = async (store: Store, video: VideoRecord): Promise<void> => {
  const opened = await store.open({ video, events: [], notes: [] }, null, ROOMY, null)
  if (opened.kind !== 'opened') throw new Error(opened.kind)
}
