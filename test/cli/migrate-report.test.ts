import { readFile, rm } from 'node:fs/promises'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { MigrationReportView } from '../../src/core/api/migration.ts'
import { createSystemClock } from '../../src/core/time/clock.ts'
import { startSandbox } from '@talkbridge/sandbox'
import { bearer, gatewayConfig, KEYS, runGateway, temporaryFolder } from '../fakes/gateway.ts'
import { must } from '../fakes/must.ts'
import { completed, record } from '../migration/sample.ts'
import { start } from './harness.ts'
import { runHere } from './here.ts'

const ENV = { TALKBRIDGE_ADMIN_KEY: KEYS.anna }
const CLEAR = '\r\u001b[2K'
const EVIL = 'https://example.com/"><script>alert(1)</script>\u202e.png'

/** A gateway with recorded videos of `main`, one of which bears a URL that is no harmless text. */
const stage = async () => {
  const dir = await temporaryFolder()
  const sandbox = await startSandbox({ clock: createSystemClock(), speed: 1, unlimitedRate: true })
  const urls = { main: sandbox.primaryUrl, alt: sandbox.alternateUrl }
  const keys = { main: { api_key: sandbox.primaryKey }, alt: { api_key: sandbox.alternateKey } }
  const plain = { id: 'plain', key: KEYS.bert, scopes: ['videos:read'] }
  const clients = [{ id: 'anna', key: KEYS.anna }, plain]
  const { gateway } = await runGateway(gatewayConfig(dir, urls, { backends: keys, clients }))
  onTestFinished(async () => {
    await gateway.close()
    await sandbox.close()
    await rm(dir, { recursive: true, force: true })
  })
  const { deps, url } = gateway
  const main = must(deps.backends.get('main'))
  const put = (n: number, input: Parameters<typeof completed>[2]) =>
    record(deps.store, completed(`vid_${n}`, main, input, { createdAtMs: deps.clock.now() - 10_000 + n }))
  for (let n = 0; n < 60; n += 1)
    await put(n, { puppet_id: 'puppet_ada', text: 'a', voice_id: 'sandbox-de-de-lena', language: 'de' })
  await put(98, { image_url: 'https://example.com/anna.png', text: 'a' })
  await put(99, { image_url: EVIL, text: 'a' })
  return { dir, url, at: ['--url', url, '--from', 'main', '--to', 'alt'] }
}

const report = (args: readonly string[], more: Parameters<typeof runHere>[1] = {}) =>
  runHere(['migrate', 'report', ...args], { env: ENV, ...more })

test('prints a summary, with the aliases to paste', async () => {
  const { at } = await stage()
  const { code, stdout, stderr } = await report(at)
  expect([code, stderr]).toEqual([0, ''])
  expect(stdout).toContain('main → alt: 62 recorded videos')
  expect(stdout).toMatch(/Does not carry over {2,}█{24} {2}62 {2}100\.0 %/)
  expect(stdout).toContain('lena: { main: "sandbox-de-de-lena", alt: "voice_fern" } # 60 videos')
  expect(stdout).toContain('anna.png (anna): 1 video\n')
  expect(stdout).not.toMatch(/\b1 videos/)
  // Nothing of strangers moves the cursor or turns the text around.
  for (const hidden of ['\u001b', '\u202e']) expect(stdout).not.toContain(hidden)
})

test('--json prints what the gateway answers', async () => {
  const { at } = await stage()
  const { code, stdout } = await report([...at, '--json', '--since', '12h'])
  expect(code).toBe(0)
  expect(MigrationReportView.parse(JSON.parse(stdout))).toMatchObject({ from: 'main', to: 'alt', videos: 62 })
})

