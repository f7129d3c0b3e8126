import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { z } from 'zod'

/**
 * What `.ci/run` does with the reports of Vitest:
 *
 *     gate.ts rerun REPORT EARLIER... runs each file that failed again, alone, three times; EARLIER: reports of other commands
 *     gate.ts sum STEPS REPORT...     prints the counts; STEPS names the steps that failed, or is empty
 *
 * A file that passes three times is flaky: the gate prints its name and its first failure, and continues. A failure
 * about money, loss or doubled events is never run again, and neither are more than three files.
 */
const MOST_FLAKY = 3
const RERUNS = 3
const LINE_LENGTH = 300
const DIFF_LINES = 30

/** Files and words of a promise: a test that breaks one only sometimes shows a race that costs somebody money. */
const PROMISING =
  /^test\/((faults|replicas|stores|webhooks)\/|engine\/(create|doubt|failover|stored-with-bytes|slow-store|restart|two-processes|replicas))/
const PROMISE =
  /\b(pa(id|y|ys|ying|yment)|charged?|once|again|twice|double[ds]?|duplicates?|second job|exceed(s|ed)?|lost|los(es?|s|ing))\b/i

const Report = z.object({
  numPassedTests: z.number(),
  numPendingTests: z.number().default(0),
  numTodoTests: z.number().default(0),
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string().default(''),
      assertionResults: z.array(
        z.object({
          fullName: z.string(),
          status: z.string(),
          failureMessages: z.array(z.string()).default([]),
          diff: z.string().default(''),
        }),
      ),
    }),
  ),
})
export type Report = z.infer<typeof Report>
type FileResult = Report['testResults'][number]

const say = (text: string): void => void process.stdout.write(`${text}\n`)

/** What `vitest.config.ts` writes beside a report: errors that no test threw, which a report does not count, and diffs. */
const unhandledIn = (path: string): number =>
  Number(existsSync(`${path}.unhandled`) && readFileSync(`${path}.unhandled`, 'utf8'))
const diffsIn = (path: string): Record<string, string> =>
  existsSync(`${path}.diffs`)
    ? z.record(z.string(), z.string()).parse(JSON.parse(readFileSync(`${path}.diffs`, 'utf8')))
    : {}
const flakyIn = (path: string): Flaky[] =>
  existsSync(`${path}.flaky`) ? z.array(Flaky).parse(JSON.parse(readFileSync(`${path}.flaky`, 'utf8'))) : []
const Flaky = z.object({ file: z.string(), failed: z.number() })
type Flaky = z.infer<typeof Flaky>

/** `null` where the report is missing or is none. */
const readReport = (path: string): Report | null => {
  try {
    const report = Report.parse(JSON.parse(readFileSync(path, 'utf8')))
    const diffs = diffsIn(path)
    for (const file of report.testResults)
      for (const one of file.assertionResults) one.diff = diffs[`${file.name} ${one.fullName}`] ?? ''
    return report
  } catch {
    return null
  }
}

const failuresOf = (file: FileResult): FileResult['assertionResults'] =>
  file.assertionResults.filter((one) => one.status === 'failed')
/** A file that could not be loaded has no failed test and counts as one. */
const countOf = (file: FileResult): number => (file.status === 'failed' ? Math.max(1, failuresOf(file).length) : 0)

const textOf = (file: FileResult): string =>
  [file.message, ...failuresOf(file).flatMap((one) => [one.fullName, ...one.failureMessages])]
    .filter(Boolean)
    .join('\n')

/**
 * The files that may run again, or why none may. `root` is the folder that their names are shortened by; `flaky`: how many
 * other commands had to run again.
 */
export const mayRerun = (report: Report | null, unhandled: number, root: string, flaky = 0): FileResult[] | string => {
  if (report === null) return 'there is no report'
  if (unhandled > 0) return `the runner met ${unhandled} errors outside of tests`
  const failed = report.testResults.filter((file) => file.status === 'failed')
  if (failed.length === 0) return 'no test failed, but the runner did'
  const count = failed.length + flaky
  if (count > MOST_FLAKY) return `${count} files failed; at most ${MOST_FLAKY} are run again`
  const grave = failed.find(
    (file) =>
      PROMISING.test(relative(root, file.name)) ||
      [file.message, ...failuresOf(file).flatMap((one) => [one.fullName, ...one.failureMessages])].some((text) =>
        PROMISE.test(text.split('\n', 1)[0] ?? ''),
      ),
  )
  if (grave) return `${relative(root, grave.name)} is about money, loss or doubled events`
  return failed
}

