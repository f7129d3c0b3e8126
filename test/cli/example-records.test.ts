import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { seedExamples } from '../../src/cli/serve-sandbox.ts'
import { sandboxConfig } from '../../src/cli/config-file.ts'
import { createSystemClock } from '../../src/core/time/clock.ts'
import { freePort } from '../fakes/daemon.ts'

/** That all of them are there, `test/openapi/examples.test.ts` sees. */

const staged = async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'talkbridge-examples-'))
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }))
  const nobody = `http://127.0.0.1:${await freePort()}`
  const sandbox = { primaryUrl: nobody, primaryKey: 'a-key', alternateUrl: nobody, alternateKey: 'b-key' }
  const config = sandboxConfig({ ...sandbox, port: 0, dataDir, logLevel: 'warn' }, {})
  const lines: string[] = []
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) })
  const seed = () => seedExamples(config, { clock: createSystemClock(), log, secretKey: null })
  return { path: config.store.path, lines, seed }
}

test('a sandbox that does not answer keeps no gateway from starting: it is said, and the store is closed again', async () => {
  const { path, lines, seed } = await staged()
  await seed()
  expect(lines.join('')).toContain('the records that the examples of the API name were not written')
  expect(existsSync(path)).toBe(true)
  expect(existsSync(`${path}-wal`)).toBe(false)
})

test('a store that is there is left as it is', async () => {
  const { path, lines, seed } = await staged()
  await writeFile(path, 'somebody’s store')
  await seed()
  expect(await readFile(path, 'utf8')).toBe('somebody’s store')
  expect(lines).toEqual([])
})
