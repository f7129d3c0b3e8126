import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { AXE, findings } from '../fakes/axe.ts'
import { skippedWithoutChromium, withPage } from '../fakes/chromium.ts'
import { testApp, type TestApp } from '../fakes/gateway.ts'
import { must } from '../fakes/must.ts'

/** The guide at `/docs/guide`: the pages of README.md and docs/, rendered, with nothing but the gateway to load from. */

const ROOT = join(import.meta.dirname, '../..')
const SOURCES = ['README.md', ...globSync('docs/**/*.md', { cwd: ROOT })]
const urlOf = (source: string): string =>
  source === 'README.md' ? '/docs/guide/' : `/docs/guide/${source.slice('docs/'.length).replace(/\.md$/, '.html')}`

const found = (html: string, what: RegExp): string[] => Array.from(html.matchAll(what), ([, one]) => one ?? '')

const read = async (app: TestApp): Promise<Map<string, string>> => {
  const pages = new Map<string, string>()
  for (const url of SOURCES.map(urlOf)) pages.set(url, (await app.raw.get(url).expect(200)).text)
  return pages
}

describe('GET /docs/guide', () => {
  test('has every page, each lists all of them, and every link and picture of them is there', async () => {
    const app = await testApp()
    const pages = await read(app)
    const missing = new Set<string>()
    for (const [url, html] of pages) {
      const nav = html.slice(html.indexOf('<nav id="pages"'))
      expect(found(nav, /href="([^"]+)"/g).toSorted(), url).toEqual([...pages.keys()].toSorted())
      expect(nav.split('aria-current="page"')).toHaveLength(2)
      for (const link of found(html, /<a [^>]*href="([^"]+)"/g).filter((one) => !/^[a-z]+:/.test(one))) {
        const [path = '', fragment] = new URL(link, `http://here${url}`).href.slice('http://here'.length).split('#', 2)
        const target = pages.get(path)
        if (target === undefined && path !== '/docs') missing.add(`${url}: ${link}`)
        else if (fragment !== undefined && !target?.includes(`id="${fragment}"`)) missing.add(`${url}: ${link}`)
      }
      for (const picture of found(html, /<img [^>]*src="([^"]+)"/g)) {
        const { headers } = await app.raw.get(picture).expect(200)
        expect(headers['content-type']).toMatch(/^image\//)
      }
    }
    expect([...missing]).toEqual([])
  })

  test('has the row of each alert where its runbook_url leads', async () => {
    const app = await testApp()
    const alerts = readFileSync(join(ROOT, 'config/prometheus/alerts.yaml'), 'utf8')
    const [, path = ''] = must(/labels: \{ url: 'http:\/\/localhost:8080([^']+)' \}/.exec(alerts))
    const { text } = await app.raw.get(path).expect(200)
    const anchors = found(alerts, /runbook_url: .*#(\w+)'$/gm)
    expect(anchors).toHaveLength(found(alerts, /- (alert):/g).length)
    expect(anchors.filter((anchor) => !text.includes(`<a id="${anchor}">`))).toEqual([])
  })

  test('loads nothing from elsewhere, and has no script and no style of its own', async () => {
    const app = await testApp()
    const { headers } = await app.raw.get('/docs/guide').expect(200)
    expect(headers['content-security-policy']).toBe(
      (await app.raw.get('/docs').expect(200)).headers['content-security-policy'],
    )
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    await app.raw.get('/docs/guide').set('if-none-match', String(headers['etag'])).expect(304)
    for (const [url, html] of await read(app)) {
      expect(found(html, /<(script|style|iframe|form)\b/g), url).toEqual([])
      expect(found(html, /<[^>]* (style|on\w+)="/g), url).toEqual([])
    }
  })

  test.each(['/docs/guide/nothing.html', '/docs/guide/..%2f..%2fmain.js', '/docs/guide/api.md', '/docs/guide/images'])(
    'serves nothing else: %s',
    async (path) => {
      const app = await testApp()
      await app.raw.get(path).expect(404)
    },
  )
})

const widthOf = (page: Page) => page.evaluate<number>('document.documentElement.scrollWidth')

describe.skipIf(skippedWithoutChromium())('in a browser', () => {
  test('opens from the page of the API, leads from page to page, fits a phone, light and dark', async () => {
    const app = await testApp()
    await withPage(async (page) => {
      const asked: string[] = []
      const complaints: string[] = []
      page.on('request', (request) => asked.push(request.url()))
      page.on('console', (message) => void (message.type() === 'error' && complaints.push(message.text())))
      await page.goto(`${app.url}/docs`)
      await page.getByRole('link', { name: 'Guide', exact: true }).click()
      await page.waitForURL(`${app.url}/docs/guide/`)
      for (const [colorScheme, width] of [
        ['light', 1280],
        ['dark', 360],
      ] as const) {
        await page.emulateMedia({ colorScheme })
        await page.setViewportSize({ width, height: 800 })
        for (const url of SOURCES.map(urlOf)) {
          await page.goto(`${app.url}${url}`)
          expect([url, await widthOf(page)]).toEqual([url, width])
        }
        await page.goto(`${app.url}/docs/guide/webhooks.html`)
        await page.evaluate(AXE)
        expect(await findings(page, colorScheme)).toEqual([])
      }
      await page.getByRole('link', { name: 'All pages' }).click()
      await page.getByRole('navigation').getByRole('link', { name: 'Videos', exact: true }).click()
      await page.waitForURL(`${app.url}/docs/guide/api/videos.html`)
      expect(await page.title()).toBe('Videos: Talkbridge')
      expect(asked.filter((url) => !url.startsWith(`${app.url}/`) && !/^(data:|about:)/.test(url))).toEqual([])
      expect(complaints).toEqual([])
    })
  })
})
