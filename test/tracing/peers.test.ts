import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, onTestFinished, test } from 'vitest'
import { listenLocally } from '../../bench/servers/serve.ts'
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

interface Package {
  name: string
  version: string
}

/** `npm pack` of packages that are nothing but their names, served as a registry does: npm's cache has no say. */
const serveRegistry = async (packages: readonly Package[]): Promise<{ cwd: string; url: string }> => {
  const cwd = temporaryFolder()
  const folders = packages.map((fields) => {
    const folder = join(cwd, fields.name, fields.version)
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'package.json'), JSON.stringify(fields))
    return folder
  })
  const { stdout } = await promisify(execFile)('npm', ['pack', '--silent', ...folders], { cwd })
  const files = stdout.trim().split('\n')
  const server = createServer((req, res) => {
    const path = decodeURIComponent(req.url ?? '').slice(1)
    if (files.includes(path)) return res.end(readFileSync(join(cwd, path)))
    const versions = packages.flatMap((one, n) =>
      one.name === path ? [[one.version, { ...one, dist: { tarball: `${url}/${files[n]}` } }] as const] : [],
    )
    return res
      .writeHead(versions.length > 0 ? 200 : 404, { 'content-type': 'application/json' })
      .end(JSON.stringify({ name: path, versions: Object.fromEntries(versions) }))
  })
  const url = await listenLocally(server)
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return { cwd, url }
}

/** npm's own verdict when a project that has these versions of our peers installs us. */
const installed = async (versions: readonly string[]): Promise<string> => {
  const { name, version, peerDependencies, peerDependenciesMeta } = manifest
  const peers = NAMES.map((name, at) => ({ name, version: must(versions[at]) }))
  const others = PROJECTS.flatMap((project) => NAMES.map((name, at) => ({ name, version: must(project[at]) })))
  const ours = { name, version, peerDependencies, peerDependenciesMeta }
  const all = new Map([...others, ...peers, ours].map((one) => [`${one.name}@${one.version}`, one]))
  const { cwd, url } = await serveRegistry([...all.values()])
  const project = join(cwd, 'project')
  mkdirSync(project)
  writeFileSync(join(project, 'package.json'), '{}')
  const options = [
    `--registry=${url}`,
    '--noproxy=127.0.0.1',
    `--cache=${join(cwd, 'cache')}`,
    '--save-exact',
    // Whoever runs the tests may have silenced npm.
    '--loglevel=error',
    '--no-audit',
    '--no-fund',
  ]
  const install = (...packages: readonly Package[]) =>
    promisify(execFile)('npm', ['install', ...options, ...packages.map((one) => `${one.name}@${one.version}`)], {
      cwd: project,
    })
  await install(...peers)
  return install(ours).then(
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
