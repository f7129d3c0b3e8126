import { CliError, messageOf, type Register } from './context.ts'
import { configFile, loadConfig, localUrl, withConfigOption } from './config-file.ts'

const LIMIT_MS = 3_000

/** `talkbridge health`: what a container's health check runs, no matter who set the port. */
export const healthCommand: Register = (program, context) => {
  withConfigOption(program.command('health'))
    .description('end with 0 if the gateway of this configuration answers /healthz on this machine, else with 1')
    .action(async (options: { config?: string }) => {
      const file = configFile(options, context)
      if (file === null) throw new CliError(2, 'which file? give --config FILE, or set TALKBRIDGE_CONFIG')
      const url = localUrl(loadConfig(file, context))
      if (url === null) throw new CliError(2, 'server.port: 0 is a free port, which nobody else knows')
      const signal = AbortSignal.timeout(LIMIT_MS)
      const answer = await fetch(`${url}/healthz`, { signal }).catch((error: unknown) => {
        throw new CliError(1, `talkbridge health: ${url} does not answer: ${messageOf(error)}`, { cause: error })
      })
      if (!answer.ok) throw new CliError(1, `talkbridge health: ${url}/healthz answered ${answer.status}`)
    })
}
