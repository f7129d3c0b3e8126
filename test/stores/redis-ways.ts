import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { commandPath, freePort, freePorts, runCommand, startDaemon, type OwnServer } from '../fakes/daemon.ts'
import { temporaryFolder } from '../fakes/folder.ts'
import { must } from '../fakes/must.ts'
import { ownRedis, withRedis } from '../fakes/redis.ts'
import { until } from '../fakes/until.ts'

/** The ways to Redis that a configuration can name, on servers that go with the test. */

export interface Address {
  host: string
  port: number
}
export const addressOf = (url: string): Address => ({ host: '127.0.0.1', port: Number(new URL(url).port) })

export const startedRedis = async (...given: Parameters<typeof ownRedis>): Promise<OwnServer> => {
  const server = await ownRedis(...given)
  onTestFinished(() => server.close())
  return server
}

const run = async (command: string, args: readonly string[]): Promise<void> =>
  runCommand(must(commandPath(command)), args, { user: null, cwd: await temporaryFolder() })

/** Three masters without replicas. */
export const startCluster = async (): Promise<OwnServer[]> => {
  const nodes: OwnServer[] = []
  for (const bus of await freePorts(3))
    nodes.push(await startedRedis(() => ['--cluster-enabled', 'yes', '--cluster-port', String(bus)]))
  const addresses = nodes.map(({ url }) => addressOf(url)).map(({ host, port }) => `${host}:${port}`)
  await run('redis-cli', ['--cluster', 'create', ...addresses, '--cluster-yes'])
  for (const { url } of nodes)
    await until(() => withRedis(url, async (redis) => (await redis.cluster('INFO')).includes('cluster_state:ok')))
  return nodes
}

/** The one that has the keys of a prefix with braces. */
export const nodeOf = async (nodes: readonly OwnServer[], prefix: string): Promise<OwnServer> => {
  for (const node of nodes) {
    const answer = await withRedis(node.url, (redis) => redis.exists(prefix)).catch(() => null)
    if (answer !== null) return node
  }
  throw new Error('no node has these keys')
}

export const MASTER = 'mymaster'

/** A master with a replica, and a sentinel that watches both. */
export const startSentinel = async (): Promise<{ master: OwnServer; replica: OwnServer; sentinel: Address }> => {
  const master = await startedRedis()
  const { port } = addressOf(master.url)
  const replica = await startedRedis(() => ['--replicaof', '127.0.0.1', String(port)])
  const sentinel = { host: '127.0.0.1', port: await freePort() }
  const folder = await temporaryFolder()
  const file = join(folder, 'sentinel.conf')
  const lines = [`port ${sentinel.port}`, 'bind 127.0.0.1', `sentinel monitor ${MASTER} 127.0.0.1 ${port} 1`]
  writeFileSync(file, [...lines, `sentinel down-after-milliseconds ${MASTER} 1000`, ''].join('\n'))
  const daemon = startDaemon(must(commandPath('redis-server')), [file, '--sentinel'], { user: null, cwd: folder })
  onTestFinished(async () => {
    daemon.signal('SIGKILL')
    await daemon.ended
  })
  const knows = () =>
    withRedis(`redis://127.0.0.1:${sentinel.port}`, async (redis) =>
      String(await redis.call('SENTINEL', 'REPLICAS', MASTER)),
    )
  await until(async () => (await knows().catch(() => '')).includes('master-link-status,ok'))
  return { master, replica, sentinel }
}

export interface TlsServer extends Address {
  ca_file: string
  cert_file: string
  key_file: string
  server: OwnServer
}

/** A server that speaks TLS, and asks clients for a certificate. */
export const startTls = async (): Promise<TlsServer> => {
  const folder = await temporaryFolder()
  const at = (name: string): string => join(folder, name)
  const openssl = (...args: string[]): Promise<void> => run('openssl', args)
  const signed = async (name: string): Promise<void> => {
    await openssl(
      'req',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-keyout',
      at(`${name}.key`),
      '-out',
      at(`${name}.csr`),
      '-subj',
      `/CN=${name}`,
    )
    writeFileSync(at('names'), 'subjectAltName=IP:127.0.0.1')
    const by = ['-CA', at('ca.pem'), '-CAkey', at('ca.key'), '-CAcreateserial']
    await openssl(
      'x509',
      '-req',
      '-in',
      at(`${name}.csr`),
      ...by,
      '-days',
      '2',
      '-extfile',
      at('names'),
      '-out',
      at(`${name}.pem`),
    )
  }
  await openssl(
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-keyout',
    at('ca.key'),
    '-out',
    at('ca.pem'),
    '-days',
    '2',
    '-subj',
    '/CN=ca',
  )
  await signed('server')
  await signed('client')
  const port = await freePort()
  const files = [
    '--tls-cert-file',
    at('server.pem'),
    '--tls-key-file',
    at('server.key'),
    '--tls-ca-cert-file',
    at('ca.pem'),
  ]
  const server = await startedRedis(() => ['--tls-port', String(port), ...files])
  return {
    host: '127.0.0.1',
    port,
    ca_file: at('ca.pem'),
    cert_file: at('client.pem'),
    key_file: at('client.key'),
    server,
  }
}

export interface Between {
  url: string
  /** Where new connections go from now on. */
  to(url: string): void
  /** How long what the server says is held up from now on. */
  delay(ms: number): void
  /** Connections so far. */
  connections(): number
  /** How many answers, or parts of one, were held up so far. */
  late(): number
}

/** A proxy between a client and Redis, as the name of a server that moves, or as a long way to it. */
export const startBetween = async (url: string): Promise<Between> => {
  let target = addressOf(url)
  let delayMs = 0
  let connections = 0
  let late = 0
  const open = new Set<Socket>()
  const server = createServer((client) => {
    connections += 1
    const upstream = connect(target)
    client.pipe(upstream)
    let written = Promise.resolve()
    upstream.on('data', (chunk) => {
      if (delayMs > 0) late += 1
      // In their order, also where the delay has become shorter.
      written = Promise.all([sleep(delayMs), written]).then(() => void (client.destroyed || client.write(chunk)))
    })
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      open.add(one)
      one.on('error', () => undefined)
      one.on('close', () => {
        open.delete(one)
        other.destroy()
      })
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    for (const socket of open) socket.destroy()
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `redis://127.0.0.1:${port}/0`,
    to: (other) => void (target = addressOf(other)),
    delay: (ms) => void (delayMs = ms),
    connections: () => connections,
    late: () => late,
  }
}
