import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { NEEDS, OverviewView } from '../../../src/core/api/admin.ts'
import { skippedWithoutChromium } from '../../../test/fakes/chromium.ts'
import { KEYS } from '../../../test/fakes/gateway.ts'
import { HANG_MS } from '../../../test/fakes/until.ts'
import { asAnna, asBert, bareConsole, changing, heard, standStill, watchable } from './overview-stage.ts'
import { useBrowser, visit } from './stage.ts'
import { emptyConsole, toldConsole } from './stories.ts'
import { HOSTILE } from './story.ts'

const STUCK = { image_url: 'https://example.com/anna.png', text: '[[stuck]] This one never ends.' }

const FIGURES = { name: 'Figures' }

/** What the figures say, by what it counts. */
const figures = async (page: Page): Promise<Record<string, number>> => {
  const text = await page.getByRole('region', FIGURES).innerText()
  const count = (pattern: RegExp): number => Number(pattern.exec(text)?.[1])
  return {
    waiting: count(/Waiting\n(\d+)/),
    running: count(/(\d+) running/),
    completed: count(/(\d+) done/),
    failed: count(/(\d+) failed/),
    success: Math.round(10 * count(/Success\n([\d.]+) %/)),
  }
}

/** As the API has them. */
const told = ({ videos, ended, success }: OverviewView): Record<string, number> => ({
  waiting: videos.waiting,
  running: videos.running,
  completed: ended.completed,
  failed: ended.failed,
  success: success.value === null ? Number.NaN : Math.round(1_000 * success.value),
})

