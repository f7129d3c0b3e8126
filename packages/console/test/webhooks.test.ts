import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { skippedWithoutChromium } from '../../../test/fakes/chromium.ts'
import { KEYS } from '../../../test/fakes/gateway.ts'
import { must } from '../../../test/fakes/must.ts'
import { answer } from '../../../test/fakes/receiver.ts'
import { asApp, codeOf, expectForgotten, expectText, hearing, rowOf } from './hooks-stage.ts'
import { useBrowser, visit } from './stage.ts'
import { emptyConsole } from './stories.ts'
import { HOSTILE } from './story.ts'

/** Endpoints as a person uses them, against a real receiver. */

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const inDialog = (page: Page, name: string) => page.getByRole('dialog').getByRole('button', { name, exact: true })

/** Adds an endpoint by the form; answers its secret. The page is then the endpoint's. */
const add = async (page: Page, url: string, description: string): Promise<string> => {
  await button(page, 'Add endpoint').click()
  await page.getByLabel('URL').fill(url)
  await page.getByLabel('Description').fill(description)
  await inDialog(page, 'Add endpoint').click()
  const secret = await codeOf(page, 'the signing secret')
  await inDialog(page, 'I have copied it').click()
  await page.getByRole('heading', { level: 1, name: description }).waitFor()
  return secret
}

const asBert = { key: KEYS.bert, path: '/console/webhooks' }

