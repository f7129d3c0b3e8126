import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { mayRerun, summaryOf, type Report } from '../../scripts/gate.ts'

const REPOSITORY = join(import.meta.dirname, '../..')

const failed = (
  name: string,
  fullName = 'waits for an answer',
  failure = 'AssertionError: 1 is not 2',
): Report['testResults'][number] => ({
  name: `/repo/${name}`,
  status: 'failed',
  message: '',
  assertionResults: [
    { fullName, status: 'failed', failureMessages: [failure], diff: '' },
    { fullName: 'another', status: 'passed', failureMessages: [], diff: '' },
  ],
})
const reportOf = (...testResults: Report['testResults']): Report => ({
  numPassedTests: 10,
  numPendingTests: 0,
  numTodoTests: 0,
  testResults,
})

describe('which failures may be run again', () => {
  const names = (result: ReturnType<typeof mayRerun>): unknown =>
    typeof result === 'string' ? result : result.map((file) => file.name)

  test('up to three files', () => {
    const three = ['test/a.test.ts', 'test/b.test.ts', 'test/c.test.ts'].map((name) => failed(name))
    expect(names(mayRerun(reportOf(...three), 0, '/repo'))).toHaveLength(3)
    expect(mayRerun(reportOf(...three, failed('test/d.test.ts')), 0, '/repo')).toMatch('4 files failed')
  })

  test.each([
    [failed('test/faults/crash.test.ts')],
    [failed('test/replicas/restart.test.ts')],
    [failed('test/engine/a.test.ts', 'a video is paid once')],
    [failed('test/engine/a.test.ts', 'no event is doubled')],
    [failed('test/engine/a.test.ts', 'a create', 'AssertionError: job 7 was lost')],
    // Names of tests that there are, and files that hold promises whatever their words.
    [failed('test/e2e/a.test.ts', 'a slow create: it is a doubt, and is ordered once')],
    [failed('test/e2e/a.test.ts', 'orders a video again under a new key')],
    [failed('test/e2e/a.test.ts', 'an event is announced more than once')],
    [failed('test/unit/a.test.ts', 'the budget is never exceeded')],
    [failed('test/engine/failover.test.ts')],
    [failed('test/engine/doubt-list.test.ts')],
    [failed('test/webhooks/sender.test.ts')],
    [failed('test/stores/sqlite.test.ts')],
    [{ ...failed('test/unit/a.test.ts'), message: 'Error: a second job was made' }],
  ])('none about money, loss or doubled events: %j', (file) => {
    expect(mayRerun(reportOf(failed('test/a.test.ts'), file), 0, '/repo')).toMatch('money, loss or doubled events')
  })

  test('and none where other commands had as many as may be', () => {
    const report = reportOf(failed('test/a.test.ts'))
    expect(mayRerun(report, 0, '/repo', 2)).toHaveLength(1)
    expect(mayRerun(report, 0, '/repo', 3)).toMatch('4 files failed')
  })

  test('none where the runner itself failed, or nothing says what did', () => {
    expect(mayRerun(reportOf(failed('test/a.test.ts')), 1, '/repo')).toMatch('1 errors outside of tests')
    expect(mayRerun(reportOf(), 0, '/repo')).toMatch('no test failed')
    expect(mayRerun(null, 0, '/repo')).toMatch('no report')
  })
})

describe('the last line', () => {
  const last = (...given: Parameters<typeof summaryOf>): string | undefined => summaryOf(...given).at(-1)

  test('counts what passed and failed', () => {
    expect(last([reportOf(), reportOf()], [], '')).toBe('20 passed, 0 failed')
    expect(last([reportOf(failed('test/a.test.ts'))], [], 'npm test')).toBe('10 passed, 1 failed')
  })

  test('counts a flaky file as passed, and names it above', () => {
    const name = `${process.cwd()}/test/a.test.ts`
    const report = reportOf({ ...failed('test/a.test.ts'), name }, failed('test/b.test.ts'))
    expect(summaryOf([report], [{ file: 'test/a.test.ts', failed: 1 }], '')).toEqual([
      expect.stringMatching(/^FAILED: \S*test\/b\.test\.ts > waits for an answer/),
      'FLAKY: test/a.test.ts (1 failed at first, all passed 3 times alone)',
      '1 flaky',
      '11 passed, 1 failed',
    ])
  })

  test('and each failure is named before it, since of a long log often the end alone is kept', () => {
    const broken = {
      name: '/repo/test/x.test.ts',
      status: 'failed',
      message: 'SyntaxError\nat x',
      assertionResults: [],
    }
    const text = summaryOf([reportOf(failed('test/a.test.ts'), broken)], [], 'npm test').join('\n')
    expect(text).toMatch(/^FAILED: .*test\/a\.test\.ts > waits for an answer: AssertionError: 1 is not 2$/m)
    expect(text).toMatch(/^FAILED: .*test\/x\.test\.ts: SyntaxError$/m)
  })

  test('never says that nothing failed where a step did, a report is missing or a file could not be loaded', () => {
    expect(last([reportOf()], [], 'demo')).toBe('10 passed, 1 failed')
    expect(last([reportOf(), null], [], '')).toBe('10 passed, 1 failed')
    expect(last([{ ...reportOf(), numPassedTests: 0 }], [], '')).toBe('0 passed, 1 failed')
    const broken = { name: '/repo/test/x.test.ts', status: 'failed', message: 'SyntaxError', assertionResults: [] }
    expect(last([reportOf(broken)], [], '')).toBe('10 passed, 1 failed')
  })
})

