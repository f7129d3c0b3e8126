import type { Browser, Page } from 'playwright-core'
import { describe, expect, onTestFinished, test } from 'vitest'
import { AXE, findings } from '../../../test/fakes/axe.ts'
import { skippedWithoutChromium } from '../../../test/fakes/chromium.ts'
import { isFull } from '../../../test/fakes/full.ts'
import { KEYS } from '../../../test/fakes/gateway.ts'
import { HANG_MS } from '../../../test/fakes/until.ts'
import { useBrowser, visit, type VisitOptions } from './stage.ts'
import { emptyConsole, toldConsole } from './stories.ts'
import { NO_STORY, pagesOf } from './story.ts'

/**
 * Nobody is kept out: axe-core finds nothing on any page, full, empty, loading or failed, dark or light, narrow or wide. And a
 * page asks for little.
 */

const LOOKS = [
  { theme: 'light', width: 1_280 },
  { theme: 'dark', width: 360 },
] as const

type Look = (typeof LOOKS)[number]

/** Between a card and a wide screen tables have the least room. */
const WIDTHS = [1_440, 1_024, 390]

/** What is wider than its place, and what should be one line and is not. As text: it runs in the browser. */
const TABLES = `[
  ...[...document.querySelectorAll('.table-wrap')]
    .map((one) => ({ one, px: one.scrollWidth - one.clientWidth }))
    .filter(({ px }) => px > 0)
    .map(({ one, px }) => 'too wide by ' + px + ' px: ' + one.querySelector('caption').textContent),
  ...[...document.querySelectorAll('td .clip, td time, td .badge, td .id, td.number > div')]
    .filter((one) => one.getBoundingClientRect().height > 30)
    .map((one) => 'more than a line: ' + one.textContent),
]`

/** Names and addresses as long as they may be. */
const longer = (page: Page): Promise<unknown> =>
  page.route(
    /\/console\/api\/.*(webhook_endpoints|endpoints|deliveries|audit|keys|clients|backends|usage)/,
    async (route) => {
      if (route.request().method() !== 'GET') return route.continue()
      const response = await route.fetch().catch(() => null)
      if (!response) return undefined
      const text = (await response.text())
        .replaceAll(/"(client|actor)":"bert"/g, '"$1":"bert-and-daughters-of-the-northern-branch"')
        .replaceAll('/hook"', `/hooks/${'talkbridge-events-'.repeat(4)}"`)
      return route.fulfill({ response, body: text }).catch(() => undefined)
    },
  )

/** Also: nothing is wider than the screen, in any look. axe-core sees the page in those of `seen`: each run takes a second. */
const look = async (page: Page, name: string, seen: readonly Look[]): Promise<string[]> => {
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
    if (seen.some((one) => one.theme === theme)) all.push(...(await findings(page, at)))
    const wide = await page.evaluate<number>('document.documentElement.scrollWidth')
    if (wide > width) all.push(`${at}: the page is ${wide} px wide`)
  }
  // What is folded away is laid out when it is opened.
  await page.evaluate('for (const one of document.querySelectorAll("details")) one.open = true')
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 })
    // A new width is laid out with the next frame.
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
    all.push(...(await page.evaluate<string[]>(TABLES)).map((found) => `${name}, ${width} px: ${found}`))
  }
  return all
}

/** A page is there when nothing says any more that it is being loaded. */
const settled = async (page: Page): Promise<void> => {
  await page.waitForSelector('h1')
  await expect.poll(() => page.locator('.loading, .skeleton').count()).toBe(0)
}

/** To the API, beside the one event stream of the whole tab. */
const MOST_REQUESTS = 3
const API = /\/console\/api\//
const isStream = (url: string): boolean => url.includes('/events/stream')

/**
 * What the page that is open now has asked the API, by its document: the page before it may still read something anew while the
 * next one is opened.
 */
