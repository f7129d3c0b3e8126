import { expect, test } from 'vitest'
import { MINUTE, SECOND } from '../fakes/records.ts'
import { ALT, virtualStage } from './virtual.ts'

test('the end of a job that is called back while the store is away is known when the store is back', async () => {
  const s = await virtualStage()
  const id = await s.create(ALT)
  await s.passUntil(MINUTE, async () => (await s.record(id)).phase === 'accepted')
  const { store } = s
  const read = store.video
  let refused = 0
  store.video = () => {
    refused += 1
    return Promise.reject(new Error('the store is away'))
  }
  // The backend calls back once, when the job ends.
  await s.passUntil(5 * MINUTE, () => refused > 0)
  await s.pass(5 * SECOND)
  store.video = read
  expect((await s.record(id)).phase).toBe('accepted')
  await s.pass(3 * SECOND)
  expect(await s.record(id)).toMatchObject({ phase: 'ended', status: 'completed' })
})
