import type { z } from 'zod'
import type { TimelineEntryView } from '../../../core/api/videos.ts'
import { iso } from '../../../core/time/clock.ts'
import type { TimelineEntry } from '../../../core/video.ts'

/** What happened to a video, as `expand=timeline` shows it. */
export const timelineView = (entries: readonly TimelineEntry[]): z.infer<typeof TimelineEntryView>[] =>
  entries.map((entry) => ({ ...entry, at: iso(entry.at) }))
