import { describe, expect, test } from 'vitest'
import { openWaiting, owe } from '../../../test/contract/store/helpers.ts'
import { AXE, findings } from '../../../test/fakes/axe.ts'
import { skippedWithoutChromium } from '../../../test/fakes/chromium.ts'
import { ended, HOUR, INPUT } from '../../../test/fakes/records.ts'
import { HANG_MS } from '../../../test/fakes/until.ts'
import { useBrowser, visit } from './stage.ts'
import { toldConsole } from './stories.ts'
import { pagesOf } from './story.ts'

/** Long names, hosts and texts of other languages: a row stays a row at every width, and nothing scrolls sideways. */

const WIDTHS = [1_440, 1_024, 390] as const
const CLIENT = 'a-client-with-quite-a-long-name-of-2026'
const HOST = 'https://hooks.a-rather-long-host-name.of-a-customer.example/api/v2/integrations/talkbridge/events'
const TEXTS = [
  'Your parcel is on its way, and arrives tomorrow between nine and eleven o’clock in the morning. '.repeat(4),
  'これは長い文章です。'.repeat(20),
  'Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen'.repeat(3),
  'مرحبا بكم في متجرنا هذا الأسبوع '.repeat(8),
]

/**
 * What has more than one line of text: cells of a status, a client, a time or a number, figures and buttons. As text: it
 * runs in the browser.
 */
const HIGH = `[...document.querySelectorAll(
  '.table td:not(.text):is(.number, [data-label=Status], [data-label=Client], [data-label=Backend]) > div, td time, .video-row > *, .video-head > *, .badge, .button, .figure > span, .failures li > *, .needs .small'
)].filter((cell) => {
  const range = document.createRange()
  range.selectNodeContents(cell)
  const tops = [...range.getClientRects()].filter(({ width, height }) => width > 1 && height > 1)
  const middles = tops.map(({ top, height }) => top + height / 2)
  return middles.length > 0 && Math.max(...middles) - Math.min(...middles) > 12
}).map((cell) => cell.className + ' ' + cell.textContent.slice(0, 80))`

/** What is cut off although it is a number: somebody reads it. */
const CUT = `[...document.querySelectorAll('.video-took, .figure-value')].filter((cell) => cell.scrollWidth > cell.clientWidth)
  .map((cell) => 'cut off: ' + cell.textContent)`

/** Figures are read beside each other: on a screen of this width none stands alone in a row. */
const ROWS = `new Set([...document.querySelectorAll('.figure')].map((one) => one.getBoundingClientRect().top)).size`

describe.skipIf(skippedWithoutChromium())('with long data', () => {
  const browser = useBrowser()

  test(
    'no cell is higher than a line, nothing is wider than the screen, and axe-core finds nothing',
    async () => {
      const { url, story, gateway } = await toldConsole()
      const { store, clock } = gateway().gateway.deps
      for (let n = 0; n < 40; n += 1) {
        const createdAtMs = clock.now() - n * (HOUR / 2)
        const { id } = await openWaiting(
          store,
          ended({
            id: `vid_${String(n).padStart(26, '0')}`,
            client: n % 2 ? CLIENT : 'bert',
            createdAtMs,
            endedAtMs: createdAtMs + n * 100_000,
            input: { ...INPUT, text: TEXTS[n % TEXTS.length] ?? null },
            metadata: { campaign: 'a-long-campaign-name-of-winter-2026', order: '1'.repeat(80) },
            ...(n % 3 === 0 && {
              status: 'failed' as const,
              error: {
                code: 'create_outcome_unknown' as const,
                message: TEXTS[2] ?? '',
                retryable: false,
                backend_error: null,
              },
            }),
          }),
        )
        if (n % 2) await owe(store, id, HOST)
      }
      const { page } = await visit(browser(), url, { width: WIDTHS[0] })
      const long = { name: 'long video', path: `/console/videos/vid_${String(3).padStart(26, '0')}` }
      const faults: string[] = []
      for (const { name, path } of [...pagesOf(story), long]) {
        await page.goto(url + path)
        await page.waitForSelector('h1')
        await expect.poll(() => page.locator('.loading, .skeleton').count()).toBe(0)
        for (const width of WIDTHS) {
          const theme = width === 1_024 ? 'dark' : 'light'
          await page.emulateMedia({ colorScheme: theme })
          await page.setViewportSize({ width, height: 900 })
          await expect.poll(() => page.evaluate('document.documentElement.dataset.theme')).toBe(theme)
          // Rows of a list that is drawn in parts are placed anew.
          await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
          const at = `${name}, ${width} px`
          faults.push(...(await page.evaluate<string[]>(HIGH)).map((cell) => `${at}: ${cell}`))
          faults.push(...(await page.evaluate<string[]>(CUT)).map((cell) => `${at}: ${cell}`))
          if (width >= 1_024 && (await page.evaluate<number>(ROWS)) > 1)
            faults.push(`${at}: figures in more than one row`)
          const wide = await page.evaluate<number>('document.documentElement.scrollWidth')
          if (wide > width) faults.push(`${at}: the page is ${wide} px wide`)
        }
        await page.evaluate(AXE)
        faults.push(...(await findings(page, name)))
      }
      expect(faults).toEqual([])
      // Twenty videos are seen without scrolling.
      await page.setViewportSize({ width: 1_440, height: 900 })
      await page.goto(`${url}/console/videos`)
      await page.locator('.video-row').nth(20).waitFor()
      const box = await page.locator('.video-row').nth(19).boundingBox()
      expect((box?.y ?? Infinity) + (box?.height ?? 0)).toBeLessThanOrEqual(900)
    },
    4 * HANG_MS,
  )
})
