import { describe, expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import type { Surface } from '../../src/core/vocabulary.ts'
import type { Operation, SurfaceDocs } from '../../src/routes/openapi/operation.ts'
import { OPERATIONS, SURFACE_DOCS } from '../../src/routes/openapi/document.ts'
import { must } from '../fakes/must.ts'
import { AXE, findings } from '../fakes/axe.ts'
import { skippedWithoutChromium, withPage } from '../fakes/chromium.ts'
import { KEYS, testApp, type TestApp } from '../fakes/gateway.ts'
import { servePrimary } from '../routes/services.ts'

/** The page at `/docs`: in a real browser, with nothing but the gateway to load from. */

describe('GET /docs', () => {
  test('is a page that may load nothing from elsewhere, and no inline script or style', async () => {
    const app = await testApp()
    const { headers, text } = await app.raw.get('/docs').expect(200)
    expect(headers['content-type']).toMatch(/^text\/html/)
    const policy = headers['content-security-policy'] as string
    expect(policy).toMatch(/^default-src 'none'; /)
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toMatch(/unsafe|https?:|\*/)
    expect(headers['x-content-type-options']).toBe('nosniff')
    const named = [...text.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, url]) => url ?? '')
    for (const url of named.filter((one) => one.startsWith('/'))) await app.raw.get(url).expect(200)
    expect(named.filter((url) => !url.startsWith('/') && url !== 'data:,')).toEqual([])
  })

  test.each(['/docs/assets/', '/docs/assets/..%2findex.html', '/docs/assets/package.json', '/docs/assets/index.html'])(
    'serves no other file: %s',
    async (path) => {
      const app = await testApp()
      await app.raw.get(path).expect(404)
    },
  )
})

const docsOf = (surface: Surface): SurfaceDocs => must(SURFACE_DOCS.find(({ name }) => name === surface))

/** What the page asked for, and what it complained of. */
const watch = (page: Page) => {
  const asked: string[] = []
  const complaints: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  page.on('console', (message) => void (message.type() === 'error' && complaints.push(message.text())))
  page.on('pageerror', (error) => complaints.push(error.message))
  return { asked, complaints }
}

const background = (page: Page) => page.evaluate<string>('getComputedStyle(document.body).backgroundColor')
const widthOf = (page: Page) => page.evaluate<number>('document.documentElement.scrollWidth')

/** `where`: what stands behind `/docs`; with an operation it is open. */
const opened = async (page: Page, app: TestApp, where: string): Promise<void> => {
  await page.goto('about:blank')
  await page.goto(`${app.url}/docs${where}`)
  await page.waitForSelector(where.includes('#') ? '.opblock-body .responses-table' : '.opblock')
}
/** The ids of the elements that show these. */
const elementsOf = (operations: readonly Operation[]): string[] =>
  operations.map(({ tag, id }) => `operations-${tag.replaceAll(' ', '_')}-${id}`).toSorted()
const shownOn = async (page: Page): Promise<string[]> => {
  const ids = await page.evaluate<string[]>("[...document.querySelectorAll('.opblock')].map(({ id }) => id)")
  return ids.filter((id) => !id.startsWith('operations-webhooks-')).toSorted()
}

