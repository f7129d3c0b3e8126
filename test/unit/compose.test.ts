import { existsSync, readFileSync } from 'node:fs'
import { parse as parseYaml } from 'yaml'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { parseConfig } from '../../src/config.ts'

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
  for (const target of targets) expect(read('Dockerfile')).toContain(` AS ${target}\n`)
})

test('there are two gateways, and nginx passes on to both where they listen', () => {
  const ports = gateways.map(([, { environment }]) => Number(environment['TALKBRIDGE_SERVER__PORT']))
  const upstreams = [...read('config/nginx.conf').matchAll(/^ {2}server 127\.0\.0\.1:(\d+);$/gm)].map(([, port]) =>
    Number(port),
  )
  expect(gateways).toHaveLength(2)
  expect(upstreams).toEqual(ports)
  // One network stack, or 127.0.0.1 would be another machine.
  for (const [, { network_mode }] of [...gateways, ['balancer', compose.services['balancer'] ?? {}] as const])
    expect(network_mode).toBe('service:sandbox')
})

test.each(gateways)('the configuration of %s is one', (_name, { environment }) => {
  const env = Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, substituted(value)]))
  const readFile = (): string => {
    throw new Error('it names no file')
  }
  const parsed = parseConfig({ text: read('config/examples/replicas.yaml'), env, readFile })
  expect(parsed.ok ? [] : parsed.faults).toEqual([])
  expect(Buffer.from(env['TALKBRIDGE_SECRET_KEY'] ?? '', 'base64')).toHaveLength(32)
})

test('Redis throws nothing away, and the sandbox has the ports that the configuration asks at', () => {
  const { redis, sandbox } = compose.services
  expect(redis?.['command']).toContain('noeviction')
  expect(sandbox?.['command']).toEqual(['sandbox', '--data', '/data/sandbox'])
  for (const url of ['http://127.0.0.1:4010', 'http://127.0.0.1:4020'])
    expect(read('config/examples/replicas.yaml')).toContain(url)
})
