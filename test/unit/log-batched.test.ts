import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const MODULE = join(import.meta.dirname, '../../src/log.ts')
const LINES = Array.from({ length: 2_000 }, (_, n) => `{"line":${n},"of":"${'x'.repeat(50)}"}\n`).join('')

/** What a process prints that logs lines in three turns of its event loop, and then ends. */
const printed = async (end: string): Promise<string> => {
  const script = `
    import { setImmediate as turn } from 'node:timers/promises'
    const { batchedTo } = await import(${JSON.stringify(MODULE)})
    const log = batchedTo({ fd: 1 })
    for (let n = 0; n < 2_000; n += 1) {
      if (n === 700 || n === 1_400) await turn()
      log.write('{"line":' + n + ',"of":"' + 'x'.repeat(50) + '"}\\n')
    }
    ${end}`
  const running = promisify(execFile)(process.execPath, ['--input-type=module', '-e', script])
  const { stdout } = await running.catch((error: unknown) => error as { stdout: string })
  return stdout
}

test.each([
  ['by itself', ''],
  ['with process.exit', 'process.exit(1)'],
  ['by an uncaught exception', "throw new Error('uncaught')"],
  ['by an exception later on', "setTimeout(() => { log.write(''); throw new Error('uncaught') }, 20)"],
])('every line is written when the process ends %s', async (_, end) => {
  const lines = await printed(end)
  expect(lines.length).toBe(LINES.length)
  expect(lines.split('\n').toSorted()).toEqual(LINES.split('\n').toSorted())
})

test('who replaces the process has them written first', async () => {
  expect(await printed("process.emit('exit', 0); process.kill(process.pid, 'SIGKILL')")).toContain('"line":1999,')
})
