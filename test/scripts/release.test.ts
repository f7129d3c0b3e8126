import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import manifest from '../../packages/client/package.json' with { type: 'json' }

const RELEASE = join(import.meta.dirname, '../../scripts/release.ts')
const run = promisify(execFile)

/** A whole package of the client, but that its code is short. */
const FILES: Readonly<Record<string, string>> = {
  'README.md': '# A package',
  LICENSE: 'MIT',
  'dist/index.js': 'export const one = 1\n',
  'dist/index.d.ts': 'export declare const one: number\n',
  'dist/schema.d.ts': 'export {}\n',
}

/** What the release says of a package with these files and fields in place of the right ones. */
const checked = async (files: Readonly<Record<string, string | null>>, fields: object = {}) => {
  const folder = mkdtempSync(join(tmpdir(), 'talkbridge-release-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const [name, text] of Object.entries({ ...FILES, ...files })) {
    mkdirSync(join(folder, name, '..'), { recursive: true })
    if (text !== null) writeFileSync(join(folder, name), text)
  }
  const { scripts: _built, ...published } = manifest
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ ...published, ...fields }))
  await run('npm', ['pack', '--ignore-scripts', '--offline'], { cwd: folder })
  const { version } = { version: manifest.version, ...fields }
  const tarball = `talkbridge-client-${version}.tgz`
  const args = [RELEASE, '--check', join(folder, tarball)]
  const ended = await run(process.execPath, args).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({ code, stdout, stderr }),
  )
  return { ...ended, lines: ended.stdout.trim().split('\n'), tarball }
}

test('a package that is as it must be passes', async () => {
  const { code, stderr, lines, tarball } = await checked({})
  expect({ code, stderr, lines }).toEqual({ code: 0, stderr: '', lines: [`${tarball}: ok`] })
})

test.each<[string, Record<string, string | null>, object, RegExp]>([
  ['a type that is not there', { 'dist/index.d.ts': null }, {}, /it lacks dist\/index\.d\.ts/],
  ['types that lead nowhere', { 'dist/index.d.ts': "export * from './gone.js'\n" }, {}, /attw: .*gone\.js/],
  ['CommonJS that says it is ESM', { 'dist/index.js': 'module.exports = 1\n' }, {}, /publint: .*FORMAT/],
  ['a test', { 'dist/index.test.js': '' }, {}, /dist\/index\.test\.js does not belong in it/],
  ['a source', { 'dist/index.ts': 'export const one = 1\n' }, {}, /dist\/index\.ts does not belong in it/],
  ['another version', {}, { version: '9.9.9' }, /its version is 9\.9\.9/],
  ['a package of ours', {}, { dependencies: { '@talkbridge/sandbox': '0.1.0' } }, /it depends on @talkbridge\/sandbox/],
  ['a folder of this machine', {}, { dependencies: { pg: 'file:../pg' } }, /it depends on pg@file:/],
])('a broken one fails: %s', async (_, files, fields, fault) => {
  const { code, stderr, lines } = await checked(files, fields)
  expect({ code, stderr }).toEqual({ code: 1, stderr: 'release: 1 of 1 packages cannot be published\n' })
  expect(lines.filter((line) => fault.test(line)).length, lines.join('\n')).toBeGreaterThan(0)
})

test('without --dry-run it does nothing, and says so', async () => {
  await expect(run(process.execPath, [RELEASE])).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^release: give --dry-run: this publishes nothing/) as string,
  })
  expect(readFileSync(RELEASE, 'utf8')).not.toMatch(/'publish'/)
})
