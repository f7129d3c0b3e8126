import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Browser, Page } from 'playwright-core'
import { freshConsole } from '../../scripts/build-console.ts'
import { createSystemClock } from '../../src/core/time/clock.ts'
import { startGateway } from '../../src/gateway.ts'
import { createLog } from '../../src/log.ts'
import { launchBrowser } from '../../test/fakes/chromium.ts'
import { createEndings } from '../../test/fakes/ended-videos.ts'
import { gatewayConfig, KEYS, SECRET_KEY } from '../../test/fakes/gateway.ts'
import { median, middleVerdictOf, type Result, type Row, spreadOf } from '../report.ts'
import { listenLocally } from '../servers/serve.ts'

export interface Size {
  videos: number
  loads: number
}
export const FULL: Size = { videos: 100_000, loads: 9 }

/** Of the CPU that there is. */
const SLOWED = 4
const MOST_MS = 1_000
/** The page's clock has steps of this. */
const CLOCK_MS = 0.1
const MOST_KB = 60
const MOST_CPU_SECONDS = 2
/** Of CPU in so long: less is idle. */
const IDLE_SECONDS = 0.01
const LOOKED_EVERY_MS = 500
const MOST_LOOKS = 60

/** A page that holds what the API answered, and no more than that: what the browser itself takes. */
const BARE = `<!doctype html><meta charset="utf-8"><title>bare</title><h1>bare</h1><pre></pre><script type="module">
const answer = await fetch('/data.json' + location.search)
document.querySelector('pre').textContent = await answer.text()
document.querySelector('h1').dataset.there = 'yes'
</script>`

interface Target {
  name: string
  url: string
  /** Is seen once the first data is. */
  there: string
}

/** Since the navigation began, by the page's own clock. */
const firstDataMs = async (page: Page, { url, there }: Target): Promise<number> => {
  await page.goto('about:blank')
  await page.goto(url, { waitUntil: 'commit' })
  await page.waitForSelector(there)
  return page.evaluate<number>('performance.now()')
}

/** Of the main thread of a new tab, from the navigation until it is idle. */
const cpuSecondsOf = async (browser: Browser, { url, there }: Target): Promise<number> => {
  const context = await browser.newContext()
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  await page.goto(url)
  await page.waitForSelector(there)
  const spent = async (): Promise<number> => {
    const { metrics } = await session.send('Performance.getMetrics')
    return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN
  }
  // A page that is not drawn is never called back for being idle.
  let seconds = await spent()
  for (let [looks, before] = [0, -1]; seconds - before > IDLE_SECONDS && looks < MOST_LOOKS; looks += 1) {
    before = seconds
    await pause(LOOKED_EVERY_MS)
    seconds = await spent()
  }
  await context.close()
  return seconds
}

/** A new tab without a cache, with the session. */
const openTab = async (browser: Browser, url: string): Promise<Page> => {
  const context = await browser.newContext()
  await context.request.post(`${url}/console/session`, {
    data: { key: KEYS.anna },
    headers: { 'x-talkbridge-console': '1' },
  })
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Network.setCacheDisabled', { cacheDisabled: true })
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWED })
  return page
}

const javaScriptKb = async (page: Page): Promise<number> => {
  const sizes = await page.evaluate<number[]>(
    `performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('.js')).map(({ encodedBodySize }) => encodedBodySize)`,
  )
  return sizes.reduce((sum, size) => sum + size, 0) / 1_000
}

/** Fills a store, starts a gateway on it, and asks `use` to look at it. */
const withGateway = async (videos: number, use: (url: string) => Promise<Row[]>): Promise<Row[]> => {
  const folder = await mkdtemp(join(tmpdir(), 'talkbridge-bench-'))
  // Nothing is asked of a backend, and none answers.
  const nobody = createServer((_req, res) => void res.writeHead(503).end())
  const backend = await listenLocally(nobody)
  const gateway = await startGateway({
    config: gatewayConfig(folder, { main: backend, alt: backend }),
    clock: createSystemClock(),
    log: createLog({ level: 'silent', format: 'json' }, { write: () => undefined }, false),
    secretKey: SECRET_KEY,
    random: Math.random,
    backendsAreLocal: true,
    silentTimeoutMs: 0,
  })
  try {
    const write = createEndings(gateway.deps.store)
    await write(videos, null, { endedAtMs: Date.now() - 60_000, client: 'anna' })
    return await use(gateway.url)
  } finally {
    await gateway.close()
    nobody.close()
    nobody.closeAllConnections()
    await rm(folder, { recursive: true, force: true })
  }
}

