import { inspectRedis, type RedisFacts } from '../../stores/inspect.ts'
import type { Check } from './context.ts'
import { findings, spanText, wordsOf, type Finding, type Rows } from './findings.ts'

export const REDIS_ROWS = {
  redis_ok: { level: 'ok', means: 'Redis can be used.', advice: null },
  redis_unreachable: {
    level: 'fault',
    means:
      'Redis does not answer. The gateway works without it, but replicas find work later, and each counts limits by itself.',
    advice: 'Start Redis, or correct `redis.url`. Check the firewall between them.',
  },
  redis_refused: {
    level: 'fault',
    means: 'Redis refuses the user or the password of `redis.url`, or forbids a command.',
    advice: 'Correct user and password in `redis.url`. Give the user all rights under `redis.prefix`.',
  },
  redis_old: {
    level: 'fault',
    means: 'Redis is older than 6.2.',
    advice: 'Upgrade Redis to 6.2 or newer.',
  },
  redis_replica: {
    level: 'fault',
    means: 'The server is a replica. The gateway cannot write to it.',
    advice: 'Set the master in `redis.url`.',
  },
  redis_evicts: {
    level: 'warning',
    means: 'Redis may evict keys when its memory is full. Hints and request counts are then lost.',
    advice: 'Set `maxmemory-policy noeviction`.',
  },
  redis_full: {
    level: 'warning',
    means: 'Redis uses more than 90 % of its memory.',
    advice: 'Raise `maxmemory`, or give the gateways their own Redis.',
  },
  redis_slow: {
    level: 'warning',
    means: 'Redis answers slowly. The gateway waits 250 ms for it, and then continues without it.',
    advice: 'Run the gateway near Redis, and check what else uses Redis.',
  },
} as const satisfies Rows
const say = findings(REDIS_ROWS)

const SLOW_MS = 100
const FULL = 0.9

const isOld = (version: string): boolean => {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major < 6 || (major === 6 && minor < 2)
}

/** What is said of Redis. Pure. */
export const redisFindings = ({ version, role, evicts, usedShare, tookMs }: RedisFacts): Finding[] => {
  const on = (isSo: boolean, code: keyof typeof REDIS_ROWS, found: string): Finding[] =>
    isSo ? [say(code, 'redis.url', found)] : []
  const faults = [
    ...on(isOld(version), 'redis_old', `Redis ${version}`),
    ...on(role !== 'master', 'redis_replica', `its role is ${role}`),
    ...on(evicts !== null && evicts !== 'noeviction', 'redis_evicts', `maxmemory-policy is ${evicts}`),
    ...on(usedShare !== null && usedShare > FULL, 'redis_full', `${Math.round((usedShare ?? 0) * 100)} % are in use`),
    ...on(tookMs > SLOW_MS, 'redis_slow', `a question took ${spanText(tookMs)}`),
  ]
  return faults.length > 0
    ? faults
    : [say('redis_ok', 'redis.url', `Redis ${version}, answered in ${spanText(tookMs)}`)]
}

const REFUSAL = /NOAUTH|WRONGPASS|NOPERM|invalid (username-)?password|no password is set/i

/** Version, role, eviction, memory and speed, by one connection that writes nothing. */
export const redisCheck: Check = {
  name: 'redis',
  async run({ config, limitMs }, signal) {
    const { url } = config.redis
    if (url === null) return []
    try {
      return redisFindings(await inspectRedis(url, { limitMs, signal }))
    } catch (error) {
      const words = wordsOf(error, [url, URL.parse(url)?.password])
      return [say(REFUSAL.test(words) ? 'redis_refused' : 'redis_unreachable', 'redis.url', words)]
    }
  },
}
