import { accessSync, constants } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { chromium, type Page } from 'playwright-core'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome']

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

/** Runs `use` with a page of a new browser that knows nothing, and ends it. */
export const withPage = async <T>(use: (page: Page) => Promise<T>): Promise<T> => {
  const executablePath = chromiumPath()
  if (executablePath === null) throw new Error(`No ${NAMES.join(', ')} on the PATH: this test needs a browser.`)
  const profile = await mkdtemp(join(tmpdir(), 'talkbridge-chromium-'))
  try {
    const browser = await chromium.launchPersistentContext(profile, { executablePath, headless: true, args: ARGS })
    try {
      return await use(browser.pages()[0] ?? (await browser.newPage()))
    } finally {
      await browser.close()
    }
  } finally {
    await rm(profile, { recursive: true, force: true })
  }
}