test('--html writes one page that needs nothing else and runs nothing', async () => {
  const { dir, at } = await stage()
  const { code, stderr } = await report([...at, '--html', 'page.html'], { cwd: dir })
  expect([code, stderr]).toEqual([0, 'written: page.html\n'])
  const page = await readFile(join(dir, 'page.html'), 'utf8')
  expect(page).not.toMatch(/<script|<link|<img|<iframe|\son\w+=|\sstyle=|(src|href)=|@import|url\((?!#)/i)
  expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
  // Its policy lets in this one style and nothing else.
  const style = must(/<style>([^]*)<\/style>/.exec(page)?.[1])
  const hash = createHash('sha256').update(style).digest('base64')
  expect(page).toContain(
    `content="default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'"`,
  )
  // Each table is named and headed; each picture that says something says it in words.
  const tables = page.match(/<table /g) ?? []
  expect(tables.length).toBeGreaterThanOrEqual(3)
  expect(page.match(/<table role="table" aria-label="[^"]+">/g)).toHaveLength(tables.length)
  for (const [svg] of page.matchAll(/<svg [^>]*>/g))
    expect(svg).toMatch(/aria-hidden="true"|role="img" aria-label="[^"]+"/)
})

test('a terminal sees how far it is, on stderr, and it is wiped away at the end', async () => {
  const { at } = await stage()
  const { stdout, stderr } = await report([...at, '--json'], { isTty: true, env: { ...ENV, TERM: 'xterm' } })
  expect(() => void JSON.parse(stdout)).not.toThrow()
  expect(stderr.split(CLEAR)[1]).toMatch(/^[█░]{32} \d+ % {2}\d+ videos$/)
  expect(stderr.endsWith(CLEAR)).toBe(true)
})

test.each<[string, string[], Record<string, string>, number, string]>([
  ['no key', [], {}, 2, 'TALKBRIDGE_ADMIN_KEY'],
  ['a key without the scope', [], { TALKBRIDGE_ADMIN_KEY: KEYS.bert }, 1, 'scope admin'],
  ['no such backend', ['--to', 'nobody'], ENV, 1, 'there is no backend nobody'],
  ['the same backend', ['--to', 'main'], ENV, 1, 'must not be the same backend as from'],
  ['no time', ['--since', 'yesterday'], ENV, 1, 'must be a duration such as 90m, 24h or 30d, or a time in ISO 8601'],
])('is refused: %s', async (_, args, env, code, said) => {
  const { at } = await stage()
  const refused = await report([...at, ...args], { env })
  expect(refused).toMatchObject({ code, stdout: '' })
  expect(refused.stderr).toContain(said)
})

test('without --from and --to it says how it is used', async () => {
  const { code, stderr } = await report([])
  expect(code).toBe(2)
  expect(stderr).toContain('--from')
})

test('as a process of its own', async () => {
  const { dir, at } = await stage()
  const { code, stdout } = await start(['migrate', 'report', ...at], { cwd: dir, env: ENV }).ended
  expect(code).toBe(0)
  expect(stdout).toContain('main → alt: 62 recorded videos')
})

test('the answer of the API is JSON, or lines where that is asked for', async () => {
  const { url } = await stage()
  const ask = (accept: string) =>
    fetch(`${url}/unified/v1/migration/report?from=main&to=alt`, { headers: { ...bearer(KEYS.anna), accept } })
  const whole = await ask('application/json')
  expect(whole.headers.get('content-type')).toContain('application/json')
  const { until: _, ...first } = MigrationReportView.parse(await whole.json())
  const lines = await ask('application/x-ndjson')
  expect(lines.headers.get('content-type')).toBe('application/x-ndjson')
  const said = (await lines.text())
    .trimEnd()
    .split('\n')
    .map((line): unknown => JSON.parse(line))
  expect(said.length).toBeGreaterThan(1)
  expect(said.slice(0, -1)).toEqual(said.slice(0, -1).map(() => expect.objectContaining({ object: 'progress' })))
  const { until: __, ...last } = MigrationReportView.parse(said.at(-1))
  expect({ ...last, since: first.since }).toEqual(first)
  expect((await ask('text/html')).status).toBe(406)
})
