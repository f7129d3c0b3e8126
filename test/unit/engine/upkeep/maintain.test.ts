import { expect, test } from 'vitest'
import { createMaintainer } from '../../../../src/engine/upkeep/maintain.ts'
import { fakeClock } from '../../../fakes/clock.ts'
import { HOUR, MINUTE, SECOND } from '../../../fakes/records.ts'

test('purges videos, then uploads and keys, then what is left of webhooks, of the audit log, of issued keys, of refused creates, of samples and of sessions, each until little is left, and again after ten minutes', async () => {
  const clock = fakeClock()
  const asked: [string, number, number, ...unknown[]][] = []
  const left = {
    videos: [100, 3, 0, 100, 0],
    resources: [150, 100, 99],
    webhooks: [1],
    audit: [2],
    keys: [2],
    refusals: [2],
    samples: [2],
    sessions: [2],
  }
  const purger =
    (kind: keyof typeof left) =>
    async (beforeMs: number, limit: number, ...whose: unknown[]) => {
      asked.push([kind, beforeMs, limit, ...whose])
      return left[kind].shift() ?? 0
    }
  const maintainer = createMaintainer({
    clock,
    log: { info: () => {}, warn: () => {}, error: () => {} },
    retentionMs: MINUTE,
    clientRetentionMs: new Map([
      ['berta', HOUR],
      ['carla', SECOND],
    ]),
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
  const others = { except: ['berta', 'carla'] }
  const own = (client: string, keptMs: number) => [...call('videos', clock.now() - keptMs), { client }]
  expect(asked.splice(0)).toEqual([
    [...call('videos'), others],
    [...call('videos'), others],
    own('berta', HOUR),
    own('carla', SECOND),
    own('carla', SECOND),
    ...['resources', 'resources', 'resources', 'webhooks', 'audit', 'keys', 'refusals', 'samples'].map((kind) =>
      call(kind),
    ),
    // Whatever the retention is: nobody asks for a session that is over.
    call('sessions', clock.now()),
  ])
  await clock.advance(10 * MINUTE)
  expect(asked).toEqual([
    [...call('videos', beforeMs + 10 * MINUTE), others],
    own('berta', HOUR),
    own('carla', SECOND),
    ...['resources', 'webhooks', 'audit', 'keys', 'refusals', 'samples'].map((kind) =>
      call(kind, beforeMs + 10 * MINUTE),
    ),
    call('sessions', clock.now()),
  ])
  await maintainer.stop()
})
