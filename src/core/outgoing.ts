import type { TimelineEntry, VideoRecord, WireRequest } from './video.ts'

/** A create that is ready to go out. */
export interface Outgoing {
  wire: WireRequest
  /** The backend's clock less ours; null while no answer told. */
  offsetMs: number | null
}

/** Its bytes are stored before they are sent. From here on the backend may have taken them. */
export const withBytes = (
  video: VideoRecord,
  { wire, offsetMs }: Outgoing,
  nowMs: number,
): { video: VideoRecord; notes: TimelineEntry[] } => {
  const attempt = video.attempt + 1
  return {
    video: { ...video, wire, attempt, dispatchedAtMs: nowMs, sentOffsetMs: offsetMs },
    notes: [{ at: nowMs, type: 'dispatched', detail: `attempt ${attempt}` }],
  }
}
