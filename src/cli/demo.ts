import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pino } from 'pino'
import { createSystemClock } from '../core/time/clock.ts'
import { startGateway } from '../gateway.ts'
import { createLifecycle, type Lifecycle } from '../lifecycle.ts'
import { createLog } from '../log.ts'
import { startSandbox } from '@talkbridge/sandbox'
import { CliError, type CliContext, type Register } from './context.ts'
import { createDemoClient } from './demo/client.ts'
import { showDropIn } from './demo/dropin.ts'
import { startDemoReceiver } from './demo/receiver.ts'
import { createScreen } from './demo/screen.ts'
import { createPatience, type Patience } from './demo/patience.ts'
import { loadVerifier } from './demo/standard-webhooks.ts'
import * as story from './demo/story.ts'
import { SANDBOX_CLIENT_KEY, sandboxConfig } from './profile.ts'

const OUTPUT_DIR = 'demo-output'
/** So long may nothing move: what hangs is a failure too. The whole takes about six seconds. */
const STILL_MS = 120_000

type Step = <T>(name: string, work: () => T | Promise<T>) => Promise<T>

/** Sandbox, gateway and receiver on free ports, their data in a folder that goes when they close. */
const setUp = async (
  context: CliContext,
  signal: AbortSignal,
  moved: Patience['moved'],
  closers: Lifecycle,
): Promise<story.Stage> => {
  const output = { path: resolve(context.cwd, OUTPUT_DIR), shown: `./${OUTPUT_DIR}` }
  await mkdir(output.path, { recursive: true })
  const clock = createSystemClock()
  const verifierOf = await loadVerifier()
  const dataDir = await mkdtemp(join(tmpdir(), 'talkbridge-demo-'))
  closers.onClose('temporary folder', () => rm(dataDir, { recursive: true, force: true }))
  // Twice as fast as usual: there are two rounds of films.
  const sandbox = await startSandbox({ clock, speed: 20 })
  closers.onClose('sandbox', () => sandbox.close())
  // Not the environment: a variable meant for a real gateway must not point the demo at its store.
  const config = sandboxConfig({ ...sandbox, port: 0, dataDir, logLevel: 'silent' }, {})
  const log = createLog(config.log, pino.destination({ fd: 1, sync: false }), false)
  const gateway = await startGateway({
    config,
    clock,
    log,
    secretKey: null,
    random: Math.random,
    backendsAreLocal: true,
  })
  closers.onClose('gateway', async () => void (await gateway.close()))
  const service = { url: gateway.url, key: SANDBOX_CLIENT_KEY }
  const client = createDemoClient({ gatewayUrl: service.url, key: service.key, signal })
  const receiver = await startDemoReceiver(verifierOf(await client.webhookSecret()), clock.now, moved)
  closers.onClose('receiver', () => receiver.close())

  const screen = createScreen(context)
  screen.heading('Talkbridge', 'one API, two backends, signed webhooks')
  screen.line(`gateway              ${gateway.url}/unified/v1`)
  screen.line(`sandbox, primary     ${sandbox.primaryUrl}`)
  screen.line(`sandbox, alternate   ${sandbox.alternateUrl}`)
  screen.line(`webhook receiver     ${receiver.url}`)
  return { client, gateway: service, receiver, sandbox, screen, clock, signal, moved, output }
}

const play = async (stage: story.Stage, step: Step): Promise<void> => {
  const created = await step('create the videos', () => story.createAll(stage))
  const scenes = await step('wait for the videos', () => story.watch(stage, created))
  await step('check how they ended', () => story.checkEnds(scenes))
  const deliveries = await step('verify the webhooks', () => story.checkWebhooks(stage, scenes))
  await step('download the videos', () => story.download(stage, scenes))
  await step('read the timelines', () => story.showTimelines(stage, scenes, deliveries))
  await step('replay the creates', () => story.replay(stage, scenes))
  await step('count the jobs', () => story.prove(stage, scenes))
  await step('run clients of the services themselves', () => showDropIn(stage))
}

const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  // `fetch failed` says nothing; its cause does.
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message
}

const failure = (error: unknown, step: string, { signal }: CliContext, stalled: AbortSignal): CliError => {
  if (error instanceof CliError) return error
  if (signal.aborted) return new CliError(1, `talkbridge demo: interrupted at: ${step}`, { cause: error })
  const reason = stalled.aborted ? `nothing moved for ${STILL_MS / 1000} s` : reasonOf(error)
  return new CliError(1, `talkbridge demo: FAILED at: ${step}: ${reason}`, { cause: error })
}

const runDemo = async (context: CliContext): Promise<void> => {
  const startedMs = performance.now()
  const patience = createPatience(STILL_MS)
  const signal = AbortSignal.any([context.signal, patience.signal])
  const unheard = (): void => undefined
  const error = ({ closer }: Record<string, unknown>): void =>
    context.stderr(`talkbridge demo: could not close the ${String(closer)}\n`)
  const closers = createLifecycle({ info: unheard, warn: unheard, error })
  let current = ''
  const step: Step = (name, work) => {
    current = name
    signal.throwIfAborted()
    patience.moved()
    return Promise.resolve(work())
  }
  try {
    const stage = await step('start sandbox, gateway and receiver', () =>
      setUp(context, signal, patience.moved, closers),
    )
    await play(stage, step)
    const tookS = ((performance.now() - startedMs) / 1000).toFixed(1)
    context.stdout(`\n${stage.screen.paint.green('✓')} everything works, in ${tookS} s\n`)
  } catch (error) {
    throw failure(error, current, context, patience.signal)
  } finally {
    patience.end()
    await closers.close()
  }
}

/** `talkbridge demo`: the main job, end to end, on this machine. */
export const demoCommand: Register = (program, context) => {
  program
    .command('demo')
    .description('make a video on each backend of a sandbox, verify the webhooks, and keep the files in ./demo-output')
    .action(() => runDemo(context))
}
