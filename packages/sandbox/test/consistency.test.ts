import { expect, it } from 'vitest'
import { at, walk } from './contract/walk.ts'
import { IMAGE, type Ask, type Reply } from './harness.ts'

/** Malformed in as many ways as there are; all within what an operation may be sent. */
const MALFORMED: readonly (readonly [string, Ask])[] = [
  ['/api/v1/videos/text', { body: '{"image' }],
  ['/api/v1/videos/text', { body: '[]' }],
  ['/api/v1/videos/text', { body: JSON.stringify({ image_url: IMAGE, text: { deep: [] } }) }],
  ['/api/v1/videos/text', { body: '{}', headers: { 'content-type': 'application/xml' } }],
  ['/api/v1/videos/text', { body: JSON.stringify({ text: 'x'.repeat(70_000) }) }],
  ['/api/v1/videos/audio', { body: JSON.stringify({ image: IMAGE, audio: 'https://example.com/%zz.wav' }) }],
  ['/api/v1/videos/api_video_%00', {}],
  ['/api/v1/uploads/audio-url', { body: JSON.stringify({ mime_type: 'audio/wav', content_length: -1 }) }],
  ['/api/v1/tts/service', { body: '{"voice_id":1}' }],
  ['/api/v1/puppets?limit=1e9', {}],
  ['/api/v1/puppets', { body: '"\\u0000"' }],
  ['/api/v1/puppets/%ff', { method: 'DELETE' }],
]

it('is up and consistent after 200 requests at once, half of them malformed: credits are the ledger', async () => {
  const w = await walk({ unlimitedRate: true, unlimitedSlots: true })
  const good = (i: number): Promise<Reply> =>
    w.create({ text: `Number ${i}` }, { 'idempotency-key': `k${i % 25}-${i}` })
  const bad = (i: number): Promise<Reply> => {
    const [path, ask] = MALFORMED[i % MALFORMED.length] ?? ['/', {}]
    return w.primary(path, ask)
  }
  const replies = await Promise.all(Array.from({ length: 200 }, (_, i) => (i % 2 ? good(i) : bad(i))))
  const statuses = Object.groupBy(replies, ({ status }) => String(status))
  expect([statuses['202']?.length, statuses['402']?.length]).toEqual([10, 90])
  expect(replies.filter(({ status }) => status >= 500)).toEqual([])
  const { charges, jobs, requests_total: total } = w.sandbox.ledger()
  expect(total).toBe(200)
  expect(charges.map(({ job_id }) => job_id).toSorted()).toEqual(jobs.map(({ id }) => id).toSorted())
  expect(jobs).toHaveLength(10)
  const { body } = await w.primary('/api/v1/usage')
  expect(at(body, 'credits')).toMatchObject({ balance: 0, used_this_month: charges.length })
})

it('reserves no more than the quota under 300 reservations at once', async () => {
  const w = await walk({ unlimitedRate: true })
  const body = { mime_type: 'audio/wav', content_length: 10 }
  const ask = () => w.primary('/api/v1/uploads/audio-url', { body })
  const replies = await Promise.all(Array.from({ length: 300 }, ask))
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(250)
})

it('speaks no more characters, and stores no more bytes, than the quota under many requests at once', async () => {
  const w = await walk({ unlimitedRate: true })
  const body = { voice_id: 'sandbox-en-us-ava', text: 'x'.repeat(5_000) }
  const replies = await Promise.all(Array.from({ length: 25 }, () => w.primary('/api/v1/tts/service', { body })))
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(20)
})
