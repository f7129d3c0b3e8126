import { expect, test } from 'vitest'
import type { JobTraits } from '../../../../src/core/adapter.ts'
import type { Order, VideoRecord } from '../../../../src/core/video.ts'
import { mayHaveMade } from '../../../../src/engine/doubt/list.ts'
import { HOUR, MINUTE, SECOND, T0, video, WIRE } from '../../../fakes/records.ts'

/** An import must not take what a create in doubt may own: only a contradiction frees a job. */
const ORDER: Order = { ...video().order, imageUrl: null, puppetId: 'p1', voiceId: 'v1', resolution: '720p' }
const MADE: JobTraits = { puppetId: 'p1', voiceId: 'v1', resolution: '720p', createdAtMs: T0 }
const NONE: JobTraits = { puppetId: null, voiceId: null, resolution: null, createdAtMs: null }

test.each<[string, Partial<VideoRecord>, Partial<JobTraits>, number | null, boolean]>([
  ['one like it', {}, MADE, 0, true],
  ['one that tells nothing', {}, NONE, 0, true],
  ['another portrait', {}, { puppetId: 'p2' }, 0, false],
  ['another voice', {}, { voiceId: 'v2' }, 0, false],
  ['another resolution', {}, { resolution: '1080p' }, 0, false],
  ['what was not asked for may be anything', { order: { ...ORDER, voiceId: null } }, { voiceId: 'v2' }, 0, true],
  ['made long before it', {}, { createdAtMs: T0 - HOUR }, 0, false],
  ['made just before it, as far as clocks tell', {}, { createdAtMs: T0 - MINUTE }, 0, true],
  ['made long before it, by a clock that nobody knows', {}, { createdAtMs: T0 - HOUR }, null, true],
  ['made long before it, by a clock that is an hour behind', {}, { createdAtMs: T0 - HOUR }, -HOUR, true],
  ['made long after it: it may be sent again', {}, { createdAtMs: T0 + HOUR }, 0, true],
  ['under way, nothing sent yet', { phase: 'dispatching', wire: null }, MADE, 0, false],
  ['under way, sent', { phase: 'dispatching' }, MADE, 0, true],
])('%s', (_, given, made, offsetMs, expected) => {
  const record = video({ phase: 'doubtful', attempt: 1, wire: WIRE, createdAtMs: T0, order: ORDER, ...given })
  const traits = { ...MADE, ...made }
  expect(mayHaveMade({ ...record, dispatchedAtMs: T0 + SECOND }, traits, offsetMs)).toBe(expected)
})
