import type { Locator, Page, Request } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { skippedWithoutChromium } from '../../../test/fakes/chromium.ts'
import { KEYS } from '../../../test/fakes/gateway.ts'
import { HANG_MS } from '../../../test/fakes/until.ts'
import { CHECK, PUPPET, VOICE } from './playground-samples.ts'
import { useBrowser, visit, type VisitOptions } from './stage.ts'
import { emptyConsole } from './stories.ts'
import { HOSTILE } from './story.ts'

/** Who wants to try a create: look at puppets, listen to voices, read the check, see the film. */

const PLAYGROUND = '/console/playground'
/** Exactly: neither a check nor a read. */
const CREATES = /\/console\/api\/unified\/v1\/videos$/
const CHECKS = /\/console\/api\/unified\/v1\/videos\/check$/

/** How many requests a backend of the sandbox ever got. */
const requestsOf = async (url: string): Promise<number> =>
  ((await (await fetch(`${url}/sandbox/ledger`)).json()) as { requests_total: number }).requests_total

const button = (page: Page, name: string | RegExp): Locator => page.getByRole('button', { name })

const open = async (browser: Parameters<typeof visit>[0], options: VisitOptions = {}) => {
  const staged = await emptyConsole()
  const { page, asked } = await visit(browser, staged.url, { path: PLAYGROUND, key: KEYS.bert, ...options })
  await page.getByLabel('Backend', { exact: true }).waitFor()
  const videos = async (): Promise<{ id: string; metadata: Record<string, string> }[]> => {
    const answer = await fetch(`${staged.url}/unified/v1/videos`, { headers: { authorization: `Bearer ${KEYS.bert}` } })
    return ((await answer.json()) as { data: { id: string; metadata: Record<string, string> }[] }).data
  }
  return { ...staged, page, asked, videos }
}

const fillMain = async (page: Page, text: string): Promise<void> => {
  await page.getByLabel('An image by its URL').check()
  await page.getByLabel('Image URL').fill('https://example.com/anna.png')
  await page.getByLabel('Text', { exact: true }).fill(text)
}

/** Asked from outside: what polls inside the page evaluates text, which its policy forbids. */
const becomes = (page: Page, expression: string): Promise<void> =>
  expect.poll(() => page.evaluate<boolean>(expression), { timeout: HANG_MS }).toBe(true)

/** A film that a browser has decoded a picture of. */
const plays = async (page: Page): Promise<void> => {
  const film = page.locator('video')
  await film.waitFor()
  await film.evaluate((player: { muted: boolean; play: () => Promise<void> }) => {
    player.muted = true
    return player.play()
  })
  await becomes(page, 'document.querySelector("video").currentTime > 0')
}

