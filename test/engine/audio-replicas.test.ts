import { expect, test } from 'vitest'
import { SECOND } from '../fakes/records.ts'
import { audioBackend, audioInput, held, NOT_HOSTED, noAudio, scriptedCarrier } from './audio.ts'
import { openPair } from './pair.ts'

test('the holder of an account waits quietly while the other process carries audio', async () => {
  const carrier = scriptedCarrier()
  const { one, two, pass, adapter, record } = await openPair({ adapter: audioBackend, carrier })
  one.start()
  await pass(2 * SECOND)
  two.start()
  await pass(2 * SECOND)
  const fetch = held()
  carrier.fetches.push(fetch.promise)
  adapter.creates.push(NOT_HOSTED())
  const creating = two.create({ input: audioInput() })
  await pass(11 * SECOND)
  const { video } = await creating
  one.verbs.clear()
  await pass(10 * SECOND)
  const claims = one.verbs.get('claim') ?? 0
  expect(claims).toBeGreaterThan(0)
  expect(claims).toBeLessThanOrEqual(12)
  fetch.resolve(noAudio('audio_unreachable'))
  await pass(2 * SECOND)
  expect(await record(video.id)).toMatchObject({ status: 'failed', error: { code: 'audio_unreachable' } })
})
