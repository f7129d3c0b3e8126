import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { chromium, type Browser, type BrowserServer, type Page } from 'playwright-core'
import { inject } from 'vitest'
import { HANG_MS } from './until.ts'

// The first draws no windows and loads no pages of its own: the same tests need a third less CPU.
const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome']

const ARGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // No finger taps here.
  '--autoplay-policy=no-user-gesture-required',
]

const LAUNCH = { headless: true, args: ARGS, timeout: HANG_MS }

const executable = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** The browser on the PATH, or null. */
export const chromiumPath = (): string | null =>
  (process.env['PATH'] ?? '')
    .split(delimiter)
    .flatMap((folder) => NAMES.map((name) => join(folder, name)))
    .find(executable) ?? null

/**
 * True when there is no browser and there need not be one, which is said on stderr. In CI there must be one: then the
 * test runs, and fails where `withPage` finds none.
 */
export const skippedWithoutChromium = (): boolean => {
  if (chromiumPath() !== null || process.env['CI'] === 'true') return false
  process.stderr.write(
    `\n*** SKIPPED: no ${NAMES.join(', ')} on the PATH. Videos are NOT played in a browser in this run. ***\n\n`,
  )
  return true
}

const ofPath = (): string => {
  const path = chromiumPath()
  if (path === null) throw new Error(`No ${NAMES.join(', ')} on the PATH: this test needs a browser.`)
  return path
}

/** As `launchBrowser`, for several processes, which connect to it. */
export const launchBrowserServer = (): Promise<BrowserServer> =>
  chromium.launchServer({ ...LAUNCH, executablePath: ofPath() })

/** A browser, for contexts that know nothing of each other. To be closed. */
export const launchBrowser = (): Promise<Browser> => chromium.launch({ ...LAUNCH, executablePath: ofPath() })

/** The browser of this run (`browser.ts`), from a test: contexts made by it know nothing of anybody else's. To be closed. */
export const connectBrowser = async (): Promise<Browser> => {
  const answer = await fetch(inject('browser'))
  const endpoint = await answer.text()
  if (!answer.ok) throw new Error(endpoint)
  return chromium.connect(endpoint, { timeout: HANG_MS })
}

/** Runs `use` with a page that knows nothing, and closes it. */
export const withPage = async <T>(use: (page: Page) => Promise<T>): Promise<T> => {
  const browser = await connectBrowser()
  try {
    const context = await browser.newContext()
    context.setDefaultTimeout(HANG_MS)
    return await use(await context.newPage())
  } finally {
    await browser.close()
  }
}
