import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { DISK, makeRunFolder } from '../../test/fakes/folder.ts'

const folder = makeRunFolder()
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))

/** What `scripts/mutants.ts` names for the folder that it measures. */
const tests = (process.env['MUTANTS_TESTS'] ?? '').split(';')

/** Most mutants fail a quick test: the others are not run then. */
class AsNamed extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification): number => tests.findIndex((test) => moduleId.endsWith(`/${test}`))
    return files.toSorted((a, b) => place(a) - place(b))
  }
}

/** A test that hangs has noticed the mutant. Without one each passes in a small part of this, or nothing is measured. */
const HANGS_MS = 20_000

/** A mutant is switched on in the thread of its test: the writer of SQLite's store must run there, too. */
const writerHere = {
  name: 'the writer runs in the thread of the test',
  enforce: 'pre' as const,
  transform(code: string, id: string): string | null {
    if (!id.endsWith('/src/stores/sqlite/index.ts')) return null
    const here = code.replace('await startWriter(', 'await startWriterHere(')
    // Every mutant of the verbs would survive.
    if (here === code) throw new Error('SQLite’s writer is started by another call than this plugin replaces')
    return `import { startWriter as startWriterHere } from '${import.meta.dirname}/write-here.ts'\n${here}`
  },
}

export default defineConfig({
  plugins: [writerHere],
  test: {
    include: tests,
    isolate: false,
    sequence: { sequencer: AsNamed },
    testTimeout: HANGS_MS,
    hookTimeout: HANGS_MS,
    unstubEnvs: true,
    env: { TMPDIR: folder, [DISK]: tmpdir() },
  },
})
