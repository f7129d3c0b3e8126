import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { skippedWithoutChromium } from '../../../test/fakes/chromium.ts'
import { KEYS } from '../../../test/fakes/gateway.ts'
import { useBrowser, visit } from './stage.ts'
import { useToldConsole } from './stories.ts'

const field = (page: Page) => page.getByRole('combobox', { name: 'An id, a name or a page' })
const options = (page: Page) => page.getByRole('listbox', { name: 'What was found' }).getByRole('option')
const open = async (page: Page): Promise<void> => {
  // The previous one may still be closing when the address has changed.
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.keyboard.press('Control+k')
  await field(page).waitFor()
}

describe.skipIf(skippedWithoutChromium())('find anything', () => {
  const browser = useBrowser()
  const told = useToldConsole()

  test('by its id, with the keyboard alone', async () => {
    const { url, story } = told()
    const { page } = await visit(browser(), url)
    for (const [id, path] of [
      [story.completed, `/console/videos/${story.completed}`],
      [story.endpoint, `/console/webhooks/${story.endpoint}`],
      [story.delivery, `/console/webhooks/deliveries/${story.delivery}`],
      [story.key, `/console/audit?subject=${story.key}`],
      ['evt_0123456789abcdef', '/console/webhooks/deliveries?event=evt_0123456789abcdef'],
    ] as const) {
      await open(page)
      await page.keyboard.type(` ${id} `)
      await page.keyboard.press('Enter')
      await page.waitForURL(url + path)
    }
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
  })

  test('a page, a backend, a client’s videos, and videos by their metadata', async () => {
    const { url, story } = told()
    const { page } = await visit(browser(), url, { path: '/console/videos' })
    for (const [typed, path] of [
      ['audit', '/console/audit'],
      ['alt', '/console/backends/alt'],
      ['sho', '/console/videos?client=shop'],
      ['order=1001', '/console/videos?find=order%3D1001'],
    ] as const) {
      await open(page)
      await field(page).fill(typed)
      await options(page).first().waitFor()
      // Names are read when it is opened.
      await expect.poll(async () => (await options(page).first().textContent())?.toLowerCase()).toContain(typed)
      await page.keyboard.press('Enter')
      await page.waitForURL(url + path)
    }
    await page.getByRole('row').getByRole('link', { name: story.completed }).waitFor()
  })

  test('is a combobox in a dialog that keeps the focus: arrows choose, Escape closes and gives the focus back', async () => {
    const { url } = told()
    const { page } = await visit(browser(), url)
    const button = page.getByRole('button', { name: 'Find anything' })
    await button.focus()
    await page.keyboard.press('Enter')
    await field(page).waitFor()
    // The page behind it has lists of its own.
    const option = page.getByRole('dialog').getByRole('option', { selected: true })
    const chosen = () => option.textContent()
    const first = await chosen()
    await page.keyboard.press('ArrowDown')
    const second = await chosen()
    expect(second).not.toBe(first)
    const active = await field(page).getAttribute('aria-activedescendant')
    expect(await option.getAttribute('id')).toBe(active)
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('ArrowUp')
    expect(await chosen()).toContain('Sign out')
    for (let n = 0; n < 3; n += 1) {
      await page.keyboard.press('Tab')
      expect(
        await page.evaluate(`document.activeElement === document.body || !!document.activeElement.closest('dialog')`),
      ).toBe(true)
    }
    await page.keyboard.press('Escape')
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
    expect(await page.evaluate(`document.activeElement.textContent`)).toContain('Find anything')
    // The same key again opens it once.
    await page.keyboard.press('Control+k')
    await page.keyboard.press('Control+k')
    await field(page).waitFor()
    expect(await page.getByRole('dialog').count()).toBe(1)
    // Somebody else may have taken the focus by then.
    await page.evaluate(`{ document.querySelector('dialog').close(); document.querySelector('nav a').focus() }`)
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
    expect(await page.evaluate(`document.activeElement.textContent`)).toBe('Overview')
  })

  test('changes the colours, and signs out', async () => {
    const { url } = told()
    const { page } = await visit(browser(), url)
    await open(page)
    await page.keyboard.type('colours')
    await page.keyboard.press('Enter')
    expect(await page.evaluate('document.documentElement.dataset.theme')).toBe('light')
    await open(page)
    await page.keyboard.type('sign out')
    await page.keyboard.press('Enter')
    await page.getByLabel('Gateway key').waitFor()
  })

  test('pauses a backend, for a reason, and resumes it', async () => {
    const { url } = told()
    const { page } = await visit(browser(), url)
    await open(page)
    await field(page).fill('pause alt')
    await expect.poll(() => options(page).first().textContent()).toBe('Pause altDo')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Pause alt?' }).getByLabel('Reason').fill('too slow')
    await page.getByRole('button', { name: 'Pause alt' }).click()
    await page.getByText('alt is paused').first().waitFor()
    await open(page)
    await field(page).fill('resume alt')
    await expect.poll(() => options(page).first().textContent()).toBe('Resume altDo')
    await page.keyboard.press('Enter')
    await page.getByText('alt is resumed').waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)
  })

  test('a client finds no client, no key and no operator’s page, and asks for none', async () => {
    const { url, story } = told()
    const { page, asked } = await visit(browser(), url, { key: KEYS.bert })
    await open(page)
    for (const typed of ['shop', story.key, 'audit', 'anna']) {
      await field(page).fill(typed)
      expect((await options(page).allTextContents()).filter((text) => !text.includes('metadata'))).toEqual([])
    }
    expect(asked.filter((one) => one.includes('/admin/'))).toEqual([])
  })

  test('is loaded when it is asked for, and shows what is typed as text', async () => {
    const { url } = told()
    const { page, asked } = await visit(browser(), url)
    await page.getByRole('heading', { level: 1 }).waitFor()
    const scripts = () => asked.filter((one) => one.endsWith('.js')).length
    const before = scripts()
    await open(page)
    expect(scripts()).toBeGreaterThan(before)
    const hostile = `<img src=x onerror="document.title='broken in'">`
    await field(page).fill(hostile)
    await expect.poll(() => options(page).last().textContent()).toContain(hostile)
    expect(await page.title()).not.toContain('broken')
  })
})
