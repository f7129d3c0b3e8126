import type { Store } from '../../src/core/store/index.ts'
import type { VideoRecord } from '../../src/core/video.ts'
import { draft, ended, SECOND } from './records.ts'

const ROOMY = { queue: 1_000, client: 1_000, videosPerMonth: null, creditsPerMonth: null }

/** Writes videos that ended at `endedAtMs`, `seconds` after their create, as a rule sent them to a backend. */
export const createEndings = (store: Pick<Store, 'open'>) => {
  let written = 0
  return async (
    count: number,
    rule: string | null,
    { endedAtMs, seconds = 10, ...given }: Partial<VideoRecord> & { endedAtMs: number; seconds?: number },
  ): Promise<void> => {
    for (let n = 0; n < count; n += 1) {
      written += 1
      const id = `vid_ended_${written}`
      const record = ended({ id, createdAtMs: endedAtMs - seconds * SECOND, endedAtMs, ...given })
      const routing: VideoRecord['routing'] = {
        chosen_by: rule === null ? 'default' : 'rule',
        rule,
        pool: null,
        considered: [],
      }
      await store.open(draft({ ...record, routing }), null, ROOMY, null)
    }
  }
}
