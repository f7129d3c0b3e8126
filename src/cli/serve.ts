import type { Config } from '../config.ts'
import type { Fault } from '../config/faults.ts'
import { startWarnings } from '../config/rules.ts'
import type { Logger } from 'pino'
import type { Gateway } from '../gateway.ts'
import { configFile, faultLines, loadConfig, loadParsed, replacedLines, withConfigOption } from './config-file.ts'
import { CliError, type CliContext, type Register } from './context.ts'
import { describe, logOf, serveOn, start } from './serving.ts'

/** What the process took hold of when it started: a reload cannot change it. */
const HELD = {
  'server.host': ({ server }) => server.host,
  'server.port': ({ server }) => server.port,
  'server.max_connections': ({ server }) => server.max_connections,
  store: ({ store }) => store,
  redis: ({ redis }) => redis,
  'metrics.enabled': ({ metrics }) => metrics.enabled,
  'log.format': ({ log }) => log.format,
  tracing: ({ tracing }) => tracing,
} as const satisfies Record<string, (config: Config) => unknown>

/** What keeps `next` from taking the place of `before` without a restart; empty: nothing. Pure. */
export const restartFaults = (before: Config, next: Config): Fault[] =>
  Object.entries(HELD).flatMap(([path, of]) =>
    JSON.stringify(of(before)) === JSON.stringify(of(next))
      ? []
      : [{ path, message: 'cannot change while the gateway runs: restart it' }],
  )

const tellReload = ({ deps: { tally, clock } }: Gateway, result: 'ok' | 'refused'): void => {
  tally.count('config_reload', { result })
  tally.set('config_reload_ok', Number(result === 'ok'))
  if (result === 'ok') tally.set('config_reload_time_seconds', clock.now() / 1_000)
}

/** Puts the file in force as it is now; a bad one is refused whole, every fault a line, and the one before stays. */
const reload = async (starting: Promise<Gateway>, file: string, context: CliContext, log: Logger): Promise<void> => {
  try {
    const gateway = await starting
    const next = loadConfig(file, context)
    const held = restartFaults(gateway.deps.config, next)
    if (held.length > 0) throw new CliError(2, faultLines(file, held))
    await gateway.reload(next)
    log.level = next.log.level
    tellReload(gateway, 'ok')
  } catch (error) {
    const faults = describe(error).split('\n')
    log.error({ faults }, 'the configuration was refused: the gateway keeps the previous one')
    for (const fault of faults) context.stderr(`${fault}\n`)
    await starting.then(
      (gateway) => tellReload(gateway, 'refused'),
      // `serve` says why it could not start.
      () => undefined,
    )
  }
}

/** `talkbridge serve [--config FILE]`: the gateway; without a configuration, in front of a sandbox of its own. */
export const serveCommand: Register = (program, context) => {
  withConfigOption(program.command('serve'))
    .description('run the gateway; without a configuration, in front of a sandbox. SIGHUP reloads the configuration')
    .option('--restored', 'the store was restored from a backup: send nothing of it that may have been sent since')
    .action(async ({ restored: isRestored = false, ...options }: { config?: string; restored?: boolean }) => {
      const file = configFile(options, context)
      if (file === null) return (await import('./serve-sandbox.ts')).serveSandbox(context, isRestored)
      context.keepHeapSmall()
      const parsed = loadParsed(file, context)
      const { config } = parsed
      const log = logOf(config, context)
      for (const { path, message } of replacedLines(file, parsed, context)) log.info({ setting: path }, message)
      for (const { path, message } of startWarnings(config, context.env)) log.warn({ setting: path }, message)
      const starting = start(config, context, log, { isRestored })
      context.onHangup(() => void reload(starting, file, context, log))
      await serveOn(await starting, context, log)
    })
}
