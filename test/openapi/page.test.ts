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
    expect(named.filter((url) => !/^[/#]/.test(url) && url !== 'data:,')).toEqual([])
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
  await page.goto(`${app.url}/docs${where}`)
  await page.waitForSelector(where.includes('#') ? 'details[open] .body' : '#schemas')
}
const idsOf = (operations: readonly Operation[]): string[] => operations.map(({ id }) => id).toSorted()
const NAMED = "[...document.querySelectorAll('section > details')].filter((one) => one.checkVisibility())"
const shownOn = async (page: Page): Promise<string[]> => {
  const ids = await page.evaluate<string[]>(`${NAMED}.map(({ id }) => id)`)
  return ids.filter((id) => !/^(schema-|on[.A-Z])/.test(id)).toSorted()
}

describe.skipIf(skippedWithoutChromium())('in a browser', () => {
  test('shows every operation, asks nobody else, complains of nothing, and makes little until one is opened', async () => {
    const app = await testApp()
    await withPage(async (page) => {
      const { asked, complaints } = watch(page)
      await opened(page, app, '?surface=all')
      expect(await shownOn(page)).toEqual(idsOf(OPERATIONS))
      expect(asked.filter((url) => !url.startsWith(`${app.url}/`) && !/^(data:|about:)/.test(url))).toEqual([])
      expect(asked).toContain(`${app.url}/openapi.json`)
      const bytes = await page.evaluate<number[]>(
        "performance.getEntriesByType('resource').filter(({ name }) => name.includes('/assets/')).map((one) => one.decodedBodySize)",
      )
      expect(bytes.reduce((sum, one) => sum + one, 0)).toBeLessThan(40_000)
      const elements = await page.evaluate<number>("document.querySelectorAll('*').length")
      const entries = await page.evaluate<number>(`${NAMED}.length`)
      // An operation or schema that is closed is its summary, which is five elements at most.
      expect(elements).toBeLessThan(entries * 5 + 200)
      // Nobody opens all of them: without the layout and the address of each it is cheap.
      await page.evaluate(`${NAMED}.forEach((one) => { one.open = true })
        document.querySelector('main').hidden = true
        history.replaceState = () => undefined`)
      await page.waitForFunction(`[...document.querySelectorAll('section > details')].every((one) => one.children[1])`)
      expect(await page.evaluate<string>('document.body.textContent')).not.toMatch(/\[object|undefined/)
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
      expect(await shownOn(page)).toEqual(idsOf(docsOf('unified').operations))
      for (const key of ['Tab', 'Tab', 'Tab', 'Enter']) await page.keyboard.press(key)
      await page.waitForURL(`${app.url}/docs?surface=primary`)
      await page.waitForSelector('#schemas')
      expect([await current(), await shownOn(page)]).toEqual(['Primary interface', idsOf(docsOf('primary').operations)])
      await page.goBack()
      await page.waitForURL(`${app.url}/docs`)
      expect(await current()).toBe('Unified API')
      await opened(page, app, '?surface=alternate#listVoices')
      expect(await page.locator('section > details[open]').getAttribute('id')).toBe('listVoices')
      // The form of older links, followed on the page.
      await page.evaluate("location.hash = '#/Alternate%20catalogue/listPuppets'")
      await page.waitForSelector('#listPuppets[open] .body')
      await opened(page, app, '?surface=other')
      expect(await current()).toBe('Unified API')
      expect(complaints).toEqual([])
    })
  })

  test('finds operations by all that they say, and what is open is in the address', async () => {
    const app = await testApp()
    await withPage(async (page) => {
      await opened(page, app, '')
      await page.getByLabel('Search').fill('Idempotency_key_CONFLICT videos')
      const found = await shownOn(page)
      expect(found).toContain('createVideo')
      expect(found).not.toContain('listVideos')
      await page.locator('#createVideo summary').first().click()
      await page.waitForURL(`${app.url}/docs#createVideo`)
      await page.getByRole('link', { name: 'Video', exact: true }).first().click()
      await page.waitForURL(`${app.url}/docs#schema-Video`)
      await page.waitForSelector('#schema-Video[open] .body')
    })
  })

  test('tells the headers of an answer in one line, and all of them when asked; dark or light, axe finds nothing on a phone', async () => {
    const app = await testApp()
    await withPage(async (page) => {
      await page.emulateMedia({ colorScheme: 'dark' })
      await page.setViewportSize({ width: 360, height: 800 })
      await opened(page, app, '#getVideo')
      const headers = page.locator('#getVideo details.headers')
      expect(await headers.count()).toBeGreaterThan(3)
      const first = headers.first()
      expect(await first.innerText()).toMatch(/^\d+ headers: .*X-Request-Id/)
      expect(await first.locator('li').count()).toBe(0)
      await first.locator('summary').click()
      expect(await first.locator('li').first().innerText()).toMatch(/^X-Request-Id: The request's own id/)
      expect(await widthOf(page)).toBe(360)
      expect(await background(page)).toBe('rgb(28, 32, 34)')
      await page.evaluate(AXE)
      expect(await findings(page, 'dark')).toEqual([])
      await page.emulateMedia({ colorScheme: 'light' })
      expect(await background(page)).toBe('rgb(255, 255, 255)')
      expect(await findings(page, 'light')).toEqual([])
    })
  })

  test('a request can be tried from it, with a key', async () => {
    const app = await testApp()
    servePrimary(app.main)
    await withPage(async (page) => {
      const { complaints } = watch(page)
      await opened(page, app, '#createVideo')
      await page.getByLabel('Key for requests').fill(KEYS.anna)
      const form = page.locator('#createVideo form')
      await form.getByLabel('Idempotency-Key').fill("anna's 1st")
      await form
        .getByLabel('Body', { exact: true })
        .fill('{"text":"Hello.","image_url":"https://example.com/a.png","backend":"main"}')
      await form.getByRole('button', { name: 'Send' }).click()
      await form.getByText('202 Accepted').waitFor()
      expect(await form.innerText()).toContain(`-H 'Idempotency-Key: anna'\\''s 1st'`)
      expect(await form.innerText()).toContain('-H "Authorization: Bearer $KEY"')
      const id = must(/"id": "(vid_\w+)"/.exec(await form.innerText())?.[1])
      await page.locator('#getVideo summary').first().click()
      const reading = page.locator('#getVideo form')
      await reading.getByLabel(/^id in path/).fill(id)
      await reading.getByRole('button', { name: 'Send' }).click()
      await reading.getByText('200 OK').waitFor()
      expect(await reading.innerText()).toContain(`"id": "${id}"`)
      expect(complaints).toEqual([])
    })
  })
})