describe.skipIf(skippedWithoutChromium())('the overview', () => {
  const browser = useBrowser()

  test('of a new gateway says what to do next', async () => {
    const { url } = await emptyConsole()
    const { page } = await visit(browser(), url, { key: KEYS.bert })
    await page.getByRole('heading', { name: 'No videos in this time' }).waitFor()
    expect(await page.getByRole('region', { name: 'a command that makes a video' }).innerText()).toContain(
      `curl ${url}/unified/v1/videos`,
    )
    await page.getByRole('link', { name: 'Open the playground' }).click()
    await page.waitForURL('**/console/playground')
  })

  test('has the figures of the API, and each trouble leads to what it is about', async () => {
    const { url, story } = await toldConsole()
    const { page } = await visit(browser(), url)
    const api = asAnna(url)
    await page.getByRole('region', FIGURES).waitFor()
    const isSame = async () => {
      const seen = OverviewView.parse(await api('/admin/overview'))
      return JSON.stringify(await figures(page)) === JSON.stringify(told(seen))
    }
    await expect.poll(isSame, { timeout: HANG_MS }).toBe(true)
    expect((await figures(page))['failed']).toBe(1)
    // Each leads to what it counts, and to nothing else.
    const { since, ended } = OverviewView.parse(await api('/admin/overview'))
    const to = async (name: string | RegExp): Promise<Record<string, string>> => {
      const href = await page.getByRole('link', { name }).first().getAttribute('href')
      return Object.fromEntries(new URL(href ?? '', url).searchParams)
    }
    expect(await to(/^Waiting/)).toEqual({ phase: 'waiting' })
    expect(await to(/^Success/)).toEqual({ status: 'completed,failed', ended_since: since })
    expect(await to('backend_failed')).toEqual({ status: 'failed', error_code: 'backend_failed', ended_since: since })
    const last = ended.steps.findLast((step) => step.failed > 0)
    const next = new Date(Date.parse(last?.from ?? '') + 3_600_000).toISOString()
    expect(await to(/: \d+ done, 1 failed, \d+ canceled$/)).toEqual({ ended_since: last?.from, ended_before: next })

    // Where an endpoint is disabled, nothing is given up.
    await api(`/admin/endpoints/${story.endpoint}/disable`, {})
    await page.getByRole('link', { name: /^Webhooks .*1 disabled, 0 given up/ }).waitFor()

    // Who costs most is seen at once, and each client after a click, of the same range.
    const { credits } = OverviewView.parse(await api('/admin/overview'))
    const [most] = credits.by
    const figure = page.getByRole('link', { name: /^Credits/ })
    expect(await figure.innerText()).toContain(`\n${credits.value}\n${most?.key} ${most?.credits}`)
    const series = page.waitForRequest(/overview\/series\?/)
    await figure.press('Enter')
    expect(new URL((await series).url()).searchParams.get('from')).toBe(since)
    const rows = page.getByRole('table', { name: 'Credits by client' }).getByRole('row')
    await expect.poll(() => rows.allInnerTexts(), { timeout: HANG_MS }).toHaveLength(1 + credits.by.length)
    expect(await rows.nth(1).innerText()).toMatch(new RegExp(`^${most?.key}\\s+${most?.credits}\\s+${most?.videos}$`))
    // The figure is gone: the keyboard goes on where the page begins.
    expect(await page.evaluate('document.activeElement.tagName')).toBe('MAIN')
    await page.goBack()

    await page.getByRole('link', { name: 'backend_failed' }).click()
    await page.getByText('1 video', { exact: true }).waitFor()
    await page.getByRole('row').getByRole('link', { name: story.failed }).waitFor()
    await page.getByRole('button', { name: 'error: backend_failed ×' }).waitFor()
    await page.goBack()
    // Whoever comes back begins at the top, a moment after the page is drawn.
    await expect.poll(() => page.evaluate('document.activeElement.tagName'), { timeout: HANG_MS }).toBe('MAIN')
    await page.getByLabel('Time').focus()
    await page.getByLabel('Time').selectOption('7d')
    await page.waitForURL(/range=7d/)
    expect(await page.evaluate('document.activeElement.tagName')).toBe('SELECT')
    await page.getByLabel('Client').selectOption('shop')
    await page.getByRole('heading', { name: 'No videos in this time' }).waitFor()
    await page.getByLabel('Client').selectOption('')
    await page.getByText('Create in doubt').waitFor()
    // All of it is on the first screen.
    await page.setViewportSize({ width: 1_440, height: 900 })
    const box = await page.locator('.bars-plot').boundingBox()
    expect((box?.y ?? Infinity) + (box?.height ?? 0)).toBeLessThan(900)
    await page.getByRole('link', { name: 'Over time' }).click()
    await page.getByRole('img', { name: 'Time to done, 95 %, by backend' }).waitFor()
    await page.getByLabel('Figure').selectOption('failures')
    await page.getByRole('img', { name: 'Failures, by code' }).waitFor()
    await page.getByRole('listitem').filter({ hasText: 'backend_failed last 1' }).waitFor()
    for (const [metric, label] of [
      ['lateness', 'How late ends were noticed, 95 %, by backend'],
      ['budget', 'Used part of the requests, at most, by backend'],
      ['deliveries', 'Deliveries that arrived, by client'],
      ['credits', 'Credits, by client'],
    ] as const) {
      await page.getByLabel('Figure').selectOption(metric)
      await page.getByRole('img', { name: label }).waitFor()
    }
    await page.getByRole('link', { name: 'Now' }).click()
    await page.getByRole('link', { name: 'Decide' }).click()
    await page.waitForURL(`**/console/videos/${story.doubtful}`)
    expect(await page.title()).not.toContain('broken in')
  })

  test('moves within a second of an event', async () => {
    const { url } = await emptyConsole()
    await asBert(url)('/videos', STUCK)
    const { page } = await visit(browser(), url, { key: KEYS.bert, prepare: watchable })
    await page.getByRole('region', FIGURES).waitFor()
    await heard(page, 'open')
    await standStill(page, /\/v1\/overview\?/)
    const before = await figures(page)
    expect((before['waiting'] ?? 0) + (before['running'] ?? 0)).toBe(1)
    await page.evaluate('window.heard.length = 0')
    await asBert(url)('/videos', STUCK)
    await heard(page, 'video.queued')
    expect(await figures(page)).toEqual(before)
    await page.clock.runFor(1_000)
    await expect
      .poll(
        async () => {
          const { waiting = 0, running = 0 } = await figures(page)
          return waiting + running
        },
        { timeout: HANG_MS },
      )
      .toBe(2)
  })

  test('of a client is its own: nothing is asked for that is another’s', async () => {
    const { url } = await emptyConsole()
    await asAnna(url)('/videos', STUCK)
    const { page, asked } = await visit(browser(), url, { key: KEYS.bert })
    await page.getByRole('heading', { name: 'No videos in this time' }).waitFor()
    expect(asked.filter((one) => one.includes('/admin/'))).toEqual([])
    await asBert(url)('/videos', STUCK)
    await page.getByRole('region', FIGURES).waitFor()
    const isSame = async () => {
      const seen = OverviewView.parse(await asBert(url)('/overview'))
      return JSON.stringify(await figures(page)) === JSON.stringify(told(seen))
    }
    await expect.poll(isSame, { timeout: HANG_MS }).toBe(true)
  })

  test('names a backend that is down, and why', async () => {
    const { url, fault } = await emptyConsole()
    const status = { kind: 'status', status: 401, times: 100 }
    await fault('primary', { operation: '*', ...status })
    await asBert(url)('/videos', STUCK).catch(() => undefined)
    const { page } = await visit(browser(), url, { key: KEYS.bert })
    await page.getByText('Backend is down').waitFor()
    await page.getByText('It refuses the key').first().waitFor()
    await page.getByRole('region', { name: 'Backend main' }).getByText('down').waitFor()
    await page.getByRole('listitem').getByRole('link', { name: 'main' }).click()
    await page.waitForURL('**/console/backends/main')
  })

  test('whose needs have HTML in every word shows text', async () => {
    const { url } = await bareConsole()
    const need = {
      at: '2026-11-20T12:00:00.000Z',
      count: 1,
      client: HOSTILE,
      backend: HOSTILE,
      rule: HOSTILE,
      code: HOSTILE,
      message: HOSTILE,
    }
    const about = { video_id: HOSTILE, delivery_id: HOSTILE, endpoint_id: HOSTILE }
    const { page } = await visit(browser(), url, {
      key: KEYS.bert,
      prepare: (opened) =>
        changing(opened, /\/unified\/v1\/overview\?/, (answer) => ({
          ...answer,
          needs_you: NEEDS.map((type) => ({ ...need, ...about, type })),
        })),
    })
    await page.getByRole('heading', { name: 'Needs you (' }).waitFor()
    expect(await page.getByRole('listitem').filter({ hasText: HOSTILE }).count()).toBe(NEEDS.length)
    expect(await page.locator('main img, main script').count()).toBe(0)
    expect(await page.title()).not.toContain('broken in')
  })

  test('that cannot be read says so, and is read again when it is asked for', async () => {
    const { url } = await bareConsole()
    let isAway = true
    const { page } = await visit(browser(), url, {
      key: KEYS.bert,
      allowed: /503/,
      prepare: (opened) =>
        opened.route(/\/unified\/v1\/overview\?/, (route) =>
          isAway
            ? route.fulfill({
                status: 503,
                headers: { 'content-type': 'application/problem+json', 'x-request-id': 'req_of_the_test' },
                body: JSON.stringify({ title: 'The store is away', code: 'store_unavailable', status: 503 }),
              })
            : route.continue(),
        ),
    })
    await page.getByRole('alert').getByText('req_of_the_test').waitFor()
    isAway = false
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { name: 'No videos in this time' }).waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
  })
})
