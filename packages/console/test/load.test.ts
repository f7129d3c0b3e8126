import { describe, expect, test } from 'vitest'
import { skippedWithoutChromium } from '../../../test/fakes/chromium.ts'
import { useBrowser, visit } from './stage.ts'
import { useToldConsole } from './stories.ts'

/** What a page costs in bytes. How often it asks, `axe.test.ts` counts, which opens each. */

/** Gzipped, of the first page that somebody sees. */
const MOST_JAVASCRIPT = 60_000

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
})
