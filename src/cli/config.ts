import { closeSync, openSync, readSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { Command } from 'commander'
import {
  configJsonSchema,
  configWarnings,
  MAX_CONFIG_BYTES,
  parseConfig,
  type Config,
  type Fault,
  type ParsedConfig,
} from '../config.ts'
import { CliError, type CliContext, type Register } from './context.ts'

interface CheckOptions {
  readonly config?: string
  readonly json?: boolean
}

/** `talkbridge config check|schema`. */
export const configCommand: Register = (program, context) => {
  const config = program.command('config').description('check a configuration; print its JSON Schema')
  withConfigOption(config.command('check'))
    .description('report every fault of a configuration file, one `path: message` a line; warnings fail nothing')
    .argument('[file]', 'the file (default: --config, else TALKBRIDGE_CONFIG)')
    .option('--json', 'print the result as JSON')
    .action((file: string | undefined, options: CheckOptions) => {
      const path = file ?? configFile(options, context)
      if (path === null) throw new CliError(2, 'which file? give FILE or --config FILE, or set TALKBRIDGE_CONFIG')
      check(path, options.json ?? false, context)
    })
  config
    .command('schema')
    .description('print the JSON Schema of a configuration file, for editors')
    .action(() => context.stdout(`${JSON.stringify(configJsonSchema(), null, 2)}\n`))
}

const check = (file: string, json: boolean, context: CliContext): void => {
  const parsed = readConfig(file, context)
  const faults = parsed.ok ? [] : parsed.faults
  const warnings = parsed.ok ? configWarnings(parsed.config, context.env) : []
  if (json) context.stdout(`${JSON.stringify({ file, ok: parsed.ok, faults, warnings })}\n`)
  else if (parsed.ok) context.stdout(`${file}: ok\n`)
  if (!json) for (const { path, message } of warnings) context.stderr(`warning: ${path}: ${message}\n`)
  if (!parsed.ok) throw new CliError(2, json ? '' : faultLines(file, faults))
}

/** Adds `--config <file>` to a command that needs a configuration; `configFile` reads it. */
export const withConfigOption = (command: Command): Command =>
  command.option('-c, --config <file>', 'configuration file (default: TALKBRIDGE_CONFIG)')

/** The configuration file that the options or else TALKBRIDGE_CONFIG name; null for none. */
export const configFile = (options: { readonly config?: string }, { env }: CliContext): string | null =>
  options.config ?? (env['TALKBRIDGE_CONFIG'] || null)

/** The configuration in `file` (relative to the context's folder). Throws a `CliError` (exit 2) that lists every fault. */
export const loadConfig = (file: string, context: CliContext): Config => {
  const parsed = readConfig(file, context)
  if (!parsed.ok) throw new CliError(2, faultLines(file, parsed.faults))
  return parsed.config
}

/** A fault of the file as a whole has no path: the file's name stands there. */
export const faultLines = (file: string, faults: readonly Fault[]): string =>
  faults.map(({ path, message }) => `${path || file}: ${message}`).join('\n')

/** Reads and parses; an unreadable file is a fault like any other. `${file:…}` paths are relative to the file's folder. */
const readConfig = (file: string, { env, cwd }: CliContext): ParsedConfig => {
  const path = resolve(cwd, file)
  const source = readSource(path)
  if ('message' in source) return { ok: false, faults: [{ path: '', message: source.message }] }
  return parseConfig({
    text: source.text,
    format: path.endsWith('.json') ? 'json' : 'yaml',
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
