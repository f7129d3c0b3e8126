import { closeSync, openSync, readSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { Command } from 'commander'
import { MAX_CONFIG_BYTES, parseConfig, type Config, type Fault, type ParsedConfig } from '../config.ts'
import { located } from '../config/positions.ts'
import { CliError, type CliContext } from './context.ts'

/** Adds `--config <file>` to a command that needs a configuration; `configFile` reads it. */
export const withConfigOption = (command: Command): Command =>
  command.option('-c, --config <file>', 'configuration file (default: TALKBRIDGE_CONFIG)')

/** The configuration file that the options or else TALKBRIDGE_CONFIG or the image name; null for none. */
export const configFile = (options: { readonly config?: string }, { env, image }: CliContext): string | null =>
  options.config ?? (env['TALKBRIDGE_CONFIG'] || (image?.config ?? null))

/** The configuration in `file` (relative to the context's folder). Throws a `CliError` (exit 2) that lists every fault. */
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

/** `path: message (line 12, column 5)`. A fault of the file as a whole has no path: the file's name stands there. */
export const faultLine = (file: string, fault: Fault): string =>
  `${fault.path || file}: ${fault.message}${placeOf(fault)}`

export const faultLines = (file: string, faults: readonly Fault[]): string =>
  faults.map((fault) => faultLine(file, fault)).join('\n')

/** Reads and parses; an unreadable file is a fault like any other. `${file:…}` paths are relative to the file's folder. */
export const readConfig = (file: string, { env, cwd, image }: CliContext): ParsedConfig => {
  const path = resolve(cwd, file)
  const source = readSource(path)
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

const CAUSES: Readonly<Record<string, string>> = {
  ENOENT: 'no such file',
  EACCES: 'permission denied',
  EISDIR: 'it is a folder',
}

const readSource = (path: string): { text: string } | { message: string } => {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(readUpTo(path, MAX_CONFIG_BYTES + 1)) }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') return { message: 'is not valid UTF-8' }
    return { message: `cannot be read: ${CAUSES[code] ?? (code || 'unknown cause')}` }
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
