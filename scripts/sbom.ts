import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { z } from 'zod'
import manifest from '../package.json' with { type: 'json' }
import { BUNDLED } from './bundled.ts'

/**
 * The bill of materials of a release, as CycloneDX: what an installation of the package brings, by the lockfile.
 * `npm sbom --omit dev` is not it: npm 11 leaves out what a development tool needs too, such as `yaml`. Nor does it know
 * what the build copies out of a development dependency.
 */
const ROOT = join(import.meta.dirname, '..')
const DEVELOPMENT = 'cdx:npm:package:development'

const Component = z.looseObject({
  'bom-ref': z.string(),
  name: z.string(),
  properties: z.array(z.looseObject({ name: z.string() })).default([]),
})
const Bom = z.looseObject({
  metadata: z.looseObject({ component: z.looseObject({ name: z.string() }) }),
  components: z.array(Component),
  dependencies: z.array(z.object({ ref: z.string(), dependsOn: z.array(z.string()).default([]) })),
})

const isOfInstallation = ({ properties }: z.infer<typeof Component>): boolean =>
  !properties.some((property) => property.name === DEVELOPMENT)

/** What an installation brings, and what the build copies with all that it needs. */
const shippedOf = ({ components, dependencies }: z.infer<typeof Bom>): z.infer<typeof Component>[] => {
  const needs = new Map(dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]))
  const isCopied = ({ name }: z.infer<typeof Component>): boolean => BUNDLED.includes(name)
  const copied = new Set(components.filter(isCopied).map((component) => component['bom-ref']))
  for (const ref of copied) for (const needed of needs.get(ref) ?? []) copied.add(needed)
  return components.filter((component) => isOfInstallation(component) || copied.has(component['bom-ref']))
}

export const sbom = async (): Promise<z.infer<typeof Bom>> => {
  const form = ['--workspaces=false', '--sbom-format', 'cyclonedx', '--sbom-type', 'application']
  const args = ['sbom', '--package-lock-only', '--offline', ...form]
  const { stdout } = await promisify(execFile)('npm', args, { cwd: ROOT, maxBuffer: 64 * 1024 * 1024 })
  const { metadata, components, dependencies, ...others } = Bom.parse(JSON.parse(stdout))
  const shipped = shippedOf({ metadata, components, dependencies }).map(({ properties, ...component }) => ({
    ...component,
    properties: properties.filter(({ name }) => name !== DEVELOPMENT),
  }))
  const refs = new Set([metadata.component['bom-ref'], ...shipped.map((component) => component['bom-ref'])])
  return {
    ...others,
    // npm names the folder.
    metadata: { ...metadata, component: { ...metadata.component, name: manifest.name } },
    components: shipped,
    dependencies: dependencies
      .filter(({ ref }) => refs.has(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((other) => refs.has(other)) })),
  }
}

if (import.meta.main) process.stdout.write(`${JSON.stringify(await sbom(), null, 2)}\n`)