describe.skipIf(skippedWithoutChromium())('endpoints', () => {
  const browser = useBrowser()

  test('one is added, tested, edited and deleted; its secret is shown once', async () => {
    const { url, receiver } = await emptyConsole()
    // Of the URL that is refused.
    const { page } = await visit(browser(), url, { ...asBert, allowed: /422/ })
    const heard = hearing(page)
    await page.getByText('No endpoints yet').waitFor()
    const secret = await add(page, `${receiver.url}/hook`, HOSTILE)
    expect(secret).toMatch(/^whsec_/)
    await expectText(page)
    receiver.script(answer(418, { 'content-type': 'text/html' }, `<script>document.title='broken in'</script> no`))
    await button(page, 'Send a test').click()
    const result = page.locator('section').filter({ hasText: 'The result of the test' })
    await result.getByText('not delivered').waitFor()
    expect(await result.textContent()).toContain('418')
    expect(await codeOf(page, 'the answer')).toBe(`<script>document.title='broken in'</script> no`)
    expect(await page.title()).not.toContain('broken in')

    await button(page, 'Edit').click()
    await page.getByLabel('URL').fill('http://10.0.0.7/hook')
    await inDialog(page, 'Save').click()
    // Said beside the field.
    expect(await page.getByRole('dialog').getByRole('alert').textContent()).toContain('not allowed')
    await page.getByLabel('URL').fill(`${receiver.url}/new`)
    await page.getByLabel('Description').fill('Orders')
    await page.getByLabel('video.progress').check()
    await inDialog(page, 'Save').click()
    await page.getByRole('heading', { level: 1, name: 'Orders' }).waitFor()
    await page.getByText('video.progress, video.completed').waitFor()

    heard.forget()
    await page.reload()
    await page.getByRole('heading', { level: 1, name: 'Orders' }).waitFor()
    await page.getByRole('link', { name: '← Webhooks' }).click()
    await rowOf(page, '/new').getByText('enabled').waitFor()
    await expectForgotten(page, secret, heard)

    await rowOf(page, '/new').getByRole('link').click()
    await button(page, 'Delete').click()
    await page.getByRole('dialog', { name: 'Delete Orders?' }).getByText(`${receiver.url}/new`).waitFor()
    await inDialog(page, 'Delete endpoint').click()
    await page.getByText('No endpoints yet').waitFor()
    const left = await asApp(url).json<{ data: unknown[] }>('GET', '/webhook_endpoints')
    expect(left.data).toEqual([])
  })

  test('one is disabled, holds what happens, and is sent it when it is enabled', async () => {
    const { url, receiver } = await emptyConsole()
    const { page } = await visit(browser(), url, asBert)
    await add(page, `${receiver.url}/hook`, 'Orders')
    const soon = page.getByText('Disable Orders: its events are held')
    await button(page, 'Disable').click()
    await button(page, 'Undo').click()
    await soon.waitFor({ state: 'detached' })
    await button(page, 'Disable').click()
    await soon.waitFor()
    await page.getByText('enabled', { exact: true }).waitFor()
    await page.getByRole('link', { name: '← Webhooks' }).click()
    await rowOf(page, '/hook').getByText('its client disabled it').waitFor()
    await rowOf(page, '/hook').getByRole('link').click()
    await asApp(url).video()
    await page.getByText('1 (sent, ten a second, once it is enabled)').waitFor()
    expect(receiver.requests).toEqual([])
    await button(page, 'Enable').click()
    await receiver.received(1)
    await rowOf(page, 'video.completed').getByText('delivered').waitFor()
    await button(page, 'Disable').waitFor()
  })

  test('its secret is rotated: both are good for a while, and the page says until when', async () => {
    const { url, receiver } = await emptyConsole()
    const { page } = await visit(browser(), url, asBert)
    const heard = hearing(page)
    const first = await add(page, `${receiver.url}/hook`, 'Orders')
    await page.getByText('One secret signs').waitFor()
    await button(page, 'Rotate secret').click()
    await page.getByLabel('The old secret works for').selectOption('One hour')
    await inDialog(page, 'Rotate').click()
    const second = await codeOf(page, 'the signing secret')
    expect(second).not.toBe(first)
    await inDialog(page, 'I have copied it').click()
    await page
      .getByText(/Two sign: the old one ends in (59|60) min\./)
      .or(page.getByText('in 1 hr.'))
      .waitFor()
    await button(page, 'Send a test').click()
    const [request] = await receiver.received(1)
    expect(String(must(request).headers['webhook-signature']).split(' ')).toHaveLength(2)
    heard.forget()
    await page.reload()
    await page.getByText('Two sign').waitFor()
    await expectForgotten(page, second, heard)

    await button(page, 'Rotate secret').click()
    await page.getByLabel('The old secret works for').selectOption('Ends immediately')
    await inDialog(page, 'Rotate').click()
    await inDialog(page, 'I have copied it').click()
    await page.getByText('One secret signs').waitFor()
  })

  test('what failed in a time is replayed, and the page shows how far it is', async () => {
    const { url, receiver } = await emptyConsole()
    const app = asApp(url)
    const { page } = await visit(browser(), url, asBert)
    for (let n = 0; n < 3; n += 1) await app.video()
    await add(page, `${receiver.url}/hook`, 'Orders')
    await button(page, 'Replay').click()
    await inDialog(page, 'Replay').click()
    await page.getByText('There is no such event in this time').waitFor()
    receiver.respond({ kind: 'hold', status: 204 })
    await page.getByLabel('Only events that the gateway gave up').uncheck()
    await inDialog(page, 'Replay').click()
    await receiver.received(3)
    await page.getByText('All 3 are queued. 3 deliveries to this endpoint wait for an attempt.').waitFor()
    const sent = () => page.evaluate<number>(`document.querySelector('progress').value`)
    await page.getByRole('progressbar', { name: 'Sent of the replay' }).waitFor()
    expect(await sent()).toBe(0)
    receiver.release()
    await page.getByText('All 3 were sent.').waitFor()
    expect(await sent()).toBe(1)
  })

  test('of other clients an operator sees all, and does what ends an incident, with a note; a client sees its own', async () => {
    const { url, receiver } = await emptyConsole()
    const [anna, bert] = [asApp(url, KEYS.anna), asApp(url)]
    await anna.json('POST', '/webhook_endpoints', { url: `${receiver.url}/annas`, description: 'of anna' })
    await bert.json('POST', '/webhook_endpoints', { url: `${receiver.url}/berts`, description: 'of bert' })
    const operator = await visit(browser(), url, { path: '/console/webhooks' })
    await operator.page.getByText('You can change those of your own, anna').waitFor()
    await rowOf(operator.page, '/annas').getByRole('cell', { name: 'anna', exact: true }).waitFor()
    await rowOf(operator.page, '/berts').getByRole('link').click()
    await operator.page.getByText('This belongs to the client bert. The audit log records what you do here.').waitFor()
    expect(await operator.page.getByRole('button', { name: /Edit|Delete|Rotate/ }).count()).toBe(0)
    const note = operator.page.getByRole('dialog').getByLabel('Note')
    await button(operator.page, 'Send a test').click()
    await inDialog(operator.page, 'Send a test').click()
    await operator.page.getByText('The result of the test').waitFor()
    await button(operator.page, 'Replay').click()
    await note.fill('after the outage')
    await inDialog(operator.page, 'Replay').click()
    await operator.page.getByText('There is no such event in this time').waitFor()
    await inDialog(operator.page, 'Cancel').click()
    await button(operator.page, 'Disable').click()
    await note.fill('it is hammered')
    await inDialog(operator.page, 'Disable endpoint').click()
    await operator.page.getByText('Disable of bert: its events are held').waitFor()
    await operator.page.getByRole('link', { name: '← Webhooks' }).click()
    await rowOf(operator.page, '/berts').getByText('an operator disabled it').waitFor()
    await rowOf(operator.page, '/berts').getByRole('link').click()
    await button(operator.page, 'Enable').click()
    await inDialog(operator.page, 'Enable endpoint').click()
    await button(operator.page, 'Disable').waitFor()
    const audit = await anna.json<{ data: { action: string; detail: object }[] }>('GET', '/admin/audit')
    const done = audit.data
      .filter(({ action }) => action.startsWith('endpoint.'))
      .map(({ action, detail }) => [action, detail])
    expect(done).toMatchObject([
      ['endpoint.enable', { client: 'bert' }],
      ['endpoint.disable', { client: 'bert', note: 'it is hammered' }],
      ['endpoint.replay', { client: 'bert', note: 'after the outage' }],
      ['endpoint.test', { client: 'bert' }],
    ])
    await operator.page.goto(`${url}/console/webhooks?client=anna`)
    await rowOf(operator.page, '/annas').waitFor()
    expect(await rowOf(operator.page, '/berts').count()).toBe(0)

    const client = await visit(browser(), url, asBert)
    const heard = hearing(client.page)
    await rowOf(client.page, '/berts').waitFor()
    expect(await client.page.content()).not.toContain('annas')
    await client.page.reload()
    await rowOf(client.page, '/berts').waitFor()
    await client.page.getByRole('link', { name: 'Deliveries' }).click()
    await client.page.getByText('Nothing was sent yet').waitFor()
    expect(await heard.all()).not.toContain('anna')
    expect(client.asked.filter((one) => one.includes('/admin/'))).toEqual([])
  })

  test('a key that may only read is offered nothing that it may not do', async () => {
    const { url, receiver } = await emptyConsole()
    const { id } = await asApp(url).json<{ id: string }>('POST', '/webhook_endpoints', { url: `${receiver.url}/hook` })
    const issued = { client: 'bert', scopes: ['webhooks:read'] }
    const { key } = await asApp(url, KEYS.anna).json<{ key: string }>('POST', '/admin/keys', issued)
    const { page } = await visit(browser(), url, { key, path: '/console/webhooks' })
    await rowOf(page, '/hook').waitFor()
    expect(await button(page, 'Add endpoint').count()).toBe(0)
    await page.goto(`${url}/console/webhooks/${id}`)
    await page.getByText('Your key may only read here').waitFor()
    expect(await page.getByRole('button', { name: /Edit|Delete|Send a test/ }).count()).toBe(0)
  })
})
