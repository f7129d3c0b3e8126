import { expect, onTestFinished, test } from 'vitest'
import { startBackend, type Script } from '../fakes/backend.ts'
import { HOUR } from '../fakes/records.ts'
import { MAIN, virtualStage } from './virtual.ts'

/** A success that names its job nowhere: neither in the body nor in a header, as the sandbox's always do. */
const NAMELESS: [name: string, script: Script][] = [
  ['an object without an id', { status: 202, body: { status: 'queued', message: 'We are on it' } }],
  ['an id that is empty', { status: 202, body: { id: '', status: 'queued' } }],
  ['an id that is no text', { status: 202, body: { id: { value: 7 }, status: 'queued' } }],
  ['a list', { status: 200, body: [{ status: 'queued' }] }],
  ['null', { status: 200, body: null }],
  ['a text', { status: 201, body: '"queued"' }],
  ['JSON that ends early', { status: 202, body: '{"status": "queued", "id": "api_video_1' }],
  ['a body that is cut off', { fault: 'cut', status: 202, body: '{"status": "queued"' }],
  ['nothing', { status: 204, body: '' }],
]

test.each(NAMELESS)('%s: a doubt, ended by the same bytes under the same key', async (_, script) => {
  const backend = await startBackend()
  onTestFinished(() => backend.close())
  /** One job for each key, however often it is asked for. */
  const jobs = new Map<string, string>()
  const keyOf = (headers: Record<string, string>): string => headers['idempotency-key'] ?? ''
  backend.answer(({ method, headers }) => {
    if (method !== 'POST') {
      return { status: 200, body: { id: 'api_video_1', status: 'completed', video_url: 'https://cdn.example/v.mp4' } }
    }
    const known = jobs.has(keyOf(headers))
    jobs.set(keyOf(headers), 'api_video_1')
    return known ? { status: 202, body: { id: 'api_video_1', status: 'queued' } } : script
  })
  const s = await virtualStage({ mainUrl: backend.url })
  const id = await s.create(MAIN, 'anna', 'order-1')
  expect(await s.record(id)).toMatchObject({ phase: 'doubtful', backendJobId: null })
  expect(await s.post(MAIN, 'anna', 'order-1')).toMatchObject({ status: 202, body: { id } })
  await s.passUntil(HOUR, () => s.allEnded([id]))
  expect(await s.record(id)).toMatchObject({ status: 'completed', backendJobId: 'api_video_1', attempt: 1 })
  expect([...jobs]).toEqual([[`${id}.1`, 'api_video_1']])
  const [sent, again, ...more] = backend.requests.filter(({ method }) => method === 'POST')
  expect([again?.body, more]).toEqual([sent?.body, []])
})
