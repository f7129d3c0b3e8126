import { expect, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { BUNDLED } from '../../scripts/bundled.ts'
import { sbom } from '../../scripts/sbom.ts'

test('the bill of materials has all that is shipped, and nothing that is not', async () => {
  const { metadata, components, dependencies } = await sbom()
  expect(metadata.component).toMatchObject({ name: 'talkbridge', version: manifest.version })
  const names = components.map(({ name }) => name)
  // `qs` is needed by development tools too; the others are taken into the package by the build.
  const { dependencies: needed, devDependencies } = manifest
  const copied = [...BUNDLED, '@opentelemetry/api']
  for (const name of [...Object.keys(needed), 'qs', ...copied, 'bintrees']) expect(names).toContain(name)
  const development = Object.keys(devDependencies).filter((name) => names.includes(name))
  expect(development.toSorted()).toEqual(copied.toSorted())
  expect(components.filter(({ hashes }) => !Array.isArray(hashes))).toEqual([])
  const refs = components.map((component) => component['bom-ref'])
  const [own] = dependencies
  expect(own?.dependsOn).toContain(`zod@${devDependencies.zod}`)
  for (const { dependsOn } of dependencies) expect(refs).toEqual(expect.arrayContaining(dependsOn))
  // Where a package was taken from is whoever's mirror it was.
  expect(JSON.stringify(components)).not.toMatch(/\.tgz|"distribution"/)
})
