import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { skippedWithoutChromium } from '../../../test/fakes/chromium.ts'
import { KEYS } from '../../../test/fakes/gateway.ts'
import { asApp, codeOf, expectForgotten, expectText, hearing, rowOf } from './hooks-stage.ts'
import { useBrowser, visit } from './stage.ts'
import { emptyConsole } from './stories.ts'
import { HOSTILE } from './story.ts'

/** Keys, clients, usage and the audit log, as an operator uses them; and what a client sees in their place. */

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })
const inDialog = (page: Page, name: string) => page.getByRole('dialog').getByRole('button', { name, exact: true })

/** What a request with this key is answered. */
const statusWith = async (url: string, key: string): Promise<number> =>
  (await asApp(url, key).call('GET', '/videos?limit=1')).status

/** Within a second, and not at once: other processes hear of it so. */
const refusedSoon = async (url: string, key: string): Promise<void> => {
  await expect.poll(() => statusWith(url, key), { timeout: 120_000 }).toBe(401)
}

/** Fills the form, and answers the key. */
const issue = async (page: Page, client: string, name: string): Promise<string> => {
  await button(page, 'Issue a key').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Client', { exact: true }).fill(client)
  await dialog.getByLabel('Name', { exact: true }).fill(name)
  await dialog.getByLabel('Expires').selectOption('In 90 days')
  await inDialog(page, 'Issue key').click()
  const key = await codeOf(page, 'the key')
  await inDialog(page, 'I have copied it').click()
  return key
}

