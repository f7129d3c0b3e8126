import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { start, temporaryFolder } from '../cli/harness.ts'
import { startCollector } from '../fakes/collector.ts'

const WATCH = pathToFileURL(join(import.meta.dirname, 'watch-modules.ts')).href
const SDK = '@opentelemetry/sdk-trace'

const COMMAND = ['serve', '--config', 'talkbridge.json']
const serve = (endpoint: string | null, env: Record<string, string> = {}, command = COMMAND) => {
  const cwd = temporaryFolder()
  const config = {
    server: { port: 0 },
    store: { path: join(cwd, 'talkbridge.db') },
    backends: { main: { interface: 'primary', base_url: 'http://127.0.0.1:1', api_key: 'upstream_key' } },
    clients: [{ id: 'anna', key: 'tb_anna_0123456789abcdef' }],
    tracing: { otlp_endpoint: endpoint },
  }
  writeFileSync(join(cwd, 'talkbridge.json'), JSON.stringify(config))
  return start(command, { cwd, flags: ['--import', WATCH], env })
}

/** What it has loaded by the end of a short life. */
const loadedBy = async (endpoint: string | null): Promise<string[]> => {
  const gateway = serve(endpoint)
  await gateway.printed(/talkbridge serves/)
  gateway.kill('SIGTERM')
  const { code, stderr } = await gateway.ended
  expect(code).toBe(0)
  return /^loaded: (.*)$/m.exec(stderr)?.[1]?.split(' ') ?? []
}

test('the packages are loaded only where there is somebody to send spans to', async () => {
  const collector = await startCollector()
  onTestFinished(() => collector.close())
  const [without, withOne] = await Promise.all([loadedBy(null), loadedBy(collector.url)])
  expect(withOne).toContain(SDK)
  // The interfaces alone may be there: the metrics' client is written against them.
  expect(without.filter((name) => name !== '' && name !== '@opentelemetry/api')).toEqual([])
})

test('where they are not installed, a start says so, and what to do', async () => {
  const { code, stdout, stderr } = await serve('http://127.0.0.1:4318', { MISSING_PACKAGE: SDK }).ended
  expect(code).toBe(1)
  expect(stderr).toContain('tracing.otlp_endpoint needs packages that are not installed')
  // Of the peers' ranges, the versions that the tests run with.
  const needed = Object.entries(manifest.devDependencies).filter(([name]) => name in manifest.peerDependencies)
  expect(needed).toHaveLength(4)
  expect(stderr).toContain(`npm install ${needed.map((parts) => parts.join('@')).join(' ')}\n`)
  expect(stdout).not.toContain('talkbridge serves')
})

test.each([
  ['config check', ['config', 'check', 'talkbridge.json'], 2],
  ['the doctor', ['doctor', '--config', 'talkbridge.json'], 1],
])('%s refuses what a start would', async (_, command, exit) => {
  const { code, stdout, stderr } = await serve('http://127.0.0.1:4318', { MISSING_PACKAGE: SDK }, command).ended
  expect(code).toBe(exit)
  expect(stdout + stderr).toMatch(
    /tracing\.otlp_endpoint: needs packages that are not installed\..* npm install @opent/,
  )
  expect(stdout).not.toContain('talkbridge.json: ok\n')
  expect((await serve('http://127.0.0.1:4318', {}, command).ended).stdout).not.toContain('not installed')
})
