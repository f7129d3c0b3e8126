import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { skippedWithoutChromium } from '../../../test/fakes/chromium.ts'
import { KEYS } from '../../../test/fakes/gateway.ts'
import { asApp, rowOf } from './hooks-stage.ts'
import { useBrowser, visit } from './stage.ts'
import { emptyConsole, toldConsole } from './stories.ts'

/** What is the same on every page: whether it is live, its parts after an upgrade, its keys, its times, and what can be taken back. */

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const live = (page: Page) => page.getByText('Live', { exact: true }).waitFor()

const issued = (url: string, scopes: string[]) =>
  asApp(url, KEYS.anna).json<{ id: string; key: string }>('POST', '/admin/keys', { client: 'bert', scopes })

describe.skipIf(skippedWithoutChromium())('the frame', () => {
  const browser = useBrowser()

  test('is live for a key without events, too; says after five seconds that the gateway is away, and no more when it is back', async () => {
    const s = await toldConsole()
    const { key } = await issued(s.url, ['videos:read'])
    const pages = await Promise.all(
      [KEYS.anna, key].map(async (one) => {
        const prepare = (fresh: Page) => fresh.clock.install()
        return (await visit(browser(), s.url, { key: one, path: '/console/videos', allowed: /ERR_/, prepare })).page
      }),
    )
    const away = (page: Page) => page.getByRole('alert').filter({ hasText: 'What you see may be old.' })
    await Promise.all(pages.map(live))
    await Promise.all(pages.map((page) => rowOf(page, s.story.waiting).getByText('queued').waitFor()))
    await asApp(s.url).json('POST', `/videos/${s.story.waiting}/cancel`)
    for (const page of pages) {
      await page.clock.fastForward(5_000)
      await rowOf(page, s.story.waiting).getByText('canceled').waitFor()
    }
    await s.stop()
    for (const page of pages) {
      await page.getByText('Reconnecting…').waitFor()
      expect(await away(page).count()).toBe(0)
      await page.clock.fastForward(5_000)
      expect(await away(page).textContent()).toMatch(/Not live since \d\d:\d\d:\d\d/)
    }
    await s.restart()
    for (const page of pages) {
      await live(page)
      await away(page).waitFor({ state: 'detached' })
    }
  })

  test('a part that is gone since an upgrade: the page reloads once, then says so, and goes on when it is there', async () => {
    const { url } = await emptyConsole()
    const { page, asked } = await visit(browser(), url, { allowed: /404|dynamically/ })
    await heading(page, 'Overview').waitFor()
    const gone = /\/assets\/keys-[^/]*\.js$/
    await page.route(gone, (route) => route.fulfill({ status: 404 }))
    await page.getByRole('link', { name: 'Keys' }).click()
    await page.getByRole('alert').getByText('Reload: the gateway was updated').waitFor()
    expect(asked.filter((one) => gone.test(one))).toHaveLength(2)
    expect(asked.filter((one) => one === `${url}/console/keys`)).toHaveLength(1)
    // Other pages are whole.
    await page.getByRole('link', { name: 'Audit log' }).click()
    await heading(page, 'Audit log').waitFor()
    await page.getByRole('link', { name: 'Keys' }).click()
    await page.unroute(gone)
    await button(page, 'Try again').click()
    await heading(page, 'Keys').waitFor()
  })

  test('keys go to pages, to the search and from row to row, but not while somebody types', async () => {
    const { url } = await emptyConsole()
    for (const scopes of [['videos:read'], ['tts:create']]) await issued(url, scopes)
    const { page } = await visit(browser(), url)
    await heading(page, 'Overview').waitFor()
    await page.keyboard.press('g')
    await page.keyboard.press('k')
    await heading(page, 'Keys').waitFor()
    const row = () => page.evaluate<string>(`document.activeElement.closest('tr')?.textContent ?? ''`)
    await rowOf(page, 'tts:create').waitFor()
    for (const [key, text] of [
      ['j', 'tts:create'],
      ['j', 'videos:read'],
      ['k', 'tts:create'],
    ] as const) {
      await page.keyboard.press(key)
      expect(await row()).toContain(text)
    }
    await page.keyboard.press('Control+k')
    expect(await page.getByRole('option').first().textContent()).toBe('OverviewRecent')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    await page.keyboard.press('/')
    await page.keyboard.type('gv?/')
    expect(await page.getByLabel('Client').inputValue()).toBe('gv?/')
    await heading(page, 'Keys').waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keys' }).getByText('Side by side').waitFor()
    await page.keyboard.press('c')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    await page.keyboard.press('c')
    await page.getByRole('dialog', { name: 'Issue a key' }).waitFor()
  })

  test('times are relative, local or in UTC, and exact where they are copied', async () => {
    const { url } = await emptyConsole()
    await issued(url, ['videos:read'])
    const { page } = await visit(browser(), url, { path: '/console/audit' })
    const time = page.getByRole('row').locator('time').first()
    const at = await time.getAttribute('datetime')
    expect(await time.textContent()).toMatch(/ago$|^now$/)
    expect(await time.getAttribute('title')).toContain(at)
    await button(page, 'Times: relative').click()
    await button(page, 'Times: local').click()
    await button(page, 'Times: UTC').waitFor()
    expect(await time.textContent()).toBe(at?.slice(11, 19))
    const copied = await page.evaluate<string>(`new Promise((resolve) => {
      getSelection().selectAllChildren(document.querySelector('tbody tr'))
      document.addEventListener('copy', ({ clipboardData }) => resolve(clipboardData.getData('text/plain')))
      document.execCommand('copy')
    })`)
    expect(copied).toContain(at)
    expect(copied).toContain('key.create')
    await page.reload()
    await button(page, 'Times: UTC').waitFor()
  })

  test('what is taken back within five seconds was never sent; who leaves the page or the tab has decided', async () => {
    const { url } = await emptyConsole()
    const anna = asApp(url, KEYS.anna)
    for (const id of ['shop', 'school']) await anna.json('POST', '/admin/clients', { id })
    const { page, asked } = await visit(browser(), url, { path: '/console/clients' })
    const isEnabled = async (id: string) =>
      (await anna.json<{ enabled: boolean }>('GET', `/admin/clients/${id}`)).enabled
    await button(page, 'Disable shop').click()
    await page.getByText('Disable shop: its keys are refused').waitFor()
    await button(page, 'Undo').click()
    await page.getByText('Disable shop: its keys are refused').waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Keys' }).click()
    await heading(page, 'Keys').waitFor()
    expect(asked.filter((one) => one.endsWith('/shop'))).toEqual([])
    await page.getByRole('link', { name: 'Clients' }).click()
    await button(page, 'Disable shop').click()
    await page.getByRole('link', { name: 'Keys' }).click()
    await expect.poll(() => isEnabled('shop')).toBe(false)
    await page.getByRole('link', { name: 'Clients' }).click()
    await button(page, 'Disable school').click()
    await page.close({ runBeforeUnload: true })
    await expect.poll(() => isEnabled('school')).toBe(false)
  })
})
