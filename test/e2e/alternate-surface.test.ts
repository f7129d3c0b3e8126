import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { bearer, KEYS } from '../fakes/gateway.ts'
import { must } from '../fakes/must.ts'
import { stage } from './harness.ts'

const PUPPET = 'pup_ada'

test.each([
  {
    variant: 'standard',
    shape: (id: string) => ({ event: 'video.completed', video: { video_id: id, puppet: PUPPET } }),
  },
  // It calls back in an envelope, and with another word for an end.
  {
    variant: 'envelopes',
    shape: (id: string) => ({ event: 'video.done', data: { video: { video_id: id, puppet: PUPPET } } }),
  },
] as const)('a client of the alternate contract, from create to callback and download: $variant', async (one) => {
  // At this speed the callback finds the end, not a poll.
  const s = await stage({ sandbox: { speed: 20, variant: one.variant } })
  const call = async (path: string, init: RequestInit = {}) => {
    const headers = { ...bearer(KEYS.anna), 'content-type': 'application/json' }
    const response = await fetch(`${s.gateway().gateway.url}/v1${path}`, { ...init, headers })
    return { status: response.status, body: (await response.json()) as Record<string, unknown> }
  }
  const asked = { script: 'Hello from the test.', puppet_id: PUPPET, webhook_url: `${s.receiver.url}/hook` }
  const made = await call('/videos', { method: 'POST', body: JSON.stringify(asked) })
  expect(made).toMatchObject({ status: 201, body: { status: 'processing', puppet_id: PUPPET, resolution: '1080p' } })
  const id = String(made.body['id'])

  const received = must((await s.receiver.received(1))[0])
  const { secret } = (await (await s.call('/webhook_secret')).json()) as { secret: string }
  const sent: unknown = new Webhook(secret).verify(received.body, Object(received.headers) as Record<string, string>)
  expect(sent).toMatchObject(one.shape(id))

  expect(await call(`/videos/${id}`)).toMatchObject({ status: 200, body: { id, status: 'completed' } })
  const link = await call(`/videos/${id}/download`)
  expect(Date.parse(String(link.body['expires_at']))).toBeGreaterThan(Date.now())
  expect(await call('/videos?status=completed')).toMatchObject({ body: { data: [{ id }], pagination: { total: 1 } } })
})
