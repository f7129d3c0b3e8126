import { Cluster, Redis, type RedisOptions } from 'ioredis'
import { readFileSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import { redisUrlFault } from '../../core/urls.ts'

interface Address {
  host: string
  port: number
}

/** Where Redis is: `redis` of the configuration. One of `url`, `sentinels` and `cluster` is given. */
export interface RedisPlace {
  /** May hold a password: never logged. */
  url: string | null
  sentinels: readonly Address[] | null
  /** The name by which the sentinels know the master. */
  master: string | null
  cluster: readonly Address[] | null
  username: string | null
  password_file: string | null
  tls: { ca_file: string | null; cert_file: string | null; key_file: string | null } | null
}

export type RedisClient = Redis | Cluster

type Timeouts = 'connectTimeout' | 'disconnectTimeout' | 'commandTimeout' | 'socketTimeout'
type Retries =
  'maxRetriesPerRequest' | 'autoResendUnfulfilledCommands' | 'autoResubscribe' | 'reconnectOnError' | 'retryStrategy'
type ClientOptions = Pick<RedisOptions, Timeouts | Retries | 'enableOfflineQueue' | 'lazyConnect'>

/** An error of the library, of a command or of the connection. */
type CommandFailed = Error & { command?: { name: string } }

const ignore = (): void => undefined

const textOf = (key: string, file: string): string => {
  try {
    return readFileSync(file, 'utf8').replace(/\r?\n$/, '')
  } catch (cause) {
    throw new Error(`redis.${key}: ${file} cannot be read`, { cause })
  }
}

/** Reads it now, and again each time. Where that fails later, it is as it was. */
const reread = <T>(read: () => T): (() => T) => {
  let last = read()
  return () => {
    try {
      last = read()
    } catch {
      // It is being replaced.
    }
    return last
  }
}

/**
 * Makes clients of one Redis, Redis Cluster, or master behind sentinels. They read password and certificates again for
 * each connection, so both may change while the gateway runs. Throws, without a word of the URL, if it is none; and if
 * a file cannot be used.
 */
export const createClients = (place: RedisPlace) => {
  const { url, sentinels, master, cluster, username, password_file: passwordFile, tls } = place
  // Asked before the library, whose error holds the whole URL.
  const urlFault = url === null ? null : redisUrlFault(url)
  if (urlFault !== null) throw new Error(`redis.url: ${urlFault}`)
  const fileOf = (key: 'ca_file' | 'cert_file' | 'key_file'): string | undefined => {
    const file = tls?.[key] ?? null
    return file === null ? undefined : textOf(`tls.${key}`, file)
  }
  const password = passwordFile === null ? null : reread(() => textOf('password_file', passwordFile))
  const certificates =
    tls &&
    reread(() => {
      const files = { ca: fileOf('ca_file'), cert: fileOf('cert_file'), key: fileOf('key_file') }
      try {
        createSecureContext(files)
      } catch (cause) {
        throw new Error('redis.tls: a file is no PEM, or key_file is not the key of cert_file', { cause })
      }
      return files
    })
  /** The library reads its options for each connection. */
  const follow = (redis: Redis): void => {
    // Node.js may report a second error of TLS, even on a socket that is destroyed. The library listens for one.
    redis.on('error', ({ command }: CommandFailed) => {
      redis.stream?.off('error', ignore).on('error', ignore)
      // The library would continue in database 0.
      if (command?.name === 'select') redis.disconnect(true)
    })
    for (const [name, get] of [
      ['password', password],
      ['sentinelPassword', password],
      ['tls', certificates],
      ['sentinelTLS', certificates],
    ] as const)
      if (get) Object.defineProperty(redis.options, name, { get, enumerable: true, configurable: true })
  }
  const own: Pick<RedisOptions, 'disableClientInfo' | 'username' | 'tls' | 'enableTLSForSentinelMode'> = {
    disableClientInfo: true,
    ...(username !== null && { username }),
    ...(certificates && { tls: certificates(), enableTLSForSentinelMode: true }),
  }

  const clientOf = (options: ClientOptions): RedisClient => {
    if (cluster) {
      const { retryStrategy, enableOfflineQueue = true, ...redisOptions } = options
      const client = new Cluster([...cluster], {
        clusterRetryStrategy: retryStrategy,
        enableOfflineQueue,
        // Who does not wait for a server does not wait for another node either.
        ...(!enableOfflineQueue && { retryDelayOnFailover: 0, retryDelayOnClusterDown: 0 }),
        lazyConnect: true,
        // Certificates are of names, which an address would not match.
        dnsLookup: (address, callback) => callback(null, address),
        redisOptions: { ...redisOptions, ...own },
      })
      return client.on('+node', follow)
    }
    const all = { ...options, ...own, lazyConnect: true }
    const behind = { ...all, ...(sentinels && { sentinels: [...sentinels] }), ...(master !== null && { name: master }) }
    const client = url === null ? new Redis(behind) : new Redis(url, all)
    follow(client)
    return client
  }

  return (options: ClientOptions): RedisClient => {
    const client = clientOf(options)
    // What it meets it says as an event.
    if (options.lazyConnect !== true) client.connect().catch(() => undefined)
    return client
  }
}
