import { execFileSync, spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { runHere } from './here.ts'

const script = async (shell: string): Promise<string> => {
  const { code, stdout, stderr } = await runHere(['completion', shell])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return stdout
}

/** What bash offers after these words, the last of which is not complete. */
const offered = (source: string, ...words: string[]): string[] => {
  const line = `COMP_WORDS=(talkbridge "$@"); COMP_CWORD=$#; _talkbridge; printf '%s\\n' "\${COMPREPLY[@]}"`
  const printed = execFileSync('bash', ['-c', `${source}\n${line}`, 'bash', ...words], { encoding: 'utf8' })
  return printed.split('\n').filter((word) => word !== '')
}

test('commands, those below them, and their options are completed', async () => {
  const source = await script('bash')
  expect(offered(source, 's')).toEqual(['serve', 'sandbox', 'store'])
  expect(offered(source, 'keys', '')).toEqual(expect.arrayContaining(['create', 'list', 'rotate', 'revoke', '--help']))
  expect(offered(source, 'keys', 'create', '--sc')).toEqual(['--scopes'])
  expect(offered(source, 'serve', '--config', 'a file.yaml', '--conf')).toEqual(['--config'])
  expect(offered(source, 'completion', '--h')).toEqual(['--help'])
  expect(offered(source, '--vers')).toEqual(['--version'])
  expect(offered(source, 'nothing-of-ours', 'zz')).toEqual([])
})

test('zsh gets the same, behind what lets it read that', async () => {
  expect(await script('zsh')).toBe(`autoload -Uz bashcompinit && bashcompinit\n${await script('bash')}`)
})

const hasFish = spawnSync('fish', ['--version']).status === 0
if (!hasFish)
  process.stderr.write('\n*** SKIPPED: no fish on the PATH. Its completion is NOT tested in this run. ***\n\n')

test.skipIf(!hasFish)('fish completes the same', async () => {
  const source = await script('fish')
  const offer = (line: string): string[] =>
    execFileSync('fish', ['--no-config', '-c', `${source}\ncomplete -C "$argv"`, line], { encoding: 'utf8' })
      .split('\n')
      .filter((word) => word !== '')
  expect(offer('talkbridge s')).toEqual(expect.arrayContaining(['serve', 'sandbox', 'store']))
  expect(offer('talkbridge keys r')).toEqual(expect.arrayContaining(['rotate', 'revoke']))
  expect(offer('talkbridge keys create --sc')).toEqual(['--scopes'])
})

test('another shell is a mistake', async () => {
  const { code, stderr } = await runHere(['completion', 'csh'])
  expect([code, stderr]).toEqual([2, expect.stringContaining('Allowed choices are bash, zsh, fish')])
})
