import { afterAll, beforeAll, expect, test } from 'vitest'
import { bearer, KEYS, openApp, type TestApp } from '../fakes/gateway.ts'
import { runHere } from './here.ts'

let app: TestApp
beforeAll(async () => {
  app = await openApp()
})
afterAll(() => app.close())

const backends = (argv: string[], env: Record<string, string> = { TALKBRIDGE_ADMIN_KEY: KEYS.anna }) =>
  runHere(['backends', ...argv, '--url', app.url], { env })
const paused = async () => {
  const { body } = await app.raw.get('/unified/v1/admin/backends/main').set(bearer(KEYS.anna)).expect(200)
  return (body as { paused: unknown }).paused
}
const WHY = ['--reason', 'no sound']

test('a backend is paused, by default its creates, and resumed', async () => {
  const done = await backends(['pause', 'main', ...WHY])
  expect(done).toEqual({ code: 0, stdout: 'main: creates paused until you resume it: no sound\n', stderr: '' })
  expect(await paused()).toMatchObject({ creates: true, polls: false, until: null, reason: 'no sound', by: 'anna' })
  expect(await backends(['resume', 'main'])).toEqual({ code: 0, stdout: 'main: not paused\n', stderr: '' })
  expect(await paused()).toBeNull()
})

test.each([
  [['--polls'], { creates: false, polls: true }],
  [['--creates', '--polls'], { creates: true, polls: true }],
])('%j, until a time', async (which, work) => {
  const beforeMs = Date.now()
  const done = await backends(['pause', 'main', ...which, '--until', '90m', ...WHY, '--json'])
  const told = (JSON.parse(done.stdout) as { paused: { until: string } }).paused
  expect(told).toMatchObject(work)
  expect(Date.parse(told.until) - beforeMs).toBeGreaterThanOrEqual(90 * 60_000)
  expect(await paused()).toEqual(told)
})

test.each([
  ['no key of an operator', ['pause', 'main', ...WHY], {}, 2, 'set TALKBRIDGE_ADMIN_KEY'],
  ['no reason', ['pause', 'main'], undefined, 2, '--reason'],
  ['an end that is none', ['pause', 'main', '--until', 'soon', ...WHY], undefined, 2, '--until must be a duration'],
  ['an end that is over', ['pause', 'main', '--until', '2020-01-01T00:00:00Z', ...WHY], undefined, 1, 'in the future'],
  ['an unknown backend', ['resume', 'none'], undefined, 1, 'there is no backend none'],
])('%s', async (_, argv, env, code, message) => {
  expect(await backends(argv, env)).toMatchObject({ code, stderr: expect.stringContaining(message) })
})
