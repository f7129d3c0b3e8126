import { existsSync, readFileSync } from 'node:fs'
import { parse as parseYaml } from 'yaml'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { parseConfig } from '../../src/config.ts'
import { imageDefaults, stages } from '../fakes/dockerfile.ts'

const ROOT = new URL('../../', import.meta.url)
const read = (path: string): string => readFileSync(new URL(path, ROOT), 'utf8')

const Service = z.looseObject({
  image: z.string(),
  network_mode: z.string().optional(),
  environment: z.record(z.string(), z.union([z.string(), z.number()])).default({}),
  volumes: z.array(z.string()).default([]),
  depends_on: z.record(z.string(), z.object({ condition: z.literal('service_healthy') })).default({}),
  healthcheck: z.object({ test: z.array(z.string()).min(2) }).optional(),
  build: z.object({ target: z.string() }).optional(),
})
const Compose = z.looseObject({
  services: z.record(z.string(), Service),
  volumes: z.record(z.string(), z.null()),
})

const Targets = z.object({ targets: z.array(z.string()) })
const Datasources = z.object({ datasources: z.array(z.looseObject({})) })
const Providers = z.object({ providers: z.array(z.object({ options: z.object({ path: z.string() }) })) })
const PROVISIONING = 'config/grafana/provisioning'

const compose = Compose.parse(parseYaml(read('compose.yaml'), { merge: true }))
const services = Object.entries(compose.services)
const gateways = services.filter(([name]) => name.startsWith('gateway-'))

/** As Compose puts it in: `${NAME:-default}`, with nothing set. */
const substituted = (value: string | number): string => String(value).replaceAll(/\$\{\w+:-([^}]*)\}/g, '$1')

test('every file that is mounted is there, and every volume is declared', () => {
  const sources = services.flatMap(([, { volumes }]) => volumes.map((one) => one.split(':')[0] ?? ''))
  const missing = sources.filter((source) =>
    source.startsWith('./') ? !existsSync(new URL(source, ROOT)) : !(source in compose.volumes),
  )
  expect(missing).toEqual([])
})

test('whoever is waited for exists and can be asked whether it is well', () => {
  for (const [name, { depends_on }] of services) {
    for (const other of Object.keys(depends_on)) {
      const found = compose.services[other]
      // The image of the gateway brings its own check.
      expect(found?.healthcheck ?? found?.build?.target, `${name} waits for ${other}`).toBeDefined()
    }
  }
})

test('what builds the image names a stage of the Dockerfile', () => {
  const targets = new Set(services.flatMap(([, { build }]) => build?.target ?? []))
  expect([...targets].toSorted()).toEqual(['gateway', 'sandbox'])
  expect(stages().map(({ name }) => name)).toEqual(expect.arrayContaining([...targets]))
})

test('there are two gateways, and nginx passes on to both where they listen', () => {
  const ports = gateways.map(([, { environment }]) => Number(environment['PORT']))
  const upstreams = [...read('config/nginx.conf').matchAll(/^ {2}server 127\.0\.0\.1:(\d+) fail_timeout=3s;$/gm)].map(
    ([, port]) => Number(port),
  )
  expect(gateways).toHaveLength(2)
  expect(upstreams).toEqual(ports)
  // One network stack, or 127.0.0.1 would be another machine.
  for (const [, { network_mode }] of [...gateways, ['balancer', compose.services['balancer'] ?? {}] as const])
    expect(network_mode).toBe('service:sandbox')
})

test.each(['config/nginx.conf', 'docs/security.md'])(
  'no stranger reads the metrics through the nginx of %s',
  (path) => {
    expect(read(path)).toMatch(/^ {2}location = \/metrics \{ return 404; \}/m)
  },
)

test.each(gateways)('the configuration of %s is one', (_name, { environment }) => {
  const given = Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, substituted(value)]))
  const readFile = (): string => {
    throw new Error('it names no file')
  }
  const text = read('config/examples/replicas.yaml')
  const parsed = parseConfig({ text, defaults: imageDefaults(), env: given, readFile })
  expect(parsed.ok ? [] : parsed.faults).toEqual([])
  // What of the container can be written.
  if (parsed.ok) expect(parsed.config.store.path).toBe('/data/talkbridge.db')
  expect(Buffer.from(given['TALKBRIDGE_SECRET_KEY'] ?? '', 'base64')).toHaveLength(32)
})

test('Redis throws nothing away, and the sandbox has the ports that the configuration asks at', () => {
  const { redis, sandbox } = compose.services
  expect(redis?.['command']).toContain('noeviction')
  expect([sandbox?.build?.target, sandbox?.['command']]).toEqual(['sandbox', undefined])
  for (const url of ['http://127.0.0.1:4010', 'http://127.0.0.1:4020'])
    expect(read('config/examples/replicas.yaml')).toContain(url)
})

test('Prometheus finds both gateways, and Grafana finds Prometheus and the dashboard', () => {
  const Scrapes = z.object({ scrape_configs: z.array(z.object({ static_configs: z.array(Targets) })) })
  const { scrape_configs } = Scrapes.parse(parseYaml(read('config/prometheus/prometheus.yaml')))
  const targets = scrape_configs.flatMap(({ static_configs }) => static_configs.flatMap(({ targets }) => targets))
  const ports = gateways.map(([, { environment }]) => String(environment['PORT']))
  expect(targets).toEqual(ports.map((port) => `127.0.0.1:${port}`))
  const { prometheus, grafana } = compose.services
  expect(prometheus).toMatchObject({ network_mode: 'service:sandbox', profiles: ['monitoring'] })
  const { datasources } = Datasources.parse(parseYaml(read(`${PROVISIONING}/datasources/prometheus.yaml`)))
  expect(datasources).toMatchObject([{ uid: 'prometheus', url: 'http://sandbox:9090' }])
  const { providers } = Providers.parse(parseYaml(read(`${PROVISIONING}/dashboards/talkbridge.yaml`)))
  const [folder] = providers.map(({ options }) => options.path)
  expect(grafana?.volumes).toEqual([`./config/grafana:${String(folder)}:ro`])
  expect(grafana?.environment['GF_PATHS_PROVISIONING']).toBe(`${String(folder)}/provisioning`)
})
