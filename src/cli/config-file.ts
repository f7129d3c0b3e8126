import { closeSync, openSync, readSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { Command } from 'commander'
import { MAX_CONFIG_BYTES, parseConfig, type Config, type Fault, type ParsedConfig } from '../config.ts'
import { located } from '../config/faults.ts'
import { CliError, fileFault, type CliContext } from './context.ts'
import { codeOf } from '../core/errors.ts'

/** Adds `--config <file>` to a command that needs a configuration; `configFile` reads it. */
export const withConfigOption = (command: Command): Command =>
  command.option('-c, --config <file>', 'configuration file (default: TALKBRIDGE_CONFIG)')

/** The configuration file that the options or else TALKBRIDGE_CONFIG or the image name; null for none. */
export const configFile = (options: { readonly config?: string }, { env, image }: CliContext): string | null =>
  options.config ?? (env['TALKBRIDGE_CONFIG'] || (image?.config ?? null))

/**
 * The configuration in `file` (relative to the context's folder). Throws a `CliError` (exit 2) that lists every fault.
 */
export const loadConfig = (file: string, context: CliContext): Config => loadParsed(file, context).config

/** The same, with what is known of the file. */
export const loadParsed = (file: string, context: CliContext): Extract<ParsedConfig, { ok: true }> => {
  const parsed = readConfig(file, context)
  if (!parsed.ok) throw new CliError(2, faultLines(file, parsed.faults))
  return parsed
}

/** A line for each value that another one replaces. No value is in it. */
export const replacedLines = (
  file: string,
  { replaced, locate }: Extract<ParsedConfig, { ok: true }>,
  { image }: CliContext,
): Fault[] =>
  replaced.map(({ path, by }) => {
    const message =
      by === null
        ? `the value in ${file} is used, not the default in ${image?.defaults ?? ''}`
        : `${by} is used, not the value in ${file}`
    return located({ path, message }, locate)
  })

/** Where a gateway on this machine listens; null: it chooses a port when it starts. */
export const localUrl = ({ server: { host, port } }: Config): string | null => {
  if (port === 0) return null
  const near = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  return `http://${near.includes(':') ? `[${near}]` : near}:${port}`
}

/** `(line 12, column 5)` behind the message; a fault of syntax says it by itself. */
export const placeOf = ({ path, line, column }: Fault): string =>
  path === '' || line === undefined ? '' : ` (line ${line}, column ${column})`

/** `path: message (line 12, column 5)`. A fault of the file as a whole has no path: the file's name is in its place. */
export const faultLine = (file: string, fault: Fault): string =>
  `${fault.path || file}: ${fault.message}${placeOf(fault)}`

export const faultLines = (file: string, faults: readonly Fault[]): string =>
  faults.map((fault) => faultLine(file, fault)).join('\n')

/**
 * Reads and parses; an unreadable file is a fault like any other. `${file:…}` paths are relative to the file's folder.
 */
export const readConfig = (file: string, { env, cwd, image, whileBlocked }: CliContext): ParsedConfig => {
  const path = resolve(cwd, file)
  const source = readSource(path, MAX_CONFIG_BYTES + 1, whileBlocked)
  if ('message' in source) return { ok: false, faults: [{ path: '', message: source.message }] }
  const below = image?.defaults === undefined ? { text: '' } : readSource(resolve(cwd, image.defaults))
  if ('message' in below)
    return { ok: false, faults: [{ path: `--defaults ${image?.defaults}`, message: below.message }] }
  return parseConfig({
    text: source.text,
    format: path.endsWith('.json') ? 'json' : 'yaml',
    defaults: below.text,
    env,
    readFile: (reference) => readUpTo(resolve(dirname(path), reference), MAX_CONFIG_BYTES).toString('utf8'),
  })
}

export const NOT_UTF8 = 'is not valid UTF-8'

/** The text of a file, at most `limitBytes` of it, or why there is none. A pipe or a terminal is waited for. */
export const readSource = (
  path: string,
  limitBytes = MAX_CONFIG_BYTES + 1,
  whileBlocked: CliContext['whileBlocked'] = (work) => work(),
): { text: string } | { message: string } => {
  const read = (): Buffer => readUpTo(path, limitBytes)
  try {
    const bytes = statSync(path).isFile() ? read() : whileBlocked(read)
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) }
  } catch (error) {
    if (codeOf(error) === 'ERR_ENCODING_INVALID_ENCODED_DATA') return { message: NOT_UTF8 }
    return { message: `cannot be read: ${fileFault(error)}` }
  }
}

/** At most `limitBytes` of a file that may be endless (a pipe, a device). */
const readUpTo = (path: string, limitBytes: number): Buffer => {
  const descriptor = openSync(path, 'r')
  try {
    const buffer = Buffer.alloc(limitBytes)
    let size = 0
    for (let got = -1; got !== 0 && size < limitBytes; size += got)
      got = readSync(descriptor, buffer, size, limitBytes - size, null)
    return buffer.subarray(0, size)
  } finally {
    closeSync(descriptor)
  }
}

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
        // The key opens this sandbox only: nobody else creates there.
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
