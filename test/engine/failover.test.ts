import { describe, expect, test } from 'vitest'
import { Problem } from '../../src/core/errors.ts'
import type { Store } from '../../src/core/store/index.ts'
import { scriptedAdapter } from '../fakes/adapter.ts'
import { fakeClock } from '../fakes/clock.ts'
import { doubt, HOUR, MINUTE, refused, SECOND } from '../fakes/records.ts'
import { openEngine } from './harness.ts'

const open = async () => {
  const spare = scriptedAdapter(fakeClock().now)
  const engine = await openEngine({ spare })
  engine.videos.start()
  return { engine, creates: () => [engine.adapter.callsOf('create').length, spare.callsOf('create').length] }
}

describe('a create that its backend refused, as down', () => {
  test('goes to the stand-in, and nothing is left of it', async () => {
    const { engine, creates } = await open()
    engine.adapter.creates.push(refused({ code: 'backend_unavailable' }))
    expect((await engine.create()).video).toMatchObject({ backend: 'spare', phase: 'accepted' })
    expect(creates()).toEqual([1, 1])
    await engine.pass(HOUR)
    expect(creates()).toEqual([1, 1])
    await engine.videos.stop()
    await engine.destroy()
  })

  test('is not sent to one that refuses its key, but for a try a minute: the key may be taken again', async () => {
    const { engine, creates } = await open()
    const wrongKey = refused({
      code: 'backend_credentials_rejected',
      backendError: { status: 401, code: 'unauthorized', block_code: null, message: 'no' },
    })
    engine.adapter.creates.push(wrongKey, wrongKey)
    const made = async () => (await engine.create()).video.backend
    expect([await made(), await made(), creates()]).toEqual(['spare', 'spare', [1, 2]])
    await engine.pass(MINUTE)
    expect([await made(), await made()]).toEqual(['spare', 'spare'])
    expect(engine.adapter.callsOf('create')).toHaveLength(2)
    await engine.pass(MINUTE)
    expect([await made(), await made()]).toEqual(['main', 'main'])
    await engine.videos.stop()
    await engine.destroy()
  })

  test('stays where it is while its record cannot be deleted: after a crash it would be sent again', async () => {
    const { engine, creates } = await open()
    const real: Store['change'] = engine.store.change
    let changes = 0
    engine.store.change = (id, decide) => {
      changes += 1
      // They would delete the record.
      const isStuck = changes < 8
      return isStuck ? Promise.reject(new Problem('store_unavailable', 'a bad moment')) : real(id, decide)
    }
    engine.adapter.creates.push(refused({ code: 'backend_unavailable' }))
    const answer = engine.create().catch((error: unknown) => error)
    await engine.pass(6 * SECOND)
    expect(await answer).toMatchObject({ code: 'backend_unavailable' })
    expect(creates()).toEqual([1, 0])
    const next = await engine.restart('crashed')
    next.videos.start()
    await next.pass(10 * MINUTE)
    // Of the doubt that the crash left there is one job at most, and no other one beside it.
    expect(creates()[1]).toBe(0)
    await next.videos.stop()
    await engine.destroy()
  })
})

test('a create in doubt is never tried on the stand-in, whatever its code: it may be a paid job', async () => {
  const { engine, creates } = await open()
  engine.adapter.creates.push(doubt({ code: 'backend_unavailable' }))
  const { video } = await engine.create()
  expect(video).toMatchObject({ backend: 'main', phase: 'doubtful' })
  await engine.pass(HOUR)
  // The same bytes under the same key.
  expect(creates()).toEqual([2, 0])
  expect(await engine.record(video.id)).toMatchObject({ backend: 'main', backendJobId: 'job_1' })
  await engine.videos.stop()
  await engine.destroy()
})
