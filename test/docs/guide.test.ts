import { globSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { sandboxConfig } from '../../src/cli/profile.ts'
import { systemClock } from '../../src/core/clock.ts'
import { startGateway } from '../../src/gateway.ts'
import { createLifecycle } from '../../src/lifecycle.ts'
import { createLog } from '../../src/log.ts'
import { startSandbox } from '../../src/sandbox/index.ts'
import { readPage } from './blocks.ts'
import { runPage, skippedWithoutCurl } from './runner.ts'

const ROOT = join(import.meta.dirname, '../..')
const textOf = (page: string): string => readFileSync(join(ROOT, page), 'utf8')

/** Read in the order of docs/api.md's own list, on one gateway, whose ten credits a month must do for all of it. */
const CHAPTERS = [
  'docs/api.md',
  ...Array.from(textOf('docs/api.md').matchAll(/\((api\/[a-z-]+\.md)\)/g), ([, name]) => `docs/${name}`),
]
const GUIDE = [...new Set(CHAPTERS)]
/** Each on a gateway of its own. Pages for developers are not here: their commands install and build. */
const OTHERS = globSync(['README.md', 'docs/webhooks.md'], { cwd: ROOT }).toSorted()

/** What `npm start` runs, on ports that are free. */
const startProfile = async () => {
  const log = createLog({ level: 'silent', format: 'json' }, pino.destination({ fd: 1, sync: false }), false)
  const closers = createLifecycle(log)
  const dataDir = await mkdtemp(join(tmpdir(), 'talkbridge-guide-data-'))
  closers.onClose('folder', () => rm(dataDir, { recursive: true, force: true }))
  const sandbox = await startSandbox({ clock: systemClock, dataDir: `${dataDir}/sandbox` })
  closers.onClose('sandbox', () => sandbox.close())
  const config = sandboxConfig({ ...sandbox, port: 0, dataDir, logLevel: 'silent' }, {})
  const gateway = await startGateway({
    config,
    clock: systemClock,
    log,
    secretKey: null,
    random: Math.random,
    backendsAreLocal: true,
  })
  closers.onClose('gateway', async () => void (await gateway.close()))
  const addresses = {
    'http://127.0.0.1:8080': gateway.url,
    'http://127.0.0.1:4010': sandbox.primaryUrl,
    'http://127.0.0.1:4020': sandbox.alternateUrl,
  }
  return { addresses, close: () => closers.close() }
}
type Profile = Awaited<ReturnType<typeof startProfile>>

describe.skipIf(skippedWithoutCurl())('every block does what its page says', () => {
  describe('the guide, from its first page to its last', () => {
    let profile: Profile
    beforeAll(async () => {
      profile = await startProfile()
    })
    afterAll(() => profile.close())

    test.each(GUIDE)('%s', { timeout: 100_000 }, async (page) => {
      expect(await runPage(textOf(page), profile.addresses)).toEqual([])
    })
  })

  describe('other pages', () => {
    const running = OTHERS.filter((page) => readPage(textOf(page)).blocks.length > 0)
    test.each(running)('%s', { timeout: 100_000 }, async (page) => {
      const profile = await startProfile()
      onTestFinished(() => profile.close())
      expect(await runPage(textOf(page), profile.addresses)).toEqual([])
    })
  })
})

test('a block that is not run says why', () => {
  const silent = [...GUIDE, ...OTHERS].filter((page) => readPage(textOf(page)).reasons.includes(''))
  expect(silent).toEqual([])
})

test('every claim is right below a block that is run', () => {
  const strays = [...GUIDE, ...OTHERS].flatMap((page) => readPage(textOf(page)).strays.map((line) => `${page}:${line}`))
  expect(strays).toEqual([])
})

test('the guide lists every page of its folder', () => {
  const there = globSync('docs/api/*.md', { cwd: ROOT }).toSorted()
  expect(GUIDE.slice(1).toSorted()).toEqual(there)
})
