import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse as parseYaml } from 'yaml'
import { expect, test } from 'vitest'
import { z } from 'zod'
import manifest from '../../package.json' with { type: 'json' }
import { parseConfig } from '../../src/config.ts'
import { CONSOLE_CLIENT } from '../../src/config/rules.ts'
import { parseSecretKey } from '../../src/webhooks/secrets.ts'
import { imageDefaults, imageOf } from '../fakes/dockerfile.ts'
import { must } from '../fakes/must.ts'

const FOLDER = join(import.meta.dirname, '../../config/kubernetes')
const Names = z.record(z.string(), z.string())
const Selector = z.object({ matchLabels: Names })
const Probe = z.object({ httpGet: z.object({ path: z.string(), port: z.string() }) })

const Kustomization = z.looseObject({
  kind: z.literal('Kustomization'),
  namespace: z.string(),
  resources: z.array(z.string()),
  configMapGenerator: z.tuple([z.looseObject({ name: z.string(), files: z.array(z.string()) })]),
  images: z.array(z.object({ name: z.string(), newTag: z.string() })),
})
const Container = z.looseObject({
  image: z.string(),
  ports: z.array(z.object({ name: z.string(), containerPort: z.number() })),
  envFrom: z.array(z.object({ secretRef: z.object({ name: z.string() }) })),
  livenessProbe: Probe,
  readinessProbe: Probe,
  startupProbe: Probe,
  volumeMounts: z.array(z.object({ name: z.string(), mountPath: z.string() })),
})
const Pod = z.looseObject({
  terminationGracePeriodSeconds: z.number(),
  securityContext: z.looseObject({ runAsNonRoot: z.literal(true), runAsUser: z.number() }),
  containers: z.tuple([Container]),
  volumes: z.array(z.looseObject({ name: z.string(), configMap: z.object({ name: z.string() }).optional() })),
})
const Deployment = z.looseObject({
  spec: z.looseObject({
    replicas: z.number(),
    selector: Selector,
    template: z.object({ metadata: z.looseObject({ labels: Names, annotations: Names }), spec: Pod }),
  }),
})
const Service = z.looseObject({
  metadata: z.looseObject({ name: z.string(), labels: Names }),
  spec: z.object({ selector: Names, ports: z.array(z.looseObject({ name: z.string(), targetPort: z.string() })) }),
})
const Budget = z.looseObject({ spec: z.object({ maxUnavailable: z.number(), selector: Selector }) })
const Secret = z.looseObject({ metadata: z.looseObject({ name: z.string() }), stringData: Names })
const Any = z.looseObject({ kind: z.string(), metadata: z.looseObject({ name: z.string() }) })
const Component = z.strictObject({
  apiVersion: z.literal('kustomize.config.k8s.io/v1alpha1'),
  kind: z.literal('Component'),
  resources: z.array(z.string()),
})
const Port = z.strictObject({ port: z.union([z.number(), z.string()]), protocol: z.string().optional() })
const NetworkPolicy = z.looseObject({
  spec: z.looseObject({
    podSelector: Selector,
    ingress: z.array(z.looseObject({ from: z.array(z.unknown()).min(1), ports: z.array(Port) })),
    egress: z.array(z.strictObject({ ports: z.array(Port) })),
  }),
})
const ServiceMonitor = z.looseObject({
  spec: z.looseObject({
    selector: Selector,
    endpoints: z.array(z.strictObject({ port: z.string(), path: z.string() })),
  }),
})

/** Where the configuration has each secret. */
const SECRETS: Readonly<Record<string, string>> = {
  DATABASE_URL: 'store.url',
  REDIS_URL: 'redis.url',
  PRIMARY_API_KEY: 'backends.main.api_key',
  ALTERNATE_API_KEY: 'backends.alt.api_key',
  ACME_KEY: 'clients.0.key',
  ADMIN_KEY: 'console.admin_key',
}

