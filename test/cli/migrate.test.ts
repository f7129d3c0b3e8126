import { rm } from 'node:fs/promises'
import { expect, onTestFinished, test } from 'vitest'
import { MigrationView, SplitView } from '../../src/core/api/migration.ts'
import { splitsOf } from '../../src/engine/routing/rules.ts'
import { createEndings } from '../fakes/ended-videos.ts'
import { gatewayConfig, KEYS, runGateway, temporaryFolder } from '../fakes/gateway.ts'
import { must } from '../fakes/must.ts'
import { MINUTE } from '../fakes/records.ts'
import { start } from './harness.ts'
import { runHere } from './here.ts'

/** Nothing is asked of a backend here. */
const NOWHERE = { main: 'http://127.0.0.1:9', alt: 'http://127.0.0.1:9' }
const STOP_IF = { failure_rate: 0.5, of: 4, window: '1h' }
const RULE = { split: { main: 90, alt: 10 }, stop_if: STOP_IF }

const stage = async (rules: object[] = [RULE]) => {
  const dir = await temporaryFolder()
  const { gateway } = await runGateway(gatewayConfig(dir, NOWHERE, { routing: { rules } }))
  onTestFinished(async () => {
    await gateway.close()
    await rm(dir, { recursive: true, force: true })
  })
  const { store, routing, clock } = gateway.deps
  const keys = splitsOf(routing.rules).map(({ key }) => key)
  return {
    gateway,
    dir,
    clock,
    splits: routing.splits,
    key: keys[0] ?? '',
    keys,
    end: createEndings(store),
    migrate: (...args: string[]) =>
      runHere(['migrate', ...args, '--url', gateway.url], { env: { TALKBRIDGE_ADMIN_KEY: KEYS.anna } }),
  }
}

test('status: a table of outcomes, and each split with its gates', async () => {
  const { migrate, end, clock, key } = await stage()
  const endedAtMs = clock.now() - MINUTE
  await end(8, key, { endedAtMs, seconds: 20, credits: { charged: 2, remaining: null } })
  await end(2, key, { endedAtMs, status: 'failed' })
  await end(3, key, { endedAtMs, backend: 'alt', seconds: 5 })
  const { code, stdout, stderr } = await migrate('status')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const lines = stdout.split('\n')
  expect(lines[0]).toMatch(/^videos that ended after \S+Z$/)
  const cells = lines.slice(1, 7).map((line) => line.split(/ {2,}/))
  expect(cells).toEqual([
    ['', 'videos', 'completed', 'failed', 'canceled', 'success (95 %)', 'p50', 'p95', 'credits each', 'warned'],
    ['main', '10', '8', '2', '0', '80 % (49 % to 94.3 %)', '20 s', '20 s', '2', '0 %'],
    ['alt', '3', '3', '0', '0', '100 % (43.9 % to 100 %)', '5 s', '5 s', '-', '0 %'],
    ['routing.rules[0]', '13', '11', '2', '0', '84.6 % (57.8 % to 95.7 %)', '20 s', '20 s', '2', '0 %'],
    [`${key} old`, '10', '8', '2', '0', '80 % (49 % to 94.3 %)', '20 s', '20 s', '2', '0 %'],
    [`${key} new`, '3', '3', '0', '0', '100 % (43.9 % to 100 %)', '5 s', '5 s', '-', '0 %'],
  ])
  expect(stdout).toContain(`\n${key}  main -> alt  10 %, next 25 %  (routing.rules[0], as the file says)\n`)
  expect(stdout).toMatch(/\n {2}does not hold {2}least_videos {2}the new side finished only 3 videos/)
  expect(stdout).toMatch(/\n {2}holds +failure_rate +0 % of the new side/)
})

test('step, rollback, resume: each prints the split as it then stands, and --json the raw answer', async () => {
  const { migrate, key, splits, clock, end } = await stage()
  const refused = await migrate('step')
  expect(refused).toMatchObject({ code: 1, stdout: '' })
  expect(refused.stderr).toContain(
    `talkbridge: ${key} stays at 10 %: least_videos: the new side finished only 0 videos`,
  )
  const stepped = await migrate('step', '--force')
  expect(stepped).toMatchObject({ code: 0, stderr: '' })
  expect(stepped.stdout).toMatch(/ main -> alt {2}25 %, next 50 % {2}\(.*, by anna; the file says 10 %\)/)
  const raw = SplitView.parse(JSON.parse((await migrate('step', '--force', '--json', '--rule', key)).stdout))
  expect(raw).toMatchObject({ rule: key, weight: 50 })
  await end(4, key, { endedAtMs: clock.now(), backend: 'alt', status: 'failed' })
  await splits.refresh()
  expect((await migrate('status', '--rule', key)).stdout).toMatch(
    /stopped at \S+: 0 % instead of 50 % \(new side 4 of 4 failed, old side 0 of 0\)/,
  )
  expect(await migrate('step', '--force')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('resume it first'),
  })
  expect((await migrate('resume')).stdout).toContain('50 %, next 100 %')
  expect(await migrate('resume')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('neither stopped nor rolled back'),
  })
  expect((await migrate('rollback')).stdout).toContain('0 %, next 1 %')
  const status = MigrationView.parse(JSON.parse((await migrate('status', '--json')).stdout))
  expect(status.splits[0]?.audit.map(({ action, actor }) => [action, actor])).toEqual([
    ['split.rollback', 'anna'],
    ['split.resume', 'anna'],
    ['split.stop', 'gateway'],
    ['split.step', 'anna'],
    ['split.step', 'anna'],
  ])
})

