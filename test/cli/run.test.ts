import { expect, test } from 'vitest'
import { CliError, type CliContext, type Register } from '../../src/cli/context.ts'
import { runHere } from './here.ts'

/** Runs one command `try`, whose action is `act`. */
const attempt = (act: (context: CliContext) => void | Promise<void>, env: CliContext['env'] = {}) => {
  const command: Register = (program, context) => void program.command('try').action(() => act(context))
  return runHere(['try'], { env }, [command])
}

const boom = (): never => {
  throw new Error('the disk is full\nsecond line')
}

test('a command that ends is 0', async () => {
  expect(await attempt(async ({ stdout }) => stdout('done\n'))).toEqual({ code: 0, stdout: 'done\n', stderr: '' })
})

test('an unexpected error is 1, one line and no stack', async () => {
  expect(await attempt(boom)).toEqual({ code: 1, stdout: '', stderr: 'talkbridge: the disk is full\n' })
  expect(await attempt(async () => boom())).toMatchObject({ code: 1, stderr: 'talkbridge: the disk is full\n' })
})

test('TALKBRIDGE_DEBUG shows the stack', async () => {
  expect((await attempt(boom, { TALKBRIDGE_DEBUG: '1' })).stderr).toMatch(
    /^talkbridge: the disk is full\nError: .*\n(.*\n)* +at /,
  )
})

test.each([
  [1, 'it failed', 'it failed\n'],
  [2, 'line one\nline two', 'line one\nline two\n'],
  [2, '', ''],
] as const)('a CliError ends with its own code: %i %j', async (exitCode, message, stderr) => {
  const failing = (): never => {
    throw new CliError(exitCode, message)
  }
  expect(await attempt(failing)).toEqual({ code: exitCode, stdout: '', stderr })
})
