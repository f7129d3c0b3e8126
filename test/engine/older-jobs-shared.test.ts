import { expect, test } from 'vitest'
import { listingAdapter, type ListingAdapter } from '../fakes/listing.ts'
import { must } from '../fakes/must.ts'
import { ACCOUNT, HOUR, MINUTE, SECOND } from '../fakes/records.ts'
import { openPair } from './pair.ts'

test('of two processes, the one that holds the account walks its list; when it dies, the other walks on', async () => {
  const adapters: ListingAdapter[] = []
  const pair = await openPair({
    interface: 'alternate',
    historyOf: { main: 'shop' },
    adapter: (now) => {
      const adapter = listingAdapter(now)
      adapters.push(adapter)
      return adapter
    },
  })
  const [adapter] = adapters
  for (let n = 0; n < 250; n += 1)
    must(adapter).put(`old_${n}`, { createdAtMs: pair.clock.now() - 9 * 24 * HOUR + n * MINUTE })
  pair.one.start()
  await pair.pass(SECOND)
  pair.two.start()
  await pair.pass(5_500)
  const asked = () =>
    must(adapter)
      .callsOf('list')
      .map((call) => ('page' in call ? call.page : 0))
  expect(asked()).toEqual([1, 2])
  pair.one.kill()
  await pair.pass(2 * MINUTE)
  expect(asked()).toEqual([1, 2, 3])
  const query = { statuses: null, offset: 0, limit: 1, history: [ACCOUNT] }
  expect(await pair.store.page('shop', query)).toMatchObject({ total: 250, videos: [{ backendJobId: 'old_249' }] })
})
