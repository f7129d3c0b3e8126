import { expect, test } from 'vitest'
import { createMaintainer } from '../../../../src/engine/upkeep/maintain.ts'
import { fakeClock } from '../../../fakes/clock.ts'
import { MINUTE } from '../../../fakes/records.ts'

test('purges videos, then uploads and keys, then what is left of webhooks, of the audit log, of issued keys, of refused creates, of samples and of sessions, each until little is left, and again after ten minutes', async () => {
  const clock = fakeClock()
  const asked: [string, number, number][] = []
  const left = {
    videos: [100, 3],
    resources: [150, 100, 99],
    webhooks: [1],
    audit: [2],
    keys: [2],
    refusals: [2],
    samples: [2],
    sessions: [2],
  }
  const purger = (kind: keyof typeof left) => async (beforeMs: number, limit: number) => {
    asked.push([kind, beforeMs, limit])
    return left[kind].shift() ?? 0
  }
  const maintainer = createMaintainer({
    clock,
    log: { info: () => {}, warn: () => {}, error: () => {} },
    retentionMs: MINUTE,
    store: {
      claim: async (_kind, id, leaseMs) => ({ id, token: 't', untilMs: clock.now() + leaseMs }),
      release: async () => undefined,
      purge: purger('videos'),
      purgeResources: purger('resources'),
      purgeWebhooks: purger('webhooks'),
      purgeAudit: purger('audit'),
      purgeKeys: purger('keys'),
      purgeRefusals: purger('refusals'),
      purgeSamples: purger('samples'),
      purgeSessions: purger('sessions'),
    },
  })
  const beforeMs = clock.now() - MINUTE
  maintainer.start()
  await clock.advance(0)
  const call = (kind: string, ms = beforeMs) => [kind, ms, 100]
  expect(asked.splice(0)).toEqual([
    ...[
      'videos',
      'videos',
      'resources',
      'resources',
      'resources',
      'webhooks',
      'audit',
      'keys',
      'refusals',
      'samples',
    ].map((kind) => call(kind)),
    // Whatever the retention is: nobody asks for a session that is over.
    call('sessions', clock.now()),
  ])
  await clock.advance(10 * MINUTE)
  expect(asked).toEqual([
    ...['videos', 'resources', 'webhooks', 'audit', 'keys', 'refusals', 'samples'].map((kind) =>
      call(kind, beforeMs + 10 * MINUTE),
    ),
    call('sessions', clock.now()),
  ])
  await maintainer.stop()
})
