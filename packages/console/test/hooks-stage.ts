import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { bearer, KEYS } from '../../../test/fakes/gateway.ts'
import { must } from '../../../test/fakes/must.ts'
import { HOSTILE } from './story.ts'

/** What an app does beside the page, with a key of its own. */
export const asApp = (url: string, key: string = KEYS.bert) => {
  const call = (method: string, path: string, body?: object, headers: Record<string, string> = {}) =>
    fetch(`${url}/unified/v1${path}`, {
      method,
      headers: { ...bearer(key), ...(body && { 'content-type': 'application/json' }), ...headers },
      ...(body && { body: JSON.stringify(body) }),
    })
  return {
    call,
    async json<T>(method: string, path: string, body?: object, headers?: Record<string, string>): Promise<T> {
      const answer = await call(method, path, body, headers)
      expect(answer.ok, `${method} ${path} answered ${answer.status}`).toBe(true)
      return (await answer.json()) as T
    },
    /** Makes a video, and waits until it has ended. */
    async video(): Promise<string> {
      const body = { puppet_id: 'alt:pup_ada', text: 'Good morning.' }
      const { id, status } = await this.json<{ id: string; status: string }>('POST', '/videos', body, {
        prefer: 'wait=60',
      })
      expect(status).toBe('completed')
      return id
    },
  }
}

/** Remembers what the API answered this page, but for streams, which do not end. */
export const hearing = (page: Page) => {
  const bodies: Promise<string>[] = []
  page.on('response', (response) => {
    const url = response.url()
    // Of a page that was left meanwhile, nothing can be read any more.
    if (url.includes('/console/api/') && !url.includes('/events/stream')) bodies.push(response.text().catch(() => ''))
  })
  return {
    forget: () => void bodies.splice(0),
    all: async (): Promise<string> => (await Promise.all(bodies)).join('\n'),
  }
}

const KEPT = 'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, history.state])'

/** A secret that was shown once is nowhere any more: not on the page, in its address, in storage, or in what it was answered. */
export const expectForgotten = async (page: Page, secret: string, heard: ReturnType<typeof hearing>): Promise<void> => {
  expect(secret.length).toBeGreaterThan(20)
  const answers = await heard.all()
  // It was asked for something, or the test would prove nothing.
  expect(answers).toContain('"object":"list"')
  const places = { page: await page.content(), url: page.url(), kept: await page.evaluate<string>(KEPT), answers }
  expect(Object.entries(places).filter(([, text]) => text.includes(secret))).toEqual([])
}

/** The text of the one block of code of this name. */
export const codeOf = async (page: Page, name: string): Promise<string> =>
  must(await page.getByRole('region', { name }).textContent()).trim()

/** Stored text stands there as text: whole, and as no element. */
export const expectText = async (page: Page): Promise<void> => {
  await page.getByText(HOSTILE).first().waitFor()
  expect(await page.title()).not.toContain('broken in')
  expect(await page.locator('main img, main script').count()).toBe(0)
}

/** The row of a table that has this text. */
export const rowOf = (page: Page, text: string | RegExp) => page.getByRole('row').filter({ hasText: text })
