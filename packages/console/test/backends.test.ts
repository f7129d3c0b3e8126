import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { MigrationView } from '../../../src/core/api/migration.ts'
import { BackendDetailView } from '../../../src/core/api/admin.ts'
import { splitsOf } from '../../../src/engine/routing/rules.ts'
import { createEndings } from '../../../test/fakes/ended-videos.ts'
import { skippedWithoutChromium } from '../../../test/fakes/chromium.ts'
import { KEYS } from '../../../test/fakes/gateway.ts'
import { must } from '../../../test/fakes/must.ts'
import { HANG_MS } from '../../../test/fakes/until.ts'
import { asAnna, asBert, bareConsole, changing, heard, standStill, watchable } from './overview-stage.ts'
import { useBrowser, visit } from './stage.ts'
import { emptyConsole } from './stories.ts'
import { HOSTILE } from './story.ts'

const STUCK = { image_url: 'https://example.com/anna.png', text: '[[stuck]] This one never ends.' }
const AT = '2026-11-20T12:00:00.000Z'
const RULE = { split: { main: 90, alt: 10 }, stop_if: { failure_rate: 0.5, of: 4, window: '1h' } }

/** The bodies of a table's rows, cell by cell. */
const rowsOf = (page: Page, name: string): Promise<string[][]> =>
  page
    .getByRole('table', { name })
    .locator('tbody tr')
    .evaluateAll((rows) => rows.map((row) => [...row.querySelectorAll('td')].map((cell) => cell.textContent ?? '')))

