import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { access, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { z } from 'zod'
import { FOLDERS } from './mutants/folders.ts'
import { SURVIVORS, type Survivor } from './mutants/survivors.ts'

/**
 * `npm run mutants`: breaks what decides in one place at a time, runs the tests that cover the place, and fails if they
 * pass, unless `mutants/survivors.ts` says why they may. `npm run mutants -- limits schedule` measures those folders
 * alone. StrykerJS (Apache-2.0) is installed when it is first asked for, and is no dependency.
 */
const ROOT = join(import.meta.dirname, '..')
const VERSION = '10.1.1'
const PACKAGES = [`@stryker-mutator/core@${VERSION}`, `@stryker-mutator/vitest-runner@${VERSION}`]
const HOME = join(ROOT, 'node_modules', '.cache', `mutants-${VERSION}`)
const STRYKER = join(HOME, 'node_modules', '@stryker-mutator')
/** The sandboxes must be outside of `node_modules`: Vitest would not transform what is in there. */
const WORK = join(ROOT, 'coverage', 'mutants')

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

const keyOf = ({ file, line, was, becomes }: Survivor): string => JSON.stringify([file, line, was, becomes])

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

const measure = async (name: string, concurrency: number): Promise<Files> => {
  const folder = FOLDERS[name]
  if (!folder) throw new RangeError(`${name} is none of ${Object.keys(FOLDERS).join(', ')}`)
  await mkdir(WORK, { recursive: true })
  const [config, report] = [join(WORK, `${name}.json`), join(WORK, `${name}-report.json`)]
  const options = {
    mutate: folder.mutate,
    // Words are of unions that the compiler checks, or text for people; in an adapter's tables they decide.
    mutator: { excludedMutations: folder.words ? [] : ['StringLiteral'] },
    testRunner: 'vitest',
    plugins: [join(STRYKER, 'vitest-runner', 'dist', 'src', 'index.js')],
    vitest: { configFile: 'scripts/mutants/vitest.config.ts', related: false },
    coverageAnalysis: 'perTest',
    concurrency,
    // An endless loop is counted out; a slow machine must not pass for one.
    timeoutMS: 60_000,
    ignorePatterns: ['/bench', '/coverage', '/dist', '/docs/images', '/examples', '/packages'],
    tempDirName: join(WORK, 'sandboxes'),
    // It would rewrite it with a TypeScript whose compiler is a library.
    tsconfigFile: 'none',
    disableTypeChecks: false,
    reporters: ['json'],
    jsonReporter: { fileName: report },
  }
  await writeFile(config, JSON.stringify(options))
  const stryker = spawn(process.execPath, [join(STRYKER, 'core', 'bin', 'stryker.js'), 'run', config], {
    cwd: ROOT,
    stdio: 'inherit',
    env: { ...process.env, MUTANTS_TESTS: folder.tests.join(';') },
  })
  const [code] = await once(stryker, 'exit')
  if (code !== 0) throw new Error(`${name}: StrykerJS ended with ${code}`)
  return Report.parse(JSON.parse(await readFile(report, 'utf8'))).files
}

/** `NoCoverage`: no test comes by. Those of excluded kinds are `Ignored`, and one that hangs is as good as killed. */
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

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { concurrency: { type: 'string', default: String(availableParallelism()) } },
})
const print = (text: string): void => void process.stdout.write(`${text}\n`)

await install()
let faults = 0
for (const name of positionals.length > 0 ? positionals : Object.keys(FOLDERS)) {
  const beganMs = performance.now()
  const files = await measure(name, Number(values.concurrency))
  const all = Object.values(files).flatMap(({ mutants }) => mutants.filter(({ status }) => status !== 'Ignored')).length
  const survivors = survivorsOf(files)
  const known = new Map(SURVIVORS.filter(({ file }) => Object.hasOwn(files, file)).map((one) => [keyOf(one), one]))
  const fresh = survivors.filter((one) => !known.has(keyOf(one)))
  const found = new Set(survivors.map(keyOf))
  const gone = [...known].flatMap(([key, one]) => (found.has(key) ? [] : [one]))
  faults += fresh.length + gone.length
  const score = ((100 * (all - survivors.length)) / all).toFixed(1)
  const minutes = Math.ceil((performance.now() - beganMs) / 60_000)
  print(`${name}: ${score} % of ${all} killed, ${survivors.length} survived, in ${minutes} min`)
  for (const one of fresh) print(`  survived, and is not listed: ${JSON.stringify(one)}`)
  for (const one of gone) print(`  is listed, and did not survive: ${JSON.stringify(one)}`)
}
process.exitCode = faults > 0 ? 1 : 0
