import type { Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import type { Schema } from '../src/api.ts'
import { skippedWithoutChromium } from '../../../test/fakes/chromium.ts'
import { bearer, KEYS } from '../../../test/fakes/gateway.ts'
import { must } from '../../../test/fakes/must.ts'
import { useBrowser, visit } from './stage.ts'
import { emptyConsole, toldConsole } from './stories.ts'
import { HOSTILE } from './story.ts'

/** Creates whose outcome is not known, as the operator answers them. */

type Video = Schema<'AdminVideo'>

const read = async (url: string, path: string): Promise<unknown> => {
  const answer = await fetch(`${url}${path}`, { headers: bearer(KEYS.anna) })
  expect(answer.status).toBe(200)
  return answer.json()
}
const videoOf = async (url: string, id: string) => (await read(url, `/unified/v1/admin/videos/${id}`)) as Video
const dialog = (page: Page): Locator => page.getByRole('dialog')
const button = (on: Page | Locator, name: string): Locator => on.getByRole('button', { name })

describe.skipIf(skippedWithoutChromium())('doubts', () => {
  const browser = useBrowser()

  test('none: what a doubt is', async () => {
    const { url } = await emptyConsole()
    const { page } = await visit(browser(), url, { path: '/console/doubts' })
    await page.getByRole('heading', { name: 'No create is in doubt' }).waitFor()
  })

  test('that there is no job: the create is sent once more, after a question, and it leaves the list', async () => {
    const { url, story } = await toldConsole()
    const { page } = await visit(browser(), url, { path: '/console/doubts' })
    await page.getByRole('link', { name: story.doubtful }).waitFor()
    await page.getByText('Whose job is this?').waitFor()
    await button(page, 'No job was made: send it again').click()
    await dialog(page).getByText('the client pays for two videos').waitFor()
    await button(dialog(page), 'Cancel').click()
    expect((await videoOf(url, story.doubtful)).doubt).toMatchObject({ open: true, attempt: 1 })
    await button(page, 'No job was made: send it again').click()
    await dialog(page).getByLabel('Note').fill('not in their list')
    await button(dialog(page), 'Send the create again').click()
    await page.getByText('The create is sent again').waitFor()
    await page.getByRole('heading', { name: 'No create is in doubt' }).waitFor()
    await expect.poll(async () => (await videoOf(url, story.doubtful)).backend_job_id).toMatch(/^clip_/)
    const { data } = (await read(url, '/unified/v1/admin/audit?action=video.resolve')) as { data: unknown }
    expect(data).toMatchObject([
      { subject: story.doubtful, actor: 'anna', detail: { absent: true, attempt: 1, note: 'not in their list' } },
    ])
  })

  test('that it is this job, on the page of the video: a wrong one is refused, the right one is taken', async () => {
    const { url, story, sandbox } = await toldConsole()
    const jobs = (await (
      await fetch(`${sandbox.alternateUrl}/v1/videos?limit=100`, { headers: bearer(sandbox.alternateKey) })
    ).json()) as { data?: { id: string }[]; videos?: { id: string }[] }
    const { data: known } = (await read(url, '/unified/v1/admin/videos?limit=100')) as { data: Video[] }
    const taken = new Set(known.map((video) => video.backend_job_id))
    const job = must((jobs.data ?? jobs.videos ?? []).find(({ id }) => !taken.has(id))).id
    const { page } = await visit(browser(), url, { path: `/console/videos/${story.doubtful}`, allowed: /40\d/ })
    await button(page, 'Adopt a job…').click()
    await dialog(page).getByLabel('Id of the job').fill('clip_none')
    await button(dialog(page), 'Adopt the job').click()
    await dialog(page).getByRole('alert').getByText('request').waitFor()
    await dialog(page).getByLabel('Id of the job').fill(job)
    await button(dialog(page), 'Adopt the job').click()
    await page.getByText('The job now belongs to the video').waitFor()
    await expect.poll(() => dialog(page).count()).toBe(0)
    await expect.poll(() => button(page, 'Adopt a job…').count()).toBe(0)
    expect(await videoOf(url, story.doubtful)).toMatchObject({ backend_job_id: job, doubt: null })
  })

  test('what candidates and texts say is text; a candidate is chosen by its button', async () => {
    const { url } = await toldConsole()
    const { page } = await visit(browser(), url, {
      path: '/console/doubts',
      prepare: (tab) =>
        tab.route(/doubt=open/, async (route) => {
          const answer = await route.fetch()
          const list = (await answer.json()) as { data: Video[] }
          const [video] = list.data
          const { doubt, input } = must(video)
          const shown = { ...doubt, candidates: [HOSTILE, 'clip_other'] }
          const told = { ...video, doubt: shown, input: { ...input, text: HOSTILE } }
          await route.fulfill({ json: { ...list, data: [told] }, response: answer })
        }),
    })
    await page.getByText(HOSTILE).first().waitFor()
    expect(await page.getByText(HOSTILE).count()).toBe(2)
    await button(page, 'Adopt this job').last().click()
    expect(await dialog(page).getByLabel('Id of the job').inputValue()).toBe('clip_other')
    expect(await page.locator('main img, main script').count()).toBe(0)
    expect(await page.title()).toBe('Doubts · Talkbridge')
  })
})