test('the gate runs again what failed of `npm test` and of `npm run test:system`, and of nothing else', () => {
  const gate = readFileSync(join(REPOSITORY, '.ci/run'), 'utf8')
  expect(gate.match(/^.*gate\.ts rerun.*$/gm)).toEqual([
    '    TEST_FULL=1 node_modules/.bin/node scripts/gate.ts rerun "$report" "$work"/{tests,system}.json',
  ])
  expect(gate.match(/each_case \w+ npm .*?(?=;|$)/gm)).toEqual([
    'each_case tests npm test',
    'each_case system npm run test:system',
  ])
})

describe('a run with Vitest', () => {
  let folder = ''
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'gate-'))
    mkdirSync(join(folder, 'test'))
    symlinkSync(join(REPOSITORY, 'node_modules'), join(folder, 'node_modules'))
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  /** A test that fails on those of its runs that `red` numbers. */
  const write = (name: string, red: readonly number[]): void =>
    writeFileSync(
      join(folder, 'test', name),
      `import { appendFileSync, readFileSync } from 'node:fs'
       import { expect, test } from 'vitest'
       test('is green', () => {
         appendFileSync('${name}.runs', 'x')
         const run = readFileSync('${name}.runs', 'utf8').length
         expect({ run, is: ${JSON.stringify(red)}.includes(run) ? 'red' : 'green' }).toEqual({ run, is: 'green' })
       })`,
    )
  const node = (...args: string[]): { status: number | null; text: string } => {
    const { status, stdout, stderr } = spawnSync(process.execPath, args, {
      cwd: folder,
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], NO_COLOR: '1' },
    })
    return { status, text: stdout + stderr }
  }
  const gate = (...args: string[]) => node(join(REPOSITORY, 'scripts/gate.ts'), ...args)
  const runAll = () => {
    writeFileSync(
      join(folder, 'reports.ts'),
      `import { besidesReport } from '${REPOSITORY}/test/fakes/besides-report.ts'
       const reporters = [['json', { outputFile: 'report.json' }], besidesReport('report.json')]
       export default { test: { reporters } }`,
    )
    return node('node_modules/vitest/vitest.mjs', 'run', '--config=reports.ts')
  }
  const runsOf = (name: string): number => readFileSync(join(folder, `${name}.runs`), 'utf8').length

  test('a file that is green three times alone is flaky, and the gate goes on', () => {
    write('steady.test.ts', [])
    write('flaky.test.ts', [1])
    expect(runAll().status).toBe(1)
    const again = gate('rerun', 'report.json')
    expect(again.text).toMatch(/FLAKY: test\/flaky\.test\.ts\nis green\nAssertionError/)
    expect(again.status).toBe(0)
    expect([runsOf('flaky.test.ts'), runsOf('steady.test.ts')]).toEqual([4, 1])
    const sum = gate('sum', '', 'report.json')
    expect(sum.text.trimEnd().split('\n').at(-1)).toBe('2 passed, 0 failed')
    expect(sum.text).toMatch('FLAKY: test/flaky.test.ts (1 failed at first')
    expect(sum.status).toBe(0)
  })

  test('a file that fails once more fails the gate', () => {
    write('steady.test.ts', [])
    write('red.test.ts', [1, 4])
    expect(runAll().status).toBe(1)
    expect(gate('rerun', 'report.json').status).toBe(1)
    expect(runsOf('red.test.ts')).toBe(4)
    const sum = gate('sum', 'npm test', 'report.json')
    expect(sum.text).toMatch(
      /^FAILED: test\/red\.test\.ts > is green: AssertionError.*\n {2}- .*"green".*\n {2}\+ .*"red"/m,
    )
    expect(sum.text).toMatch(/FAILED: npm test\n1 passed, 1 failed\n$/)
    expect(sum.status).toBe(1)
  })
})