/** The page at `/docs`, and in turn with it one that shows the same document as text. */
const lookAtDocs = async (browser: Browser, bare: Target, docs: Target, loads: number): Promise<Row> => {
  const seconds = { bare: [] as number[], docs: [] as number[] }
  for (let load = 0; load < loads; load += 1) {
    seconds.bare.push(await cpuSecondsOf(browser, bare))
    seconds.docs.push(await cpuSecondsOf(browser, docs))
  }
  const cpu = median(seconds.docs)
  return {
    what: 'CPU to open /docs',
    goal: `< ${MOST_CPU_SECONDS} s`,
    measured: `${cpu.toFixed(2)} s; ${median(seconds.bare).toFixed(2)} s for its document as text`,
    optimum: null,
    met: cpu < MOST_CPU_SECONDS,
  }
}

const look = async (url: string, { loads }: Size): Promise<Row[]> => {
  const headers = { authorization: `Bearer ${KEYS.anna}` }
  const data = await (await fetch(`${url}/unified/v1/videos`, { headers })).text()
  const document = await (await fetch(`${url}/openapi.json?surface=unified`)).text()
  const texts = new Map([
    ['/data.json', data],
    ['/data.json?document', document],
  ])
  const bare = createServer((req, res) => {
    const text = texts.get(req.url ?? '')
    res.writeHead(200, { 'content-type': text === undefined ? 'text/html' : 'application/json' }).end(text ?? BARE)
  })
  const bareUrl = await listenLocally(bare)
  const browser = await launchBrowser()
  try {
    const targets: Target[] = [
      { name: 'a bare page with the same rows', url: bareUrl, there: 'h1[data-there]' },
      {
        name: 'videos',
        url: `${url}/console/videos`,
        there: 'main a[href^="/console/videos/vid_"]',
      },
      {
        name: 'overview',
        url: `${url}/console`,
        there: 'main .card',
      },
    ]
    const page = await openTab(browser, url)
    const times = targets.map((): number[] => [])
    for (let load = 0; load < loads; load += 1)
      for (const [at, target] of targets.entries()) times[at]?.push(await firstDataMs(page, target))
    const kb = await javaScriptKb(page)
    const docs = await lookAtDocs(
      browser,
      { name: 'bare', url: `${bareUrl}/?document`, there: 'h1[data-there]' },
      { name: 'docs', url: `${url}/docs`, there: '#schemas' },
      loads,
    )
    const rows = targets.map(({ name }, at): Row => {
      const all = times[at] ?? []
      const isReference = at === 0
      return {
        what: `first data: ${name}`,
        goal: isReference ? null : `< ${MOST_MS} ms`,
        measured: spreadOf(all, 0, ' ms'),
        optimum: null,
        met: isReference || middleVerdictOf(all, { most: MOST_MS - CLOCK_MS }),
      }
    })
    const size = `${kb.toFixed(1)} kB`
    return [
      ...rows,
      {
        what: 'JavaScript of the first load, as sent',
        goal: `≤ ${MOST_KB} kB`,
        measured: size,
        optimum: null,
        met: kb <= MOST_KB,
      },
      docs,
    ]
  } finally {
    await browser.close()
    bare.close()
    bare.closeAllConnections()
  }
}

/** How long somebody waits for the first data of the console on a slow machine, beside a page that does nothing else. */
export const consolePages = async (size: Size = FULL): Promise<Result> => {
  await freshConsole()
  return {
    name: 'console',
    notes: [
      `Chromium with its CPU slowed ${SLOWED} times and no cache; ${size.videos} videos in the store`,
      `medians of ${size.loads} loads of each, in turn, from the navigation to the first rows`,
    ],
    rows: await withGateway(size.videos, (url) => look(url, size)),
  }
}
