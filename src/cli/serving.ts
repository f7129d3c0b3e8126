import { once } from 'node:events'
import type { Logger } from 'pino'
import { createSystemClock } from '../core/time/clock.ts'
import type { Config } from '../config.ts'
import { startGateway, type Gateway, type GatewayOptions } from '../gateway.ts'
import { createLog, batchedTo } from '../log.ts'
import { CliError, isColoured, type CliContext } from './context.ts'
import { SANDBOX_CLIENT_KEY } from './config-file.ts'

/** For closing the store, once `shutdown_delay` and `shutdown_grace` are over. */
const CLOSING_MS = 2_000

export const describe = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  const { message, code, port, syscall }: NodeJS.ErrnoException & { port?: number } = error
  const which = port === undefined ? '' : ` ${port}`
  if (code === 'EADDRINUSE') return `port${which} is in use: stop what listens there, or set TALKBRIDGE_SERVER__PORT`
  return syscall === 'listen' || syscall === 'getaddrinfo' ? `${message}: correct server.host or server.port` : message
}

export const logOf = (config: Config, context: CliContext): Logger =>
  createLog(config.log, batchedTo(1), context.isTty, isColoured(context))

export const start = async (
  config: Config,
  context: CliContext,
  log: Logger,
  { isRestored, backendsAreLocal = false }: Pick<GatewayOptions, 'isRestored' | 'backendsAreLocal'>,
): Promise<Gateway> => {
  // The page of the console signs in with it by itself. Not where somebody set other clients.
  const hasSandboxKey = backendsAreLocal && config.clients.some(({ key }) => key === SANDBOX_CLIENT_KEY)
  try {
    return await startGateway({
      config,
      clock: createSystemClock(),
      log,
      secretKey: context.env['TALKBRIDGE_SECRET_KEY'] ?? null,
      random: Math.random,
      isRestored,
      backendsAreLocal,
      console: hasSandboxKey ? { sandboxKey: SANDBOX_CLIENT_KEY } : {},
      // Those of the sandbox take its keys.
      probesBackends: !backendsAreLocal,
    })
  } catch (error) {
    throw new CliError(1, `talkbridge: ${describe(error)}`, { cause: error })
  }
}

/** Until it is asked to stop, or cannot continue: then the one that started it may start it anew. */
export const serveOn = async (gateway: Gateway, { signal, endWithin }: CliContext, log: Logger): Promise<void> => {
  const asked = signal.aborted ? null : once(signal, 'abort').then(() => null)
  const lost = await Promise.race([asked, gateway.lost])
  const { shutdown_delay: delayMs, shutdown_grace: graceMs } = gateway.deps.config.server
  if (lost) log.error({ err: lost }, 'the store cannot be written any more: the process ends')
  else {
    const fields = { signal: String(signal.reason), delay_ms: delayMs, grace_ms: graceMs }
    log.info(fields, 'talkbridge stops once running requests have finished')
  }
  endWithin(delayMs + graceMs + CLOSING_MS)
  const inTime = await gateway.close()
  if (lost) throw new CliError(1, `talkbridge: the store cannot be written any more: ${lost.message}`)
  if (!inTime) throw new CliError(1, 'talkbridge: stopped before all running requests had finished')
  log.info('talkbridge stopped')
}
