import { once } from 'node:events'
import { resolve } from 'node:path'
import { pino, type Logger } from 'pino'
import { createSystemClock } from '../core/time/clock.ts'
import type { Config } from '../config.ts'
import { restartFaults } from '../config/restart.ts'
import { startGateway, type Gateway } from '../gateway.ts'
import { createLog } from '../log.ts'
import { startSandbox, type Sandbox } from '../sandbox/index.ts'
import { configFile, faultLines, loadConfig, withConfigOption } from './config.ts'
import { CliError, type CliContext, type Register } from './context.ts'
import { keepPorts, startWhereItWas } from './local-sandbox.ts'
import { SANDBOX_CLIENT_KEY, sandboxConfig } from './profile.ts'

/** Where `npm start` listens and keeps its data when nothing else is said. */
const PORT = 8080
const DATA_DIR = './data'

/** For closing the store, once `shutdown_grace` is over. */
const CLOSING_MS = 2_000

const describe = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  const { message, code, port, syscall }: NodeJS.ErrnoException & { port?: number } = error
  const which = port === undefined ? '' : ` ${port}`
  if (code === 'EADDRINUSE') return `port${which} is in use: stop what listens there, or set TALKBRIDGE_SERVER__PORT`
  return syscall === 'listen' || syscall === 'getaddrinfo' ? `${message}: correct server.host or server.port` : message
}

const logOf = (config: Config, { isTty }: CliContext): Logger =>
  createLog(config.log, pino.destination({ fd: 1, sync: false }), isTty)

const start = async (config: Config, context: CliContext, log: Logger, backendsAreLocal = false): Promise<Gateway> => {
  try {
    return await startGateway({
      config,
      clock: createSystemClock(),
      log,
      secretKey: context.env['TALKBRIDGE_SECRET_KEY'] ?? null,
      random: Math.random,
      backendsAreLocal,
    })
  } catch (error) {
    throw new CliError(1, `talkbridge: ${describe(error)}`, { cause: error })
  }
}

/** Until it is asked to stop, or cannot go on: then whoever started it may start it anew. */
const serveOn = async (gateway: Gateway, { signal, endWithin }: CliContext, log: Logger): Promise<void> => {
  const asked = signal.aborted ? null : once(signal, 'abort').then(() => null)
  const lost = await Promise.race([asked, gateway.lost])
  const graceMs = gateway.deps.config.server.shutdown_grace
  if (lost) log.error({ err: lost }, 'the store cannot be written any more: the process ends')
  else
    log.info({ signal: String(signal.reason), grace_ms: graceMs }, 'talkbridge stops once what is under way has ended')
  endWithin(graceMs + CLOSING_MS)
  const inTime = await gateway.close()
  if (lost) throw new CliError(1, `talkbridge: the store cannot be written any more: ${lost.message}`)
  if (!inTime) throw new CliError(1, 'talkbridge: stopped before everything under way had ended')
}

const tryThis = (url: string, sandbox: Sandbox): string => `
Talkbridge serves ${url} in front of the sandbox
  primary   ${sandbox.primaryUrl}
  alternate ${sandbox.alternateUrl}
Key: ${SANDBOX_CLIENT_KEY}   (no account, no credit; Ctrl-C stops, ./data keeps everything)
API: ${url}/docs

Try it:
  curl -s ${url}/unified/v1/videos \\
    -H 'authorization: Bearer ${SANDBOX_CLIENT_KEY}' -H 'content-type: application/json' -H 'prefer: wait=30' \\
    -d '{"image_url":"https://example.com/anna.png","text":"Hello from Talkbridge."}'
  curl -s '${url}/unified/v1/voices?limit=3' -H 'authorization: Bearer ${SANDBOX_CLIENT_KEY}'

`

const startLocalSandbox = async (dataDir: string): Promise<Sandbox> => {
  try {
    return await startWhereItWas(dataDir, (ports) =>
      startSandbox({ clock: createSystemClock(), dataDir, sampleJob: true, ...ports }),
    )
  } catch (error) {
    throw new CliError(1, `talkbridge: the sandbox cannot start in ${dataDir}: ${describe(error)}`, { cause: error })
  }
}

const serveSandbox = async (context: CliContext): Promise<void> => {
  const { env, stdout } = context
  const dataDir = resolve(context.cwd, DATA_DIR)
  const sandboxDir = `${dataDir}/sandbox`
  const sandbox = await startLocalSandbox(sandboxDir)
  try {
    const config = sandboxConfig({ ...sandbox, port: PORT, dataDir, logLevel: 'info' }, env)
    const log = logOf(config, context)
    const gateway = await start(config, context, log, true)
    keepPorts(sandboxDir, sandbox)
    stdout(tryThis(gateway.url, sandbox))
    await serveOn(gateway, context, log)
  } finally {
    await sandbox.close()
  }
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
  } catch (error) {
    const faults = describe(error).split('\n')
    log.error({ faults }, 'the configuration was refused: the one before stays in force')
    for (const fault of faults) context.stderr(`${fault}\n`)
  }
}

/** `talkbridge serve [--config FILE]`: the gateway; without a configuration, in front of a sandbox of its own. */
export const serveCommand: Register = (program, context) => {
  withConfigOption(program.command('serve'))
    .description(
      'run the gateway; without a configuration, in front of the sandbox. SIGHUP reads the configuration again',
    )
    .action(async (options: { config?: string }) => {
      const file = configFile(options, context)
      if (file === null) return serveSandbox(context)
      const config = loadConfig(file, context)
      const log = logOf(config, context)
      const starting = start(config, context, log)
      context.onHangup(() => void reload(starting, file, context, log))
      await serveOn(await starting, context, log)
    })
}
