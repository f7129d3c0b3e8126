import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest'
import { connectBrowser } from '../../../test/fakes/chromium.ts'
import { KEYS } from '../../../test/fakes/gateway.ts'
import { HANG_MS } from '../../../test/fakes/until.ts'

/** The browser of all files, for the tests of one. Call it once, outside of any test. */
export const useBrowser = (): (() => Browser) => {
  let browser: Browser | null = null
  beforeAll(async () => {
    browser = await connectBrowser()
  })
  afterAll(() => browser?.close())
  return () => {
    if (!browser) throw new Error('there is a browser only while tests run')
    return browser
  }
}

export interface VisitOptions {
  /** Whose session; null: nobody is signed in. Default: anna, who may do everything. */
  key?: string | null
  /** Of the page, with its query. */
  path?: string
  /** In CSS pixels. */
  width?: number
  height?: number
  theme?: 'light' | 'dark'
  /** What the page may complain of on the browser's console, such as the 503 of a test. */
  allowed?: RegExp
  /** Before the first page is opened. */
  prepare?: (page: Page) => Promise<unknown>
}

export interface Visit {
  page: Page
  /** Every URL that the page asked for, in order. */
  asked: string[]
}

/**
 * A new tab, signed in, at a page of the console. When the test ends it is closed; the test fails if the page complained on
 * the browser's console (also of what its content security policy refused), or asked anybody but the gateway for anything.
 */
export const visit = async (browser: Browser, url: string, options: VisitOptions = {}): Promise<Visit> => {
  const { key = KEYS.anna, path = '/console', width = 1_280, height = 900, theme = 'light', allowed, prepare } = options
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: theme, reducedMotion: 'reduce' })
  context.setDefaultTimeout(HANG_MS)
  const asked: string[] = []
  const complaints: string[] = []
  onTestFinished(async () => {
    await context.close()
    expect(complaints.filter((text) => !allowed?.test(text))).toEqual([])
    expect(asked.filter((one) => !one.startsWith(`${url}/`) && !/^(data|blob):/.test(one))).toEqual([])
  })
  if (key !== null) {
    const answer = await context.request.post(`${url}/console/session`, {
      data: { key },
      headers: { 'x-talkbridge-console': '1' },
    })
    expect(answer.status()).toBe(200)
  }
  const page = await context.newPage()
  page.on('request', (request) => asked.push(request.url()))
  page.on('console', (message) => void (message.type() === 'error' && complaints.push(message.text())))
  page.on('pageerror', (error) => complaints.push(String(error)))
  await prepare?.(page)
  await page.goto(`${url}${path}`)
  return { page, asked }
}
