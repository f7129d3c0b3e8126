import { rm } from 'node:fs/promises'
import { expect, onTestFinished, test } from 'vitest'
import { createSystemClock } from '../../src/core/time/clock.ts'
import { startSandbox } from '@talkbridge/sandbox'
import { bearer, gatewayConfig, KEYS, runGateway, temporaryFolder } from '../fakes/gateway.ts'
import { injectFault } from '../fakes/sandbox-faults.ts'
import { runHere } from './here.ts'

const talkbridge = (argv: string[], env: Record<string, string> = { TALKBRIDGE_ADMIN_KEY: KEYS.anna }) =>
  runHere(argv, { env })

/** The next create of the alternate backend is taken, and its answer lost. */
const fault = (alternateUrl: string): Promise<void> =>
  injectFault(alternateUrl, { operation: 'createVideo', kind: 'reset', when: 'after' })

/** A gateway with one video of the alternate backend in doubt: its create was taken, and the answer lost. */
const withDoubt = async (backendsAreLocal = true) => {
  const dir = await temporaryFolder()
  const sandbox = await startSandbox({ clock: createSystemClock(), speed: 1, unlimitedRate: true })
  const urls = { main: sandbox.primaryUrl, alt: sandbox.alternateUrl }
  const backends = {
    main: { api_key: sandbox.primaryKey },
    alt: { api_key: sandbox.alternateKey },
  }
  const { gateway } = await runGateway(gatewayConfig(dir, urls, { backends }), { backendsAreLocal })
  onTestFinished(async () => {
    await gateway.close()
    await sandbox.close()
    await rm(dir, { recursive: true, force: true })
  })
  const post = async (url: string, body: object, headers: Record<string, string> = {}): Promise<unknown> => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
    return response.json()
  }
  await fault(sandbox.alternateUrl)
  const body = { backend: 'alt', puppet_id: 'pup_ada', text: '[[stuck]] Hello' }
  const video: unknown = await post(`${gateway.url}/unified/v1/videos`, body, bearer(KEYS.anna))
  const id = typeof video === 'object' && video !== null && 'id' in video ? String(video.id) : ''
  return { gateway, sandbox, id, at: ['--url', gateway.url] }
}

test('--job: the video follows that job', async () => {
  const { gateway, sandbox, id, at } = await withDoubt()
  const [job] = sandbox.ledger().jobs
  const done = await talkbridge(['resolve', id, '--job', String(job?.id), ...at])
  expect(done).toEqual({ code: 0, stdout: `${id}: processing, job ${job?.id}\n`, stderr: '' })
  expect(await gateway.deps.videos.byId(id)).toMatchObject({ phase: 'accepted', backendJobId: job?.id })
  const again = await talkbridge(['resolve', id, '--job', String(job?.id), ...at])
  expect(again).toMatchObject({ code: 1, stdout: '' })
  expect(again.stderr).toContain('not in doubt')
})

test('--absent: it is sent once more', async () => {
  const { sandbox, id, at } = await withDoubt()
  expect(await talkbridge(['resolve', id, '--absent', ...at, '--json'])).toMatchObject({ code: 0, stderr: '' })
  await expect.poll(() => sandbox.ledger().jobs.length).toBe(2)
})

test('--absent, said again when the create that it made is in doubt, too: it says which attempt, and sends nothing', async () => {
  const { gateway, sandbox, id, at } = await withDoubt()
  await fault(sandbox.alternateUrl)
  expect(await talkbridge(['resolve', id, '--absent', ...at])).toMatchObject({ code: 0 })
  await expect.poll(() => gateway.deps.videos.byId(id)).toMatchObject({ phase: 'doubtful', attempt: 2 })
  const again = await talkbridge(['resolve', id, '--absent', ...at])
  expect(again).toMatchObject({ code: 1, stdout: '' })
  expect(again.stderr).toContain('--absent --attempt 2')
  const over = await talkbridge(['resolve', id, '--absent', '--attempt', '1', ...at])
  expect(over).toMatchObject({ code: 1, stderr: expect.stringContaining('attempt 1 is over') })
  expect(sandbox.ledger().jobs).toHaveLength(2)
  expect(await talkbridge(['resolve', id, '--absent', '--attempt', '2', ...at])).toMatchObject({ code: 0 })
  await expect.poll(() => sandbox.ledger().jobs.length).toBe(3)
})

