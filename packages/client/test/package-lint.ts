import { readFileSync } from 'node:fs'
import { publint } from 'publint'
import { withCompilerApi } from '../../../scripts/client-types.ts'

/**
 * Prints what publint and attw find in a tarball, one line each. A program of its own: the test runner would give attw a
 * compiler that has no API.
 */

/** What attw's own profile `esm-only` leaves out: resolutions that know no `exports`, or no ESM. */
const NOT_OF_ESM = ['node10', 'node16-cjs']

const faultsOf = async (tarball: Uint8Array<ArrayBuffer>): Promise<string[]> => {
  const attw = await withCompilerApi(() => import('@arethetypeswrong/core'))
  const checked = await attw.checkPackage(attw.createPackageFromTarballData(tarball))
  if (checked.types === false) return ['attw: the package has no types']
  const problems = checked.problems.filter(
    (one) => !('resolutionKind' in one && NOT_OF_ESM.includes(one.resolutionKind)),
  )
  const { messages } = await publint({ pack: { tarball: tarball.slice().buffer }, strict: true })
  return [
    ...problems.map((one) => `attw: ${JSON.stringify(one)}`),
    ...messages.map((one) => `publint: ${JSON.stringify(one)}`),
  ]
}

const [, , file = ''] = process.argv
for (const fault of await faultsOf(new Uint8Array(readFileSync(file)))) process.stdout.write(`${fault}\n`)
