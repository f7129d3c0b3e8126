import { describe, expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { skippedWithoutChromium } from '../../../test/fakes/chromium.ts'
import { bearer, KEYS } from '../../../test/fakes/gateway.ts'
import { useBrowser, visit } from './stage.ts'
import { useToldConsole } from './stories.ts'

/** Who comes, stays, and is sent away. */

const WRONG = 'tb_nobody_0123456789abcdef'

const enter = async (page: Page, key: string): Promise<void> => {
  await page.getByLabel('Gateway key').fill(key)
  await page.getByRole('button', { name: 'Sign in' }).click()
}
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })

/** All that a page could keep for itself. */
const KEPT = `JSON.stringify([location.href, document.cookie, { ...localStorage }, { ...sessionStorage }])`

describe.skipIf(skippedWithoutChromium())('signing in', () => {
  const browser = useBrowser()
  const told = useToldConsole()

  test('a wrong key is refused in words; the right one opens the page that was asked for', async () => {
    const { url } = told()
    const { page } = await visit(browser(), url, { key: null, path: '/console/webhooks', allowed: /401/ })
    await enter(page, WRONG)
    await page.getByRole('alert').getByText('the gateway does not know this key').waitFor()
    await enter(page, KEYS.anna)
    await heading(page, 'Webhooks').waitFor()
    expect(new URL(page.url()).pathname).toBe('/console/webhooks')
  })

  test('the key is kept nowhere in the page; a reload goes on; no script sees the cookie', async () => {
    const { url } = told()
    const { page } = await visit(browser(), url, { key: null })
    await enter(page, KEYS.bert)
    await heading(page, 'Overview').waitFor()
    await page.reload()
    await heading(page, 'Overview').waitFor()
    expect(await page.evaluate(KEPT)).not.toContain(KEYS.bert)
    expect(await page.evaluate('document.cookie')).toBe('')
    const [cookie, ...others] = await page.context().cookies()
    expect(others).toEqual([])
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/console', secure: false })
  })

  test('who signs out is out, also on going back', async () => {
    const { url } = told()
    const { page } = await visit(browser(), url, { path: '/console/videos' })
    await heading(page, 'Videos').waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByLabel('Gateway key').waitFor()
    await page.goto(`${url}/console/keys`)
    await page.getByLabel('Gateway key').waitFor()
    expect(await page.locator('nav').count()).toBe(0)
  })

  test('a key that is revoked ends the session of a page that only listens; a new one goes on where it was', async () => {
    const { url } = told()
    const ask = async (path: string, body: object): Promise<{ id: string; key: string }> => {
      const answer = await fetch(`${url}/unified/v1/admin/keys${path}`, {
        method: 'POST',
        headers: { ...bearer(KEYS.anna), 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      expect(answer.ok).toBe(true)
      return (await answer.json()) as { id: string; key: string }
    }
    for (const scopes of [['videos:read', 'webhooks:read'], ['videos:read']]) {
      const issued = await ask('', { client: 'bert', scopes })
      const prepare = (fresh: Page) => fresh.clock.install()
      // The page asks once more to find out, and is told.
      const options = { key: issued.key, path: '/console/videos', allowed: /401/, prepare }
      const { page } = await visit(browser(), url, options)
      await heading(page, 'Videos').waitFor()
      await page.getByText('Live', { exact: true }).waitFor()
      // By itself it would look only later: the end of the stream is what it hears of.
      await page.clock.pauseAt(Date.now() + 1_000)
      await ask(`/${issued.id}/revoke`, {})
      await page.getByText('Your session has ended').waitFor()
      await enter(page, KEYS.bert)
      await heading(page, 'Videos').waitFor()
    }
  })
})