/** The same where no callback can come: given up at once. */
const givenUp = async () => {
  const stage = await withDoubt(false)
  const [job] = stage.sandbox.ledger().jobs
  await expect.poll(() => stage.gateway.deps.videos.byId(stage.id)).toMatchObject({ status: 'failed' })
  return { ...stage, job: String(job?.id) }
}

test('--job, after it was given up: the job is a video of its own', async () => {
  const { gateway, id, job, at } = await givenUp()
  const done = await talkbridge(['resolve', id, '--job', job, ...at])
  expect(done).toMatchObject({ code: 0, stderr: '' })
  expect(done.stdout).toMatch(new RegExp(`^vid_\\w+: processing, job ${job} of ${id}, which stays failed\n$`))
  const found = await gateway.deps.videos.byId(done.stdout.split(':')[0] ?? '')
  expect(found).toMatchObject({ phase: 'accepted', client: 'anna', backendJobId: job, replaces: id })
  expect(await gateway.deps.videos.byId(id)).toMatchObject({ status: 'failed', replacedBy: found?.id })
  // The same again changes nothing; another job is refused, and so is that there was none.
  expect(await talkbridge(['resolve', id, '--job', job, ...at])).toEqual(done)
  for (const other of [['--job', 'clip_other'], ['--absent']])
    expect(await talkbridge(['resolve', id, ...other, ...at])).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining(`another video has this job already: ${found?.id}`),
    })
  expect(await gateway.deps.videos.byId(id)).toMatchObject({ replacedBy: found?.id })
})

test('--show: the jobs that may be it, read before it was given up', async () => {
  const { id, job, at } = await givenUp()
  const shown = await talkbridge(['resolve', id, '--show', ...at])
  expect(shown).toMatchObject({ code: 0, stderr: '' })
  expect(shown.stdout).toMatch(new RegExp(`attempt 1: given up since \\S+Z\njobs that may be it: ${job}\n$`))
  const json: unknown = JSON.parse((await talkbridge(['resolve', id, '--show', '--json', ...at])).stdout)
  expect(json).toMatchObject({ id, status: 'failed', doubt: { open: false, attempt: 1, candidates: [job] } })
})

test('--absent, after it was given up: it stays so, and nothing is sent', async () => {
  const { sandbox, id, at } = await givenUp()
  expect(await talkbridge(['resolve', id, '--absent', ...at])).toEqual({
    code: 0,
    stdout: `${id}: failed, job none\n`,
    stderr: '',
  })
  expect(sandbox.ledger().jobs).toHaveLength(1)
})

test('a job that the backend does not know is refused, and the doubt stays', async () => {
  const { gateway, id, at } = await withDoubt()
  const refused = await talkbridge(['resolve', id, '--job', 'clip_unknown', ...at])
  expect(refused).toMatchObject({ code: 1, stdout: '' })
  expect(refused.stderr).toMatch(/^talkbridge: /)
  expect(await gateway.deps.videos.byId(id)).toMatchObject({ phase: 'doubtful' })
})

test.each([
  ['neither', ['resolve', 'vid_x'], 'give one of --job ID, --absent and --show'],
  ['--show beside one', ['resolve', 'vid_x', '--show', '--absent'], 'give one of --job ID, --absent and --show'],
  ['--attempt without --absent', ['resolve', 'vid_x', '--job', 'a', '--attempt', '1'], '--attempt needs --absent'],
  ['an attempt that is no number', ['resolve', 'vid_x', '--absent', '--attempt', 'x'], '--attempt needs --absent'],
  ['both', ['resolve', 'vid_x', '--job', 'a', '--absent'], 'give one of --job ID, --absent and --show'],
])('%s of the two is a misuse', async (_, argv, message) => {
  expect(await talkbridge(argv)).toMatchObject({ code: 2, stderr: expect.stringContaining(message) })
})

test('without a key it says which, and a key without the scope is refused by the gateway', async () => {
  const { id, at } = await withDoubt()
  expect(await talkbridge(['resolve', id, '--absent', ...at], {})).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('TALKBRIDGE_ADMIN_KEY'),
  })
  const refused = await talkbridge(['resolve', id, '--absent', ...at], { TALKBRIDGE_ADMIN_KEY: 'tb_nobody_0123456789' })
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('does not know this key') })
})

test('a gateway that is not there is one clear line', async () => {
  const refused = await talkbridge(['resolve', 'vid_x', '--absent', '--url', 'http://127.0.0.1:9'])
  expect(refused).toMatchObject({ code: 1, stdout: '' })
  expect(refused.stderr.trim().split('\n')).toHaveLength(1)
})
