import { text } from 'node:stream/consumers'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { openWaiting } from '../../../test/contract/store/helpers.ts'
import type { Stage } from '../../../test/e2e/harness.ts'
import { skippedWithoutChromium } from '../../../test/fakes/chromium.ts'
import { bearer, KEYS } from '../../../test/fakes/gateway.ts'
import { must } from '../../../test/fakes/must.ts'
import { ended, T0 } from '../../../test/fakes/records.ts'
import { LAY_OUT_BARE_ROWS, SCROLL_ALL } from './frames.ts'
import { useBrowser, visit } from './stage.ts'
import { emptyConsole, toldConsole, useToldConsole } from './stories.ts'

const PATH = '/console/videos'
const rowOf = (page: Page, id: string) => page.getByRole('row').filter({ has: page.getByRole('link', { name: id }) })
const links = (page: Page) => page.getByRole('row').getByRole('link')
const status = (page: Page, name: string) => page.getByRole('checkbox', { name, exact: true })
const create = async (s: Stage, body: object, key: string = KEYS.bert): Promise<string> => {
  const answer = await s.call('/videos', {
    method: 'POST',
    headers: { ...bearer(key), 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  expect([200, 202]).toContain(answer.status)
  return ((await answer.json()) as { id: string }).id
}
const STUCK = { puppet_id: 'alt:pup_ada', text: '[[never-callback]] [[stuck]] A long one.' }
const isList = (url: string): boolean => /\/videos(\/search)?\?/.test(url)
/** A video that ended long ago, as the store has it. */
const past = (s: Stage, n: number, given: object = {}) =>
  openWaiting(
    s.gateway().gateway.deps.store,
    ended({
      id: `vid_${String(n).padStart(26, '0')}`,
      client: 'bert',
      backend: 'alt',
      createdAtMs: T0 - 10_000_000 + n,
      endedAtMs: T0,
      ...given,
    }),
  )

/** A stream that brings nothing but the word that something is missing: `GAP` sends it. */
const deaf = (page: Page) =>
  page.addInitScript(() => {
    const Real = globalThis.EventSource
    Reflect.set(
      globalThis,
      'EventSource',
      class extends Real {
        constructor(path: string) {
          super(path)
          Reflect.set(globalThis, 'theSource', this)
        }
        override addEventListener(type: string, listener: EventListener): void {
          if (['open', 'error', 'stream.gap'].includes(type)) super.addEventListener(type, listener)
        }
      },
    )
  })
const GAP = `theSource.dispatchEvent(new MessageEvent('stream.gap', { data: '{}' }))`

/** The rows are there, and news of them comes. */
const ready = async (page: Page): Promise<void> => {
  await links(page).first().waitFor()
  await page.getByText('Live', { exact: true }).waitFor()
  // Its keys are heard once it was painted.
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
}

describe.skipIf(skippedWithoutChromium())('the list of videos', () => {
  const browser = useBrowser()
  // For tests that only look. What changes something has a gateway of its own.
  const told = useToldConsole()

  test('every filter narrows it, stands in the address, and is what a colleague sees who opens that', async () => {
    const { url, story } = told()
    const { page, asked } = await visit(browser(), url, { path: PATH })
    await ready(page)
    const all = await links(page).count()
    expect(all).toBeGreaterThan(6)

    await status(page, 'failed').check()
    await expect.poll(() => links(page).allTextContents()).toEqual([story.failed])
    await page.getByText('1 video', { exact: true }).waitFor()
    await status(page, 'canceled').check()
    await expect.poll(() => links(page).count()).toBe(2)
    expect(await page.getByText('canceled').count()).toBe(2)
    await status(page, 'canceled').uncheck()
    expect(new URL(page.url()).searchParams.get('status')).toBe('failed')
    await page.getByLabel('Backend').selectOption('alt')
    await page.getByLabel('Client').fill('bert')
    await page.getByLabel('Id or metadata').fill('order=1003')
    await page.getByText('Press Enter').waitFor()
    await page.getByLabel('Id or metadata').press('Enter')
    await page.getByText('Press Enter').waitFor({ state: 'detached' })
    await page.waitForURL(/find=order/)
    await expect.poll(() => links(page).allTextContents()).toEqual([story.failed])
    const shared = page.url()
    const last = new URL(must(asked.findLast(isList)))
    expect(Object.fromEntries(last.searchParams)).toMatchObject({
      backend: 'alt',
      client: 'bert',
      'metadata[order]': '1003',
    })

    const other = await visit(browser(), url, { path: shared.slice(url.length) })
    await expect.poll(() => links(other.page).allTextContents()).toEqual([story.failed])
    expect(await status(other.page, 'failed').isChecked()).toBe(true)
    expect(await other.page.getByLabel('Id or metadata').inputValue()).toBe('order=1003')

    await page.getByLabel('Created before').fill('2020-01-01T00:00')
    await page.getByRole('heading', { name: 'No video matches' }).waitFor()
    await page.getByRole('button', { name: 'Clear all filters' }).click()
    await expect.poll(() => links(page).count()).toBe(all)
    expect(page.url()).toBe(`${url}${PATH}`)
    expect(await page.getByLabel('Id or metadata').inputValue()).toBe('')

    // A value alone, under any key.
    await page.getByLabel('Id or metadata').fill('1001')
    await page.getByLabel('Id or metadata').press('Enter')
    await expect.poll(() => links(page).allTextContents()).toEqual([story.completed])
    // An id is somewhere to go to.
    await page.getByLabel('Id or metadata').fill(story.waiting)
    await page.getByLabel('Id or metadata').press('Enter')
    await page.waitForURL(`${url}${PATH}/${story.waiting}`)
  })

  test('a client’s key asks for its own videos alone, and is told of nobody else’s', async () => {
    const s = await toldConsole()
    const answers: string[] = []
    const { page, asked } = await visit(browser(), s.url, {
      path: `${PATH}?client=anna`,
      key: KEYS.bert,
      prepare: async (one) => {
        one.on('response', (response) => {
          if (response.url().includes('/console/api/') && !response.url().includes('stream'))
            void response.text().then((text) => answers.push(text))
        })
      },
    })
    await ready(page)
    expect(await page.getByLabel('Client').count()).toBe(0)
    const foreign = await create(s, { image_url: 'https://example.com/a.png', text: 'Not yours.' }, KEYS.anna)
    const own = await create(s, STUCK)
    await page.getByRole('button', { name: '1 new video' }).click()
    await rowOf(page, own).waitFor()
    expect(await page.getByRole('table').textContent()).not.toContain(foreign)
    const requests = asked.filter((one) => one.includes('/console/api/'))
    expect(requests.filter((one) => /\/admin\/|client=/.test(one))).toEqual([])
    await expect.poll(() => answers.filter((text) => text.includes('"took_seconds"')).length).toBeGreaterThan(1)
    expect(answers.filter((text) => text.includes(foreign) || text.includes('Hello from the other one'))).toEqual([])
  })

  test('rows change in place as events come, and new videos wait to be taken in: nothing moves by itself', async () => {
    const s = await toldConsole()
    const { page, asked } = await visit(browser(), s.url, { path: PATH })
    await ready(page)
    const before = await links(page).allTextContents()
    const lists = (): number => asked.filter(isList).length
    const read = lists()
    const id = await create(s, { puppet_id: 'alt:pup_ada', text: 'Something new.', metadata: { order: '2001' } })
    await page.getByRole('button', { name: '1 new video' }).waitFor()
    expect(await links(page).allTextContents()).toEqual(before)
    // By its event alone.
    expect(lists()).toBe(read)
    await page.getByRole('button', { name: '1 new video' }).click()
    await rowOf(page, id).waitFor()
    expect((await links(page).allTextContents())[0]).toBe(id)
    const reads = lists()
    await rowOf(page, id).getByText('completed').waitFor()
    expect(lists()).toBe(reads)
    // One that the filters leave out is not announced.
    await status(page, 'failed').check()
    await page.waitForURL(/status=failed/)
    await expect.poll(() => links(page).allTextContents()).toEqual([s.story.failed])
    await create(s, STUCK)
    const failed = await create(s, { puppet_id: 'alt:pup_ada', text: '[[fail]] Again.' })
    await page.getByRole('button', { name: '1 new video' }).click()
    await rowOf(page, failed).waitFor()
  })

  test('a stream that breaks goes on where it was, and the rows are right again', async () => {
    const s = await toldConsole()
    const { page } = await visit(browser(), s.url, { path: PATH, allowed: /ERR_|Failed to load/ })
    await page.getByText('Live', { exact: true }).waitFor()
    await rowOf(page, s.story.waiting).getByText('queued').waitFor()
    // What happens while the line is cut.
    await s.restart()
    const canceled = await s.call(`/videos/${s.story.waiting}/cancel`, { method: 'POST', headers: bearer(KEYS.bert) })
    expect(canceled.status).toBe(200)
    const id = await create(s, STUCK)
    await rowOf(page, s.story.waiting).getByText('canceled').waitFor()
    await page.getByRole('button', { name: '1 new video' }).click()
    await rowOf(page, id).waitFor()
  })

  test('where the stream says that something is gone, what is looked at is read again', async () => {
    const s = await toldConsole()
    const { page } = await visit(browser(), s.url, { path: PATH, prepare: deaf })
    await rowOf(page, s.story.waiting).getByText('queued').waitFor()
    await s.call(`/videos/${s.story.waiting}/cancel`, { method: 'POST', headers: bearer(KEYS.bert) })
    await create(s, STUCK)
    await page.evaluate(GAP)
    await rowOf(page, s.story.waiting).getByText('canceled').waitFor()
    await page.getByRole('button', { name: '1 new video' }).waitFor()
    // Of an empty list no row is looked at.
    const { clock } = s.gateway().gateway.deps
    await page.goto(`${s.url}${PATH}?from=${new Date(clock.now()).toISOString()}`)
    await page.getByRole('heading', { name: 'No video matches' }).waitFor()
    await create(s, STUCK)
    await page.evaluate(GAP)
    await page.getByRole('button', { name: '1 new video' }).waitFor()
  })

  test('the keys go from row to row and open one; the focus stays where it is when rows come in', async () => {
    const s = await toldConsole()
    const { page } = await visit(browser(), s.url, { path: PATH })
    await ready(page)
    const ids = await links(page).allTextContents()
    const focused = () => page.evaluate<string | null>('document.activeElement.dataset.video ?? null')
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await expect.poll(focused).toBe(ids[1])
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('k')
    await expect.poll(focused).toBe(ids[1])
    await create(s, STUCK)
    await page.getByRole('button', { name: '1 new video' }).waitFor()
    await expect.poll(focused).toBe(ids[1])
    // In a field they are letters.
    await page.getByLabel('Client').pressSequentially('jk')
    expect(await page.getByLabel('Client').inputValue()).toBe('jk')
    await page.getByLabel('Client').fill('')
    await page.goto(`${s.url}${PATH}?find=1001`)
    await expect.poll(() => links(page).allTextContents()).toEqual([s.story.completed])
    await ready(page)
    await page.keyboard.press('j')
    await expect.poll(focused).toBe(s.story.completed)
    await page.keyboard.press('Enter')
    await page.waitForURL(`${s.url}${PATH}/${s.story.completed}`)
  })

  test('a doubt looks like one, and is a filter of its own', async () => {
    const { url, story } = told()
    const { page } = await visit(browser(), url, { path: PATH })
    await rowOf(page, story.doubtful).getByText('in doubt').waitFor()
    expect(await rowOf(page, story.waiting).getByText('in doubt').count()).toBe(0)
    await page.getByRole('button', { name: 'Failed today' }).click()
    await expect.poll(() => links(page).allTextContents()).toEqual([story.failed])
    await status(page, 'in doubt').check()
    await expect.poll(() => links(page).allTextContents()).toEqual([story.doubtful])
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({ phase: 'in_doubt' })
    await page.getByText('1 video', { exact: true }).waitFor()
    // What waits for nothing has ended, or not begun.
    await status(page, 'failed').check()
    await expect.poll(() => links(page).allTextContents()).toEqual([story.failed])
    // One of its receivers has it, the other one is down.
    await page.goto(`${url}${PATH}?status=completed&backend=alt`)
    await rowOf(page, story.completed).getByText('pending').waitFor()
    await page.getByLabel('Webhooks').selectOption('Given up')
    await page.getByRole('heading', { name: 'No video matches' }).waitFor()
    await page.getByLabel('Webhooks').selectOption('Pending')
    await rowOf(page, story.completed).getByText('pending').waitFor()
    // By metadata, too, which leaves the other out.
    await page.getByLabel('Id or metadata').fill('order=1001')
    await page.getByLabel('Id or metadata').press('Enter')
    await page.waitForURL(/\?status=completed&backend=alt&find=order%3D1001$/)
    await rowOf(page, story.completed).getByText('pending').waitFor()
    expect(await links(page).count()).toBe(1)
  })

  test('rows are chosen: what waits is canceled, events go again, and a file has them', async () => {
    const { url, story, receiver } = await toldConsole()
    const { page } = await visit(browser(), url, { path: PATH })
    await ready(page)
    const choose = (id: string) => page.getByLabel(`Choose ${id}`).check()
    for (const id of [story.waiting, story.completed, story.failed]) await choose(id)
    const told = (id: string): number =>
      receiver.requests.filter((one) => one.url === '/hook' && one.body.includes(id)).length
    const before = [told(story.completed), told(story.failed)]
    await page.getByText('3 chosen').waitFor()
    await page.getByRole('button', { name: 'Send events again' }).click()
    await page.getByText('The events of 2 videos are sent again').waitFor()
    await expect.poll(() => [told(story.completed), told(story.failed)]).toEqual(before.map((n) => n + 1))

    const saved = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Save as CSV' }).click()
    const file = await text(await (await saved).createReadStream())
    expect(file.split('\r\n')).toHaveLength(5)
    expect(file).toMatch(/^id,status,client,/)
    expect(file).toContain(`${story.failed},failed,bert,alt,`)
    expect(file).toContain('"[[fail]] ""><img src=x onerror=""doc')

    await page.getByRole('button', { name: 'Cancel 1' }).click()
    await page.getByText('Cancel 1 video: nothing is paid for it yet').waitFor()
    expect(await page.getByText(/ chosen$/).count()).toBe(0)
    await rowOf(page, story.waiting).getByText('queued').waitFor()
    await page.getByRole('link', { name: 'Doubts' }).click()
    await page.getByText('1 video canceled').waitFor()
    await page.goBack()
    await rowOf(page, story.waiting).getByText('canceled').waitFor()
  })

  test('the slowest come first where they are wanted, of several statuses as one list', async () => {
    const s = await emptyConsole()
    const COUNT = 130
    // The older, the slower, and every second one failed.
    for (let n = 0; n < COUNT; n += 1)
      await past(s, n, { ...(n % 2 && { status: 'failed' }), endedAtMs: T0 - 10_000_000 + n + (COUNT - n) * 1_000 })
    const { page, asked } = await visit(browser(), s.url, { path: `${PATH}?status=completed,failed` })
    await ready(page)
    const id = (n: number): string => `vid_${String(n).padStart(26, '0')}`
    const first = (): Promise<string | null> => links(page).first().textContent()
    expect(await first()).toBe(id(COUNT - 1))
    await page.getByText('130 videos').waitFor()
    await page.getByRole('button', { name: 'Took' }).click()
    await expect.poll(first).toBe(id(0))
    await page.getByText('130 videos').waitFor()
    expect(await page.getByRole('columnheader', { name: 'Took' }).getAttribute('aria-sort')).toBe('descending')
    // A page of each status, and what is behind: nothing is read for ever.
    expect(asked.filter(isList).length).toBeLessThan(12)
  })

  test('says what to do where there is nothing, and shows the first video when it comes', async () => {
    const s = await emptyConsole()
    const { page } = await visit(browser(), s.url, { path: PATH })
    await page.getByRole('heading', { name: 'No videos yet' }).waitFor()
    await page.getByText(`curl ${s.url}/unified/v1/videos`).waitFor()
    expect(await page.getByRole('link', { name: 'Open the playground' }).getAttribute('href')).toBe(
      '/console/playground',
    )
    const id = await create(s, STUCK)
    await page.getByRole('button', { name: '1 new video' }).click()
    await rowOf(page, id).waitFor()
  })

  test('text that tries to be HTML stays text; at 360 px rows are cards', async () => {
    const s = told()
    const { page } = await visit(browser(), s.url, { path: PATH, width: 360 })
    await rowOf(page, s.story.failed).getByText('<img src=x').first().waitFor()
    expect(await page.title()).toBe('Videos · Talkbridge')
    const wide = await page.evaluate<number>('document.documentElement.scrollWidth')
    expect(wide).toBeLessThanOrEqual(360)
    const box = must(await rowOf(page, s.story.failed).boundingBox())
    expect(box.height).toBeGreaterThan(80)
  })

  test('three thousand videos are scrolled through, with few rows in the page and no long frame of ours', async () => {
    const COUNT = 3_000
    const s = await emptyConsole()
    for (let from = 0; from < COUNT; from += 500) {
      const some = Array.from({ length: 500 }, (_, n) => from + n)
      await Promise.all(some.map((n) => past(s, n, { metadata: { order: String(n) } })))
    }
    const { page, asked } = await visit(browser(), s.url, { path: PATH })
    await ready(page)
    const before = await page.evaluate<number[]>(LAY_OUT_BARE_ROWS)
    const { tasks, most } = await page.evaluate<{ tasks: number[]; most: number }>(SCROLL_ALL)
    expect(asked.filter(isList).length).toBe(COUNT / 100)
    await rowOf(page, `vid_${'0'.repeat(26)}`).waitFor()
    expect(most).toBeLessThan(120)
    const bare = before.concat(await page.evaluate<number[]>(LAY_OUT_BARE_ROWS)).toSorted((a, b) => b - a)
    // What is ours comes with each of the thirty pages. What stops a browser now and then meets both.
    const slow = (durations: readonly number[]): number => durations[4] ?? 0
    expect(bare).toHaveLength(200)
    expect({ tasks: tasks.slice(0, 9), bare: bare.slice(0, 9) }).toSatisfy(
      () => slow(tasks) < Math.max(100, 6 * slow(bare)),
    )
  })
})