describe.skipIf(skippedWithoutChromium())('keys, clients and the audit log', () => {
  const browser = useBrowser()

  test('a key is issued, used, rotated with an overlap, and revoked; it is shown once', async () => {
    const { url } = await emptyConsole()
    const { page } = await visit(browser(), url, { path: '/console/keys' })
    await page.getByText('No keys yet').waitFor()
    const heard = hearing(page)
    const first = await issue(page, 'bert', HOSTILE)
    expect(first).toMatch(/^tb_live_/)
    await expectText(page)
    const row = rowOf(page, `…${first.slice(-4)}`)
    await row.getByText('active').waitFor()
    expect(await row.textContent()).toContain('voices:read, videos:read, videos:create, webhooks:read, webhooks:write')
    expect(await statusWith(url, first)).toBe(200)
    heard.forget()
    await page.reload()
    await row.waitFor()
    await expectForgotten(page, first, heard)

    await row.getByRole('button', { name: /^Rotate/ }).click()
    await page.getByLabel('The old key works for').selectOption('One hour')
    await inDialog(page, 'Rotate key').click()
    const second = await codeOf(page, 'the key')
    await page.getByText(/The old key works until \d/).waitFor()
    await inDialog(page, 'I have copied it').click()
    await row.getByText('rotated: both work until then').waitFor()
    expect([await statusWith(url, first), await statusWith(url, second)]).toEqual([200, 200])

    const newest = rowOf(page, `…${second.slice(-4)}`)
    await newest.getByRole('button', { name: /^Revoke/ }).click()
    await page.getByRole('dialog').getByText('The gateway refuses every request of bert with this key').waitFor()
    await inDialog(page, 'Revoke key').click()
    await newest.getByText('revoked', { exact: true }).waitFor()
    expect(await newest.getByRole('button').count()).toBe(0)
    await refusedSoon(url, second)
    expect(await statusWith(url, first)).toBe(200)
  })

  test('an operator without all scopes is offered none that it lacks', async () => {
    const { url } = await emptyConsole()
    const issued = { client: 'anna', name: 'night shift', scopes: ['admin', 'videos:read'] }
    const { key } = await asApp(url, KEYS.anna).json<{ key: string }>('POST', '/admin/keys', issued)
    const { page } = await visit(browser(), url, { key, path: '/console/keys', allowed: /400/ })
    await button(page, 'Issue a key').click()
    const boxes = await page.getByRole('dialog').getByRole('checkbox').all()
    expect(boxes).toHaveLength(2)
    await page.getByLabel('Client', { exact: true }).last().fill('nobody')
    await inDialog(page, 'Issue key').click()
    await page.getByText('there is no client with this id').waitFor()
    // The audit log has the name of the key, both as what was made and as who did something.
    await asApp(url, key).call('POST', '/admin/clients', { id: 'shop' })
    await page.goto(`${url}/console/audit`)
    await rowOf(page, 'client.create')
      .getByRole('cell', { name: /night shift/ })
      .waitFor()
    await rowOf(page, 'key.create').locator('[data-label=To]').getByText('night shift', { exact: true }).waitFor()
  })

  test('a client is made, given a key, edited, disabled, enabled and deleted; one of the file is not', async () => {
    const { url } = await emptyConsole()
    const { page } = await visit(browser(), url, { path: '/console/clients' })
    await rowOf(page, 'from the file').first().waitFor()
    expect(await page.getByRole('table', { name: 'Clients' }).getByRole('button').count()).toBe(0)
    await button(page, 'Create a client').click()
    await page.getByLabel('Id', { exact: true }).fill('shop')
    await page.getByLabel('Description').fill(HOSTILE)
    await page.getByLabel('Videos a month').fill('50')
    await inDialog(page, 'Create client').click()
    await expectText(page)
    const row = page.getByRole('table', { name: 'Clients' }).getByRole('row').filter({ hasText: 'shop' })
    await row.getByText('videos a month: 50').waitFor()
    const body = { client: 'shop', scopes: ['videos:read'] }
    const { key } = await asApp(url, KEYS.anna).json<{ key: string }>('POST', '/admin/keys', body)
    expect(await statusWith(url, key)).toBe(200)

    await button(page, 'Edit shop').click()
    await page.getByLabel('Videos a month').fill('')
    await page.getByLabel('Requests a minute').fill('1200')
    await inDialog(page, 'Save').click()
    await row.getByText('1,200 requests a minute · videos a month: no limit').waitFor()

    await button(page, 'Disable shop').click()
    await row.getByText('disabled').waitFor()
    await refusedSoon(url, key)
    await button(page, 'Enable shop').click()
    await row.getByText('enabled').waitFor()
    await expect.poll(() => statusWith(url, key), { timeout: 120_000 }).toBe(200)

    await button(page, 'Delete shop').click()
    await page.getByRole('dialog', { name: 'Delete shop?' }).waitFor()
    await inDialog(page, 'Delete client').click()
    await row.waitFor({ state: 'detached' })
    await refusedSoon(url, key)

    // Who did all that: newest first, with filters in the address.
    await page.getByRole('link', { name: 'Audit log' }).click()
    const did = async (): Promise<string[]> =>
      (await page.getByRole('row').locator('[data-label=Did]').allTextContents()).map((text) => text.trim())
    await rowOf(page, 'client.delete').getByRole('cell', { name: /^anna/ }).waitFor()
    expect(await did()).toEqual([
      'client.delete',
      'client.update',
      'client.update',
      'client.update',
      'key.create',
      'client.create',
    ])
    await page.getByLabel('Did').selectOption('key.create')
    await page.waitForURL(/\?action=key\.create$/)
    await rowOf(page, 'client.delete').waitFor({ state: 'detached' })
    await rowOf(page, 'key.create').waitFor()
    expect(await did()).toEqual(['key.create'])
    await page.reload()
    await rowOf(page, 'key.create').waitFor()
    await page.getByLabel('Who').fill('nobody')
    await page.getByLabel('Who').press('Enter')
    await page.getByText('No entry matches').waitFor()
  })

  test('usage of all in a month, and its file', async () => {
    const { url } = await emptyConsole()
    // Of another backend, which reports credits: who costs most is first.
    await asApp(url, KEYS.anna).video()
    const paid = { image_url: 'https://example.com/bert.png', text: 'This one is paid.' }
    await asApp(url).json('POST', '/videos', paid, { prefer: 'wait=60' })
    await asApp(url).video()
    const { page } = await visit(browser(), url, { path: '/console/clients' })
    const usage = page.getByRole('table', { name: /^Usage in/ })
    const row = usage.getByRole('row').filter({ hasText: 'bert' })
    await row.waitFor()
    expect(await row.getByRole('cell').allTextContents()).toEqual([
      'bert',
      '1',
      'alt not reported · main 1',
      '2',
      '2',
      '0',
      expect.stringMatching(/^\d+$/),
    ])
    expect((await usage.getByRole('row').allTextContents())[1]).toContain('bert')
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download as CSV' }).click(),
    ])
    expect(file.suggestedFilename()).toMatch(/\.csv$/)
    await page.getByLabel('Month').selectOption({ index: 1 })
    await page.waitForURL(/\?month=\d{4}-\d{2}$/)
    await page.getByText('No client did anything in this month').waitFor()
  })

  test('a client sees its own month in their place, and nothing of others', async () => {
    const { url } = await emptyConsole()
    await asApp(url, KEYS.anna).video()
    const bert = asApp(url)
    for (let n = 0; n < 2; n += 1) await bert.video()
    const { page, asked } = await visit(browser(), url, { key: KEYS.bert, path: '/console/usage' })
    const heard = hearing(page)
    const meter = page.getByRole('meter', { name: 'Videos of the month' })
    await meter.waitFor()
    expect(await meter.getAttribute('aria-valuenow')).toBe('2')
    expect(await meter.getAttribute('aria-valuemax')).toBe('1000')
    // Live: nobody reloads.
    await bert.video()
    await page.getByText('3 of 1,000').waitFor()
    for (const name of ['Keys', 'Clients', 'Audit log', 'Doubts'])
      expect(await page.getByRole('link', { name }).count()).toBe(0)
    for (const path of ['keys', 'clients', 'audit']) {
      await page.goto(`${url}/console/${path}`)
      await page.getByText('There is no such page').waitFor()
    }
    expect(asked.filter((one) => one.includes('/admin/'))).toEqual([])
    expect(await heard.all()).not.toContain('anna')
  })
})