describe.skipIf(skippedWithoutChromium())('in a browser', () => {
  test('shows every operation, asks nobody else, and complains of nothing', async () => {
    const app = await testApp()
    await withPage(async (page) => {
      const { asked, complaints } = watch(page)
      await opened(page, app, '?surface=all')
      await page.waitForSelector('html.ready')
      expect(await shownOn(page)).toEqual(elementsOf(OPERATIONS))
      expect(await page.locator('.errors-wrapper').count()).toBe(0)
      expect(asked.filter((url) => !url.startsWith(`${app.url}/`) && !/^(data:|about:)/.test(url))).toEqual([])
      expect(asked).toContain(`${app.url}/openapi.json`)
      expect(complaints).toEqual([])
    })
  })

  test('lets the reader choose a surface, by the keyboard alone, and go back; a link to an operation of it opens it', async () => {
    const app = await testApp()
    await withPage(async (page) => {
      const { complaints } = watch(page)
      await opened(page, app, '')
      const choice = page.getByRole('navigation', { name: 'API surface' })
      const current = () => choice.locator('[aria-current="page"]').innerText()
      expect([await current(), await page.title()]).toEqual(['Unified API', 'Unified API: Talkbridge'])
      expect(await shownOn(page)).toEqual(elementsOf(docsOf('unified').operations))
      await page.keyboard.press('Tab')
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      await page.waitForURL(`${app.url}/docs?surface=primary`)
      await page.waitForSelector('.opblock')
      expect([await current(), await shownOn(page)]).toEqual([
        'Primary interface',
        elementsOf(docsOf('primary').operations),
      ])
      await page.goBack()
      await page.waitForURL(`${app.url}/docs`)
      expect(await current()).toBe('Unified API')
      await opened(page, app, '?surface=alternate#/Alternate%20catalogue/listVoices')
      expect(await page.locator('.opblock.is-open').getAttribute('id')).toBe(
        'operations-Alternate_catalogue-listVoices',
      )
      await opened(page, app, '?surface=other')
      expect(await current()).toBe('Unified API')
      expect(complaints).toEqual([])
    })
  })

  test('tells the headers of an answer in one line, and all of them when asked', async () => {
    const app = await testApp()
    await withPage(async (page) => {
      await opened(page, app, '#/Videos/getVideo')
      const tables = page.locator('.opblock-body .headers-wrapper table')
      expect(await tables.count()).toBeGreaterThan(3)
      expect(await tables.first().isVisible()).toBe(false)
      const first = page.locator('.opblock-body details.headers summary').first()
      expect(await first.innerText()).toMatch(/^\d+ headers: .*X-Request-Id/)
      await first.click()
      expect(await tables.first().isVisible()).toBe(true)
      await page.evaluate(AXE)
      // The library has faults of its own.
      expect(await findings(page, 'docs', ['#surfaces', 'details.headers'])).toEqual([])
    })
  })

  test('is dark where that is wished, and fits a phone', async () => {
    const app = await testApp()
    await withPage(async (page) => {
      await page.emulateMedia({ colorScheme: 'dark' })
      await page.setViewportSize({ width: 360, height: 800 })
      await opened(page, app, '#/Videos/createVideo')
      expect(await background(page)).toBe('rgb(28, 32, 34)')
      const label = '.opblock-body .examples-select__section-label'
      await page.waitForSelector(label)
      const colour = await page.evaluate<string>(`getComputedStyle(document.querySelector('${label}')).color`)
      expect(colour).toBe('rgb(228, 230, 230)')
      expect(await widthOf(page)).toBe(360)
      await page.emulateMedia({ colorScheme: 'light' })
      await page.waitForSelector('html:not(.dark-mode)')
      expect(await background(page)).toBe('rgb(255, 255, 255)')
    })
  })

  test('a request can be tried from it, with a key', async () => {
    const app = await testApp()
    servePrimary(app.main)
    await withPage(async (page) => {
      const { complaints } = watch(page)
      await opened(page, app, '#/Backends/listBackends')
      await page.click('.auth-wrapper .authorize')
      await page.fill('.auth-container input[aria-label="auth-bearer-value"]', KEYS.anna)
      await page.click('.auth-btn-wrapper .authorize >> nth=0')
      await page.click('.auth-btn-wrapper .btn-done >> nth=0')
      await page.click('.try-out__btn')
      const answered = page.waitForResponse(`${app.url}/unified/v1/backends`)
      await page.click('.execute')
      expect((await answered).status()).toBe(200)
      expect(complaints).toEqual([])
    })
  })
})
