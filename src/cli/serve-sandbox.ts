import { resolve } from 'node:path'
import { createSystemClock } from '../core/time/clock.ts'
import type { Gateway } from '../gateway.ts'
import { startSandbox, type Sandbox } from '@talkbridge/sandbox'
import { CliError, type CliContext } from './context.ts'
import { seedExamples } from './example-records.ts'
import { keepPorts, startWhereItWas } from './local-sandbox.ts'
import { SANDBOX_CLIENT_KEY, sandboxConfig } from './profile.ts'
import { describe, logOf, serveOn, start } from './serving.ts'

/** Where `npm start` listens and keeps its data when nothing else is said. */
const PORT = 8080
const DATA_DIR = './data'

const tryThis = ({ url, deps }: Gateway, sandbox: Sandbox): string => `
Talkbridge serves ${url} in front of the sandbox
  primary   ${sandbox.primaryUrl}
  alternate ${sandbox.alternateUrl}
Key: ${SANDBOX_CLIENT_KEY}   (no account, no credit; Ctrl-C stops, ./data keeps everything)
${deps.config.console.enabled ? `Console: ${url}/console\n` : ''}API: ${url}/docs

Try it:
  curl -s ${url}/unified/v1/videos \\
    -H 'authorization: Bearer ${SANDBOX_CLIENT_KEY}' -H 'content-type: application/json' -H 'prefer: wait=30' \\
    -d '{"image_url":"https://example.com/anna.png","text":"Hello from Talkbridge."}'
  curl -s '${url}/unified/v1/voices?limit=3' -H 'authorization: Bearer ${SANDBOX_CLIENT_KEY}'

`

const startLocalSandbox = async (dataDir: string): Promise<Sandbox> => {
  try {
    return await startWhereItWas(dataDir, (ports) =>
      startSandbox({ clock: createSystemClock(), dataDir, sampleJobs: true, ...ports }),
    )
  } catch (error) {
    throw new CliError(1, `talkbridge: the sandbox cannot start in ${dataDir}: ${describe(error)}`, { cause: error })
  }
}

/** The gateway in front of a sandbox of its own. */
export const serveSandbox = async (context: CliContext, isRestored: boolean): Promise<void> => {
  const { env, stdout } = context
  const dataDir = resolve(context.cwd, DATA_DIR)
  const sandboxDir = `${dataDir}/sandbox`
  const sandbox = await startLocalSandbox(sandboxDir)
  try {
    const config = sandboxConfig({ ...sandbox, port: PORT, dataDir, logLevel: 'info' }, env)
    const log = logOf(config, context)
    await seedExamples(config, {
      clock: createSystemClock(),
      log,
      secretKey: context.env['TALKBRIDGE_SECRET_KEY'] ?? null,
    })
    const gateway = await start(config, context, log, { isRestored, backendsAreLocal: true })
    keepPorts(sandboxDir, sandbox)
    stdout(tryThis(gateway, sandbox))
    await serveOn(gateway, context, log)
  } finally {
    await sandbox.close()
  }
}