const rerun = (path: string, earlier: readonly string[]): boolean => {
  const root = process.cwd()
  const files = mayRerun(readReport(path), unhandledIn(path), root, earlier.flatMap(flakyIn).length)
  if (typeof files === 'string') {
    say(`no rerun: ${files}`)
    return false
  }
  const flaky: Flaky[] = []
  for (const file of files) {
    const name = relative(root, file.name)
    for (let time = 1; time <= RERUNS; time++) {
      say(`\n== ${name} again, alone, ${time} of ${RERUNS}`)
      const vitest = join(root, 'node_modules/vitest/vitest.mjs')
      const { status } = spawnSync(process.execPath, [vitest, 'run', name], { stdio: 'inherit' })
      if (status !== 0) return false
    }
    say(`FLAKY: ${name}\n${textOf(file)}`)
    flaky.push({ file: name, failed: countOf(file) })
  }
  writeFileSync(`${path}.flaky`, JSON.stringify(flaky))
  return true
}

/** Each test that failed, and what it differs by: of a long log often the end alone is kept. */
const linesOf = (file: FileResult): string[] => {
  const name = relative(process.cwd(), file.name)
  const line = (title: string, message: string): string =>
    `FAILED: ${name}${title && ` > ${title}`}: ${message.split('\n', 1)[0]?.slice(0, LINE_LENGTH) ?? ''}`
  const failures = failuresOf(file)
  if (failures.length === 0) return file.status === 'failed' ? [line('', file.message)] : []
  return failures.flatMap((one) => [
    line(one.fullName, one.failureMessages[0] ?? ''),
    ...one.diff
      .split('\n')
      .filter((text) => /^[+-] (?!Expected$|Received$)/.test(text))
      .slice(0, DIFF_LINES)
      .map((text) => `  ${text.slice(0, LINE_LENGTH)}`),
  ])
}

/** The last lines of the gate. Where anything failed, the last one never says that nothing did. */
export const summaryOf = (reports: readonly (Report | null)[], flaky: readonly Flaky[], steps: string): string[] => {
  const sum = (count: (report: Report) => number): number =>
    reports.reduce((total, report) => total + (report ? count(report) : 0), 0)
  const forgiven = flaky.reduce((total, file) => total + file.failed, 0)
  const passed = sum((report) => report.numPassedTests) + forgiven
  const skipped = sum((report) => report.numPendingTests + report.numTodoTests)
  const failed = sum((report) => report.testResults.reduce((total, file) => total + countOf(file), 0)) - forgiven
  const isWhole = reports.every((report) => report !== null && report.numPassedTests > 0)
  return [
    ...(reports.includes(null) ? ['there is no report of some tests'] : []),
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
    ...reports
      .flatMap((report) => report?.testResults ?? [])
      .filter(({ name }) => !flaky.some(({ file }) => file === relative(process.cwd(), name)))
      .flatMap(linesOf),
    ...flaky.map(
      ({ file, failed: count }) => `FLAKY: ${file} (${count} failed at first, all passed ${RERUNS} times alone)`,
    ),
    ...(flaky.length > 0 ? [`${flaky.length} flaky`] : []),
    ...(steps ? [`FAILED: ${steps}`] : []),
    `${passed} passed, ${failed === 0 && (!isWhole || steps) ? 1 : failed} failed`,
  ]
}

if (import.meta.main) {
  const [verb, first = '', ...paths] = process.argv.slice(2)
  if (verb === 'rerun') process.exitCode = rerun(first, paths) ? 0 : 1
  else {
    const lines = summaryOf(paths.map(readReport), paths.flatMap(flakyIn), first)
    say(`\n${lines.join('\n')}`)
    process.exitCode = lines.at(-1)?.endsWith(' 0 failed') ? 0 : 1
  }
}
