import { describe, expect, test } from 'vitest'
import type { AdminEndpointView, AuditEntryView } from '../../src/core/api/admin.ts'
import type { EndpointView } from '../../src/core/api/webhooks.ts'
import { fakeClock } from '../fakes/clock.ts'
import { bearer, KEYS, testApp } from '../fakes/gateway.ts'
import { expectProblem } from './expect.ts'

const OPERATOR = 'tb_operator_0123456789abcdef'
const CLIENTS = [
  { id: 'anna', key: KEYS.anna, scopes: ['webhooks:read', 'webhooks:write'] },
  { id: 'ops', key: OPERATOR, scopes: ['admin'] },
]

const stage = async () => {
  const app = await testApp({
    clock: fakeClock(),
    clients: CLIENTS,
    webhooks: { allow: [{ cidr: '127.0.0.0/8', http: true }] },
  })
  const url = 'http://127.0.0.1:9/hook'
  const made = await app.raw.post('/unified/v1/webhook_endpoints').set(bearer(KEYS.anna)).send({ url }).expect(201)
  const { id } = made.body as EndpointView
  return {
    app,
    id,
    act: (what: string, body?: object, key: string = OPERATOR, of: string = id) =>
      app.raw.post(`/unified/v1/admin/endpoints/${of}/${what}`).set(bearer(key)).send(body),
    own: async () => (await app.get(`/webhook_endpoints/${id}`).expect(200)).body as EndpointView,
    async audit() {
      const { body } = await app.raw.get(`/unified/v1/admin/audit?subject=${id}`).set(bearer(OPERATOR)).expect(200)
      return (body as { data: AuditEntryView[] }).data.map(({ action, actor, detail }) => ({ action, actor, detail }))
    },
  }
}

describe('an operator and an endpoint of a client', () => {
  test('disables and enables it; its client sees that an operator did, and the log says why', async () => {
    const { app, id, act, own, audit } = await stage()
    const { body } = await act('disable', { note: 'it is overloaded' }).expect(200)
    expect(body as AdminEndpointView).toMatchObject({ id, client: 'anna', enabled: false, disabled_reason: 'operator' })
    const seen = await own()
    expect(seen).toMatchObject({ enabled: false, disabled_reason: 'operator' })
    expect(JSON.stringify(seen)).not.toMatch(/ops|overloaded/)
    const patch = (body: object) =>
      app.raw.patch(`/unified/v1/webhook_endpoints/${id}`).set(bearer(KEYS.anna)).send(body)
    const refused = await patch({ enabled: true, description: 'mine' })
    expect(expectProblem(refused, 'endpoint_disabled_by_operator').detail).toMatch(
      /disabled .*it is overloaded.*only an/,
    )
    expect(await own()).toEqual(seen)
    await patch({ description: 'mine' }).expect(200)
    await act('enable').expect(200)
    expect(await own()).toMatchObject({ enabled: true, disabled_reason: null })
    expect(await audit()).toEqual([
      { action: 'endpoint.enable', actor: 'ops', detail: { client: 'anna' } },
      { action: 'endpoint.disable', actor: 'ops', detail: { client: 'anna', note: 'it is overloaded' } },
    ])
  })

  test('disables it although its client has: then its client cannot enable it', async () => {
    const { app, id, act, own } = await stage()
    const enable = (enabled: boolean) =>
      app.raw.patch(`/unified/v1/webhook_endpoints/${id}`).set(bearer(KEYS.anna)).send({ enabled })
    await enable(false).expect(200)
    await act('disable').expect(200)
    expect(await own()).toMatchObject({ enabled: false, disabled_reason: 'operator' })
    expectProblem(await enable(true), 'endpoint_disabled_by_operator', {})
  })

  test('sends a test, and replays what failed', async () => {
    const { id, act, own, audit } = await stage()
    const before = await own()
    const { body: tested } = await act('test', { note: 'is it back?' }).expect(200)
    expect(tested).toMatchObject({ object: 'webhook_test', delivered: false })
    expect((await own()).updated_at).toBe(before.updated_at)
    const since = '2026-11-20T09:00:00.000Z'
    const { body: replayed } = await act('replay', { since }).expect(202)
    expect(replayed).toEqual({ object: 'replay', endpoint_id: id, events: 0 })
    expect(await audit()).toEqual([
      { action: 'endpoint.replay', actor: 'ops', detail: { client: 'anna', since } },
      { action: 'endpoint.test', actor: 'ops', detail: { client: 'anna', note: 'is it back?' } },
    ])
  })

  test('may not do what makes no sense, and nothing is recorded of it', async () => {
    const { id, act, audit } = await stage()
    expectProblem(await act('disable', {}, KEYS.anna), 'insufficient_scope', {})
    expectProblem(await act('disable', {}, OPERATOR, 'we_none'), 'endpoint_not_found', {})
    expectProblem(await act('disable', { reason: 'x' }), 'invalid_request', { param: 'reason' })
    expectProblem(await act('replay', { since: '2027-01-01T00:00:00Z' }), 'invalid_request', { param: 'since' })
    expectProblem(await act('replay', {}), 'invalid_request', { param: 'since' })
    expect([id.slice(0, 3), await audit()]).toEqual(['we_', []])
  })
})

test('the audit log has the names of keys and clients beside their ids', async () => {
  const { app } = await stage()
  const admin = (path: string, body: object) =>
    app.raw.post(`/unified/v1/admin${path}`).set(bearer(OPERATOR)).send(body).expect(201)
  await admin('/clients', { id: 'shop', description: 'The shop' })
  const { body: issued } = await admin('/keys', { client: 'ops', name: 'night shift', scopes: ['admin'] })
  const { id, key } = issued as { id: string; key: string }
  await app.raw.post(`/unified/v1/admin/keys/${id}/revoke`).set(bearer(key)).expect(200)
  const { body } = await app.raw.get('/unified/v1/admin/audit').set(bearer(OPERATOR)).expect(200)
  const names = (body as { data: AuditEntryView[] }).data.map(({ action, actor_key_name: by, subject_name: of }) => [
    action,
    by,
    of,
  ])
  expect(names).toEqual([
    ['key.revoke', 'night shift', 'night shift'],
    ['key.create', null, 'night shift'],
    ['client.create', null, 'The shop'],
  ])
})
