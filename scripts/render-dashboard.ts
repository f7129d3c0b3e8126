import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { parseConfig } from '../src/config.ts'
import { createSystemClock } from '../src/core/time/clock.ts'
import { startGateway } from '../src/gateway.ts'
import { createLifecycle } from '../src/core/log.ts'
import { createLog } from '../src/log.ts'
import { startSandbox } from '@talkbridge/sandbox'
import { withPage } from '../test/fakes/chromium.ts'
import { startPrometheus } from '../test/fakes/prometheus.ts'
import { listenLocally } from '../bench/servers/serve.ts'
import { filled, readDashboard } from '../test/metrics/dashboard.ts'
import { pageOf, type Series } from './dashboard-page.ts'

/**
 * Plays a story of two minutes in front of the sandbox, scraped by a real Prometheus, and draws every panel of
 * config/grafana/talkbridge.json into docs/images/dashboard.png: `node scripts/render-dashboard.ts`
 */
const STORY_MS = 120_000
const KEY = 'tb_dashboard_0123456789abcdef'
const ROOT = join(import.meta.dirname, '..')

const log = createLog({ level: 'silent', format: 'json' }, { write: () => undefined }, false)
const closers = createLifecycle(log)
const folder = await mkdtemp(join(tmpdir(), 'talkbridge-dashboard-'))
closers.onClose('folder', () => rm(folder, { recursive: true, force: true }))

/** Now and then it is not well. */
const receiver = createServer((req, res) => {
  req.resume()
  res.writeHead(Math.random() < 0.15 ? 503 : 204).end()
})
const hook = await listenLocally(receiver)
closers.onClose('receiver', () => {
  receiver.close()
  receiver.closeAllConnections()
})
const sandbox = await startSandbox({ clock: createSystemClock(), speed: 10, unlimitedCredits: true })
closers.onClose('sandbox', () => sandbox.close())

const document = {
  server: { port: 0 },
  store: { path: join(folder, 'talkbridge.db') },
  backends: {
    main: { interface: 'primary', base_url: sandbox.primaryUrl, api_key: sandbox.primaryKey },
    alt: { interface: 'alternate', base_url: sandbox.alternateUrl, api_key: sandbox.alternateKey },
  },
  clients: [{ id: 'acme', key: KEY, limits: { requests_per_minute: 100_000 } }],
  routing: { default: 'main' },
  webhooks: { allow: [{ cidr: '127.0.0.0/8', http: true }] },
}
const readFile = (): string => {
  throw new Error('this configuration names no file')
}
const parsed = parseConfig({ text: JSON.stringify(document), format: 'json', env: {}, readFile })
if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults))
const options = { clock: createSystemClock(), log, secretKey: null, random: Math.random, backendsAreLocal: true }
const gateway = await startGateway({ ...options, config: parsed.config })
closers.onClose('gateway', async () => void (await gateway.close()))
const rules = join(ROOT, 'config/prometheus/alerts.yaml')
const prometheus = await startPrometheus({ target: new URL(gateway.url).host, rules, everyMs: 1_000 })
closers.onClose('prometheus', prometheus.close)

const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' }
const call = async (path: string, body?: object): Promise<string> => {
  const init = body ? { method: 'POST', body: JSON.stringify(body), headers } : { headers }
  return (await fetch(`${gateway.url}/unified/v1${path}`, init)).text()
}
const Id = z.object({ id: z.string() })
const ids: string[] = []
const marks = ['', '', '', '', '[[fail]]', '[[slow]]', '[[invalid-image]]', '[[never-callback]]']

const create = async (n: number): Promise<void> => {
  const text = `Hello ${n} ${marks[n % marks.length] ?? ''}`
  const main = { image_url: 'https://example.com/anna.png', text }
  const made = await call('/videos', {
    ...(n % 3 === 0 ? main : { backend: 'alt', puppet_id: 'pup_ada', text }),
    webhook_url: `${hook}/hook`,
  })
  const parsedId = Id.safeParse(JSON.parse(made))
  if (parsedId.success) ids.push(parsedId.data.id)
}
const startedMs = Date.now()
for (let n = 0; Date.now() - startedMs < STORY_MS; n += 1) {
  const busy = 1 + Math.sin(n / 12)
  if (Math.random() < 0.25 * busy) await create(n)
  await Promise.all(
    Array.from({ length: Math.round(4 * busy) }, () => call(`/videos/${ids.at(-1 - (n % 5)) ?? 'none'}`)),
  )
  if (n % 9 === 0) await call('/voices?backend=alt')
  await sleep(100)
}

const Matrix = z.object({
  result: z.array(
    z.object({ metric: z.record(z.string(), z.string()), values: z.array(z.tuple([z.number(), z.string()])) }),
  ),
})
const [end, start] = [Date.now() / 1_000, startedMs / 1_000 + 5]
const seriesOf = async (expr: string, legend: string): Promise<Series[]> => {
  const query = encodeURIComponent(filled(expr, '15s'))
  const { result } = Matrix.parse(await prometheus.ask(`query_range?query=${query}&start=${start}&end=${end}&step=1`))
  return result.map(({ metric, values }) => ({
    name: legend.replaceAll(/\{\{(\w+)\}\}/g, (_, label: string) => metric[label] ?? ''),
    points: values.flatMap(([at, value]) => (Number.isFinite(Number(value)) ? [[at, Number(value)] as const] : [])),
  }))
}
const dashboard = readDashboard()
const drawn = []
for (const panel of dashboard.panels) {
  const series = await Promise.all(panel.targets.map(({ expr, legendFormat }) => seriesOf(expr, legendFormat)))
  drawn.push({ panel, series: series.flat() })
}
const { html, width, height } = pageOf(dashboard.title, drawn, { start, end })
await withPage(async (page) => {
  await page.setViewportSize({ width, height })
  await page.setContent(html)
  await page.screenshot({ path: join(ROOT, 'docs/images/dashboard.png') })
})
await closers.close()
process.exit(0)
