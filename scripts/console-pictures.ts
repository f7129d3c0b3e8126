import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { listenLocally } from '../bench/servers/serve.ts'
import { createSystemClock } from '../src/core/time/clock.ts'
import { startGateway } from '../src/gateway.ts'
import { createLifecycle } from '../src/core/log.ts'
import { createLog } from '../src/log.ts'
import { startSandbox } from '@talkbridge/sandbox'
import { HOSTILE, pagesOf, STORY_CONFIG, tellStory } from '../packages/console/test/story.ts'
import { launchBrowser } from '../test/fakes/chromium.ts'
import { gatewayConfig, KEYS } from '../test/fakes/gateway.ts'
import { freshConsole } from './build-console.ts'

/**
 * Draws every page of the console into docs/images/console, which is not in the repository, at three widths: `node scripts/console-pictures.ts [NAME …]`. With
 * `--dark` at the widest one, dark, too.
 */
const OUT = join(import.meta.dirname, '..', 'docs/images/console')
const WIDTHS = [360, 800, 1_280]
const LOOKS = [
  ...WIDTHS.map((width) => ({ width, theme: 'light' as const })),
  ...(process.argv.includes('--dark') ? [{ width: 1_280, theme: 'dark' as const }] : []),
]

const log = createLog({ level: 'silent', format: 'json' }, { write: () => undefined }, false)
const closers = createLifecycle(log)
const folder = await mkdtemp(join(tmpdir(), 'talkbridge-pictures-'))
closers.onClose('folder', () => rm(folder, { recursive: true, force: true }))
const clock = createSystemClock()
const receiver = createServer((req, res) => {
  req.resume()
  if (req.url?.startsWith('/fails')) res.writeHead(500, { 'content-type': 'text/html' }).end(HOSTILE)
  else res.writeHead(204).end()
})
const receiverUrl = await listenLocally(receiver)
closers.onClose('receiver', () => {
  receiver.close()
  receiver.closeAllConnections()
})
const sandbox = await startSandbox({ clock, speed: 20, unlimitedCredits: true })
closers.onClose('sandbox', () => sandbox.close())
const config = gatewayConfig(
  folder,
  { main: sandbox.primaryUrl, alt: sandbox.alternateUrl },
  {
    ...STORY_CONFIG,
    webhooks: { allow: [{ cidr: '127.0.0.0/8', http: true }] },
    backends: {
      main: { api_key: sandbox.primaryKey, slots: 2, requests_per_minute: 10 },
      alt: { api_key: sandbox.alternateKey, requests_per_minute: 60, exclusive: false },
    },
  },
)
await freshConsole()
const gateway = await startGateway({
  config,
  clock,
  log,
  secretKey: Buffer.alloc(32, 7).toString('base64'),
  random: Math.random,
  backendsAreLocal: true,
})
closers.onClose('gateway', () => gateway.close().then(() => undefined))

try {
  const story = await tellStory({ url: gateway.url, sandbox, receiverUrl })
  const asked = process.argv.slice(2).filter((word) => word !== '--dark')
  const pages = pagesOf(story).filter(({ name }) => asked.length === 0 || asked.includes(name))
  const browser = await launchBrowser()
  closers.onClose('browser', () => browser.close())
  await mkdir(OUT, { recursive: true })
  for (const { width, theme } of LOOKS) {
    const context = await browser.newContext({ viewport: { width, height: 800 }, colorScheme: theme })
    const headers = { 'x-talkbridge-console': '1' }
    await context.request.post(`${gateway.url}/console/session`, { data: { key: KEYS.anna }, headers })
    const page = await context.newPage()
    for (const { name, path } of pages) {
      await page.goto(gateway.url + path)
      await page.waitForSelector('h1')
      while ((await page.locator('.loading, .skeleton').count()) > 0) await sleep(20)
      const file = `${name}-${width}${theme === 'dark' ? '-dark' : ''}.png`
      await page.screenshot({ path: join(OUT, file), fullPage: true })
      process.stdout.write(`${file}\n`)
    }
    await context.close()
  }
  // The one that the README shows is in the package, too.
  if (pages.some(({ name }) => name === 'overview'))
    await copyFile(join(OUT, 'overview-1280.png'), join(OUT, '../console.png'))
} finally {
  await closers.close()
}
