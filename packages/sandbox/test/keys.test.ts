import { expect, it } from 'vitest'
import { at, listAt } from './contract/walk.ts'
import { start } from './harness.ts'

it('lists, issues and revokes keys, and never shows one again', async () => {
  const { primary, alternate } = await start()
  const ask = (path: string, options = {}) => primary(`/sandbox/keys${path}`, { key: null, ...options })
  const made = (await ask('', { body: { interface: 'alternate', account: 'a' } })).body
  expect((await alternate('/v1/voices', { key: String(made['key']) })).status).toBe(200)
  const listed = await ask('')
  expect(listAt(listed.body, 'data').map(({ id }) => id)).toEqual(['key_primary', 'key_alternate', made['id']])
  expect(at(listed.body, 'data', 2)).toEqual({
    id: made['id'],
    interface: 'alternate',
    account: 'a',
    scopes: [],
    active: true,
  })
  expect(listed.text).not.toContain(String(made['key']))
  expect((await ask(`/${String(made['id'])}`, { method: 'DELETE' })).status).toBe(204)
  expect((await alternate('/v1/voices', { key: String(made['key']) })).status).toBe(401)
  expect((await ask('/nothing', { method: 'DELETE' })).status).toBe(404)
})

it('tells with its usage when the slots are full, and when to come back', async () => {
  const { primary, create } = await start()
  expect((await primary('/api/v1/usage')).headers.get('Retry-After')).toBe(null)
  await create({ text: '[[stuck]]' })
  await create({ text: '[[stuck]]' })
  const { body, headers } = await primary('/api/v1/usage')
  expect(at(body, 'video_generation')).toMatchObject({ can_create: false, reason: 'concurrent_job_limit_reached' })
  expect(headers.get('Retry-After')).toBe('20')
  expect(headers.get('X-Service-Next-Poll-At')).toBe(at(body, 'videoGeneration')['next_poll_at'])
})