const textOf = (file: string): string => readFileSync(join(FOLDER, file), 'utf8')
const read = (file: string): unknown => parseYaml(textOf(file))
const kustomization = Kustomization.parse(read('kustomization.yaml'))
const ofKind = <S extends z.ZodType>(kind: string, schema: S): z.output<S> =>
  schema.parse(kustomization.resources.map(read).find((resource) => Any.parse(resource).kind === kind))

const deployment = ofKind('Deployment', Deployment)
const { metadata, spec: pod } = deployment.spec.template
const [container] = pod.containers
const secret = ofKind('Secret', Secret)
const [configMap] = kustomization.configMapGenerator
const image = imageOf('gateway')
/** The variables of a container whose Secret was filled in. */
const env = Object.fromEntries(
  Object.entries(secret.stringData).map(([name, value]) => [
    name,
    value.replace('CHANGE-ME', `own-${name}-0123456789`),
  ]),
)
const parseWith = (variables: Record<string, string>) =>
  parseConfig({ text: textOf('gateway.yaml'), defaults: imageDefaults(), env: variables, readFile: () => '' })
const config = () => {
  const parsed = parseWith(env)
  expect(parsed.ok ? [] : parsed.faults).toEqual([])
  return must(parsed.ok ? parsed.config : null)
}

test('every file of the folder is named, and all are of one namespace', () => {
  const files = readdirSync(FOLDER).filter((file) => file !== 'kustomization.yaml' && file !== 'components')
  expect(files.toSorted()).toEqual([...kustomization.resources, ...configMap.files].toSorted())
  const namespace = ofKind('Namespace', Any)
  expect(namespace.metadata.name).toBe(kustomization.namespace)
})

test('the Service, the budget and the Deployment mean the same pods', () => {
  const { selector, replicas } = deployment.spec
  expect(metadata.labels).toMatchObject(selector.matchLabels)
  expect(ofKind('Service', Service).spec.selector).toEqual(selector.matchLabels)
  const budget = ofKind('PodDisruptionBudget', Budget).spec
  expect(budget.selector).toEqual(selector)
  expect(budget.maxUnavailable).toBeLessThan(replicas)
})

test('an app of it is no operator, who has a key of its own', () => {
  const { clients, console: page } = config()
  const apps = clients.filter(({ id }) => id !== CONSOLE_CLIENT)
  expect(apps.length).toBeGreaterThan(0)
  expect(apps.flatMap(({ scopes }) => scopes).filter((scope) => scope === 'admin' || scope === '*')).toEqual([])
  expect(page.admin_key).toBe(env['ADMIN_KEY'])
  expect(apps.map(({ key }) => key)).not.toContain(page.admin_key)
})

test('ports, probes and mounts are those of the image and the configuration', () => {
  const { server, store } = config()
  const [port] = container.ports
  expect([port?.containerPort, metadata.annotations['prometheus.io/port']]).toEqual([server.port, String(server.port)])
  const { livenessProbe, readinessProbe, startupProbe } = container
  const probes = [livenessProbe, readinessProbe, startupProbe].map(({ httpGet }) => httpGet)
  expect(probes.map(({ path }) => path)).toEqual(['/healthz', '/readyz', '/healthz'])
  const [service] = ofKind('Service', Service).spec.ports
  for (const name of [...probes.map((probe) => probe.port), service?.targetPort]) expect(name).toBe(port?.name)
  const mounts = container.volumeMounts.map(({ mountPath }) => mountPath)
  expect(mounts).toEqual(['/etc/talkbridge', '/data'])
  expect(image.command).toContain('/etc/talkbridge/gateway.yaml')
  // The file of the ConfigMap would rank above a variable of the image only if the image set none.
  expect(Object.keys(image.env).filter((name) => name.startsWith('TALKBRIDGE_'))).toEqual([])
  expect(server).toMatchObject({ host: '0.0.0.0', shutdown_delay: 5_000 })
  expect(store.path.startsWith('/data/')).toBe(true)
  expect(pod.volumes.map(({ name }) => name)).toEqual(container.volumeMounts.map(({ name }) => name))
  expect(pod.volumes[0]?.configMap).toEqual({ name: configMap.name })
  expect(pod.terminationGracePeriodSeconds * 1000).toBeGreaterThan(server.shutdown_grace + 7_000)
})

