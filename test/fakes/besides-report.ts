import { writeFileSync } from 'node:fs'
import type { Reporter } from 'vitest/node'

/** What Vitest's JSON report lacks, in files beside it: the count of errors that no test threw, and what each failure differs by. */
export const besidesReport = (path: string): Reporter => ({
  onTestRunEnd(files, errors) {
    writeFileSync(`${path}.unhandled`, String(errors.length))
    const failed = files.flatMap((file) => [...file.children.allTests('failed')])
    const diffs = failed.map((one) => [
      `${one.module.moduleId} ${one.fullName.replaceAll(' > ', ' ')}`,
      one.result().errors?.[0]?.diff ?? '',
    ])
    writeFileSync(`${path}.diffs`, JSON.stringify(Object.fromEntries(diffs)))
  },
})
