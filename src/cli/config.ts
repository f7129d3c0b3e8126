import { existsSync, readFileSync } from 'node:fs'
import { configJsonSchema, configWarnings } from '../config.ts'
import { located } from '../config/positions.ts'
import { configFile, faultLine, faultLines, readConfig, replacedLines, withConfigOption } from './config-file.ts'
import { addConfigInit } from './config-init.ts'
import { CliError, type CliContext, type Register } from './context.ts'
import { connectingChecks } from './doctor/checks.ts'
import { startFaults } from './doctor/configuration.ts'
import { examine, withTimeoutOption } from './doctor/index.ts'
import { asText, flat, hasFault, isColoured } from './doctor/render.ts'

/** In the package as in a checkout. */
const DOCUMENTED = new URL('../../config/default.yaml', import.meta.url)

interface CheckOptions {
  readonly config?: string
  readonly json?: boolean
  readonly connect?: boolean
  readonly timeout: number
}

/** `talkbridge config check|init|schema`. */
export const configCommand: Register = (program, context) => {
  const config = program
    .command('config')
    .description('check a configuration, write a first one, or print its JSON Schema')
  withTimeoutOption(withConfigOption(config.command('check')))
    .description(
      'list all faults of a configuration file, one `path: message (line, column)` a line; warnings do not fail',
    )
    .argument('[file]', 'the file (default: --config, or TALKBRIDGE_CONFIG)')
    .option('--connect', 'also connect to the store, Redis and each backend, as `talkbridge doctor` does')
    .option('--json', 'print the result as JSON')
    .action(async (file: string | undefined, options: CheckOptions) => {
      const path = file ?? configFile(options, context)
      if (path === null)
        throw new CliError(2, 'no configuration file: give FILE or --config FILE, or set TALKBRIDGE_CONFIG')
      await check(path, options, context)
    })
  addConfigInit(config, context)
  config
    .command('schema')
    .description('print the JSON Schema of a configuration file, for editors')
    .action(() => {
      // An image may lack the file: the schema is the same, without words.
      const documented = existsSync(DOCUMENTED) ? readFileSync(DOCUMENTED, 'utf8') : ''
      context.stdout(`${JSON.stringify(configJsonSchema(documented), null, 2)}\n`)
    })
}

const check = async (file: string, options: CheckOptions, context: CliContext): Promise<void> => {
  const { json = false, connect = false, timeout: limitMs } = options
  const parsed = readConfig(file, context)
  const faults = parsed.ok ? startFaults(parsed.config).map((fault) => located(fault, parsed.locate)) : parsed.faults
  const isFine = faults.length === 0
  const warnings = parsed.ok
    ? configWarnings(parsed.config, context.env).map((warning) => located(warning, parsed.locate))
    : []
  const notes = parsed.ok ? replacedLines(file, parsed, context) : []
  const connected =
    parsed.ok && isFine && connect
      ? await examine({ file, config: parsed.config, limitMs, checksOf: connectingChecks }, context)
      : null
  if (json) {
    const more = connected ? { requests: connected.requests, findings: flat(connected) } : {}
    const ok = isFine && !(connected && hasFault(connected))
    context.stdout(`${JSON.stringify({ file, ok, faults, warnings, notes, ...more })}\n`)
  } else {
    for (const warning of warnings) context.stderr(`warning: ${faultLine(file, warning)}\n`)
    for (const note of notes) context.stderr(`note: ${faultLine(file, note)}\n`)
    if (isFine) context.stdout(`${file}: ok\n`)
    if (connected) context.stdout(`\n${asText(connected, isColoured(context))}`)
  }
  if (!isFine) throw new CliError(2, json ? '' : faultLines(file, faults))
  if (connected && hasFault(connected)) throw new CliError(1, '')
}