test('of several splits one is named', async () => {
  const { migrate, keys } = await stage([{ ...RULE, when: { client: 'anna' } }, RULE])
  const [first, second] = [must(keys[0]), must(keys[1])]
  const refused = await migrate('rollback')
  expect(refused).toMatchObject({ code: 1, stdout: '' })
  for (const key of [first, second]) expect(refused.stderr).toContain(key)
  expect(await migrate('rollback', '--rule', 'rule_none')).toMatchObject({ code: 1 })
  expect(await migrate('status', '--rule', 'rule_none')).toEqual({
    code: 1,
    stdout: '',
    stderr: 'talkbridge: no split has the rule rule_none\n',
  })
  expect((await migrate('rollback', '--rule', second)).stdout).toContain(`${second}  main -> alt  0 %, next 1 %`)
})

test('without a split there is nothing to step, and status says so', async () => {
  const { migrate } = await stage([])
  expect(await migrate('step')).toMatchObject({
    code: 1,
    stderr: 'talkbridge: no rule of the configuration has a split\n',
  })
  expect((await migrate('status')).stdout).toMatch(/\nno split\n$/)
})

test.each([
  ['an unknown word', ['migrate', 'leap'], {}, 2, 'unknown command'],
  ['a word too many', ['migrate', 'step', 'more'], {}, 2, 'too many arguments'],
  ['--force where there is nothing to force', ['migrate', 'rollback', '--force'], {}, 2, 'unknown option'],
  ['no key', ['migrate', 'status'], {}, 2, 'TALKBRIDGE_ADMIN_KEY'],
  [
    'no gateway',
    ['migrate', 'status', '--url', 'http://127.0.0.1:9'],
    { TALKBRIDGE_ADMIN_KEY: 'k' },
    1,
    'talkbridge: ',
  ],
] as const)('%s', async (_, argv, env, code, message) => {
  expect(await runHere(argv, { env })).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(message) })
})

test('a time that is none is refused by the gateway, in one line', async () => {
  const { migrate } = await stage()
  const { code, stderr } = await migrate('status', '--since', 'yesterday')
  expect(code).toBe(1)
  expect(stderr).toMatch(/^talkbridge: since: must be a duration such as [^\n]*\n$/)
})

test('as a process: its exit code and its output', async () => {
  const { gateway, dir, key } = await stage()
  const env = { TALKBRIDGE_ADMIN_KEY: KEYS.anna }
  const [stepped, refused] = [
    await start(['migrate', 'step', '--force', '--url', gateway.url], { cwd: dir, env }).ended,
    await start(['migrate', 'step', '--url', gateway.url], { cwd: dir, env }).ended,
  ]
  expect(stepped).toMatchObject({ code: 0, stderr: '' })
  expect(stepped.stdout).toContain(`${key}  main -> alt  25 %`)
  expect(refused).toMatchObject({ code: 1, stdout: '' })
})

test('status: at 0 % no gate has to hold', async () => {
  const { migrate } = await stage([{ split: { main: 100, alt: 0 } }])
  const { stdout } = await migrate('status')
  expect(stdout).toMatch(/main -> alt {2}0 %, next 1 % .*\n {2}the first step needs no gate\n/)
  expect(stdout).not.toContain('least_videos')
})

test.each(['status', 'step', 'report --from main --to alt'])('%s: no gateway there', async (command) => {
  const args = ['migrate', ...command.split(' '), '--url', 'http://127.0.0.1:1']
  const { code, stderr } = await runHere(args, { env: { TALKBRIDGE_ADMIN_KEY: KEYS.anna } })
  expect([code, stderr]).toEqual([1, 'talkbridge: no gateway answers at http://127.0.0.1:1: ECONNREFUSED\n'])
})