describe.skipIf(skippedWithoutChromium())('backends', () => {
  const browser = useBrowser()

  test('show their slots as they are taken, within a second of the event', async () => {
    const { url } = await emptyConsole()
    const options = { key: KEYS.bert, path: '/console/backends', prepare: watchable }
    const { page, asked } = await visit(browser(), url, options)
    const slots = page.getByRole('region', { name: 'Backend main' }).getByRole('meter', { name: 'Slots in use' })
    await slots.waitFor()
    await heard(page, 'open')
    await standStill(page, /\/v1\/backends$/)
    expect(await slots.getAttribute('aria-valuenow')).toBe('0')
    await asBert(url)('/videos', STUCK)
    await heard(page, 'video.queued')
    await page.clock.runFor(1_000)
    await expect.poll(() => slots.getAttribute('aria-valuenow'), { timeout: HANG_MS }).toBe('1')
    expect(asked.filter((one) => one.includes('/admin/'))).toEqual([])
  })

  test('one backend: its queue, whosever, with places; for a client its own part', async () => {
    const { url } = await emptyConsole()
    // The account has two slots.
    for (const api of [asAnna(url), asAnna(url), asBert(url), asAnna(url)]) await api('/videos', STUCK)
    const { page } = await visit(browser(), url, { path: '/console/backends/main' })
    const detail = async () => BackendDetailView.parse(await asAnna(url)('/admin/backends/main'))
    await page.getByRole('table', { name: 'Videos that wait' }).waitFor()
    const { queue } = await detail()
    expect(queue).toHaveLength(2)
    expect((await rowsOf(page, 'Videos that wait')).map((cells) => cells.slice(0, 3))).toEqual(
      queue.map(({ position, video_id: id, client }) => [String(position), id, client]),
    )
    const { page: other } = await visit(browser(), url, { key: KEYS.bert, path: '/console/backends/main' })
    await other.getByRole('table', { name: 'Videos that wait' }).waitFor()
    const own = queue.filter(({ client }) => client === 'bert')
    expect((await rowsOf(other, 'Videos that wait')).map(([place, id]) => [Number(place), id])).toEqual(
      own.map(({ position, video_id: id }) => [position, id]),
    )
  })

  test('what was learned of durations is a picture in which each bar says its number, with the polls to come', async () => {
    const { url, deps } = await bareConsole()
    const recent = Array.from({ length: 200 }, (_, n) => 30_000 + (n % 50) * 400)
    await deps.store.keepDurations('main/text', recent)
    const { page } = await visit(browser(), url, { path: '/console/backends/main' })
    const text = page.getByRole('region', { name: 'From text' })
    const picture = text.getByRole('group', { name: 'How long 200 jobs from text ran' })
    await picture.waitFor()
    const detail = BackendDetailView.parse(await asAnna(url)('/admin/backends/main'))
    const learned = must(detail.learned[0])
    expect(learned.histogram.reduce((sum, { videos }) => sum + videos, 0)).toBe(200)
    const bars = await picture.getByRole('img').evaluateAll((all) => all.map((bar) => bar.getAttribute('aria-label')))
    expect(bars.map((name) => Number(/: (\d+) videos$/.exec(name ?? '')?.[1]))).toEqual(
      learned.histogram.map(({ videos }) => videos),
    )
    await text.getByText(`The ${learned.polls.length} polls of a job that starts now`).click()
    expect(await rowsOf(page, 'Polls of a job from text')).toHaveLength(learned.polls.length)
    await page.getByRole('region', { name: 'From audio' }).getByText('Nothing learned yet').waitFor()
  })

  test('lists what a backend sent that its contract does not know', async () => {
    const { url, fault } = await emptyConsole()
    await fault('alternate', { operation: 'createVideo', kind: 'unknown-status', word: 'rendering' })
    await asBert(url)('/videos', { puppet_id: 'alt:pup_ada', text: 'Hello' })
    const { page } = await visit(browser(), url, { key: KEYS.bert, path: '/console/backends/alt' })
    await page.getByRole('table', { name: 'What it sent outside its contract' }).waitFor()
    // Each poll may tell of one more.
    const isSame = async (): Promise<boolean> => {
      const { drift } = BackendDetailView.parse(await asBert(url)('/backends/alt'))
      const rows = await rowsOf(page, 'What it sent outside its contract')
      const told = drift.latest.map(({ value }) => value)
      return told.includes('rendering') && told.join() === rows.map(([, value]) => value).join()
    }
    await expect.poll(isSame, { timeout: HANG_MS }).toBe(true)
  })

  test('text of a backend or a client that is HTML stays text', async () => {
    const { url } = await bareConsole()
    const seen = { operation: HOSTILE, count: 1, first_seen: AT, last_seen: AT, sample: HOSTILE }
    const { page } = await visit(browser(), url, {
      key: KEYS.bert,
      path: '/console/backends/main',
      prepare: (opened) =>
        changing(opened, /\/v1\/backends\/main$/, (answer) => ({
          ...answer,
          health: { status: 'down', since: AT, reason: HOSTILE },
          held_by: HOSTILE,
          queue: [
            { position: 1, video_id: 'vid_1', client: HOSTILE, backend: 'main', reason: HOSTILE, created_at: AT },
          ],
          drift: { kinds: 1, latest: [{ ...seen, kind: 'status', value: HOSTILE }] },
        })),
    })
    await page.getByRole('table', { name: 'What it sent outside its contract' }).waitFor()
    expect(await page.getByText(HOSTILE).count()).toBeGreaterThan(3)
    expect(await page.locator('main img, main script').count()).toBe(0)
    expect(await page.title()).not.toContain('broken in')
  })

  test('a backend that there is not says so', async () => {
    const { url } = await bareConsole()
    const { page } = await visit(browser(), url, {
      key: KEYS.bert,
      path: `/console/backends/${encodeURIComponent('<b>none')}`,
      allowed: /404/,
    })
    await page.getByRole('alert').getByText('backend_not_found').waitFor()
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('<b>none')
  })

  test('is paused by an operator, for a reason that clients see, and resumed', async () => {
    const { url } = await bareConsole()
    const { page } = await visit(browser(), url, { path: '/console/backends' })
    const main = page.getByRole('region', { name: 'Backend main' })
    await main.getByRole('button', { name: 'Pause…' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('What to pause').selectOption('both')
    await dialog.getByLabel('The pause ends').selectOption({ label: 'In 1 hour' })
    // The gateway wants a reason.
    await dialog.getByLabel('Reason').fill(HOSTILE)
    await dialog.getByRole('button', { name: 'Pause main' }).click()
    await main.getByText('main is paused: no creates and polls').waitFor()
    await main.getByText(HOSTILE).waitFor()
    await main.getByText(/by anna, .*it ends in (1 hr|59 min)\./).waitFor()
    const { page: own } = await visit(browser(), url, { key: KEYS.bert })
    await own.getByRole('region', { name: 'Backend main' }).getByText(HOSTILE).waitFor()
    expect(await own.getByRole('button', { name: /Resume|Pause/ }).count()).toBe(0)
    await page.goto(`${url}/console`)
    await main.getByRole('button', { name: 'Resume main' }).click()
    await main.getByText('is paused').waitFor({ state: 'detached' })
    expect(await page.title()).not.toContain('broken in')
    const { data } = (await asAnna(url)('/admin/audit')) as { data: { action: string }[] }
    expect(data.slice(0, 2).map(({ action }) => action)).toEqual(['backend.resume', 'backend.pause'])
  })

  test('a split that stopped itself: from the overview to the stop, resumed, stepped and rolled back', async () => {
    const { url, deps } = await bareConsole({ routing: { rules: [RULE] } })
    const split = must(splitsOf(deps.routing.rules)[0])
    const options = { endedAtMs: deps.clock.now(), backend: 'alt', status: 'failed' } as const
    await createEndings(deps.store)(4, split.key, options)
    await expect.poll(() => deps.routing.splits.stopped(), { timeout: HANG_MS }).toBe(1)
    const { page } = await visit(browser(), url, { allowed: /404/ })
    await page.getByText('Split stopped itself').waitFor()
    await page.getByRole('link', { name: split.key }).click()
    await page.getByText('It stopped itself.').waitFor()
    await page.getByText('4 of 4 failed on alt, 0 of 0 on main').waitFor()
    // All videos are of this split: no other table says the same.
    expect(await page.getByRole('table').count()).toBe(1)

    const confirm = async (first: string, then: string): Promise<void> => {
      await page.getByRole('button', { name: first }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('button', { name: then }).click()
      await dialog.waitFor({ state: 'detached' })
    }
    const share = page.getByRole('meter', { name: 'Share of alt' })
    expect(await share.getAttribute('aria-valuenow')).toBe('0')
    await confirm('Resume', 'Send 10 % to alt again')
    await expect.poll(() => share.getAttribute('aria-valuenow'), { timeout: HANG_MS }).toBe('10')
    expect(await page.getByText('It stopped itself.').count()).toBe(0)
    await page.getByText('10 % of clients', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Step to 25 %' }).click()
    // What is passed over is said where it is confirmed.
    await page.getByRole('dialog').getByText('25 % of clients').waitFor()
    await page.getByRole('dialog').getByText('the new side finished only 0 videos').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    await confirm('Step to 25 %', 'Send 25 % to alt anyway')
    await expect.poll(() => share.getAttribute('aria-valuenow'), { timeout: HANG_MS }).toBe('25')
    await confirm('Roll back', 'Send everything to main')
    await expect.poll(() => share.getAttribute('aria-valuenow'), { timeout: HANG_MS }).toBe('0')
    // Taken back by one click.
    await page.getByRole('button', { name: 'Undo the rollback: 25 % again' }).click()
    await expect.poll(() => share.getAttribute('aria-valuenow'), { timeout: HANG_MS }).toBe('25')
    expect(await page.getByRole('button', { name: /^Undo/ }).count()).toBe(0)
    const { splits } = MigrationView.parse(await asAnna(url)('/migration'))
    expect(splits[0]?.audit.map(({ action }) => action)).toEqual([
      'split.resume',
      'split.rollback',
      'split.step',
      'split.resume',
      'split.stop',
    ])
  })

  test('a split says whether its new side is better, or that the difference may be chance', async () => {
    const { url, deps } = await bareConsole({ routing: { rules: [{ ...RULE, stop_if: undefined }] } })
    const { key } = must(splitsOf(deps.routing.rules)[0])
    const end = createEndings(deps.store)
    const endedAtMs = deps.clock.now()
    await end(20, key, { endedAtMs, backend: 'main', status: 'completed', seconds: 40 })
    await end(5, key, { endedAtMs, backend: 'alt', status: 'completed', seconds: 20 })
    await end(1, key, { endedAtMs, backend: 'alt', status: 'failed' })
    const { page } = await visit(browser(), url, { path: '/console/backends?view=migration' })
    const verdicts = async () =>
      (await rowsOf(page, 'Is alt better than main?')).map(([figure, , , verdict]) => [figure, verdict])
    await expect.poll(verdicts, { timeout: HANG_MS }).toEqual([
      ['Ended', '–'],
      ['Succeeded (95 % interval)', 'no clear difference'],
      ['Half done in', 'better'],
      ['95 % done in', 'better'],
      ['Credits each', '–'],
      ['Lost an option', 'no clear difference'],
    ])
    await end(20, key, { endedAtMs, backend: 'alt', status: 'failed' })
    await page.reload()
    await expect.poll(async () => (await verdicts())[1]?.[1], { timeout: HANG_MS }).toBe('worse')
  })

  test('a split that moves nobody says so, and why', async () => {
    const { url } = await bareConsole({ routing: { rules: [{ ...RULE, stop_if: undefined }] } })
    const { page } = await visit(browser(), url, {
      path: '/console/backends?view=migration',
      prepare: (opened) =>
        changing(opened, /\/v1\/migration\?/, (answer) => ({
          ...answer,
          splits: (answer['splits'] as object[]).map((split) => ({
            ...split,
            by: 'metadata.user',
            not_moved: { 'capability_not_supported image_url': 1_140 },
            curve: [
              { from: AT, old: { videos: 1_200, failed: 6 }, new: { videos: 0, failed: 0 } },
              { from: '2026-11-20T13:00:00.000Z', old: { videos: 100, failed: 0 }, new: { videos: 0, failed: 0 } },
            ],
          })),
        })),
    })
    await page.getByText('This split moves nobody. alt did not get 1,140 creates of its share').waitFor()
    await page.getByText('1,140 capability_not_supported image_url').waitFor()
    await page.getByText('10 % of the values of metadata.user').waitFor()
    await page.getByRole('meter', { name: '0 of 20 videos' }).waitFor()
    const picture = page.getByRole('img', { name: 'Success of main and alt since the step' })
    await picture.getByText('main 99.5 %').first().waitFor({ state: 'attached' })
  })

  test('side by side: as the API has it, for the time that the address names', async () => {
    const { url, deps } = await bareConsole()
    const end = createEndings(deps.store)
    const nowMs = deps.clock.now()
    await end(9, null, { endedAtMs: nowMs, backend: 'main', status: 'completed', seconds: 40 })
    await end(1, null, { endedAtMs: nowMs, backend: 'main', status: 'failed' })
    await end(3, null, { endedAtMs: nowMs - 48 * 3_600_000, backend: 'alt', status: 'completed', seconds: 20 })
    const { page } = await visit(browser(), url, { path: '/console/backends' })
    const tab = page.getByRole('link', { name: 'Side by side' })
    await tab.press('Enter')
    const cells = async () => (await rowsOf(page, 'How videos ended on each backend')).map((row) => row.slice(0, 4))
    await expect.poll(cells, { timeout: HANG_MS }).toEqual([
      ['main', '10', '90.0 % (59.6 % to 98.2 %)', '40 s'],
      ['alt', '0', '–', '–'],
    ])
    // It is still there, and keeps the focus.
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Side by side')
    await page.getByLabel('Videos of').selectOption({ label: 'the last 7 days' })
    await page.waitForURL('**/console/backends?view=migration&since=7d')
    await expect.poll(async () => (await cells())[1]?.[1], { timeout: HANG_MS }).toBe('3')
    await page.getByRole('button', { name: 'Make the report' }).click()
    await page.getByText('10 videos of main, for alt').waitFor()
  })

  test('a client has no view of a migration', async () => {
    const { url } = await bareConsole()
    const { page, asked } = await visit(browser(), url, { key: KEYS.bert, path: '/console/backends?view=migration' })
    await page.getByRole('region', { name: 'Backend main' }).waitFor()
    expect(await page.getByRole('link', { name: 'Side by side' }).count()).toBe(0)
    expect(asked.filter((one) => one.includes('migration') && one.includes('/api/'))).toEqual([])
  })
})
