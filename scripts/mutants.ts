import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { access, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { z } from 'zod'
import { filesOf, FOLDERS } from './mutants/folders.ts'
import { SURVIVORS } from './mutants/survivors.ts'

/**
 * `npm run mutants`: breaks what decides in one place at a time, runs the tests that cover the place, and fails if they
 * pass, unless `mutants/survivors.ts` says why they may. `npm run mutants -- limits schedule` measures those folders
 * alone; `--again` only those mutants that changed since, or whose test files did (not what those import, such as the
 * contract suite). StrykerJS (Apache-2.0) is installed when it is first asked for, and is no dependency.
 */
const ROOT = join(import.meta.dirname, '..')
const VERSION = '10.1.1'
const PACKAGES = [`@stryker-mutator/core@${VERSION}`, `@stryker-mutator/vitest-runner@${VERSION}`]
const HOME = join(ROOT, 'node_modules', '.cache', `mutants-${VERSION}`)
const STRYKER = join(HOME, 'node_modules', '@stryker-mutator')
/** The sandboxes must be outside of `node_modules`: Vitest would not transform what is in there. */
const WORK = join(ROOT, 'coverage', 'mutants')
const LEAST_KILLED_PERCENT = 90

const Report = z.object({
  files: z.record(
    z.string(),
    z.object({
      source: z.string(),
      mutants: z.array(
        z.object({
          status: z.string(),
          replacement: z.string().optional(),
          location: z.object({
            start: z.object({ line: z.number(), column: z.number() }),
            end: z.object({ line: z.number(), column: z.number() }),
          }),
        }),
      ),
    }),
  ),
})
type Files = z.infer<typeof Report>['files']

const install = async (): Promise<void> => {
  const isThere = await access(STRYKER).then(
    () => true,
    () => false,
  )
  if (isThere) return
  const fresh = `${HOME}.new`
  const quiet = ['--ignore-scripts', '--no-save', '--no-audit', '--no-fund', '--legacy-peer-deps', '--loglevel=error']
  await rm(fresh, { recursive: true, force: true })
  await promisify(execFile)('npm', ['install', '--prefix', fresh, ...quiet, ...PACKAGES], { timeout: 300_000 })
  await rename(fresh, HOME)
}

const measure = async (
  name: string,
  { concurrency, again }: { concurrency: string; again: boolean },
): Promise<Files> => {
  const folder = FOLDERS[name]
  if (!folder) throw new RangeError(`${name} is none of ${Object.keys(FOLDERS).join(', ')}`)
  await mkdir(WORK, { recursive: true })
  const [config, report] = [join(WORK, `${name}.json`), join(WORK, `${name}-report.json`)]
  const before = join(WORK, `${name}-before.json`)
  const mutate = filesOf(folder.mutate, ROOT)
  const options = {
    mutate,
    // Elsewhere words are of unions that the compiler checks, of SQL that fails whole, or text for people.
    mutator: { excludedMutations: folder.words ? [] : ['StringLiteral'] },
    checkers: ['compiler'],
    testRunner: 'vitest',
    plugins: [
      join(STRYKER, 'vitest-runner', 'dist', 'src', 'index.js'),
      join(import.meta.dirname, 'mutants', 'compiler.ts'),
    ],
    vitest: { configFile: 'scripts/mutants/vitest.config.ts', related: false },
    coverageAnalysis: 'perTest',
    concurrency: Number(concurrency),
    incremental: true,
    incrementalFile: before,
    // What the tests took here before, half as much again, and this: an endless loop is mostly found by counting.
    timeoutMS: 10_000,
    ignorePatterns: ['/bench', '/coverage', '/dist', '/docs/images', '/examples', '/packages'],
    tempDirName: join(WORK, 'sandboxes'),
    // It would rewrite it with a TypeScript whose compiler is a library.
    tsconfigFile: 'none',
    disableTypeChecks: false,
    reporters: ['progress-append-only', 'json'],
    jsonReporter: { fileName: report },
  }
  if (!again) await rm(before, { force: true })
  await writeFile(config, JSON.stringify(options))
  const stryker = spawn(process.execPath, [join(STRYKER, 'core', 'bin', 'stryker.js'), 'run', config], {
    cwd: ROOT,
    stdio: 'inherit',
    env: { ...process.env, MUTANTS_TESTS: filesOf(folder.tests, ROOT).join(';') },
  })
  const [code] = await once(stryker, 'exit')
  if (code !== 0) throw new Error(`${name}: StrykerJS ended with ${code}`)
  const { files } = Report.parse(JSON.parse(await readFile(report, 'utf8')))
  // It goes on telling of files that were measured before and are not now.
  return Object.fromEntries(Object.entries(files).filter(([file]) => mutate.includes(file)))
}

interface Survivor {
  file: string
  /** The text of the line that it begins in: numbers of lines move. */
  line: string
  was: string
  becomes: string
}

/** A test fails, or never ends. What the compiler refuses, and what is left out, does not count at all. */
const KILLED = new Set(['Killed', 'Timeout', 'RuntimeError'])
/** `NoCoverage`: no test comes by. */
const SURVIVED = new Set(['Survived', 'NoCoverage'])

const survivorsOf = (files: Files): Survivor[] =>
  Object.entries(files).flatMap(([file, { source, mutants }]) => {
    const lines = source.split('\n')
    return mutants
      .filter(({ status }) => SURVIVED.has(status))
      .map(({ replacement = '', location: { start, end } }) => {
        const line = lines[start.line - 1] ?? ''
        const was = line.slice(start.column - 1, end.line === start.line ? end.column - 1 : undefined)
        return { file, line: line.trim(), was, becomes: replacement.split('\n')[0] ?? '' }
      })
  })

/**
 * Where the survivors are others than those that are listed, in words. One that is listed and was killed fails nothing:
 * on a slow machine a mutant that only takes longer is killed by its time.
 */
const differences = (files: Files, survivors: readonly Survivor[]): { lines: string[]; areNew: boolean } => {
  const placeOf = (file: string, line: string): string => `${file}: ${line}`
  const found = Map.groupBy(survivors, ({ file, line }) => placeOf(file, line))
  const listed = new Map<string, number>()
  for (const { file, lines } of SURVIVORS)
    if (Object.hasOwn(files, file))
      for (const [line, count] of Object.entries(lines)) {
        const place = placeOf(file, line)
        listed.set(place, count + (listed.get(place) ?? 0))
      }
  let areNew = false
  const lines = [...new Set([...found.keys(), ...listed.keys()])].flatMap((place) => {
    const [here, expected] = [found.get(place) ?? [], listed.get(place) ?? 0]
    if (here.length === expected) return []
    areNew ||= here.length > expected
    const each = here.map(({ was, becomes }) => `    ${was || '(the whole block)'}  →  ${becomes}`)
    return [`  ${here.length} survived, ${expected} listed: ${place}`, ...each]
  })
  return { lines, areNew }
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    concurrency: { type: 'string', default: String(availableParallelism()) },
    again: { type: 'boolean', default: false },
  },
})
const print = (text: string): void => void process.stdout.write(`${text}\n`)

