import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { temporaryFolder } from '../cli/harness.ts'
import { must } from '../fakes/must.ts'

/** OpenTelemetry as a project may have it: `npm run release` runs the gateway with the first and the last of these. */
const PROJECTS = [
  ['1.9.0', '0.220.0', '2.9.0', '2.9.0'],
  ['1.9.1', '0.223.1', '2.12.1', '2.12.1'],
  ['1.10.0', '0.301.1', '3.1.1', '3.1.1'],
]
const NAMES = Object.keys(manifest.peerDependencies)

const npm = (cwd: string, ...args: string[]) =>
  promisify(execFile)('npm', [...args, '--offline', '--no-audit', '--no-fund'], { cwd })

/** npm's own verdict when a project that has these versions of our peers installs us. No registry is asked. */
const installed = async (versions: readonly string[]): Promise<string> => {
  const cwd = temporaryFolder()
  const project = join(cwd, 'project')
  mkdirSync(project)
  writeFileSync(join(project, 'package.json'), '{}')
  const { name, version, peerDependencies, peerDependenciesMeta } = manifest
  const ours = { name, version, peerDependencies, peerDependenciesMeta }
  const packages = [...NAMES.map((name, at) => ({ name, version: versions[at] })), ours]
  for (const fields of packages) {
    mkdirSync(join(cwd, fields.name), { recursive: true })
    writeFileSync(join(cwd, fields.name, 'package.json'), JSON.stringify(fields))
  }
  const { stdout } = await npm(cwd, 'pack', '--silent', ...packages.map(({ name }) => `./${name}`))
  const files = stdout.trim().split('\n')
  const own = must(files.pop())
  await npm(project, 'install', ...files.map((file) => join(cwd, file)))
  return npm(project, 'install', join(cwd, own)).then(
    () => 'installed',
    (error: Error) => /\bERESOLVE\b/.exec(error.message)?.[0] ?? error.message,
  )
}

describe('a project with OpenTelemetry of its own', () => {
  test.each(PROJECTS)(
    'installs the gateway beside it: api %s, exporter %s, resources %s, SDK %s',
    async (...versions) => expect(await installed(versions)).toBe('installed'),
  )

  test.each([
    ['1.8.0', '0.223.1', '2.12.1', '2.12.1'],
    ['1.9.1', '1.0.0', '2.12.1', '2.12.1'],
  ])('is told where no release was tried: api %s, exporter %s, resources %s, SDK %s', async (...versions) =>
    expect(await installed(versions)).toBe('ERESOLVE'),
  )
})

test('the versions that the tests run with are of the ranges, and are what a start recommends', () => {
  const { devDependencies } = manifest
  const own = NAMES.map((name) => Object.entries(devDependencies).find(([other]) => other === name)?.[1])
  expect(PROJECTS).toContainEqual(own)
})
