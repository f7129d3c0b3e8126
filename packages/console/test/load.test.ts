import { describe, expect, test } from 'vitest'
import { skippedWithoutChromium } from '../../../test/fakes/chromium.ts'
import { must } from '../../../test/fakes/must.ts'
import { useBrowser, visit } from './stage.ts'
import { useToldConsole } from './stories.ts'
import { NO_STORY, pagesOf } from './story.ts'

/** What a page costs: bytes, and requests. */

/** Gzipped, of the first page that somebody sees. */
const MOST_JAVASCRIPT = 60_000
/** To the API, beside the one event stream of the whole tab. */
const MOST_REQUESTS = 3

const PAGES = pagesOf(NO_STORY).map(({ name }) => name)

interface Loaded {
  name: string
  encodedBodySize: number
}
const LOADED = `performance.getEntriesByType('resource').map(({ name, encodedBodySize }) => ({ name, encodedBodySize }))`

describe.skipIf(skippedWithoutChromium())('a page of the console', () => {
  const browser = useBrowser()
  const told = useToldConsole()

  test('brings at most 60 kB of JavaScript when it is the first, compressed, and keeps it for ever', async () => {
    const { url } = told()
    const { page } = await visit(browser(), url)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.waitForLoadState('load')
    const scripts = (await page.evaluate<Loaded[]>(LOADED)).filter(({ name }) => name.endsWith('.js'))
    expect(scripts.length).toBeGreaterThan(0)
    const bytes = scripts.map(({ encodedBodySize }) => encodedBodySize)
    expect(Math.min(...bytes)).toBeGreaterThan(0)
    expect(bytes.reduce((sum, one) => sum + one)).toBeLessThanOrEqual(MOST_JAVASCRIPT)
    for (const { name } of scripts) {
      const { headers } = await fetch(name, { headers: { 'accept-encoding': 'gzip' } })
      expect(headers.get('content-encoding')).toBe('gzip')
      expect(headers.get('cache-control')).toContain('immutable')
    }
  })

  test.each(PAGES)('asks the API at most three times: %s', async (name) => {
    const { url, story } = told()
    const { path } = must(pagesOf(story).find((one) => one.name === name))
    const { page, asked } = await visit(browser(), url, { path })
    await page.waitForSelector('h1')
    await expect.poll(() => page.locator('.loading, .skeleton').count()).toBe(0)
    // What a page still asks for after its first answer is asked at once.
    await page.evaluate('new Promise((resolve) => setTimeout(resolve))')
    // What is read once more is news of a video that goes on.
    const reads = new Set(asked.filter((one) => one.includes('/console/api/') && !one.includes('/events/stream')))
    expect(reads.size).toBeGreaterThan(0)
    expect(reads.size).toBeLessThanOrEqual(MOST_REQUESTS)
  })
})
