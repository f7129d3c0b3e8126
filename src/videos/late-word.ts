import { Problem } from '../core/errors.ts'
import type { VideoRecord } from '../core/video.ts'
import type { Step } from './settle.ts'

/** An operator's word on a create that was given up: what ended stays ended, so that it is only written down beside it. */
export const isGivenUp = ({ phase, error }: VideoRecord): boolean =>
  phase === 'ended' && error?.code === 'create_outcome_unknown'

export const resolved = (video: VideoRecord, detail: string, nowMs: number): Step => ({
  video: { ...video },
  notes: [{ at: nowMs, type: 'resolved', detail }],
})

export const notInDoubt = ({ id, status }: VideoRecord): Problem =>
  new Problem('invalid_request', `the create of this video is not in doubt: it is ${status}`, { videoId: id })

export const belongsTo = (owner: string): Problem =>
  new Problem('invalid_request', `this job belongs to ${owner}`, { param: 'job_id' })

export const notConfigured = (): Problem =>
  new Problem('backend_unavailable', 'the account of this video is not configured any more')
