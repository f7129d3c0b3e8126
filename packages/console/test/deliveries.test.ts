import { describe, expect, test } from 'vitest'
import { skippedWithoutChromium } from '../../../test/fakes/chromium.ts'
import { KEYS } from '../../../test/fakes/gateway.ts'
import { must } from '../../../test/fakes/must.ts'
import { answer } from '../../../test/fakes/receiver.ts'
import { asApp, codeOf, expectText, rowOf } from './hooks-stage.ts'
import { useBrowser, visit } from './stage.ts'
import { emptyConsole } from './stories.ts'
import { HOSTILE } from './story.ts'

/** Deliveries as a person looks at them. */

const PATH = '/console/webhooks/deliveries'

describe.skipIf(skippedWithoutChromium())('deliveries', () => {
  const browser = useBrowser()

  test('one that fails shows each attempt with its answer, and is redelivered', async () => {
    const { url, receiver } = await emptyConsole()
    const app = asApp(url)
    await app.json('POST', '/webhook_endpoints', { url: `${receiver.url}/hook` })
    receiver.respond(answer(500, { 'content-type': 'text/html' }, HOSTILE))
    const video = await app.video()
    const { page } = await visit(browser(), url, { key: KEYS.bert, path: PATH })
    const row = rowOf(page, video)
    await row.getByText('pending').waitFor()
    await row.getByRole('link', { name: 'video.completed' }).click()
    await page.getByText('Attempt 1', { exact: true }).waitFor()
    await page
      .locator('.attempts')
      .getByText(/^in \d+ (sec|min)\./)
      .waitFor()
    await page.getByText('What it answered').first().click()
    await expectText(page)
    const [request] = receiver.requests
    const head = await codeOf(page, 'the head of the request')
    expect(head).toContain(`webhook-id: ${String(must(request).headers['webhook-id'])}`)
    expect(head).toContain('webhook-signature: v1,…')
    const body = await codeOf(page, 'the body of the request')
    expect(JSON.parse(body)).toEqual(JSON.parse(must(request).body))
    expect(body.split('\n').length).toBeGreaterThan(10)

    receiver.respond(answer(200, {}, 'thank you'))
    await page.getByRole('button', { name: 'Redeliver' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Redeliver' }).click()
    // By itself: nobody reloads.
    await page.locator('dd').getByText('delivered', { exact: true }).waitFor()
    await page.getByText('What it answered').last().click()
    // Its own retry may have come first, and brought the same: then it is sent once more, and is pending until that is answered.
    await page.getByText('thank you').last().waitFor()
    await expect.poll(() => page.getByText('Next attempt', { exact: true }).count()).toBe(1)
    expect(new Set(receiver.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  })

  test('filters are in the address; what comes meanwhile is offered, and moves nothing', async () => {
    const { url, receiver } = await emptyConsole()
    const app = asApp(url)
    const [hook, fails] = await Promise.all(
      ['hook', 'fails'].map((path) =>
        app.json<{ id: string }>('POST', '/webhook_endpoints', { url: `${receiver.url}/${path}` }),
      ),
    )
    const video = await app.video()
    const { page } = await visit(browser(), url, { key: KEYS.bert, path: PATH })
    await rowOf(page, '/hook').getByText('delivered').waitFor()
    await rowOf(page, '/fails').getByText('pending').waitFor()
    await page.getByLabel('Status').selectOption('pending')
    await page.waitForURL(/\?status=pending$/)
    await rowOf(page, '/hook').waitFor({ state: 'detached' })
    await page.getByRole('searchbox', { name: 'Video' }).fill(video)
    await page.getByRole('searchbox', { name: 'Video' }).press('Enter')
    await page.waitForURL(new RegExp(`status=pending&video=${video}$`))
    await page.reload()
    await rowOf(page, '/fails').waitFor()
    expect(await page.getByLabel('Status').inputValue()).toBe('pending')
    expect(await page.getByRole('row').count()).toBe(2)
    await page.getByLabel('Status').selectOption('held')
    await page.getByText('No delivery matches').waitFor()
    await page.getByRole('button', { name: 'Clear the filters' }).click()
    await rowOf(page, '/hook').waitFor()
    expect(new URL(page.url()).search).toBe('')

    const later = await app.video()
    await page.getByRole('button', { name: 'Show 2 new deliveries' }).waitFor()
    expect(await rowOf(page, later).count()).toBe(0)
    await page.getByRole('button', { name: 'Show 2 new deliveries' }).click()
    await rowOf(page, later).first().waitFor()
    expect(await page.getByRole('row').count()).toBe(5)
    // How its deliveries went is at each endpoint.
    await page.goto(`${url}/console/webhooks`)
    await rowOf(page, '/hook').getByText('100.0 %').waitFor()

    // With its endpoint goes what waits for it: given up, by its last answer and the time of its end.
    await app.call('DELETE', `/webhook_endpoints/${must(fails).id}`)
    await page.goto(`${url}${PATH}?status=pending&video=${video}`)
    const answer5 = page.getByRole('searchbox', { name: 'Given up with' })
    await answer5.fill('5xx')
    await answer5.press('Enter')
    await page.waitForURL(/\?status=failed&http_status=5xx$/)
    await rowOf(page, '/fails').nth(1).waitFor()
    expect(await page.getByRole('row').count()).toBe(3)
    await page.getByLabel('Ended before').fill('2020-01-01T00:00')
    await page.getByText('No delivery matches').waitFor()
    await page.goto(`${url}${PATH}?endpoint=${must(hook).id}`)
    await page.getByRole('button', { name: 'Replay all that failed since…' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Replay' }).click()
    await page.getByText('There is no such event in this time').waitFor()
  })

  test('a list goes on page by page', async () => {
    const { url, receiver } = await emptyConsole()
    const app = asApp(url)
    for (let n = 0; n < 9; n += 1) await app.json('POST', '/webhook_endpoints', { url: `${receiver.url}/${n}` })
    for (let n = 0; n < 3; n += 1) await app.video()
    const { page } = await visit(browser(), url, { key: KEYS.bert, path: PATH })
    await page.getByRole('button', { name: 'Show more' }).click()
    await page.getByRole('button', { name: 'Show more' }).waitFor({ state: 'detached' })
    const links = await page.getByRole('row').getByRole('link', { name: 'video.completed' }).all()
    const paths = await Promise.all(links.map((link) => link.getAttribute('href')))
    expect(paths).toHaveLength(27)
    expect(new Set(paths).size).toBe(27)
  })

  test('an operator sees those of all clients, by client, and sends one again; it is in the audit log', async () => {
    const { url, receiver } = await emptyConsole()
    await asApp(url).json('POST', '/webhook_endpoints', { url: `${receiver.url}/berts` })
    const own = asApp(url, KEYS.anna)
    await own.json('POST', '/webhook_endpoints', { url: `${receiver.url}/annas` })
    await asApp(url).video()
    await own.video()
    const { page } = await visit(browser(), url, { path: PATH })
    await rowOf(page, '/annas').waitFor()
    await page.getByLabel('Client').fill('bert')
    await page.getByLabel('Client').press('Enter')
    await rowOf(page, '/annas').waitFor({ state: 'detached' })
    await rowOf(page, '/berts').getByRole('link', { name: 'video.completed' }).click()
    await page.getByText('This belongs to the client bert. The audit log records what you do here.').waitFor()
    const before = receiver.requests.length
    await page.getByRole('button', { name: 'Redeliver' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Redeliver' }).click()
    await page.getByText('Attempt 2', { exact: true }).waitFor()
    expect(receiver.requests.slice(before).map(({ url: path }) => path)).toEqual(['/berts'])
    await page.goto(`${url}/console/webhooks`)
    await rowOf(page, '/annas').getByText('100.0 %').waitFor()
    await rowOf(page, '/berts').getByText('100.0 %').waitFor()
    await page.goto(`${url}/console/audit`)
    await rowOf(page, 'event.redeliver').getByRole('cell', { name: /^anna/ }).waitFor()
    await page.goto(`${url}${PATH}?client=anna`)
    await rowOf(page, '/annas').getByRole('link', { name: 'video.completed' }).click()
    await page.getByRole('button', { name: 'Redeliver' }).waitFor()
  })
})
