import { rm } from 'node:fs/promises'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { startSandbox } from '@talkbridge/sandbox'
import { createSystemClock } from '../../src/core/time/clock.ts'
import { bearer, gatewayConfig, KEYS, runGateway, temporaryFolder, type ConfigDraft } from '../fakes/gateway.ts'

const Answer = z.looseObject({ id: z.string().optional(), code: z.string().optional(), backend: z.string().nullable() })
const PORTRAIT = { image_url: 'https://img.example/anna.png' }

/** Asks as an operator does. */
const admin = async (url: string, method: 'POST' | 'DELETE', path: string, body?: object): Promise<string> => {
  const headers = { ...bearer(KEYS.anna), ...(body && { 'content-type': 'application/json' }) }
  const init = { method, headers, ...(body && { body: JSON.stringify(body) }) }
  const response = await fetch(`${url}/unified/v1/admin${path}`, init)
  if (!response.ok) throw new Error(`${path} answered ${response.status}`)
  return response.text()
}

/** A store with one running and one waiting video on `main`, and a way to start a gateway on it again. */
const withOpenVideos = async (keyOf = async (_url: string): Promise<string> => KEYS.anna) => {
  const dir = await temporaryFolder()
  const sandbox = await startSandbox({ clock: createSystemClock(), speed: 1, unlimitedRate: true })
  const main = { base_url: sandbox.primaryUrl, api_key: sandbox.primaryKey, slots: 1 }
  const urls = { main: sandbox.primaryUrl, alt: sandbox.alternateUrl }
  onTestFinished(async () => {
    await sandbox.close()
    await rm(dir, { recursive: true, force: true })
  })
  const start = (draft: ConfigDraft = {}) => runGateway(gatewayConfig(dir, urls, { backends: { main }, ...draft }))
  const { gateway } = await start()
  const key = await keyOf(gateway.url)
  const post = async (url: string, body: object) => {
    const response = await fetch(`${url}/unified/v1/videos`, {
      method: 'POST',
      headers: { ...bearer(key), 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const answer = Answer.parse(await response.json())
    return { status: response.status, answer }
  }
  const running = await post(gateway.url, { ...PORTRAIT, text: '[[stuck]] one' })
  const waiting = await post(gateway.url, { ...PORTRAIT, text: 'two' })
  expect([running.status, waiting.status]).toEqual([202, 202])
  await gateway.close()
  return { main, start, post, ids: { running: String(running.answer.id), waiting: String(waiting.answer.id) } }
}

test('a backend that was re-keyed under open videos is refused, and says what to do', async () => {
  const { main, start, ids } = await withOpenVideos()
  await expect(start({ backends: { main: { ...main, api_key: 'another-key' } } })).rejects.toThrow(
    /backend main has 2 open video\(s\).*drain: true/,
  )
  const { gateway } = await start()
  expect(await gateway.deps.videos.byId(ids.running)).toMatchObject({ phase: 'accepted' })
  await gateway.close()
})

test('a draining backend keeps its videos and takes no new ones', async () => {
  const { main, start, post, ids } = await withOpenVideos()
  const { gateway } = await start({
    backends: {
      main: { ...main, drain: true },
      alt: { interface: 'primary', base_url: main.base_url, api_key: 'fresh-key' },
    },
  })
  expect(await gateway.deps.videos.byId(ids.running)).toMatchObject({ phase: 'accepted' })
  const pinned = await post(gateway.url, { ...PORTRAIT, text: 'three', backend: 'main' })
  expect(pinned).toMatchObject({ status: 503, answer: { code: 'backend_unavailable', backend: 'main' } })
  // The other one is chosen instead; its key is unknown to the sandbox, which shows who was asked.
  const passed = await post(gateway.url, { ...PORTRAIT, text: 'four' })
  expect(passed).toMatchObject({ status: 502, answer: { code: 'backend_credentials_rejected', backend: 'alt' } })
  await gateway.close()
})

test('what a removed client has waiting is canceled; what runs for it goes on', async () => {
  const { start, ids } = await withOpenVideos()
  const { gateway } = await start({ clients: [{ id: 'bert', key: KEYS.bert }] })
  expect(await gateway.deps.videos.byId(ids.waiting)).toMatchObject({ status: 'canceled' })
  expect(await gateway.deps.videos.byId(ids.running)).toMatchObject({ phase: 'accepted' })
  await gateway.close()
})

test('what a client of the API has waiting outlives restarts, and the client itself', async () => {
  const { start, ids } = await withOpenVideos(async (url) => {
    await admin(url, 'POST', '/clients', { id: 'shop' })
    const issued = await admin(url, 'POST', '/keys', { client: 'shop', scopes: ['*'] })
    return z.object({ key: z.string() }).parse(JSON.parse(issued)).key
  })
  const isOpen = async () => {
    const { gateway } = await start()
    expect(await gateway.deps.videos.byId(ids.waiting)).toMatchObject({ client: 'shop', phase: 'waiting' })
    expect(await gateway.deps.videos.byId(ids.running)).toMatchObject({ client: 'shop', phase: 'accepted' })
    return gateway
  }
  const gateway = await isOpen()
  await admin(gateway.url, 'DELETE', '/clients/shop')
  await gateway.close()
  await (await isOpen()).close()
})
