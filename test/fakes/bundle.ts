import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { TestProject } from 'vitest/node'
import { bundle, bundledWriter, replaced } from '../../scripts/build-checkout.ts'
import { BUNDLES, ENTRIES, nameOf } from './bundled.ts'

const ROOT = join(import.meta.dirname, '../..')
const THREAD = "import { Worker } from 'node:worker_threads'"

/**
 * For the modules of tests: thousands of them open a store, one after the other, and threads are lent again. Vitest keeps
 * what a transform returns for as long as the module itself is the same, so this names the file of the thread, and `setup`
 * has it built.
 */
export const lentWriter = {
  name: 'the writer threads are lent',
  enforce: 'pre' as const,
  transform(code: string, id: string): string | null {
    const pool = JSON.stringify(join(ROOT, 'test/fakes/writer-pool.ts'))
    const withFile = bundledWriter.transform(code, id)
    return withFile === null ? null : replaced(withFile, THREAD, `import { WriterThread as Worker } from ${pool}`)
  },
}

/** The command and its pages, as their sources are now, and the others. */
const bundleAll = async (): Promise<void> => {
  await promisify(execFile)(process.execPath, [join(ROOT, 'scripts/talkbridge.js'), '--version'])
  await bundle({
    input: Object.fromEntries(ENTRIES.map((path) => [nameOf(path), path])),
    outDir: BUNDLES,
    ending: 'mjs',
  })
}

/** Bundles before any test, and before tests that are watched run again. */
export const setup = async (project: TestProject): Promise<void> => {
  await bundleAll()
  project.onTestsRerun(bundleAll)
}