const countReads = async (page: Page): Promise<() => Set<string>> => {
  let open = ''
  const byDocument = new Map<string, Set<string>>()
  const session = await page.context().newCDPSession(page)
  session.on('Network.requestWillBeSent', ({ type, loaderId, request: { url } }) => {
    if (type === 'Document') open = loaderId
    // What is read once more is news of a video that goes on.
    if (API.test(url) && !isStream(url)) byDocument.set(loaderId, (byDocument.get(loaderId) ?? new Set()).add(url))
  })
  await session.send('Network.enable')
  return () => byDocument.get(open) ?? new Set()
}

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

/** What lists something: of a single thing there is no empty page. */
const LISTS = pagesOf(NO_STORY).filter(({ path }) => !path.endsWith('_none'))

/** A test has up to four rounds, and each of them as long as a test may take. */
const ROUNDS_MS = 4 * HANG_MS

interface Round {
  /** In what state the pages are. */
  state: string
  url: string
  pages: readonly { name: string; path: string }[]
  options?: VisitOptions
  ready?: (page: Page) => Promise<unknown>
  /** The look of the first page: the next one has the other. */
  first?: 0 | 1
  /** How often a page asks the API is counted. */
  counted?: true
}

/** What axe-core finds on each of the pages, in a tab of their own: once on each, in both looks by turns. */
const foundIn = async (
  browser: Browser,
  { state, url, pages, options, ready = settled, first = 0, counted }: Round,
) => {
  const { page } = await visit(browser, url, options)
  const reads = counted && (await countReads(page))
  const all: string[] = []
  for (const [at, { name, path }] of pages.entries()) {
    await page.goto(url + path)
    await ready(page)
    if (reads) {
      // What a page still asks for after its first answer is asked immediately.
      await page.evaluate('new Promise((resolve) => setTimeout(resolve))')
      const urls = reads()
      if (urls.size === 0 || urls.size > MOST_REQUESTS) all.push(`${name}: asks ${[...urls].join(', ')}`)
    }
    const seen = isFull ? LOOKS : LOOKS.filter((_, one) => one === (at + first) % LOOKS.length)
    all.push(...(await look(page, `${name}, ${state}`, seen)))
  }
  expect(await page.title()).not.toContain('broken in')
  return all
}

describe.skipIf(skippedWithoutChromium())('axe-core finds nothing', () => {
  const browser = useBrowser()

  test(
    'on any page that is full, also as a client sees it; that failed, and tells the request; that is being loaded',
    async () => {
      const { url, story } = await toldConsole()
      const pages = pagesOf(story)
      const own = pages.filter(({ name }) => ['overview', 'videos', 'video'].includes(name))
      const ofClient = [...own, { name: 'usage', path: '/console/usage' }]
      const told = (page: Page) => page.getByText('req_of_the_test').first().waitFor()
      const rounds: Round[] = [
        { state: 'full', url, pages, options: { prepare: longer }, counted: true },
        { state: 'of a client', url, pages: ofClient, options: { key: KEYS.bert } },
        // All pages share what these look like.
        { state: 'failed', url, pages: isFull ? pages : own, options: failing, ready: told, first: 1 },
        {
          state: 'loading',
          url,
          pages: isFull ? pages : own,
          options: hanging(),
          ready: (page) => page.waitForSelector('h1'),
        },
      ]
      for (const round of rounds) expect(await foundIn(browser(), round)).toEqual([])
    },
    ROUNDS_MS,
  )

  test(
    'on any page that has nothing to show yet, and on that of signing in, also after a wrong key',
    async () => {
      const { url } = await emptyConsole()
      expect(await foundIn(browser(), { state: 'empty', url, pages: LISTS })).toEqual([])
      const { page } = await visit(browser(), url, { key: null, allowed: /401/ })
      await page.getByLabel('Gateway key').fill('tb_nobody_0123456789abcdef')
      const all = await look(page, 'sign in', LOOKS)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByRole('alert').waitFor()
      expect([...all, ...(await look(page, 'sign in, refused', LOOKS))]).toEqual([])
    },
    ROUNDS_MS,
  )
})
