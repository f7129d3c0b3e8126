import { rm } from 'node:fs/promises'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { startSandbox } from '../../src/sandbox/index.ts'
import { createSystemClock } from '../../src/core/time/clock.ts'
import { bearer, gatewayConfig, KEYS, runGateway, temporaryFolder, type ConfigDraft } from '../fakes/gateway.ts'

const Answer = z.looseObject({ id: z.string().optional(), code: z.string().optional(), backend: z.string().nullable() })
const PORTRAIT = { image_url: 'https://img.example/anna.png' }

/** A store with one running and one waiting video on `main`, and a way to start a gateway on it again. */
const withOpenVideos = async () => {
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
  const post = async (url: string, body: object) => {
    const response = await fetch(`${url}/unified/v1/videos`, {
      method: 'POST',
      headers: { ...bearer(KEYS.anna), 'content-type': 'application/json' },
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
