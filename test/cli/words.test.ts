import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Register } from '../../src/cli/context.ts'
import { temporaryFolder } from './harness.ts'
import { runHere } from './here.ts'

/** What a person reads who gave a command a file that cannot be used, or asked it for help. */

const SECRET = `whsec_${Buffer.alloc(32, 1).toString('base64')}`

test.each([
  ['nope', 'cannot be read: no such file'],
  ['folder', 'cannot be read: it is a folder'],
  ['file', 'not a raw request: there is no empty line between headers and body'],
])('verify --request %s', async (name, fault) => {
  const cwd = temporaryFolder()
  mkdirSync(join(cwd, 'folder'))
  writeFileSync(join(cwd, 'file'), 'hello')
  const ended = await runHere(['verify', '--secret', SECRET, '--request', name], { cwd })
  expect(ended).toEqual({ code: 2, stdout: '', stderr: `talkbridge verify: ${name}: ${fault}\n` })
})

test.each([
  ['folder', 'it is a folder: give another --position'],
  ['file', 'it holds no last_event_id: delete it to start from now'],
])('listen --position %s', async (name, fault) => {
  const cwd = temporaryFolder()
  mkdirSync(join(cwd, 'folder'))
  writeFileSync(join(cwd, 'file'), '{}')
  const ended = await runHere(['listen', '--forward-to', 'http://127.0.0.1:1', '--position', name], { cwd })
  const stderr = `talkbridge listen: ${join(cwd, name)} cannot be read: ${fault}\n`
  expect(ended).toEqual({ code: 1, stdout: '', stderr })
})

test('a file that no command expected to fail', async () => {
  const failing: Register = (program) => {
    program.command('fail').action(() => {
      throw Object.assign(new Error("EACCES: permission denied, mkdir '/srv/data'"), {
        code: 'EACCES',
        path: '/srv/data',
      })
    })
  }
  const { code, stderr } = await runHere(['fail'], {}, [failing])
  expect({ code, stderr }).toEqual({ code: 1, stderr: 'talkbridge: /srv/data: permission denied\n' })
})

test.each(['keys create', 'migrate report', 'batch run', 'listen'])(
  '%s --help marks what is required',
  async (command) => {
    const { stdout } = await runHere([...command.split(' '), '--help'])
    const required = { 'keys create': 2, 'migrate report': 2 }[command] ?? 1
    expect(stdout.replaceAll(/\s+/g, ' ').match(/\(required\)/g)).toHaveLength(required)
  },
)
