import { rm } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import type { Deps } from '../../../src/deps.ts'
import {
  bearer,
  gatewayConfig,
  KEYS,
  runGateway,
  temporaryFolder,
  type ConfigDraft,
} from '../../../test/fakes/gateway.ts'
import { HANG_MS } from '../../../test/fakes/until.ts'
import { STORY_CONFIG } from './story.ts'

/** Nothing is asked of a backend there. */
const NOWHERE = { main: 'http://127.0.0.1:9', alt: 'http://127.0.0.1:9' }

/** A gateway in front of no backend, whose store a test writes to. Gone when the test ends. */
export const bareConsole = async (config: ConfigDraft = {}): Promise<{ url: string; deps: Deps }> => {
  const dir = await temporaryFolder()
  onTestFinished(() => rm(dir, { recursive: true, force: true }))
  const { gateway } = await runGateway(gatewayConfig(dir, NOWHERE, { ...STORY_CONFIG, routing: {}, ...config }))
  onTestFinished(() => gateway.close().then(() => undefined))
  return { url: gateway.url, deps: gateway.deps }
}

/** What the API answers. */
export const apiOf =
  (url: string, key: string) =>
  async (path: string, body?: object): Promise<unknown> => {
    const init = body && { method: 'POST', body: JSON.stringify(body) }
    const headers = { ...bearer(key), ...(body && { 'content-type': 'application/json' }) }
    const answer = await fetch(`${url}/unified/v1${path}`, { ...init, headers })
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
    return answer.json()
  }
export const asAnna = (url: string) => apiOf(url, KEYS.anna)
export const asBert = (url: string) => apiOf(url, KEYS.bert)

const LISTENS = `
  window.heard = []
  window.reads = []
  const realFetch = window.fetch
  window.fetch = (input, init) => {
    window.reads.push(typeof input === 'string' ? input : input.url)
    return realFetch(input, init)
  }
  const Real = window.EventSource
  window.EventSource = class extends Real {
    addEventListener(type, listener, options) {
      super.addEventListener(type, (event) => { window.heard.push(type); listener(event) }, options)
    }
  }`

/** Before a page is opened: its time can be stopped, and what it hears is written down. */
export const watchable = async (page: Page): Promise<void> => {
  await page.clock.install()
  await page.addInitScript(LISTENS)
}

const AHEAD_MS = 1_000
const STEP_MS = 100

/**
 * Stops the time of the page, just after it read this by itself: for the next two seconds of its time nothing but an event
 * can make it read again.
 */
export const standStill = async (page: Page, read: RegExp): Promise<void> => {
  await page.clock.pauseAt(Date.now() + AHEAD_MS)
  await page.evaluate('window.reads.length = 0')
  const answered = page.waitForResponse((response) => read.test(response.url()))
  const hasAsked = (): Promise<boolean> => page.evaluate(`window.reads.some((url) => ${String(read)}.test(url))`)
  // Asked in the page itself: news of its network comes later, and each step brings the next read by itself nearer.
  while (!(await hasAsked())) await page.clock.runFor(STEP_MS)
  await answered
}

/** Until the page has heard such an event of its stream. */
export const heard = (page: Page, type: string): Promise<void> =>
  expect.poll(() => page.evaluate(`window.heard.includes(${JSON.stringify(type)})`), { timeout: HANG_MS }).toBe(true)

/** What the API answers to the page, changed on the way: with words that no gateway of a test would find. */
export const changing = (
  page: Page,
  url: RegExp,
  change: (answer: Record<string, unknown>) => Record<string, unknown>,
): Promise<unknown> =>
  page.route(url, async (route) => {
    // A page that is closed meanwhile needs no answer.
    const response = await route.fetch().catch(() => null)
    if (!response) return
    const answer = (await response.json()) as Record<string, unknown>
    await route.fulfill({ response, json: change(answer) }).catch(() => undefined)
  })
