import type { Page } from 'playwright-core'
import { describe, expect, onTestFinished, test } from 'vitest'
import { AXE, findings } from '../../../test/fakes/axe.ts'
import { skippedWithoutChromium } from '../../../test/fakes/chromium.ts'
import { KEYS } from '../../../test/fakes/gateway.ts'
import { useBrowser, visit, type VisitOptions } from './stage.ts'
import { emptyConsole, toldConsole } from './stories.ts'
import { pagesOf, type Story } from './story.ts'

/** Nobody is kept out: axe-core finds nothing on any page, full, empty, loading or failed, dark or light, narrow or wide. */

const LOOKS = (['light', 'dark'] as const).flatMap((theme) => [1_280, 360].map((width) => ({ theme, width })))

/** Also: nothing is wider than the screen. */
const look = async (page: Page, name: string): Promise<string[]> => {
  await page.evaluate(AXE)
  const all: string[] = []
  for (const { theme, width } of LOOKS) {
    await page.emulateMedia({ colorScheme: theme })
    await page.setViewportSize({ width, height: 900 })
    // The page hears of it a moment later.
    await expect.poll(() => page.evaluate('document.documentElement.dataset.theme')).toBe(theme)
    // Until it is drawn in these colours, half of it is in those of before.
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
    const at = `${name}, ${theme}, ${width} px`
    all.push(...(await findings(page, at)))
    const wide = await page.evaluate<number>('document.documentElement.scrollWidth')
    if (wide > width) all.push(`${at}: the page is ${wide} px wide`)
  }
  return all
}

/** A page is there when nothing says any more that it is being loaded. */
const settled = async (page: Page): Promise<void> => {
  await page.waitForSelector('h1')
  await expect.poll(() => page.locator('.loading, .skeleton').count()).toBe(0)
}

const API = /\/console\/api\//
const isStream = (url: string): boolean => url.includes('/events/stream')

const failing: VisitOptions = {
  allowed: /503/,
  prepare: (page) =>
    page.route(API, (route) =>
      isStream(route.request().url())
        ? route.continue()
        : route.fulfill({
            status: 503,
            headers: { 'content-type': 'application/problem+json', 'x-request-id': 'req_of_the_test' },
            body: JSON.stringify({ title: 'The store is away', code: 'store_unavailable', status: 503 }),
          }),
    ),
}

/** No answer comes until the test is over. */
const hanging = (): VisitOptions => {
  const { promise: over, resolve: end } = Promise.withResolvers<void>()
  onTestFinished(() => end())
  return {
    prepare: (page) =>
      page.route(API, async (route) => {
        if (!isStream(route.request().url())) await over
        await route.continue().catch(() => undefined)
      }),
  }
}

const NO_STORY: Story = {
  completed: 'vid_none',
  failed: 'vid_none',
  waiting: 'vid_none',
  doubtful: 'vid_none',
  endpoint: 'we_none',
  delivery: 'dlv_none',
  key: 'key_none',
}
/** What lists something: of a single thing there is no empty page. */
const LISTS = pagesOf(NO_STORY).filter(({ path }) => !path.endsWith('_none'))

describe.skipIf(skippedWithoutChromium())('axe-core finds nothing', () => {
  const browser = useBrowser()

  test('on any page that is full', async () => {
    const { url, story } = await toldConsole()
    const { page } = await visit(browser(), url)
    const all: string[] = []
    for (const { name, path } of pagesOf(story)) {
      await page.goto(url + path)
      await settled(page)
      all.push(...(await look(page, name)))
    }
    expect(all).toEqual([])
    expect(await page.title()).not.toContain('broken in')
  })

  test('on what a client sees', async () => {
    const { url, story } = await toldConsole()
    const { page } = await visit(browser(), url, { key: KEYS.bert })
    const all: string[] = []
    for (const path of ['/console', '/console/videos', `/console/videos/${story.completed}`, '/console/usage']) {
      await page.goto(url + path)
      await settled(page)
      all.push(...(await look(page, `client ${path}`)))
    }
    expect(all).toEqual([])
  })

  test('on any page that has nothing to show yet', async () => {
    const { url } = await emptyConsole()
    const { page } = await visit(browser(), url)
    const all: string[] = []
    for (const { name, path } of LISTS) {
      await page.goto(url + path)
      await settled(page)
      all.push(...(await look(page, `${name}, empty`)))
    }
    expect(all).toEqual([])
  })

  test('on any page that failed, which tells the request', async () => {
    const { url, story } = await toldConsole()
    const { page } = await visit(browser(), url, failing)
    const all: string[] = []
    for (const { name, path } of pagesOf(story)) {
      await page.goto(url + path)
      await page.getByText('req_of_the_test').first().waitFor()
      all.push(...(await look(page, `${name}, failed`)))
    }
    expect(all).toEqual([])
  })

  test('on any page that is being loaded', async () => {
    const { url, story } = await toldConsole()
    const { page } = await visit(browser(), url, hanging())
    const all: string[] = []
    for (const { name, path } of pagesOf(story)) {
      await page.goto(url + path)
      await page.waitForSelector('h1')
      all.push(...(await look(page, `${name}, loading`)))
    }
    expect(all).toEqual([])
  })

  test('on the page of signing in, also after a wrong key', async () => {
    const { url } = await emptyConsole()
    const { page } = await visit(browser(), url, { key: null, allowed: /401/ })
    await page.getByLabel('Gateway key').fill('tb_nobody_0123456789abcdef')
    const all = await look(page, 'sign in')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('alert').waitFor()
    expect([...all, ...(await look(page, 'sign in, refused'))]).toEqual([])
  })
})
