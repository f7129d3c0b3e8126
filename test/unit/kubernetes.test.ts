import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse as parseYaml } from 'yaml'
import { expect, test } from 'vitest'
import { z } from 'zod'
import manifest from '../../package.json' with { type: 'json' }
import { parseConfig } from '../../src/config.ts'
import { CONSOLE_CLIENT } from '../../src/config/rules.ts'
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
  spec: z.object({ selector: Names, ports: z.array(z.looseObject({ targetPort: z.string() })) }),
})
const Budget = z.looseObject({ spec: z.object({ maxUnavailable: z.number(), selector: Selector }) })
const Secret = z.looseObject({ metadata: z.looseObject({ name: z.string() }), stringData: Names })
const ConfigMap = z.looseObject({ metadata: z.looseObject({ name: z.string() }), data: Names })
const Any = z.looseObject({ kind: z.string(), metadata: z.looseObject({ name: z.string() }) })

const read = (file: string): unknown => parseYaml(readFileSync(join(FOLDER, file), 'utf8'))
const kustomization = Kustomization.parse(read('kustomization.yaml'))
const ofKind = <S extends z.ZodType>(kind: string, schema: S): z.output<S> =>
  schema.parse(kustomization.resources.map(read).find((resource) => Any.parse(resource).kind === kind))

const deployment = ofKind('Deployment', Deployment)
const { metadata, spec: pod } = deployment.spec.template
const [container] = pod.containers
const secret = ofKind('Secret', Secret)
const configMap = ofKind('ConfigMap', ConfigMap)
const image = imageOf('gateway')

test('every file of the folder is named, and all are of one namespace', () => {
  const files = readdirSync(FOLDER).filter((file) => file !== 'kustomization.yaml')
  expect(files.toSorted()).toEqual([...kustomization.resources].toSorted())
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
  const text = must(configMap.data['gateway.yaml'])
  const parsed = parseConfig({ text, defaults: imageDefaults(), env: secret.stringData, readFile: () => '' })
  const { clients, console: page } = must(parsed.ok ? parsed.config : null)
  const apps = clients.filter(({ id }) => id !== CONSOLE_CLIENT)
  expect(apps.length).toBeGreaterThan(0)
  expect(apps.flatMap(({ scopes }) => scopes).filter((scope) => scope === 'admin' || scope === '*')).toEqual([])
  expect(page.admin_key).toBe(secret.stringData['ADMIN_KEY'])
  expect(apps.map(({ key }) => key)).not.toContain(page.admin_key)
})

test('ports, probes and mounts are those of the image and the configuration', () => {
  const text = must(configMap.data['gateway.yaml'])
  const parsed = parseConfig({ text, defaults: imageDefaults(), env: secret.stringData, readFile: () => '' })
  expect(parsed.ok ? [] : parsed.faults).toEqual([])
  const { server, store } = must(parsed.ok ? parsed.config : null)
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
  expect(pod.volumes[0]?.configMap).toEqual({ name: configMap.metadata.name })
  expect(pod.terminationGracePeriodSeconds * 1000).toBeGreaterThan(server.shutdown_grace + 7_000)
})

test('the Secret holds what the configuration asks for, and nothing else', () => {
  const asked = must(configMap.data['gateway.yaml']).matchAll(/\$\{(\w+)\}/g)
  const names = [...Array.from(asked, ([, name = '']) => name), 'TALKBRIDGE_SECRET_KEY']
  expect(Object.keys(secret.stringData).toSorted()).toEqual(names.toSorted())
  expect(container.envFrom).toEqual([{ secretRef: { name: secret.metadata.name } }])
})

test('the image and its user are those of the Dockerfile', () => {
  expect(String(pod.securityContext.runAsUser)).toBe(image.user)
  expect(kustomization.images).toEqual([{ name: container.image, newTag: manifest.version }])
})
