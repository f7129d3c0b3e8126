import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { start, temporaryFolder, type Ended } from './cli/harness.ts'

const ROOT = join(import.meta.dirname, '..')
const PARTS = [
  'src',
  'packages',
  'test',
  'bench',
  'scripts',
  'dist',
  'docs',
  'README.md',
  'package-lock.json',
  'package.json',
  'tsconfig.json',
  'vitest.config.ts',
]
const VERB = 'src/stores/sql/video-verbs.ts'
const BEGINS = /^export const write = async .* => \{$/m

/** A copy of this checkout, with its packages but none of what its own runs have left among them. */
const copyOfCheckout = (): string => {
  const copy = temporaryFolder()
  // With their times, or the pages would be built anew.
  for (const part of PARTS) cpSync(join(ROOT, part), join(copy, part), { recursive: true, preserveTimestamps: true })
  const packages = join(copy, 'node_modules')
  mkdirSync(packages)
  for (const name of readdirSync(join(ROOT, 'node_modules')))
    if (!/^\.(cache|vite.*)$/.test(name)) symlinkSync(join(ROOT, 'node_modules', name), join(packages, name))
  return copy
}

const runIn = (cwd: string): Promise<Ended> => {
  const flags = ['--maxWorkers=1', '-t', 'rises before a caller hears of its write']
  const main = join(cwd, 'node_modules/vitest/vitest.mjs')
  return start(['run', 'test/stores/sqlite-write-count.test.ts', ...flags], { cwd, main, env: { NO_COLOR: '1' } }).ended
}

test('a checkout that has run its tests sees a change of what the writer thread runs', async () => {
  const copy = copyOfCheckout()
  const first = await runIn(copy)
  expect(first).toMatchObject({ code: 0, stdout: expect.stringMatching(/Tests +1 passed/) })
  const verb = readFileSync(join(copy, VERB), 'utf8')
  expect(verb).toMatch(BEGINS)
  writeFileSync(join(copy, VERB), verb.replace(BEGINS, "$&\n  throw new Error('this verb is broken')"))
  const second = await runIn(copy)
  expect(second).toMatchObject({ code: 1, stdout: expect.stringMatching(/Tests +1 failed/) })
  expect(second.stdout + second.stderr).toContain('this verb is broken')
})

test('a checkout that has been started sees a change of its sources, from whatever folder it is started', async () => {
  const copy = copyOfCheckout()
  const elsewhere = temporaryFolder()
  const help = async (): Promise<Ended> =>
    start(['--help'], { cwd: elsewhere, main: join(copy, 'scripts/talkbridge.js'), env: { NODE_COMPILE_CACHE: '' } })
      .ended
  const said = 'One gateway in front of two talking-head video services.'
  expect(await help()).toMatchObject({ code: 0, stdout: expect.stringContaining(said) })
  const index = join(copy, 'src/cli/index.ts')
  writeFileSync(index, readFileSync(index, 'utf8').replace(said, 'This command is changed.'))
  expect(await help()).toMatchObject({ code: 0, stdout: expect.stringContaining('This command is changed.') })
})

test('a start loads nothing of Node that nobody here uses', async () => {
  const told = 'process.on("exit", () => process.stderr.write(process.moduleLoadList.join("\\n")))'
  const flags = ['--import', `data:text/javascript,${encodeURIComponent(told)}`]
  const { code, stderr } = await start(['serve', '--help'], { cwd: temporaryFolder(), flags }).ended
  expect(code).toBe(0)
  expect(stderr).toMatch(/^NativeModule http$/m)
  expect(stderr).not.toMatch(/^NativeModule internal\/(deps\/undici|crypto\/webcrypto)/m)
})
