import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openApp, testApp, type TestApp } from '../fakes/gateway.ts'
import { expectProblem, expectVideo } from './expect.ts'
import { MAIN_BODY, servePrimary, type Service } from './services.ts'

/** Where `webhook_url` may point, at create. The guard's own tests go through every range; this is its answer. */
let app: TestApp
let main: Service
beforeAll(async () => {
  app = await openApp()
  main = servePrimary(app.main)
})
afterAll(() => app.close())

describe('422 webhook_url_not_allowed', () => {
  test.each([
    'http://hooks.example.com/in',
    'https://127.0.0.1/in',
    'https://[::1]/in',
    'https://[::ffff:127.0.0.1]/in',
    'https://10.1.2.3/in',
    'https://192.168.0.1/in',
    'https://172.16.0.1/in',
    'https://169.254.169.254/latest/meta-data',
    'https://168.63.129.16/in',
    'https://0.0.0.0/in',
    'https://2130706433/in',
    'https://0x7f.1/in',
    'https://[fd00::1]/in',
    'https://localhost/in',
    'https://intranet/in',
    'https://user:hunter2@hooks.example.com/in',
    'https://@hooks.example.com/in',
    'https://hooks.example.com:22/in',
    'https://hooks.example.com:8080/in',
    'ftp://hooks.example.com/in',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'mailto:a@example.com',
    'data:text/plain,x',
  ])('%s', async (webhook_url) => {
    const problem = expectProblem(await app.post({ ...MAIN_BODY, webhook_url }), 'webhook_url_not_allowed', {
      param: 'webhook_url',
      retryable: false,
      video_id: null,
    })
    expect(problem.errors).toEqual([{ path: 'webhook_url', message: problem.detail }])
    expect(problem.detail).not.toContain('hunter2')
    expect(main.creates()).toEqual([])
  })
})

test('one of few characters and many bytes is refused, since an index of PostgreSQL could not hold it', async () => {
  const webhook_url = `https://8.8.8.8/${'文'.repeat(2_000)}`
  const problem = expectProblem(await app.post({ ...MAIN_BODY, webhook_url }), 'invalid_request', {
    param: 'webhook_url',
  })
  expect(problem.errors).toEqual([{ path: 'webhook_url', message: 'the URL is longer than 2048 bytes' }])
  expect(main.creates()).toEqual([])
})

test('a public https address is taken, 8443 too, and shown in the video', async () => {
  for (const webhook_url of ['https://8.8.8.8/in?a=b', 'https://8.8.8.8:8443/in', 'https://[2606:4700::1111]/in']) {
    expect(expectVideo(await app.post({ ...MAIN_BODY, webhook_url }), 202).webhook_url).toBe(webhook_url)
  }
})

test('a name that does not resolve now may do so later', async () => {
  const webhook_url = 'https://hooks.nowhere.invalid/in'
  expect(expectVideo(await app.post({ ...MAIN_BODY, webhook_url }), 202).webhook_url).toBe(webhook_url)
})

test('an exception of the configuration opens its range and nothing else', async () => {
  const open = await testApp({ webhooks: { allow: [{ cidr: '127.0.0.0/8', ports: [3000], http: true }] } })
  servePrimary(open.main)
  for (const webhook_url of ['http://127.0.0.1:3000/in', 'https://127.0.0.2:3000/in', 'http://localhost:3000/in']) {
    expectVideo(await open.post({ ...MAIN_BODY, webhook_url }), 202)
  }
  for (const webhook_url of ['http://127.0.0.1:3001/in', 'http://10.0.0.1:3000/in', 'http://[::1]:3000/in']) {
    expectProblem(await open.post({ ...MAIN_BODY, webhook_url }), 'webhook_url_not_allowed')
  }
})