test('the Secret holds what the configuration asks for, and nothing else', () => {
  const asked = textOf('gateway.yaml').matchAll(/\$\{(\w+)\}/g)
  const names = [...Array.from(asked, ([, name = '']) => name), 'TALKBRIDGE_SECRET_KEY']
  expect(Object.keys(secret.stringData).toSorted()).toEqual(names.toSorted())
  expect(container.envFrom).toEqual([{ secretRef: { name: secret.metadata.name } }])
})

test.each(Object.keys(secret.stringData))('a gateway does not start while %s is a placeholder, and says so', (name) => {
  expect(secret.stringData[name]).toContain('CHANGE-ME')
  if (name === 'TALKBRIDGE_SECRET_KEY') {
    expect(() => parseSecretKey(must(secret.stringData[name]))).toThrow('must be 32 bytes in base64')
    return
  }
  const parsed = parseWith({ ...env, [name]: must(secret.stringData[name]) })
  expect(parsed.ok ? [] : parsed.faults.map(({ path, message }) => `${path}: ${message}`)).toEqual([
    `${SECRETS[name]}: is still a placeholder: put your own value there (from \${${name}})`,
  ])
})

test('the components are named, and off', () => {
  const [, off = ''] = textOf('kustomization.yaml').split(/\n(?=# components:\n)/)
  const { components } = z.object({ components: z.array(z.string()) }).parse(parseYaml(off.replaceAll(/^# /gm, '')))
  expect(components).toEqual(readdirSync(join(FOLDER, 'components')).map((name) => `components/${name}`))
  expect(kustomization['components']).toBeUndefined()
  for (const component of components) {
    const files = readdirSync(join(FOLDER, component)).filter((file) => file !== 'kustomization.yaml')
    expect(Component.parse(read(`${component}/kustomization.yaml`)).resources).toEqual(files)
  }
})

test('the NetworkPolicy lets in what the Service sends on, and out what the configuration needs', () => {
  const { podSelector, ingress, egress } = NetworkPolicy.parse(
    read('components/network-policy/networkpolicy.yaml'),
  ).spec
  expect(podSelector).toEqual(deployment.spec.selector)
  expect(ingress.map(({ ports }) => ports)).toEqual([[{ port: container.ports[0]?.name }]])
  const { webhooks, store, redis } = config()
  const servers = [store.url, redis.url].map((url) => Number(new URL(must(url)).port))
  const open = egress.flatMap(({ ports }) => ports.map(({ port, protocol = 'TCP' }) => `${port} ${protocol}`))
  expect(open.toSorted()).toEqual(
    ['53 UDP', ...[53, ...servers, ...webhooks.ports].map((port) => `${port} TCP`)].toSorted(),
  )
})

test('the ServiceMonitor finds the Service, whose name is the job of the alerts', () => {
  const { selector, endpoints } = ServiceMonitor.parse(read('components/service-monitor/servicemonitor.yaml')).spec
  const { metadata: service, spec } = ofKind('Service', Service)
  expect(service.labels).toMatchObject(selector.matchLabels)
  expect(endpoints).toEqual([{ port: spec.ports[0]?.name, path: '/metrics' }])
  const alerts = readFileSync(join(FOLDER, '../prometheus/alerts.yaml'), 'utf8')
  expect(new Set(alerts.match(/(?<=job=")[^"]+/g))).toEqual(new Set([service.name]))
})

test('the image and its user are those of the Dockerfile', () => {
  expect(String(pod.securityContext.runAsUser)).toBe(image.user)
  expect(kustomization.images).toEqual([{ name: container.image, newTag: manifest.version }])
})
