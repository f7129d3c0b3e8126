import { describe, expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { OPERATIONS } from '../../src/routes/ops/surfaces.ts'
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

const opened = async (page: Page, app: TestApp, operation: string): Promise<void> => {
  await page.goto('about:blank')
  await page.goto(`${app.url}/docs${operation}`)
  await page.waitForSelector(operation === '' ? '.opblock' : '.opblock-body .responses-table')
}

describe.skipIf(skippedWithoutChromium())('in a browser', () => {
  test('shows every operation, asks nobody else, and complains of nothing', async () => {
    const app = await testApp()
    await withPage(async (page) => {
      const { asked, complaints } = watch(page)
      await opened(page, app, '')
      await page.waitForSelector('html.ready')
      const ids = OPERATIONS.map(({ tag, id }) => `operations-${tag.replaceAll(' ', '_')}-${id}`)
      for (const id of ids) expect(await page.locator(`[id="${id}"]`).count(), id).toBe(1)
      expect(await page.locator('.errors-wrapper').count()).toBe(0)
      expect(asked.filter((url) => !url.startsWith(`${app.url}/`) && !/^(data:|about:)/.test(url))).toEqual([])
      expect(asked).toContain(`${app.url}/openapi.json`)
      expect(complaints).toEqual([])
    })
  })

  test('is dark where that is wished, and fits a phone', async () => {
    const app = await testApp()
    await withPage(async (page) => {
      await page.emulateMedia({ colorScheme: 'dark' })
      await page.setViewportSize({ width: 360, height: 800 })
      await opened(page, app, '#/Videos/createVideo')
      expect(await background(page)).toBe('rgb(28, 32, 34)')
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
