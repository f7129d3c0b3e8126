import { execFile } from 'node:child_process'
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'

/**
 * Asks the compiler first, as StrykerJS's own checker does with a compiler that is a library: what it refuses was never
 * a danger, and needs no test. Each mutant is a file of its own beside the one that it is made of, in a copy of `src`,
 * so that one run of the compiler judges them all.
 */
const ROOT = join(import.meta.dirname, '..', '..')
const COPY = join(ROOT, 'coverage', 'mutants', `compiled-${process.pid}`)

interface Place {
  /** Both from 0. */
  line: number
  column: number
}
interface Mutant {
  id: string
  fileName: string
  location: { start: Place; end: Place }
  replacement: string
}
type Verdict = { status: 'passed' } | { status: 'compileError'; reason: string }

const mutated = (source: string, { location: { start, end }, replacement }: Mutant): string => {
  const lines = source.split('\n')
  const before = [...lines.slice(0, start.line), lines[start.line]?.slice(0, start.column)].join('\n')
  const after = [lines[end.line]?.slice(end.column), ...lines.slice(end.line + 1)].join('\n')
  return `${before}${replacement}${after}`
}

/** What the compiler prints of files that it refuses: `src/a.mutant-17.ts(3,9): error TS2339: …`. */
const compile = (): Promise<string> =>
  new Promise((resolve, reject) => {
    const options = { cwd: COPY, maxBuffer: 2 ** 28 }
    execFile(join(ROOT, 'node_modules', '.bin', 'tsc'), ['--pretty', 'false'], options, (error, stdout, stderr) => {
      if (error && typeof error.code !== 'number') reject(error)
      else if (stderr) reject(new Error(stderr))
      else resolve(stdout)
    })
  })

const check = async (mutants: Mutant[]): Promise<Record<string, Verdict>> => {
  await mkdir(COPY, { recursive: true })
  await cp(join(ROOT, 'src'), join(COPY, 'src'), { recursive: true })
  await cp(join(ROOT, 'package.json'), join(COPY, 'package.json'))
  for (const mutant of mutants) {
    const file = relative(ROOT, mutant.fileName)
    const source = mutated(await readFile(mutant.fileName, 'utf8'), mutant)
    await writeFile(join(COPY, file.replace(/\.ts$/, `.mutant-${mutant.id}.ts`)), source)
  }
  const config = {
    extends: join(ROOT, 'tsconfig.json'),
    // A mutant may leave something unused: that is no reason why it could not be written.
    compilerOptions: { noUnusedLocals: false, noUnusedParameters: false },
    include: ['src/**/*.mutant-*.ts'],
    exclude: [],
  }
  await writeFile(join(COPY, 'tsconfig.json'), JSON.stringify(config))
  const output = await compile()
  await rm(COPY, { recursive: true })
  const refused = new Map(
    [...output.matchAll(/\.mutant-(\d+)\.ts\(.*?\): error (.*)/g)].map(([, id = '', why = '']) => [id, why]),
  )
  const others = output.split('\n').find((line) => /: error /.test(line) && !/\.mutant-\d+\.ts\(/.test(line))
  if (others !== undefined) throw new Error(`the compiler refuses what is no mutant: ${others}`)
  return Object.fromEntries(
    mutants.map(({ id }) => {
      const reason = refused.get(id)
      return [id, reason === undefined ? { status: 'passed' } : { status: 'compileError', reason }]
    }),
  )
}

export const strykerPlugins = [
  {
    kind: 'Checker',
    name: 'compiler',
    value: {
      init: async () => undefined,
      group: async (mutants: Mutant[]) => [mutants.map(({ id }) => id)],
      check,
    },
  },
]