/** One line of the result; says whether enough were killed. */
const summed = (name: string, { killed, survived, beganMs }: { killed: number; survived: number; beganMs: number }) => {
  const percent = (100 * killed) / (killed + survived)
  const minutes = ((performance.now() - beganMs) / 60_000).toFixed(1)
  const isEnough = percent >= LEAST_KILLED_PERCENT
  print(
    `${name}: ${killed} of ${killed + survived} killed (${percent.toFixed(1)} %), ${survived} survived, ${minutes} min` +
      (isEnough ? '' : `: less than ${LEAST_KILLED_PERCENT} %`),
  )
  return isEnough
}

await install()
const beganMs = performance.now()
const total = { killed: 0, survived: 0, beganMs }
let isGood = true
for (const name of positionals.length > 0 ? positionals : Object.keys(FOLDERS)) {
  const folderBeganMs = performance.now()
  const files = await measure(name, values)
  const survivors = survivorsOf(files)
  const killed = Object.values(files)
    .flatMap(({ mutants }) => mutants)
    .filter(({ status }) => KILLED.has(status)).length
  total.killed += killed
  total.survived += survivors.length
  const isEnough = summed(name, { killed, survived: survivors.length, beganMs: folderBeganMs })
  const others = differences(files, survivors)
  for (const line of others.lines) print(line)
  isGood &&= isEnough && !others.areNew
}
isGood = summed('in all', total) && isGood
process.exitCode = isGood ? 0 : 1
