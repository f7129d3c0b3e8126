import { OPERATOR } from '../fakes/access.ts'
import { rm } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { splitsOf } from '../../src/engine/routing/rules.ts'
import { createEndings } from '../fakes/ended-videos.ts'
import { bearer, gatewayConfig, KEYS, runGateway, temporaryFolder } from '../fakes/gateway.ts'
import { must } from '../fakes/must.ts'
import { HANG_MS } from '../fakes/until.ts'
import { startReceiver } from '../fakes/receiver.ts'

/** Splits while the gateway serves: the loop, a reload, a restart, and who is told. */

/** Nothing is asked of a backend here. */
const NOWHERE = { main: 'http://127.0.0.1:9', alt: 'http://127.0.0.1:9' }
const rule = (alt: number) => ({
  split: { main: 100 - alt, alt },
  stop_if: { failure_rate: 0.5, of: 4, window: '1h' },
})
const CLIENTS = [
  { id: 'anna', key: KEYS.anna, scopes: ['admin', 'webhooks:read', 'webhooks:write'] },
  { id: 'bert', key: KEYS.bert, scopes: ['videos:create', 'webhooks:read', 'webhooks:write'] },
]

const stage = async () => {
  const dir = await temporaryFolder()
  const receiver = await startReceiver()
  const configured = (rules: object[]) =>
    gatewayConfig(dir, NOWHERE, {
      routing: { rules },
      clients: CLIENTS,
      webhooks: { allow: [{ cidr: '127.0.0.0/8', http: true }] },
    })
  const first = await runGateway(configured([rule(10)]))
  let now = first.gateway
  const logs = [first.logs]
  onTestFinished(async () => {
    await now.close()
    await receiver.close()
    await rm(dir, { recursive: true, force: true })
  })
  return {
    receiver,
    configured,
    logs: () => logs.flat().join(''),
    now: () => now,
    weight: () => {
      const { rules, splits } = now.deps.routing
      return splits.weightOf(must(splitsOf(rules)[0]))
    },
    key: must(splitsOf(first.gateway.deps.routing.rules)[0]).key,
    async restart() {
      await now.close()
      const again = await runGateway(configured([rule(10)]))
      logs.push(again.logs)
      now = again.gateway
    },
    register: (client: keyof typeof KEYS) =>
      fetch(`${now.url}/unified/v1/webhook_endpoints`, {
        method: 'POST',
        headers: { ...bearer(KEYS[client]), 'content-type': 'application/json' },
        body: JSON.stringify({ url: `${receiver.url}/${client}` }),
      }).then(({ status }) => status),
    async failFour() {
      const { store, clock } = now.deps
      const options = { endedAtMs: clock.now(), backend: 'alt', status: 'failed' } as const
      await createEndings(store)(4, must(splitsOf(now.deps.routing.rules)[0]).key, options)
    },
  }
}

test('a canary stops itself while the gateway serves, and whoever may act on it is told, once', async () => {
  const { receiver, register, failFour, weight, logs, restart, now, key } = await stage()
  expect([await register('anna'), await register('bert')]).toEqual([201, 201])
  expect(weight()).toBe(10)
  await failFour()
  await expect.poll(weight, { timeout: HANG_MS }).toBe(0)
  const [hook] = await receiver.received(1)
  expect(hook?.url).toBe('/anna')
  expect(JSON.parse(hook?.body ?? '')).toMatchObject({ type: 'routing.stopped', data: { rule: key, weight: 10 } })
  expect(logs().match(/a canary stopped itself/g)).toHaveLength(1)
  await restart()
  expect(weight()).toBe(0)
  expect(receiver.requests).toHaveLength(1)
  await now().deps.routing.splits.refresh()
  expect(logs().match(/a canary stopped itself/g)).toHaveLength(1)
})

test('a reload goes on with what is in the store, keyed by the rule, and not by its place or weight', async () => {
  const { configured, now, weight } = await stage()
  await now().deps.routing.migration.step(null, OPERATOR, true)
  expect(weight()).toBe(25)
  await now().reload(configured([rule(50)]))
  expect(weight()).toBe(25)
  // Another split: about other requests.
  await now().reload(configured([{ ...rule(50), when: { client: 'anna' } }]))
  expect(weight()).toBe(50)
  await now().reload(configured([rule(10)]))
  expect(weight()).toBe(25)
})

test('another process that steps is heard of within two seconds', async () => {
  const { now, weight, key } = await stage()
  const { path } = now().deps.config.store
  const db = new DatabaseSync(path)
  onTestFinished(() => db.close())
  const state = { key, version: 1, weight: 50, steppedAtMs: 1, steppedBy: 'other', resumedAtMs: null, stopped: null }
  db.prepare('INSERT INTO splits VALUES (?, 1, ?)').run(key, JSON.stringify(state))
  await expect.poll(weight, { timeout: HANG_MS }).toBe(50)
})
