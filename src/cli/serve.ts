import { once } from 'node:events'
import { resolve } from 'node:path'
import { pino } from 'pino'
import { systemClock } from '../core/clock.ts'
import type { Config } from '../config.ts'
import { startGateway, type Gateway } from '../gateway.ts'
import { createLog } from '../log.ts'
import { startSandbox, type Sandbox } from '../sandbox/index.ts'
import { configFile, loadConfig, withConfigOption } from './config.ts'
import { CliError, type CliContext, type Register } from './context.ts'
import { SANDBOX_CLIENT_KEY, sandboxConfig } from './profile.ts'

/** Where `npm start` listens and keeps its data when nothing else is said. */
const PORTS = { gateway: 8080, primary: 4010, alternate: 4020 } as const
const DATA_DIR = './data'

const describe = (error: unknown): string => {
  const code = error instanceof Error && 'code' in error ? error.code : null
  const port = error instanceof Error && 'port' in error ? ` ${String(error.port)}` : ''
  if (code === 'EADDRINUSE') return `port${port} is in use: stop what listens there, or set TALKBRIDGE_SERVER__PORT`
  return error instanceof Error ? error.message : String(error)
}

const start = async (config: Config, context: CliContext, backendsAreLocal = false): Promise<Gateway> => {
  const log = createLog(config.log, pino.destination({ fd: 1, sync: false }), context.isTty)
  try {
    return await startGateway({
      config,
      clock: systemClock,
      log,
      secretKey: context.env['TALKBRIDGE_SECRET_KEY'] ?? null,
      random: Math.random,
      backendsAreLocal,
    })
  } catch (error) {
    throw new CliError(1, `talkbridge: ${describe(error)}`, { cause: error })
  }
}

const untilAsked = async ({ signal }: CliContext): Promise<void> => {
  if (!signal.aborted) await once(signal, 'abort')
}

const stop = async (gateway: Gateway): Promise<void> => {
  if (!(await gateway.close())) throw new CliError(1, 'talkbridge: stopped before everything under way had ended')
}

const tryThis = (url: string, sandbox: Sandbox): string => `
Talkbridge serves ${url} in front of the sandbox
  primary   ${sandbox.primaryUrl}
  alternate ${sandbox.alternateUrl}
Key: ${SANDBOX_CLIENT_KEY}   (no account, no credit; Ctrl-C stops, ./data keeps everything)

Try it:
  curl -s ${url}/unified/v1/videos \\
    -H 'authorization: Bearer ${SANDBOX_CLIENT_KEY}' -H 'content-type: application/json' -H 'prefer: wait=30' \\
    -d '{"image_url":"https://example.com/anna.png","text":"Hello from Talkbridge."}'
  curl -s ${url}/unified/v1/voices?limit=3 -H 'authorization: Bearer ${SANDBOX_CLIENT_KEY}'

`

const serveSandbox = async (context: CliContext): Promise<void> => {
  const { env, stdout } = context
  const dataDir = resolve(context.cwd, DATA_DIR)
  const sandbox = await startSandbox({
    clock: systemClock,
    primaryPort: PORTS.primary,
    alternatePort: PORTS.alternate,
    dataDir: `${dataDir}/sandbox`,
  }).catch((error: unknown) => {
    throw new CliError(1, `talkbridge: the sandbox cannot start: ${describe(error)}`, { cause: error })
  })
  try {
    const config = sandboxConfig({ ...sandbox, port: PORTS.gateway, dataDir, logLevel: 'info' }, env)
    const gateway = await start(config, context, true)
    stdout(tryThis(gateway.url, sandbox))
    await untilAsked(context)
    await stop(gateway)
  } finally {
    await sandbox.close()
  }
}

/** `talkbridge serve [--config FILE]`: the gateway; without a configuration, in front of a sandbox of its own. */
export const serveCommand: Register = (program, context) => {
  withConfigOption(program.command('serve'))
    .description('run the gateway; without a configuration, in front of the sandbox')
    .action(async (options: { config?: string }) => {
      const file = configFile(options, context)
      if (file === null) return serveSandbox(context)
      const gateway = await start(loadConfig(file, context), context)
      await untilAsked(context)
      await stop(gateway)
    })
}