describe.skipIf(skippedWithoutChromium())('the playground', () => {
  const browser = useBrowser()

  test('a puppet that is seen, a voice that is heard, a check, and the film; nothing is in storage', async () => {
    const { page, videos } = await open(browser())
    await page.getByLabel('Backend', { exact: true }).selectOption('alt')
    const puppets = page.getByRole('list', { name: 'Puppets' })
    await puppets.locator('img').first().waitFor()
    await becomes(page, 'document.querySelector(".play-puppets img").naturalWidth > 0')
    await puppets.getByRole('radio').first().check()
    await button(page, /^Listen to/)
      .first()
      .click()
    await becomes(page, 'document.querySelector("audio").currentTime > 0 || document.querySelector("audio").ended')
    await page.getByRole('list', { name: 'Voices' }).getByRole('radio').nth(1).check()
    await page.getByLabel('Text', { exact: true }).fill('Hello from the playground.')
    await page.getByLabel('Metadata').fill('order=1001\nnote = two words')
    await page.getByText('Ready: alt makes it').waitFor()
    await button(page, 'Create the video').click()
    await plays(page)
    expect(await videos()).toMatchObject([{ metadata: { order: '1001', note: 'two words' } }])
    const [made] = await videos()
    await page.getByRole('link', { name: 'Open the video' }).click()
    await page.waitForURL(`**/console/videos/${made?.id}`)
    expect(await page.evaluate('[localStorage.length, sessionStorage.length]')).toEqual([expect.any(Number), 0])
    expect(await page.evaluate('JSON.stringify(localStorage)')).not.toContain('Hello')
  })

  test('on the other backend: an image, and a film', async () => {
    const { page } = await open(browser(), { path: `${PLAYGROUND}?backend=main` })
    expect(await page.getByLabel('Backend', { exact: true }).inputValue()).toBe('main')
    // Its saved portraits are there to be chosen: they go as images.
    await page.getByRole('list', { name: 'Puppets' }).getByRole('radio').first().waitFor()
    expect(await page.locator('#play-puppet').allTextContents()).not.toContain('main does not have this option.')
    await page.getByLabel('An image by its URL').check()
    await page.getByLabel('Image URL').fill('https://example.com/anna.png')
    await page.getByLabel('Text', { exact: true }).fill('Hello from the other one.')
    await page.getByText('Ready: main makes it').waitFor()
    await button(page, 'Create the video').click()
    await plays(page)
  })

  test('a check that refuses says so at the field, and asks no backend', async () => {
    const { page, sandbox } = await open(browser(), { path: `${PLAYGROUND}?backend=alt`, allowed: /400/ })
    await page.getByRole('list', { name: 'Puppets' }).getByRole('radio').first().check()
    await page.getByLabel('Language', { exact: true }).fill('de-DE')
    expect(await page.getByText('alt does not have this option.').count()).toBeGreaterThan(0)
    const before = await requestsOf(sandbox.alternateUrl)
    await page.getByLabel('Text', { exact: true }).fill('Hello.')
    await page.getByText('alt cannot make this', { exact: true }).waitFor()
    const field = page.getByLabel('Language', { exact: true })
    expect(await field.getAttribute('aria-invalid')).toBe('true')
    const ids = (await field.getAttribute('aria-describedby')) ?? ''
    expect(await page.locator(`#${ids.split(' ').at(-1)}`).textContent()).toMatch(/language/i)
    await page.getByLabel('Leave out options that the backend does not have').check()
    await page.getByText('Ready: alt makes it').waitFor()
    await page.getByLabel('Webhook URL').fill('no url')
    await page.getByLabel('Webhook URL').and(page.locator('[aria-invalid="true"]')).waitFor()
    expect(await requestsOf(sandbox.alternateUrl)).toBe(before)
  })

  test('of two checks the later form counts, though its answer comes first', async () => {
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    const asked: string[] = []
    const { page } = await open(browser(), {
      path: `${PLAYGROUND}?backend=main`,
      prepare: (page) =>
        page.route(CHECKS, async (route) => {
          const text = String(route.request().postData())
          asked.push(text)
          const isFirst = text.includes('[[first]]')
          if (isFirst) await held
          const fulfilled = { ...CHECK, chosen: isFirst ? null : 'main', backends: isFirst ? [] : CHECK.backends }
          await route.fulfill({ json: fulfilled }).catch(() => undefined)
        }),
    })
    const isFirst = (request: Request): boolean => request.postData()?.includes('[[first]]') ?? false
    // Given up by the page, or answered.
    const first = Promise.race([
      page.waitForEvent('requestfailed', isFirst),
      page.waitForEvent('requestfinished', isFirst),
    ])
    await fillMain(page, '[[first]]')
    await expect.poll(() => asked.length, { timeout: HANG_MS }).toBe(1)
    await page.getByLabel('Text', { exact: true }).fill('The second')
    await page.getByText('Ready: main makes it').waitFor()
    release()
    await first
    // Two pictures later the page would show it.
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
    expect(await page.getByText('No backend can make this').count()).toBe(0)
    expect(await page.getByText('Ready: main makes it').count()).toBe(1)
  })

  test('a double click makes one video; another one of the same form is made when it is wanted', async () => {
    const { page, videos } = await open(browser(), { path: `${PLAYGROUND}?backend=main` })
    await fillMain(page, '[[stuck]] Only one of me.')
    await page.getByText('Ready: main makes it').waitFor()
    await button(page, 'Create the video').dblclick()
    await button(page, 'Open the video')
      .or(page.getByRole('link', { name: 'Open the video' }))
      .waitFor()
    expect(await videos()).toHaveLength(1)
    await button(page, 'Make another video from this form').click()
    await button(page, 'Create the video').click()
    await expect.poll(async () => (await videos()).length, { timeout: HANG_MS }).toBe(2)
  })

  test('a create whose answer was lost is repeated with the same key, and is the same video', async () => {
    const keys: (string | null)[] = []
    let lost = 0
    const { page, videos } = await open(browser(), {
      path: `${PLAYGROUND}?backend=main`,
      allowed: /ERR_FAILED/,
      prepare: (page) =>
        page.route(CREATES, async (route) => {
          if (route.request().method() !== 'POST') return route.continue()
          keys.push(await route.request().headerValue('idempotency-key'))
          if (lost > 0) return route.continue()
          lost += 1
          await route.fetch()
          return route.abort()
        }),
    })
    await fillMain(page, '[[stuck]] Answered into the void.')
    await button(page, 'Create the video').click()
    await page.getByText('No connection').waitFor()
    await button(page, 'Try again').click()
    await page.getByRole('link', { name: 'Open the video' }).waitFor()
    expect(keys).toHaveLength(2)
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/)
    expect(keys[1]).toBe(keys[0])
    expect(await videos()).toHaveLength(1)
  })

  test('without credits it is told, with the request', async () => {
    const { page, videos } = await open(browser(), { path: `${PLAYGROUND}?backend=main`, allowed: /402/ })
    await fillMain(page, '[[no-credits]] Nobody pays.')
    await button(page, 'Create the video').click()
    const alert = page.getByRole('alert').filter({ hasText: 'insufficient_credits' })
    await alert.waitFor()
    expect(await alert.textContent()).toMatch(/request req_/)
    expect(await videos()).toEqual([])
    await page.getByLabel('Text', { exact: true }).fill('Somebody pays.')
    await button(page, /Create the video|Try again/).click()
    await plays(page)
  })

  test('a backend that is away: its voices and puppets say so, and so does the create', async () => {
    const { page, fault } = await open(browser(), { path: `${PLAYGROUND}?backend=main`, allowed: /50[234]/ })
    await fault('primary', { operation: '*', kind: 'status', status: 503, when: 'before', times: 1_000 })
    await fillMain(page, 'Is anybody there?')
    await button(page, 'Create the video').click()
    const alert = page.getByRole('alert').filter({ hasText: 'request' })
    await alert.first().waitFor()
    expect(await alert.first().textContent()).toMatch(/request req_/)
  })

  test('names of voices and puppets stay text', async () => {
    const { page } = await open(browser(), {
      prepare: async (page) => {
        const list = (data: object[]) => ({ json: { object: 'list', data, has_more: false, next_cursor: null } })
        const name = HOSTILE
        await page.route(/\/unified\/v1\/voices/, (route) =>
          route.fulfill(list([{ ...VOICE, name, language: HOSTILE, language_code: 'en', gender: HOSTILE }])),
        )
        await page.route(/\/unified\/v1\/puppets/, (route) => route.fulfill(list([{ ...PUPPET, name }])))
      },
    })
    await page.getByRole('list', { name: 'Puppets' }).getByText(HOSTILE).waitFor()
    await page.getByRole('list', { name: 'Voices' }).getByText(HOSTILE).first().waitFor()
    expect(await page.title()).not.toContain('broken in')
    expect(await page.locator('img[src="x"]').count()).toBe(0)
  })

  test('with the keyboard alone', async () => {
    const { page, videos } = await open(browser(), { path: `${PLAYGROUND}?backend=alt` })
    await page.getByRole('list', { name: 'Voices' }).waitFor()
    await page.getByRole('list', { name: 'Puppets' }).waitFor()
    const tabTo = async (isThere: string): Promise<void> => {
      for (let n = 0; n < 200; n += 1) {
        if (await page.evaluate<boolean>(`document.activeElement.matches(${JSON.stringify(isThere)})`)) return
        await page.keyboard.press('Tab')
      }
      throw new Error(`no tab leads to ${isThere}`)
    }
    await page.getByLabel('Backend', { exact: true }).focus()
    await tabTo('textarea[name="text"]')
    await page.keyboard.type('Typed.')
    await tabTo('input[name="puppet"]')
    await page.keyboard.press('Space')
    await tabTo('input[name="voice"]')
    await page.keyboard.press('ArrowDown')
    await tabTo('button[aria-label^="Listen"]')
    await page.keyboard.press('Enter')
    await button(page, /^Stop/).waitFor()
    await tabTo('button[type="submit"]')
    await page.getByText('Ready: alt makes it').waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('region', { name: 'Your video' }).waitFor()
    await becomes(page, 'document.activeElement.getAttribute("aria-label") === "Your video"')
    expect(await videos()).toHaveLength(1)
  })

  test('what is wanted without a portrait is said at the portrait, and nothing is sent', async () => {
    const { page, asked } = await open(browser())
    await page.getByLabel('Text', { exact: true }).fill('Hello.')
    await button(page, 'Create the video').click()
    await page
      .getByRole('alert')
      .getByText('Choose a puppet')
      .or(page.getByRole('alert').filter({ hasText: 'Choose a puppet' }))
      .first()
      .waitFor()
    await page.getByLabel('An image by its URL').check()
    await page.getByLabel('Image URL').fill('https://example.com/anna.png')
    await page.getByLabel('Metadata').fill('order')
    await page.getByText('line 1 is not name=value').first().waitFor()
    await button(page, 'Create the video').click()
    expect(asked.filter((url) => CREATES.test(url))).toEqual([])
  })

  test('the form as a command', async () => {
    const { page } = await open(browser(), {
      path: `${PLAYGROUND}?backend=main`,
      prepare: (page) =>
        page.addInitScript(
          'Object.defineProperty(navigator, "clipboard", { value: { writeText: async (text) => { window.copied = text } } })',
        ),
    })
    await fillMain(page, "It's me; $HOME")
    await button(page, 'Copy as curl').click()
    const command = await page.evaluate<string>('window.copied')
    expect(command).toContain('-H "authorization: Bearer $KEY"')
    expect(command).toContain(String.raw`"text": "It'\''s me; $HOME"`)
    expect(command).not.toContain(KEYS.bert)
  })
})
