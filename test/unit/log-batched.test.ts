import { spawn, type StdioOptions } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { must } from '../fakes/must.ts'

const MODULE = join(import.meta.dirname, '../../src/log.ts')
const COUNT = 2_000
/** More than a pipe and the log's memory hold. */
const MANY = 100_000
const LINE_BYTES = 74

const linesOf = (count: number): string =>
  Array.from({ length: count }, (_, n) => `{"line":${String(n).padStart(6)},"of":"${'x'.repeat(50)}"}\n`).join('')

/** A process that logs lines in three turns of its event loop, and then ends. As in `main.ts`, Node has opened stdout. */
const startLogging = (count: number, end: string, stdio: StdioOptions = 'pipe') => {
  const script = `
    import { setImmediate as turn } from 'node:timers/promises'
    const { batchedTo } = await import(${JSON.stringify(MODULE)})
    process.stdout.on('error', () => undefined)
    const log = batchedTo(1)
    for (let n = 0; n < ${count}; n += 1) {
      if (n === 700 || n === 1_400) await turn()
      log.write('{"line":' + String(n).padStart(6) + ',"of":"' + 'x'.repeat(50) + '"}\\n')
    }
    ${end}`
  return spawn(process.execPath, ['--input-type=module', '-e', script], { stdio })
}

/** Later than the next batch. */
const LATER = 'const later = (act) => setTimeout(act, 50);'

test.each([
  ['by itself', ''],
  ['with process.exit', 'process.exit(1)'],
  ['by an uncaught exception', "throw new Error('uncaught')"],
  ['by an exception later on', `${LATER} later(() => { log.write(''); throw new Error('uncaught') })`],
  ['as another program takes its place', "process.emit('exit', 0); process.kill(process.pid, 'SIGKILL')"],
])('every line is written, in order, when the process ends %s', async (_, end) => {
  expect(await text(must(startLogging(COUNT, end).stdout))).toBe(linesOf(COUNT))
})

test('a reader that reads nothing holds up neither the process nor its end', async () => {
  const child = startLogging(MANY, `${LATER} later(() => { process.stderr.write('free'); process.exit(7) })`)
  const said = text(must(child.stderr))
  expect(await once(child, 'exit')).toEqual([7, null])
  expect(await said).toBe('free')
})

test('a reader that reads again gets whole lines, and how much was lost', async () => {
  const child = startLogging(MANY, `${LATER} later(() => process.stderr.write('free')); process.stdin.resume()`)
  await once(must(child.stderr), 'data')
  const read = text(must(child.stdout))
  must(child.stdin).end()
  const lines = (await read).trimEnd().split('\n')
  const loss = JSON.parse(must(lines.pop())) as unknown
  expect(loss).toMatchObject({ level: 'warn', bytes: (MANY - lines.length) * LINE_BYTES })
  expect(`${lines.join('\n')}\n`).toBe(linesOf(lines.length))
})

test('a full disk costs lines, and not the process', async () => {
  const full = openSync('/dev/full', 'a')
  const child = startLogging(COUNT, `${LATER} later(() => process.exit(7))`, ['ignore', full, 'inherit'])
  expect(await once(child, 'exit')).toEqual([7, null])
  closeSync(full)
})
