import type { Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import type { Schema } from '../src/api.ts'
import { skippedWithoutChromium } from '../../../test/fakes/chromium.ts'
import { bearer, KEYS } from '../../../test/fakes/gateway.ts'
import { must } from '../../../test/fakes/must.ts'
import { useBrowser, visit } from './stage.ts'
import { emptyConsole, toldConsole, useToldConsole } from './stories.ts'
import { HOSTILE } from './story.ts'

/** One video, as somebody looks at it who wonders what became of it. */

type Video = Schema<'AdminVideoWithTimeline'>
type Delivery = Schema<'Delivery'>

const sent = async <T>(url: string, path: string, init: RequestInit, key: string = KEYS.anna): Promise<T> => {
  const headers = { ...bearer(key), ...(init.body && { 'content-type': 'application/json' }) }
  const answer = await fetch(`${url}/unified/v1${path}`, { ...init, headers })
  expect([path, answer.status]).toEqual([path, expect.toBeOneOf([200, 202])])
  return (await answer.json()) as T
}
const asked = <T>(url: string, path: string): Promise<T> => sent<T>(url, path, {})
const made = async (url: string, text: string): Promise<string> => {
  const body = JSON.stringify({ image_url: 'https://example.com/anna.png', text })
  return (await sent<Video>(url, '/videos', { method: 'POST', body }, KEYS.bert)).id
}
/** Jobs that never end have the slots of the account: what comes now waits in the gateway, and is not sent meanwhile. */
const fullOf = async (url: string): Promise<void> => {
  for (const n of [1, 2]) await made(url, `[[stuck]] ${n}`)
}
const at = (id: string): string => `/console/videos/${id}`
const card = (page: Page, title: string): Locator => page.locator('section.card', { hasText: title })
const state = (page: Page): Locator => page.locator('.video-state')
const dialog = (page: Page): Locator => page.getByRole('dialog')
const button = (on: Page | Locator, name: string): Locator => on.getByRole('button', { name })

interface Mark {
  at: number
  x: number
  title: string
}
/** Every mark of the picture, with where its middle is. */
const MARKS = `[...document.querySelectorAll('.tl-mark')].map((mark) => {
  const { left, width } = mark.getBoundingClientRect()
  return { at: Number(mark.dataset.at), x: left + width / 2, title: mark.title }
})`

describe.skipIf(skippedWithoutChromium())('one video', () => {
  const browser = useBrowser()
  // For tests that only look. What changes something has a gateway of its own.
  const told = useToldConsole()

  test('its timeline has every line and every attempt in order, and is drawn to scale', async () => {
    const { url, story } = told()
    const path = `/admin/deliveries?video=${story.completed}&expand=attempts`
    // Both receivers have answered once; the one that fails is tried again later.
    await expect
      .poll(async () => (await asked<{ data: Delivery[] }>(url, path)).data.flatMap((one) => one.attempts ?? []).length)
      .toBeGreaterThan(1)
    const { page } = await visit(browser(), url, { path: at(story.completed) })
    const rows = page.getByRole('table', { name: 'What happened' }).locator('tbody tr')
    await rows.nth(8).waitFor()
    const { timeline = [] } = await asked<Video>(url, `/admin/videos/${story.completed}?expand=timeline`)
    const { data } = await asked<{ data: Delivery[] }>(url, path)
    const moments = [
      ...timeline.map((line) => line.at),
      ...data.flatMap(({ attempts = [] }) => attempts.map((attempt) => attempt.at)),
    ].toSorted()
    await expect.poll(() => rows.count()).toBe(moments.length)
    const times = await rows.locator('time').evaluateAll((all) => all.map((one) => one.getAttribute('datetime')))
    expect(times).toEqual(moments)
    await page.getByRole('row', { name: /Polled completed/ }).waitFor()
    await page.getByRole('row', { name: /video\.completed, attempt 1 answered 204/ }).waitFor()

    const marks = await page.evaluate<Mark[]>(MARKS)
    expect(marks).toHaveLength(moments.length)
    // An attempt lasts until it was answered.
    const answered = data.flatMap(({ attempts = [] }) => attempts.map((one) => Date.parse(one.at) + one.duration_ms))
    const [first, last] = [Date.parse(must(moments[0])), Math.max(Date.parse(must(moments.at(-1))), ...answered)]
    const track = must(await page.locator('.tl-row[data-lane] .tl-track').first().boundingBox())
    for (const mark of marks) {
      const share = (mark.at - first) / (last - first)
      expect(Math.abs(mark.x - (track.x + share * track.width)), mark.title).toBeLessThan(2)
    }
  })

  test('its film plays, from the gateway alone', async () => {
    const { url, story } = told()
    const { page, asked: urls } = await visit(browser(), url, { path: at(story.completed) })
    const film = page.getByLabel(`Video ${story.completed}`)
    await film.waitFor()
    await film.evaluate((video: { play: () => Promise<void> }) => video.play())
    await expect.poll(() => film.evaluate((video: { currentTime: number }) => video.currentTime)).toBeGreaterThan(0.2)
    expect(urls).toContain(`${url}/console/media/videos/${story.completed}`)
  })

  test('a film that its backend does not give any more is said to be gone', async () => {
    const { url, story } = told()
    let isGone = true
    const { page } = await visit(browser(), url, {
      path: at(story.completed),
      allowed: /502/,
      prepare: (tab) =>
        tab.route('**/console/media/**', (route) => (isGone ? route.fulfill({ status: 502 }) : route.continue())),
    })
    await card(page, 'Open the file').getByText('The video cannot be played now').waitFor()
    isGone = false
    await button(card(page, 'Open the file'), 'Try again').click()
    await expect
      .poll(() => page.locator('video').evaluate((video: { duration: number }) => video.duration))
      .toBeGreaterThan(1)
  })

  test.each([
    ['insufficient_credits', 'Buy credits at the backend'],
    ['quota_exceeded', 'renewed or raised the quota'],
    ['invalid_image', 'change it first'],
  ])('what to do about %s', async (code, advice) => {
    const { url, story } = told()
    const { page } = await visit(browser(), url, {
      path: at(story.failed),
      prepare: (tab) =>
        tab.route(/\/admin\/videos\/vid_[^/]*\?expand/, async (route) => {
          const response = await route.fetch()
          const video = (await response.json()) as Video
          const error = { ...must(video.error), code, retryable: false }
          await route.fulfill({ json: { ...video, error }, response })
        }),
    })
    await card(page, 'Why it failed').getByText(advice).waitFor()
  })

  test('what somebody wrote is text, wherever it stands', async () => {
    const { url, story } = told()
    const { page } = await visit(browser(), url, {
      path: at(story.failed),
      prepare: (tab) =>
        tab.route(/\/admin\/videos\/vid_[^/]*\?expand/, async (route) => {
          const answer = await route.fetch()
          const video = (await answer.json()) as Video
          const error = { ...must(video.error), message: HOSTILE, backend_error: null }
          const lines = [{ at: video.created_at, type: HOSTILE, detail: HOSTILE }, ...(video.timeline ?? [])]
          const [metadata, routing] = [{ [HOSTILE]: HOSTILE }, { ...video.routing, rule: HOSTILE }]
          const doubt = {
            open: false,
            attempt: 1,
            since: null,
            candidates: [HOSTILE],
            evidence: { walks: [], named: [{ job_id: HOSTILE, state: 'read' }], resends: 0 },
            resolved_at: null,
          }
          const json = { ...video, error, metadata, routing, doubt, timeline: lines, client: HOSTILE }
          await route.fulfill({ json, response: answer })
        }),
    })
    const answered = page.getByText('What the receiver answered').first()
    await answered.click()
    await page.getByRole('region', { name: 'answer' }).getByText(HOSTILE).waitFor()
    for (const title of ['Why it failed', 'Request', 'Backend', 'Doubt', 'Timeline', 'Record'])
      await card(page, title).getByText(HOSTILE).first().waitFor()
    expect(await page.locator('main img, main script').count()).toBe(0)
    expect(await page.title()).toBe('Video · Talkbridge')
  })

  test('one that waits is canceled when the page is left, and not where that was taken back', async () => {
    const { url } = await emptyConsole()
    await fullOf(url)
    const id = await made(url, 'This one waits.')
    const { page } = await visit(browser(), url, { path: at(id) })
    const statusOf = async () => (await asked<Video>(url, `/admin/videos/${id}`)).status
    const soon = page.getByText(`Cancel ${id}: nothing is paid for it yet`)
    await button(page, 'Cancel the video').click()
    await soon.waitFor()
    await page.keyboard.press('u')
    await soon.waitFor({ state: 'detached' })
    await page.keyboard.press('e')
    await soon.waitFor()
    expect(await statusOf()).toBe('queued')
    await page.getByRole('link', { name: '← Videos' }).click()
    await expect.poll(statusOf).toBe('canceled')
    await page.goBack()
    await state(page).getByText('canceled').waitFor()
    expect(await button(page, 'Cancel the video').count()).toBe(0)
  })

  test('its head says the code and where the time went; it is made again, as it was or changed', async () => {
    const { url, story } = await toldConsole()
    const { page } = await visit(browser(), url, { path: at(story.failed), key: KEYS.bert })
    await state(page)
      .getByText(/backend_failed.*took .*send · .*make/s)
      .waitFor()
    await button(page, 'Make it again').click()
    await dialog(page).getByRole('link', { name: 'change the request first' }).click()
    await page.waitForURL(/playground\?.*from=/)
    expect(await page.getByLabel('Text', { exact: true }).inputValue()).toContain('[[fail]]')
    expect(await page.getByLabel('Metadata').inputValue()).toBe('order=1003')
    await page.goto(url + at(story.failed))
    await button(page, 'Make it again').click()
    await button(dialog(page), 'Make it again').click()
    await page.waitForURL((to) => to.pathname.startsWith('/console/videos/') && !to.pathname.includes(story.failed))
    const id = must(page.url().split('/').at(-1))
    const [made, old] = await Promise.all([
      asked<Video>(url, `/admin/videos/${id}`),
      asked<Video>(url, `/admin/videos/${story.failed}`),
    ])
    expect([made.client, made.input, made.metadata]).toEqual(['bert', old.input, old.metadata])
  })

  test('all its events are sent again at once', async () => {
    const { url, story, receiver } = await toldConsole()
    const { page } = await visit(browser(), url, { path: at(story.failed) })
    const told = (): number =>
      receiver.requests.filter((one) => one.url === '/hook' && one.body.includes(story.failed)).length
    const before = told()
    await page.getByRole('row', { name: /\/hook .*delivered 1/ }).waitFor()
    await button(page, 'Send events again').click()
    await page.getByText('events are on the way').or(page.getByText('1 event is on the way')).waitFor()
    await expect.poll(told).toBe(before + 1)
    await page.getByRole('row', { name: /\/hook .*delivered 2/ }).waitFor()
    await page.getByRole('row', { name: /attempt 2 answered 204/ }).waitFor()
  })

  test('a change is seen within a second, without a reload', async () => {
    const { url } = await emptyConsole()
    await fullOf(url)
    const tookMs: number[] = []
    for (let n = 0; n < 3; n += 1) {
      const id = await made(url, 'This one waits.')
      const { page, asked: urls } = await visit(browser(), url, { path: at(id), key: KEYS.bert })
      await state(page).getByText('queued').waitFor()
      await expect.poll(() => urls.some((one) => one.endsWith(`/videos/${id}/events`))).toBe(true)
      await sent(url, `/videos/${id}/cancel`, { method: 'POST' }, KEYS.bert)
      const begun = performance.now()
      await state(page).getByText('canceled').waitFor()
      tookMs.push(performance.now() - begun)
      await page.context().close()
    }
    // The machine may be busy with something else for once.
    expect(Math.min(...tookMs)).toBeLessThan(1_000)
  })

  test('its progress is shown as its own stream tells it, before anything is read again', async () => {
    const { url } = await emptyConsole()
    const id = await made(url, '[[stuck]]')
    let reads = 0
    const { page } = await visit(browser(), url, {
      path: at(id),
      key: KEYS.bert,
      prepare: async (tab) => {
        const path = `**/unified/v1/videos/${id}`
        // The first read alone is answered.
        await tab.route(`${path}?*`, (route) => ((reads += 1) === 1 ? route.continue() : undefined))
        await tab.route(`${path}/events`, (route) => {
          const body = `event: video.progress\ndata: ${JSON.stringify({ id, status: 'processing', progress: 0.77 })}\n\n`
          return route.fulfill({ contentType: 'text/event-stream', body })
        })
      },
    })
    await state(page).getByText('77 %').waitFor()
    expect(await page.getByRole('progressbar', { name: 'Progress' }).getAttribute('value')).toBe('0.77')
  })

  test('waits that would squash the rest are cut out of the picture, and a long list is shown in parts', async () => {
    const { url, story } = told()
    const { page } = await visit(browser(), url, {
      path: at(story.completed),
      prepare: (tab) =>
        tab.route(/\/admin\/videos\/vid_[^/]*\?expand/, async (route) => {
          const answer = await route.fetch()
          const video = (await answer.json()) as Video
          const startMs = Date.parse(video.created_at) - 100_000_000
          const entry = (second: number, type: string) => ({
            at: new Date(startMs + second * 1_000).toISOString(),
            type,
            detail: `at ${second}`,
          })
          const polls = Array.from({ length: 90 }, (_, n) => entry(7_202 + n, 'polled'))
          const waits = { ...entry(600, 'waiting'), detail: 'backend_unavailable' }
          const lines = [entry(0, 'created'), waits, entry(7_200, 'dispatched'), entry(7_201, 'accepted'), ...polls]
          const json = { ...video, timeline: [...lines, entry(7_300, 'completed')] }
          await route.fulfill({ json, response: answer })
        }),
    })
    await page.getByText('2 h 0 min').first().waitFor()
    await state(page)
      .getByText(/2 h 0 min wait for the backend · .*send · .*make/)
      .waitFor()
    const note = page.getByText('Nothing happened in the hatched parts')
    await note.waitFor()
    const marks = (await page.evaluate<Mark[]>(MARKS)).filter(({ title }) => title.startsWith('Polled'))
    expect(marks).toHaveLength(90)
    const gaps = marks.slice(1).map(({ x }, n) => x - must(marks[n]).x)
    expect(Math.min(...gaps)).toBeGreaterThan(1)
    expect(Math.max(...gaps) - Math.min(...gaps)).toBeLessThan(0.5)
    const rows = page.getByRole('table', { name: 'What happened' }).locator('tbody tr')
    await page.getByRole('row', { name: 'Waits for the backend' }).waitFor()
    // What found nothing new is one row, and the last poll another.
    await page.getByRole('row', { name: 'Polled 89 times' }).waitFor()
    expect(await rows.count()).toBeLessThan(15)
    await button(page, 'Show all').click()
    await expect.poll(() => rows.count()).toBeGreaterThan(90)
  })

  test('a client sees its own by its own operations, and no doubt', async () => {
    const { url, story } = told()
    const { page, asked: urls } = await visit(browser(), url, { path: at(story.doubtful), key: KEYS.bert })
    await card(page, 'Timeline').getByText('Outcome not known').first().waitFor()
    expect(await button(page, 'No job was made: send it again').count()).toBe(0)
    expect(urls.filter((one) => one.includes('/admin/'))).toEqual([])
    expect(await page.getByRole('link', { name: 'Doubts' }).count()).toBe(0)
  })

  test('one that is not there, or cannot be read, says so, and what to do', async () => {
    const { url, story } = told()
    let isAway = true
    const { page } = await visit(browser(), url, {
      path: at('vid_none'),
      allowed: /404|503/,
      prepare: (tab) =>
        tab.route(`**/admin/videos/${story.failed}?*`, (route) =>
          isAway
            ? route.fulfill({
                status: 503,
                headers: { 'content-type': 'application/problem+json', 'x-request-id': 'req_of_the_test' },
                body: JSON.stringify({ title: 'The store is away', code: 'store_unavailable', status: 503 }),
              })
            : route.continue(),
        ),
    })
    await page.getByRole('heading', { name: 'There is no such video' }).waitFor()
    await page.getByRole('link', { name: 'All videos' }).waitFor()
    await page.goto(url + at(story.failed))
    await page.getByRole('alert').getByText('req_of_the_test').waitFor()
    isAway = false
    await button(page, 'Try again').click()
    await state(page).getByText('failed', { exact: true }).waitFor()
  })
})
