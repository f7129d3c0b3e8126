import { parseConfig, type Config } from '../config.ts'
import { CliError } from './context.ts'

interface SandboxProfile {
  primaryUrl: string
  primaryKey: string
  alternateUrl: string
  alternateKey: string
  /** Of the gateway; 0: the system chooses. */
  port: number
  dataDir: string
  logLevel: string
}

/** Fixed and printed: it opens nothing but a sandbox on this machine. */
export const SANDBOX_CLIENT_KEY = 'tb_sandbox_key_for_local_use'

/**
 * The gateway's configuration in front of the sandbox: both backends, one client, webhooks to loopback allowed. Goes
 * through the same reader as a file, so that `TALKBRIDGE_…` variables apply to it too.
 */
export const sandboxConfig = (profile: SandboxProfile, env: Readonly<Record<string, string | undefined>>): Config => {
  const document = {
    server: { port: profile.port },
    store: { driver: 'sqlite', path: `${profile.dataDir}/talkbridge.db` },
    backends: {
      main: { interface: 'primary', base_url: profile.primaryUrl, api_key: profile.primaryKey },
      alt: {
        interface: 'alternate',
        base_url: profile.alternateUrl,
        api_key: profile.alternateKey,
        // The key opens this sandbox alone: nobody else creates there.
        exclusive: true,
      },
    },
    // Its user is app and operator in one: the pages of the docs do both with this key.
    clients: [{ id: 'sandbox', key: SANDBOX_CLIENT_KEY, scopes: ['*'] }],
    routing: { default: 'main' },
    // The sandbox runs ten times as fast as life.
    engine: { poll: { min_interval: '100ms' } },
    webhooks: {
      allow: [
        { cidr: '127.0.0.0/8', http: true },
        { cidr: '::1/128', http: true },
      ],
    },
    log: { level: profile.logLevel },
  }
  const text = JSON.stringify(document)
  const readFile = (): string => {
    throw new Error('the sandbox profile reads no files')
  }
  const parsed = parseConfig({ text, format: 'json', env, readFile })
  if (parsed.ok) return parsed.config
  throw new CliError(2, parsed.faults.map(({ path, message }) => `${path}: ${message}`).join('\n'))
}
